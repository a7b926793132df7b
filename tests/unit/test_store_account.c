/* Accounts, keys, endpoints, month counts and marks. */
#include "store_fixture.h"

#include <pthread.h>

#include "base/instant.h"
#include "store/account/account.h"
#include "store/account/endpoint.h"
#include "store/account/key.h"
#include "store/account/month_count.h"
#include "store/row/change.h"
#include "store/row/meta.h"

enum { MINTERS = 20 };

static struct account make_account(struct store_fixture *f, const char *email, enum plan plan)
{
    struct account a;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, account_create(ACT(f, .now_ms = 1000), str_from(email), plan, ROLE_MEMBER, &a));
    assert_ok(f, db_commit(f->db, &f->fail));
    return a;
}

static enum err mint(
    struct store_fixture *f, struct db *db, const char *email, struct arena *arena, struct key *ret)
{
    char plaintext[API_KEY_SIZE];
    struct fail fail;
    enum err err = db_begin(db, &fail);
    assert_int_equal(err, OK);
    err = key_mint(
        &(struct act){.db = db, .now_ms = 2000, .arena = arena, .fail = &fail}, str_from(email),
        KEY_API, STR("laptop"), plaintext, ret);
    if (err) {
        db_rollback(db);
        return err;
    }
    return db_commit(db, &fail);
}

static void email_address_ignores_letter_case(void **state)
{
    struct store_fixture *f = *state;
    struct account made = make_account(f, "Ada@Example.org", PLAN_PACK), other;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_int_equal(
        account_create(ACT(f, .now_ms = 1), STR("ada@example.ORG"), PLAN_DEN, ROLE_ADMIN, &other),
        ERR_EXISTS);
    db_rollback(f->db);
    assert_ok(f, account_find(ACT(f), STR("ADA@example.org"), &other));
    assert_true(str_eq(other.id, made.id));
    assert_str(other.email, "Ada@Example.org");
    assert_int_equal(other.plan, PLAN_PACK);
    assert_true(str_is_null(other.password_hash));
    assert_int_equal(account_find(ACT(f), STR("nobody@example.org"), &other), ERR_NOT_FOUND);
    assert_non_null(strstr(f->fail.text, "nobody@example.org"));
}

static void invalid_database_url_is_refused(void **state)
{
    struct store_fixture *f = *state;
    static const char *const wrong[] = {"", "ada", "@x", "a@", "a@b@c", "a b@c", "a@b\n"};
    struct account a;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(
            account_create(ACT(f, .now_ms = 1), str_from(wrong[i]), PLAN_PACK, ROLE_MEMBER, &a),
            ERR_INVALID);
    char longest[400];
    memset(longest, 'a', sizeof longest);
    longest[200] = '@';
    assert_int_equal(
        account_set_plan(ACT(f), str_of(longest, sizeof longest), PLAN_DEN), ERR_NOT_FOUND);
}

static void account_changes_add_notices(void **state)
{
    struct store_fixture *f = *state;
    struct account a = make_account(f, "a@example.org", PLAN_SCOUT);
    make_account(f, "B@example.org", PLAN_DEN);
    int64_t before, after;
    assert_ok(f, change_last(f->db, &before, &f->fail));
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, account_set_plan(ACT(f), STR("A@example.org"), PLAN_WOLF));
    assert_ok(f, account_set_role(ACT(f), STR("a@example.org"), ROLE_REVIEWER));
    assert_ok(
        f, account_replace_password(ACT(f, .now_ms = 4000), a.no, STR_NULL, STR("$argon2id$x")));
    assert_ok(f, account_disable(ACT(f, .now_ms = 5000), STR("a@example.org")));
    assert_ok(f, account_disable(ACT(f, .now_ms = 6000), STR("a@example.org")));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_ok(f, change_last(f->db, &after, &f->fail));
    assert_int_equal(after - before, 4); /* servers keep no password */
    assert_ok(f, account_find_id(ACT(f), a.id, &a));
    assert_int_equal(a.plan, PLAN_WOLF);
    assert_int_equal(a.role, ROLE_REVIEWER);
    assert_int_equal(a.disabled_at, 5000);
    assert_str(a.password_hash, "$argon2id$x");
    struct account_list list;
    assert_ok(f, account_list(ACT(f), &list));
    assert_int_equal(list.count, 2);
    assert_str(list.items[1].email, "B@example.org");
}

