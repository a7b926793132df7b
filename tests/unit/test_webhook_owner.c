/* Owners' changes to their endpoints, effects of a plan change, and notices to owners. */
#include "delivery_sample.h"

#include "webhook/notice.h"
#include "webhook/owner.h"

enum { NOW = 1000000000 };

static const char *const email = "owner@example.org";

#define BEGIN(f) assert_ok((f), db_begin((f)->db, &(f)->fail))
#define COMMIT(f) assert_ok((f), db_commit((f)->db, &(f)->fail))
#define WRITE(f, call)                                                                             \
    do {                                                                                           \
        BEGIN(f);                                                                                  \
        assert_ok((f), (call));                                                                    \
        COMMIT(f);                                                                                 \
    } while (0)
/* Expects this error, and that nothing is written. */
#define REFUSED(f, call, error)                                                                    \
    do {                                                                                           \
        BEGIN(f);                                                                                  \
        assert_int_equal((call), (error));                                                         \
        db_rollback((f)->db);                                                                      \
    } while (0)

static struct seal_key key;

/* Public addresses only, and every port but 25. */
static const struct cidr_list no_network;
static const struct port_set port_25 = {.bits = {UINT64_C(1) << 25}};
static const struct guard guard = {.allow = &no_network, .refused_ports = &port_25};
static const struct destination_rules rules = {.guard = &guard};

static struct owner_added add(struct store_fixture *f, const char *url)
{
    struct owner_added added;
    WRITE(
        f,
        owner_add(
            f->db, &key, str_from(email), str_from(url), &rules, NOW, &f->arena, &added, &f->fail));
    return added;
}

static struct endpoint find(struct store_fixture *f, struct str id)
{
    struct endpoint endpoint;
    assert_ok(f, endpoint_find(f->db, id, &f->arena, &endpoint, &f->fail));
    return endpoint;
}

static void fill(struct store_fixture *f)
{
    secret_seal_key(&key, STR("0123456789abcdef0123456789abcdef"));
    delivery_sample_account(f, email); /* on the Den plan */
}

static struct owner_plan_effect set_plan(struct store_fixture *f, enum plan plan)
{
    struct owner_plan_effect effect;
    WRITE(f, owner_set_plan(f->db, str_from(email), plan, NOW, &f->arena, &effect, &f->fail));
    return effect;
}

/* "eepd": enabled, enabled, paused, disabled; oldest first. */
static void assert_states(struct store_fixture *f, const char *expected)
{
    char states[32] = "";
    struct endpoint_list list;
    assert_ok(f, endpoint_list(f->db, str_from(email), &f->arena, &list, &f->fail));
    assert_true(list.count < sizeof states);
    for (size_t i = 0; i < list.count; i++)
        states[i] = endpoint_state_name(list.items[i].is.state).p[0];
    assert_string_equal(states, expected);
}

static void added_endpoint_uses_shown_secret(void **state)
{
    struct store_fixture *f = *state;
    struct secret opened;
    fill(f);
    struct owner_added added = add(f, "https://EXAMPLE.org:443/Hook?a=B");
    assert_str(added.url, "https://example.org/Hook?a=B");
    struct endpoint endpoint = find(f, added.id);
    assert_str(endpoint.url, added.url.p);
    assert_ok(f, secret_open(&key, added.id, endpoint.secret_sealed, &opened, &f->fail));
    assert_string_equal(opened.text, added.secret.text);
    assert_true(str_find(endpoint.secret_sealed, secret_text(&opened)) < 0);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM change WHERE noun = 'endpoint'"), 1);
}

