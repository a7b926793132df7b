/* Search of accounts: parts of addresses and ids, filters, pages, counts. */
#include "delivery_sample.h"

#include "store/account/account_search.h"
#include "store/account/action_log.h"
#include "store/account/key.h"

static const char *const emails[] = {
    "ada@example.org", "ben_@example.org", "benx@example.org", "Cleo+A@Example.net",
    "50%@example.org"};

enum { COUNT = sizeof emails / sizeof *emails };

static void make_accounts(struct store_fixture *f)
{
    for (size_t i = 0; i < COUNT; i++)
        delivery_sample_account(f, emails[i]);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, account_set_role(ACT(f), STR("ada@example.org"), ROLE_ADMIN));
    assert_ok(f, account_set_plan(ACT(f), STR("benx@example.org"), PLAN_WOLF));
    assert_ok(f, account_disable(ACT(f, .now_ms = 7), STR("benx@example.org")));
    assert_ok(f, db_commit(f->db, &f->fail));
}

/* The addresses found, with spaces between them. */
static const char *found(struct store_fixture *f, struct account_search search)
{
    static char text[512];
    struct account_found_list list;
    text[0] = '\0';
    assert_ok(f, account_search(ACT(f), &search, 10, &list));
    for (size_t i = 0; i < list.count; i++) {
        size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, "%s%.*s", n ? " " : "", STR_ARG(list.items[i].email));
    }
    return text;
}

#define FOUND(expected, ...)                                                                       \
    assert_string_equal(found(f, (struct account_search){__VA_ARGS__}), expected)

static void accounts_are_found_by_part_and_filters(void **state)
{
    struct store_fixture *f = *state;
    make_accounts(f);
    FOUND(
        "50%@example.org Cleo+A@Example.net benx@example.org ben_@example.org ada@example.org",
        .text = STR_NULL);
    FOUND("benx@example.org ben_@example.org", .text = STR("BEN"));
    FOUND("ben_@example.org", .text = STR("n_")); /* not a wildcard */
    FOUND("50%@example.org", .text = STR("%"));
    FOUND("", .text = STR("\\"));
    FOUND("Cleo+A@Example.net", .text = STR("cleo+a@example.net"));
    FOUND("", .text = STR("nobody"));
    FOUND("ada@example.org", .role = STR("admin"));
    FOUND("benx@example.org", .plan = STR("wolf"));
    FOUND("benx@example.org", .state = ACCOUNT_DISABLED);
    FOUND("ben_@example.org", .text = STR("ben"), .state = ACCOUNT_ENABLED);
    FOUND("", .state = ACCOUNT_DELETED);
    struct account account;
    assert_ok(f, account_find(ACT(f), STR("ada@example.org"), &account));
    FOUND("ada@example.org", .text = str_slice(account.id, 6, account.id.n));
    char long_text[ACCOUNT_SEARCH_TEXT_MAX + 1];
    memset(long_text, 'a', sizeof long_text);
    FOUND("", .text = str_of(long_text, sizeof long_text));
}

static void pages_continue_below_a_number(void **state)
{
    struct store_fixture *f = *state;
    struct account_found_list list;
    struct account_search search = {.text = STR("example")};
    make_accounts(f);
    assert_ok(f, account_search(ACT(f), &search, 3, &list));
    assert_int_equal(list.count, 3);
    assert_true(list.more);
    search.before = list.items[2].no;
    assert_ok(f, account_search(ACT(f), &search, 3, &list));
    assert_int_equal(list.count, 2);
    assert_false(list.more);
    assert_str(list.items[1].email, "ada@example.org");
}

static void keys_endpoints_and_the_last_sign_in_are_counted(void **state)
{
    struct store_fixture *f = *state;
    struct account account;
    struct key key;
    struct account_found_list list;
    char plaintext[API_KEY_SIZE];
    make_accounts(f);
    delivery_sample_endpoint(f, "ada@example.org", "https://one.example/");
    assert_ok(f, account_find(ACT(f), STR("ada@example.org"), &account));
    assert_ok(f, db_begin(f->db, &f->fail));
    for (int i = 0; i < 2; i++)
        assert_ok(
            f, key_mint(ACT(f, .now_ms = 5), account.email, KEY_API, STR("k"), plaintext, &key));
    assert_ok(f, key_revoke(ACT(f, .now_ms = 6), key.id));
    for (int at = 10; at <= 20; at += 10)
        assert_ok(
            f, action_log_add(
                   ACT(f, .actor = &ACTOR_VISITOR, .now_ms = at), ACTION_SESSION_START, account.id,
                   STR_NULL, STR_NULL, STR_NULL));
    assert_ok(f, db_commit(f->db, &f->fail));
    const struct account_search search = {.text = STR("ada@")}; /* no id has an @ */
    assert_ok(f, account_search(ACT(f), &search, 3, &list));
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].keys, 1);
    assert_int_equal(list.items[0].endpoints, 1);
    assert_int_equal(list.items[0].signed_in_at, 20);
    assert_int_equal(list.items[0].role, ROLE_ADMIN);
    assert_false(list.items[0].has_password);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(accounts_are_found_by_part_and_filters),
        store_test(pages_continue_below_a_number),
        store_test(keys_endpoints_and_the_last_sign_in_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