static void key_is_stored_only_as_digest(void **state)
{
    struct store_fixture *f = *state;
    make_account(f, "a@example.org", PLAN_PACK);
    struct key key;
    char plaintext[API_KEY_SIZE];
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(
        f,
        key_mint(
            ACT(f, .now_ms = 2000), STR("a@example.org"), KEY_API, STR("laptop"), plaintext, &key));
    assert_ok(f, db_commit(f->db, &f->fail));
    uint8_t digest[SHA256_SIZE];
    api_key_hash(str_of(plaintext, sizeof plaintext), digest);
    assert_memory_equal(digest, key.sha256, sizeof digest);
    assert_true(str_eq(key.prefix, str_of(plaintext, API_KEY_PREFIX_SIZE)));
    assert_int_equal(key.last_used_at, INSTANT_NONE);
    assert_int_equal(key.plan, PLAN_PACK);

    assert_ok(f, db_begin(f->db, &f->fail));
    assert_int_equal(
        key_add(
            ACT(f, .now_ms = 1), STR("a@example.org"), STR("again"),
            str_of(plaintext, sizeof plaintext), &key),
        ERR_EXISTS);
    db_rollback(f->db);
}

static void last_use_never_moves_back(void **state)
{
    struct store_fixture *f = *state;
    make_account(f, "a@example.org", PLAN_PACK);
    struct key key;
    assert_int_equal(mint(f, f->db, "a@example.org", &f->arena, &key), OK);
    assert_ok(f, key_touch(f->db, key.no, 5000, STR("/api/v1/trades"), &f->fail));
    assert_ok(f, key_touch(f->db, key.no, 4000, STR_NULL, &f->fail));
    assert_ok(f, key_find(ACT(f), key.id, &key));
    assert_int_equal(key.last_used_at, 5000);
}

static void revoked_keys_stay_listed_and_do_not_count(void **state)
{
    struct store_fixture *f = *state;
    struct account a = make_account(f, "a@example.org", PLAN_PACK);
    struct key keys[4], found;
    for (int i = 0; i < 3; i++)
        assert_int_equal(mint(f, f->db, "a@example.org", &f->arena, &keys[i]), OK);
    assert_int_equal(mint(f, f->db, "a@example.org", &f->arena, &keys[3]), ERR_LIMIT);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, key_revoke(ACT(f, .now_ms = 3000), keys[1].id));
    assert_ok(f, key_revoke(ACT(f, .now_ms = 4000), keys[1].id));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_ok(f, key_find(ACT(f), keys[1].id, &found));
    assert_int_equal(found.revoked_at, 3000);
    assert_int_equal(mint(f, f->db, "a@example.org", &f->arena, &keys[3]), OK);
    struct key_list list;
    assert_ok(f, key_list_active(ACT(f), a.no, KEY_API, &list));
    assert_int_equal(list.count, 3);
    assert_true(str_eq(list.items[0].id, keys[3].id));
    assert_true(str_eq(list.items[2].id, keys[0].id));
    struct key_edge edge = {0, 0};
    assert_ok(f, key_list_revoked(ACT(f), a.no, &edge, 9, &list));
    assert_int_equal(list.count, 1);
    assert_true(str_eq(list.items[0].id, keys[1].id));
    assert_int_equal(key_revoke(ACT(f, .now_ms = 1), STR("key_none")), ERR_NOT_FOUND);
}

struct visited {
    int count;
    int64_t last_no;
};

static enum err visit_key(void *ctx, const struct key *key, struct fail *fail)
{
    struct visited *visited = ctx;
    assert_true(visited->count == 1 || key->no < visited->last_no);
    assert_int_equal(key->revoked_at == INSTANT_NONE, visited->count == 0);
    visited->count++;
    visited->last_no = key->no;
    return OK;
}