static void urls_caps_and_accounts_are_checked(void **state)
{
    static const struct {
        const char *email, *url;
        enum err err;
    } cases[] = {
        {"owner@example.org", "http://example.org/", ERR_INVALID},
        {"owner@example.org", "https://user@example.org/", ERR_INVALID},
        {"owner@example.org", "", ERR_INVALID},
        {"owner@example.org", "https://10.0.0.1/", ERR_REFUSED},
        {"owner@example.org", "https://example.org:25/", ERR_REFUSED},
        {"owner@example.org", "https://localhost/", ERR_REFUSED},
        {"nobody@example.org", "https://example.org/", ERR_NOT_FOUND},
    };
    struct store_fixture *f = *state;
    struct owner_added added;
    fill(f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        REFUSED(
            f,
            owner_add(
                f->db, &key, str_from(cases[i].email), str_from(cases[i].url), &rules, NOW,
                &f->arena, &added, &f->fail),
            cases[i].err);
    set_plan(f, PLAN_PACK);
    for (int i = 0; i < 3; i++)
        add(f, "https://example.org/");
    REFUSED(
        f,
        owner_add(
            f->db, &key, str_from(email), STR("https://example.org/"), &rules, NOW, &f->arena,
            &added, &f->fail),
        ERR_LIMIT);
    assert_states(f, "eee");
}

static void smaller_plan_pauses_newest_and_larger_plan_resumes_them(void **state)
{
    struct store_fixture *f = *state;
    struct str ids[5];
    fill(f);
    for (int i = 0; i < 5; i++)
        ids[i] = add(f, "https://example.org/").id;
    struct owner_plan_effect effect = set_plan(f, PLAN_PACK);
    assert_states(f, "eeepp");
    assert_int_equal(effect.paused.count, 2);
    assert_str(effect.paused.items[0].id, ids[3].p);
    assert_int_equal(effect.resumed.count, 0);
    effect = set_plan(f, PLAN_PACK); /* again: no effect */
    assert_int_equal(effect.paused.count + effect.resumed.count, 0);
    set_plan(f, PLAN_SCOUT);
    assert_states(f, "ppppp");
    effect = set_plan(f, PLAN_DEN);
    assert_states(f, "eeeee");
    assert_int_equal(effect.resumed.count, 5);
    assert_str(effect.resumed.items[0].id, ids[0].p); /* oldest first */
}

static void disabled_endpoint_stays_disabled_and_is_enabled_within_cap(void **state)
{
    struct store_fixture *f = *state;
    struct str ids[4];
    fill(f);
    for (int i = 0; i < 4; i++)
        ids[i] = add(f, "https://example.org/").id;
    WRITE(f, owner_disable(f->db, ids[0], NOW, &f->fail));
    WRITE(f, owner_disable(f->db, ids[3], NOW, &f->fail));
    set_plan(f, PLAN_PACK);
    assert_states(f, "deed");
    REFUSED(f, owner_enable(f->db, ids[3], NOW, &f->fail), ERR_LIMIT);
    WRITE(f, owner_enable(f->db, ids[0], NOW, &f->fail));
    assert_states(f, "eeed");
    set_plan(f, PLAN_DEN);
    assert_states(f, "eeed");
    WRITE(f, owner_enable(f->db, ids[3], NOW, &f->fail));
    assert_states(f, "eeee");
}

static void paused_endpoint_is_neither_enabled_nor_disabled(void **state)
{
    struct store_fixture *f = *state;
    fill(f);
    struct str id = add(f, "https://example.org/").id;
    set_plan(f, PLAN_WOLF);
    REFUSED(f, owner_enable(f->db, id, NOW, &f->fail), ERR_REFUSED);
    REFUSED(f, owner_disable(f->db, id, NOW, &f->fail), ERR_REFUSED);
    REFUSED(f, owner_enable(f->db, STR("ep_0"), NOW, &f->fail), ERR_NOT_FOUND);
    assert_states(f, "p");
}

static void oldest_paused_endpoint_replaces_removed_one(void **state)
{
    struct store_fixture *f = *state;
    struct str ids[5];
    fill(f);
    for (int i = 0; i < 5; i++)
        ids[i] = add(f, "https://example.org/").id;
    set_plan(f, PLAN_PACK);
    WRITE(f, owner_remove(f->db, ids[1], NOW, &f->fail));
    assert_states(f, "eeep");
    assert_int_equal(find(f, ids[3]).is.state, ENDPOINT_ENABLED);
    REFUSED(f, owner_remove(f->db, ids[1], NOW, &f->fail), ERR_NOT_FOUND);
}

static void endpoint_of_a_disabled_account_can_be_removed_and_not_enabled(void **state)
{
    struct store_fixture *f = *state;
    fill(f);
    struct str id = add(f, "https://example.org/").id;
    WRITE(f, account_disable(f->db, str_from(email), NOW, &f->fail));
    REFUSED(f, owner_enable(f->db, id, NOW, &f->fail), ERR_REFUSED);
    WRITE(f, owner_remove(f->db, id, NOW, &f->fail));
    assert_states(f, "");
}

static void rotation_keeps_old_secret_for_grace_period(void **state)
{
    struct store_fixture *f = *state;
    struct secret second, third, opened;
    fill(f);
    struct owner_added added = add(f, "https://example.org/");
    WRITE(f, owner_rotate(f->db, &key, added.id, 5, NOW, &second, &f->fail));
    struct endpoint endpoint = find(f, added.id);
    assert_int_equal(endpoint.old_secret_until, NOW + 5 * HOUR_MS);
    assert_ok(f, secret_open(&key, added.id, endpoint.secret_sealed, &opened, &f->fail));
    assert_string_equal(opened.text, second.text);
    assert_ok(f, secret_open(&key, added.id, endpoint.old_secret_sealed, &opened, &f->fail));
    assert_string_equal(opened.text, added.secret.text);
    WRITE(f, owner_rotate(f->db, &key, added.id, 0, NOW, &third, &f->fail));
    endpoint = find(f, added.id);
    assert_true(str_is_null(endpoint.old_secret_sealed));
    assert_int_equal(endpoint.old_secret_until, INSTANT_NONE);
    assert_string_not_equal(third.text, second.text);
}

static void wrong_master_key_cannot_seal(void **state)
{
    struct store_fixture *f = *state;
    struct seal_key other;
    struct secret secret;
    fill(f);
    struct str id = add(f, "https://example.org/").id;
    secret_seal_key(&other, STR("another master key of 32 bytes.."));
    REFUSED(f, owner_rotate(f->db, &other, id, 1, NOW, &secret, &f->fail), ERR_REFUSED);
}

/* --- notices */

static struct str mail_column(struct store_fixture *f, const char *sql)
{
    struct query q;
    struct str text = STR_NULL;
    query_start(&q, f->db, sql);
    if (query_row(&q))
        text = arena_str(&f->arena, query_get_str(&q, 0));
    assert_ok(f, query_end(&q, &f->fail));
    return text;
}

#define assert_has(text, part) assert_true(str_find((text), (part)) >= 0)

static void notice_names_the_endpoint_the_count_and_the_last_error(void **state)
{
    struct store_fixture *f = *state;
    fill(f);
    struct owner_added added = add(f, "https://example.org/hook");
    const struct delivery_outcome outcome = {
        .ended_at = NOW, .error = STR("tls"), .detail = STR("certificate has expired")};
    const struct delivery_effect effect = {
        .known = true,
        .endpoint_no = find(f, added.id).no,
        .before = {.state = ENDPOINT_ENABLED, .failures = 7, .streak = 1},
        .after = {.state = ENDPOINT_ENABLED, .failures = 8, .streak = 1},
    };
    WRITE(f, notice_failures(f->db, NULL, &outcome, &effect, &f->fail));
    assert_str(mail_column(f, "SELECT to_email FROM mail"), email);
    struct str body = mail_column(f, "SELECT body FROM mail");
    assert_has(body, STR("8 deliveries to your webhook endpoint"));
    assert_has(body, added.id);
    assert_has(body, STR("https://example.org/hook"));
    assert_has(body, STR("without an answer: certificate has expired (tls)"));
    assert_has(body, STR("If 10 different deliveries fail"));
    assert_true(str_find(body, secret_text(&added.secret)) < 0);
}

static void removal_sends_no_notice_to_owner(void **state)
{
    struct store_fixture *f = *state;
    fill(f);
    struct str id = add(f, "https://example.org/hook").id;
    const struct delivery_outcome outcome = {.ended_at = NOW, .status = 500};
    const struct delivery_effect effect = {
        .endpoint_no = find(f, id).no, .after = {.state = ENDPOINT_DELETED, .failures = 5}};
    WRITE(f, owner_remove(f->db, id, NOW, &f->fail));
    WRITE(f, notice_failures(f->db, NULL, &outcome, &effect, &f->fail));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM mail"), 0);
}

static void plan_without_endpoint_changes_sends_no_notice(void **state)
{
    struct store_fixture *f = *state;
    struct account account;
    fill(f);
    struct str id = add(f, "https://example.org/hook").id;
    assert_ok(f, account_find(f->db, str_from(email), &f->arena, &account, &f->fail));
    struct owner_plan_effect effect = set_plan(f, PLAN_PACK);
    WRITE(f, notice_plan(f->db, &account, &effect, NOW, &f->fail));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM mail"), 0);
    effect = set_plan(f, PLAN_SCOUT);
    account.plan = PLAN_SCOUT;
    WRITE(f, notice_plan(f->db, &account, &effect, NOW, &f->fail));
    struct str body = mail_column(f, "SELECT body FROM mail");
    assert_has(body, STR("on the Scout plan now, which allows 0 webhook endpoints"));
    assert_has(body, id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(added_endpoint_uses_shown_secret),
        store_test(urls_caps_and_accounts_are_checked),
        store_test(smaller_plan_pauses_newest_and_larger_plan_resumes_them),
        store_test(disabled_endpoint_stays_disabled_and_is_enabled_within_cap),
        store_test(paused_endpoint_is_neither_enabled_nor_disabled),
        store_test(oldest_paused_endpoint_replaces_removed_one),
        store_test(endpoint_of_a_disabled_account_can_be_removed_and_not_enabled),
        store_test(rotation_keeps_old_secret_for_grace_period),
        store_test(wrong_master_key_cannot_seal),
        store_test(notice_names_the_endpoint_the_count_and_the_last_error),
        store_test(removal_sends_no_notice_to_owner),
        store_test(plan_without_endpoint_changes_sends_no_notice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