static void many_revoked_keys_are_read_in_pages(void **state)
{
    struct store_fixture *f = *state;
    struct account a = make_account(f, "a@example.org", PLAN_PACK);
    struct key key;
    struct key_list list;
    struct key_edge edge = {0, 0};
    struct visited visited = {0, INT64_MAX};
    for (int i = 0; i < 205; i++) {
        assert_int_equal(mint(f, f->db, "a@example.org", &f->arena, &key), OK);
        assert_ok(f, db_begin(f->db, &f->fail));
        assert_ok(f, key_revoke(ACT(f, .now_ms = 3000), key.id));
        assert_ok(f, db_commit(f->db, &f->fail));
    }
    assert_int_equal(mint(f, f->db, "a@example.org", &f->arena, &key), OK);
    assert_ok(f, key_list_revoked(ACT(f), a.no, &edge, 10, &list));
    int64_t first = list.items[0].no;
    edge.before_no = list.items[9].no;
    assert_ok(f, key_list_revoked(ACT(f), a.no, &edge, 10, &list));
    assert_true(list.items[0].no < edge.before_no);
    edge = (struct key_edge){.after_no = list.items[0].no};
    assert_ok(f, key_list_revoked(ACT(f), a.no, &edge, 10, &list));
    assert_int_equal(list.count, 10);
    assert_int_equal(list.items[0].no, first); /* the page before, newest first */
    assert_ok(f, key_each_of_account(ACT(f), a.no, visit_key, &visited));
    assert_int_equal(visited.count, 206);
}

static void plan_without_keys_and_disabled_account_cannot_mint(void **state)
{
    struct store_fixture *f = *state;
    struct key key;
    make_account(f, "w@example.org", PLAN_WOLF);
    assert_int_equal(mint(f, f->db, "w@example.org", &f->arena, &key), ERR_LIMIT);
    make_account(f, "d@example.org", PLAN_DEN);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, account_disable(ACT(f, .now_ms = 1), STR("d@example.org")));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_int_equal(mint(f, f->db, "d@example.org", &f->arena, &key), ERR_REFUSED);
}

struct minter {
    struct store_fixture *fixture;
    struct db *db;
    enum err err;
};

static void *mint_one(void *arg)
{
    struct minter *m = arg;
    struct arena arena;
    struct key key;
    arena_init(&arena);
    m->err = mint(m->fixture, m->db, "a@example.org", &arena, &key);
    arena_finish(&arena);
    return NULL;
}

static void cap_allows_three_of_twenty_parallel_mints(void **state)
{
    struct store_fixture *f = *state;
    make_account(f, "a@example.org", PLAN_PACK);
    struct minter minters[MINTERS];
    pthread_t threads[MINTERS];
    for (int i = 0; i < MINTERS; i++)
        minters[i] = (struct minter){.fixture = f, .db = store_fixture_open(f)};
    for (int i = 0; i < MINTERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, mint_one, &minters[i]), 0);
    int minted = 0, refused = 0;
    for (int i = 0; i < MINTERS; i++) {
        pthread_join(threads[i], NULL);
        minted += minters[i].err == OK;
        refused += minters[i].err == ERR_LIMIT;
        db_close(minters[i].db);
    }
    assert_int_equal(minted, 3);
    assert_int_equal(refused, MINTERS - 3);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM api_key"), 3);
}

static void count_key(void *ctx, const struct key *key)
{
    int *n = ctx;
    *n += key->plan == PLAN_DEN ? 100 : 1;
}

static void keys_are_loaded_with_their_owners_plan(void **state)
{
    struct store_fixture *f = *state;
    make_account(f, "a@example.org", PLAN_PACK);
    make_account(f, "b@example.org", PLAN_DEN);
    struct key key;
    assert_int_equal(mint(f, f->db, "a@example.org", &f->arena, &key), OK);
    assert_int_equal(mint(f, f->db, "b@example.org", &f->arena, &key), OK);
    int n = 0;
    assert_ok(f, key_each(f->db, count_key, &n, &f->fail));
    assert_int_equal(n, 101);
}

static void endpoints_are_capped_and_listed(void **state)
{
    struct store_fixture *f = *state;
    make_account(f, "a@example.org", PLAN_PACK);
    assert_ok(f, db_begin(f->db, &f->fail));
    char id[ENDPOINT_ID_SIZE];
    for (int i = 0; i < 3; i++) {
        endpoint_id_make(id);
        assert_ok(
            f, endpoint_add(
                   ACT(f, .now_ms = 1000), STR("a@example.org"), str_of(id, sizeof id),
                   STR("https://example.org/"), str_of("\0sealed", 7)));
    }
    struct endpoint_list list;
    assert_ok(f, endpoint_list(ACT(f), STR_NULL, &list));
    assert_int_equal(list.count, 3);
    assert_true(str_eq(list.items[2].secret_sealed, str_of("\0sealed", 7)));
    assert_ok(f, endpoint_do(ACT(f, .now_ms = 2000), list.items[0].id, ENDPOINT_DELETE));
    assert_int_equal(
        endpoint_do(ACT(f, .now_ms = 2000), list.items[0].id, ENDPOINT_ENABLE), ERR_NOT_FOUND);
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_ok(f, endpoint_list(ACT(f), STR("A@example.org"), &list));
    assert_int_equal(list.count, 2);
    assert_str(list.items[0].account_email, "a@example.org");
}

static void sum_count(void *ctx, enum month_count_kind kind, struct str caller, int64_t used)
{
    int64_t *sum = ctx;
    *sum += kind == MONTH_COUNT_KEY ? used : 1000 * used;
}

static void month_counts_add_up_and_are_deleted(void **state)
{
    struct store_fixture *f = *state;
    const int32_t month = 2026 * 12 + 10;
    struct str address = str_of("\0\1\2\3", 4);
    int64_t used = 0, sum = 0;
    assert_ok(f, month_count_add(f->db, MONTH_COUNT_KEY, STR("1"), month, 5, &used, &f->fail));
    assert_int_equal(used, 5);
    assert_ok(f, month_count_add(f->db, MONTH_COUNT_KEY, STR("1"), month, 4, &used, &f->fail));
    assert_int_equal(used, 9);
    assert_ok(f, month_count_add(f->db, MONTH_COUNT_KEY, STR("1"), month, -100, &used, &f->fail));
    assert_int_equal(used, 0);
    assert_ok(
        f, month_count_add(
               f->db, MONTH_COUNT_KEY, STR("1"), month, INT64_C(5000000000), &used, &f->fail));
    assert_true(used == INT64_C(5000000000));
    assert_ok(f, month_count_add(f->db, MONTH_COUNT_ADDRESS, address, month, -3, &used, &f->fail));
    assert_int_equal(used, 0);
    assert_ok(f, month_count_add(f->db, MONTH_COUNT_ADDRESS, address, month, 2, NULL, &f->fail));
    assert_ok(f, month_count_add(f->db, MONTH_COUNT_KEY, STR("2"), month - 1, 7, NULL, &f->fail));
    assert_ok(f, month_count_each(f->db, month, sum_count, &sum, &f->fail));
    assert_true(sum == INT64_C(5000002000));

    assert_ok(f, month_count_prune(f->db, month + 1, &f->fail));
    sum = 0;
    assert_ok(f, month_count_each(f->db, month, sum_count, &sum, &f->fail));
    assert_true(sum == INT64_C(5000000000));
    assert_ok(f, month_count_prune(f->db, month + MONTH_COUNT_KEPT, &f->fail));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM month_count"), 1);
}

static void demo_and_real_data_do_not_mix(void **state)
{
    struct store_fixture *f = *state;
    enum meta_data data;
    assert_ok(f, meta_data_get(f->db, &data, &f->fail));
    assert_int_equal(data, META_DATA_NONE);
    assert_ok(f, meta_data_claim(f->db, META_DATA_DEMO, &f->fail));
    assert_ok(f, meta_data_claim(f->db, META_DATA_DEMO, &f->fail));
    assert_int_equal(meta_data_claim(f->db, META_DATA_REAL, &f->fail), ERR_REFUSED);
    assert_ok(f, meta_data_get(f->db, &data, &f->fail));
    assert_int_equal(data, META_DATA_DEMO);
    struct str value;
    assert_int_equal(meta_get(f->db, STR("salt"), &f->arena, &value, &f->fail), ERR_NOT_FOUND);
    assert_ok(f, meta_set(f->db, STR("salt"), STR("1"), &f->fail));
    assert_ok(f, meta_set(f->db, STR("salt"), STR("2"), &f->fail));
    assert_ok(f, meta_get(f->db, STR("salt"), &f->arena, &value, &f->fail));
    assert_str(value, "2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(email_address_ignores_letter_case),
        store_test(invalid_database_url_is_refused),
        store_test(account_changes_add_notices),
        store_test(key_is_stored_only_as_digest),
        store_test(last_use_never_moves_back),
        store_test(revoked_keys_stay_listed_and_do_not_count),
        store_test(many_revoked_keys_are_read_in_pages),
        store_test(plan_without_keys_and_disabled_account_cannot_mint),
        store_test(cap_allows_three_of_twenty_parallel_mints),
        store_test(keys_are_loaded_with_their_owners_plan),
        store_test(endpoints_are_capped_and_listed),
        store_test(month_counts_add_up_and_are_deleted),
        store_test(demo_and_real_data_do_not_mix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
