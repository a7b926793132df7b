#include "store_fixture.h"

#include <pthread.h>
#include <sched.h>

#include "access/access.h"
#include "base/instant.h"
#include "base/rcu.h"
#include "store/account/account.h"
#include "store/account/key.h"

enum { NOW_MS = 1000000 };

static struct access *access_table;

static int setup(void **state)
{
    int failed = store_fixture_setup(state);
    rcu_thread_start();
    access_table = access_create();
    return failed;
}

static int teardown(void **state)
{
    access_destroy(access_table);
    rcu_thread_stop();
    return store_fixture_teardown(state);
}

static void make_account(struct store_fixture *f, const char *email, enum plan plan)
{
    struct account account;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(
        f, account_create(ACT(f, .now_ms = NOW_MS), str_from(email), plan, ROLE_MEMBER, &account));
    assert_ok(f, db_commit(f->db, &f->fail));
}

static struct key mint(struct store_fixture *f, const char *email, char *plaintext)
{
    struct key key;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(
        f,
        key_mint(ACT(f, .now_ms = NOW_MS), str_from(email), KEY_API, STR("test"), plaintext, &key));
    assert_ok(f, db_commit(f->db, &f->fail));
    return key;
}

static void load(struct store_fixture *f)
{
    assert_ok(f, access_load(access_table, f->db, &f->fail));
}

static void apply(struct store_fixture *f, struct str noun, struct str key)
{
    assert_ok(f, access_apply(access_table, f->db, noun, key, &f->fail));
}

static const struct access_key *find(const char *plaintext)
{
    rcu_read_begin();
    const struct access_key *key =
        access_find(access_table, KEY_API, str_of(plaintext, API_KEY_SIZE));
    rcu_read_end();
    return key; /* keys live as long as the table */
}

#define CHANGE(f, call)                                                                            \
    do {                                                                                           \
        assert_ok((f), db_begin((f)->db, &(f)->fail));                                             \
        assert_ok((f), call);                                                                      \
        assert_ok((f), db_commit((f)->db, &(f)->fail));                                            \
    } while (0)

static void find_returns_the_key_with_the_text(void **state)
{
    struct store_fixture *f = *state;
    char one[API_KEY_SIZE], other[API_KEY_SIZE];
    make_account(f, "pack@example.com", PLAN_PACK);
    make_account(f, "den@example.com", PLAN_DEN);
    struct key pack = mint(f, "pack@example.com", one), den = mint(f, "den@example.com", other);
    load(f);
    assert_int_equal(access_count(access_table), 2);
    const struct access_key *key = find(one);
    assert_non_null(key);
    assert_int_equal(key->key_no, pack.no);
    assert_true(str_eq(str_from(key->prefix), api_key_prefix(str_of(one, sizeof one))));
    assert_true(str_eq(str_from(key->id), pack.id));
    assert_int_equal(access_key_plan(key), PLAN_PACK);
    assert_int_equal(find(other)->key_no, den.no);
    assert_int_equal(access_key_plan(find(other)), PLAN_DEN);
}

/* KY-06, KY-07 */
static void find_returns_null_for_a_changed_key(void **state)
{
    struct store_fixture *f = *state;
    char plaintext[API_KEY_SIZE], changed[API_KEY_SIZE + 1];
    make_account(f, "pack@example.com", PLAN_PACK);
    (void)mint(f, "pack@example.com", plaintext);
    load(f);
    rcu_read_begin();
    for (size_t i = 0; i < API_KEY_SIZE;
         i++) { /* also the last one, whose low bits are not significant */
        memcpy(changed, plaintext, API_KEY_SIZE);
        changed[i] = changed[i] == 'A' ? 'B' : 'A';
        assert_null(access_find(access_table, KEY_API, str_of(changed, API_KEY_SIZE)));
        assert_null(access_find(access_table, KEY_API, str_of(plaintext, i)));
    }
    memcpy(changed, plaintext, API_KEY_SIZE);
    changed[API_KEY_SIZE] = 'A';
    assert_null(access_find(access_table, KEY_API, str_of(changed, API_KEY_SIZE + 1)));
    assert_null(access_find(access_table, KEY_API, STR("")));
    assert_null(access_find(access_table, KEY_API, STR_NULL));
    assert_non_null(access_find(access_table, KEY_API, str_of(changed, API_KEY_SIZE)));
    rcu_read_end();
}

static void find_in_empty_table_returns_null(void **state)
{
    load(*state);
    assert_null(find("svc_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"));
    assert_int_equal(access_count(access_table), 0);
}

/* KY-04 */
static void revoked_key_is_not_found_after_notice(void **state)
{
    struct store_fixture *f = *state;
    char one[API_KEY_SIZE], other[API_KEY_SIZE];
    make_account(f, "pack@example.com", PLAN_PACK);
    struct key key = mint(f, "pack@example.com", one);
    (void)mint(f, "pack@example.com", other);
    load(f);
    CHANGE(f, key_revoke(ACT(f, .now_ms = NOW_MS), key.id));
    assert_non_null(find(one));
    apply(f, STR("key"), key.id);
    assert_null(find(one));
    assert_non_null(find(other));
    assert_int_equal(access_count(access_table), 2); /* still counted */
}

static void key_revoked_before_load_is_not_found(void **state)
{
    struct store_fixture *f = *state;
    char plaintext[API_KEY_SIZE];
    make_account(f, "pack@example.com", PLAN_PACK);
    struct key key = mint(f, "pack@example.com", plaintext);
    CHANGE(f, key_revoke(ACT(f, .now_ms = NOW_MS), key.id));
    load(f);
    assert_null(find(plaintext));
}

/* KY-05 */
static void minted_key_is_found_after_notice(void **state)
{
    struct store_fixture *f = *state;
    static const char text[] = "svc_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    struct key key;
    make_account(f, "pack@example.com", PLAN_PACK);
    load(f);
    for (int i = 0; i < 10; i++)
        assert_null(find(text));
    CHANGE(
        f, key_add(
               ACT(f, .now_ms = NOW_MS), STR("pack@example.com"), STR("injected"), str_from(text),
               &key));
    apply(f, STR("key"), key.id);
    assert_non_null(find(text));
    apply(f, STR("key"), key.id); /* the same notice again */
    assert_int_equal(access_count(access_table), 1);
}

/* Decision 27 */
static void plan_and_disabled_account_apply_after_notice(void **state)
{
    struct store_fixture *f = *state;
    char plaintext[API_KEY_SIZE];
    make_account(f, "pack@example.com", PLAN_PACK);
    struct key key = mint(f, "pack@example.com", plaintext);
    load(f);
    const struct access_key *found = find(plaintext);
    CHANGE(f, account_set_plan(ACT(f), STR("pack@example.com"), PLAN_SCOUT));
    apply(f, STR("account"), key.account_id);
    assert_int_equal(access_key_plan(found), PLAN_SCOUT); /* also for a key found before */
    CHANGE(f, account_disable(ACT(f, .now_ms = NOW_MS), STR("pack@example.com")));
    apply(f, STR("account"), key.account_id);
    assert_null(find(plaintext));
    CHANGE(f, account_enable(ACT(f), STR("pack@example.com")));
    apply(f, STR("account"), key.account_id);
    assert_non_null(find(plaintext));
}

static void notice_for_missing_row_is_ignored(void **state)
{
    load(*state);
    apply(*state, STR("key"), STR("key_0123456789abcdef"));
    apply(*state, STR("account"), STR("acc_0123456789abcdef"));
    apply(*state, STR("ticker"), STR("AAPL"));
    assert_int_equal(access_count(access_table), 0);
}

static int64_t stored_use(struct store_fixture *f, struct str id)
{
    struct key key;
    assert_ok(f, key_find(ACT(f), id, &key));
    return key.last_used_at;
}

static void flush(struct store_fixture *f, int64_t now_ms, bool all)
{
    assert_ok(f, access_flush(access_table, f->db, now_ms, all, &f->fail));
}

/* KY-12 */
static void last_use_is_written_once_a_minute_and_at_stop(void **state)
{
    struct store_fixture *f = *state;
    char plaintext[API_KEY_SIZE];
    make_account(f, "pack@example.com", PLAN_PACK);
    struct key key = mint(f, "pack@example.com", plaintext);
    load(f);
    const struct access_key *found = find(plaintext);
    int64_t start = 50 * MINUTE_MS;
    flush(f, start, false);
    assert_true(stored_use(f, key.id) == INSTANT_NONE);
    access_touch(access_table, found, start, "/api/v1/trades");
    flush(f, start + 500, false);
    assert_int_equal(stored_use(f, key.id), start);
    access_touch(access_table, found, start + 1000, "/api/v1/trades");
    access_touch(
        access_table, found, start + 900, "/api/v1/trades"); /* an earlier use changes nothing */
    flush(f, start + 1500, false);
    flush(f, start + 60499, false);
    assert_int_equal(stored_use(f, key.id), start);
    flush(f, start + 60500, false);
    assert_int_equal(stored_use(f, key.id), start + 1000);
    access_touch(access_table, found, start + 60600, "/api/v1/trades");
    flush(f, start + 60700, true);
    assert_int_equal(stored_use(f, key.id), start + 60600);
    flush(f, start + 60800, true); /* nothing left */
    assert_int_equal(stored_use(f, key.id), start + 60600);
}

/* A minute counted from a time that the clock has left again could last for days. */
static void last_use_is_written_at_once_after_the_clock_was_set_back(void **state)
{
    struct store_fixture *f = *state;
    char plaintext[API_KEY_SIZE];
    make_account(f, "pack@example.com", PLAN_PACK);
    struct key key = mint(f, "pack@example.com", plaintext);
    load(f);
    const struct access_key *found = find(plaintext);
    int64_t start = 50 * MINUTE_MS;
    access_touch(access_table, found, start, "/api/v1/trades");
    flush(f, start + 10000, false);
    access_touch(access_table, found, start + 5000, "/api/v1/trades");
    flush(f, start + 10001, false);
    assert_int_equal(stored_use(f, key.id), start);
    flush(f, start + 5001, false);
    assert_int_equal(stored_use(f, key.id), start + 5000);
}

static void flush_writes_into_the_callers_transaction(void **state)
{
    struct store_fixture *f = *state;
    char plaintext[API_KEY_SIZE];
    make_account(f, "pack@example.com", PLAN_PACK);
    struct key key = mint(f, "pack@example.com", plaintext);
    load(f);
    access_touch(access_table, find(plaintext), 50 * MINUTE_MS, "/api/v1/trades");
    assert_ok(f, db_begin(f->db, &f->fail));
    flush(f, 50 * MINUTE_MS, false);
    assert_true(db_in_transaction(f->db));
    db_rollback(f->db);
    assert_true(stored_use(f, key.id) == INSTANT_NONE);
    access_touch(access_table, find(plaintext), 52 * MINUTE_MS, "/api/v1/trades");
    flush(f, 52 * MINUTE_MS, false);
    assert_int_equal(stored_use(f, key.id), 52 * MINUTE_MS);
}

/* The next flush writes it again, although the key was not used and the minute has not passed. */
static void last_use_is_written_again_after_failed_commit(void **state)
{
    struct store_fixture *f = *state;
    char plaintext[API_KEY_SIZE];
    make_account(f, "pack@example.com", PLAN_PACK);
    struct key key = mint(f, "pack@example.com", plaintext);
    load(f);
    int64_t start = 50 * MINUTE_MS, later = start + MINUTE_MS;
    access_touch(access_table, find(plaintext), start, "/api/v1/trades");
    flush(f, start, false);
    access_touch(access_table, find(plaintext), later, "/api/v1/trades");
    assert_ok(f, db_begin(f->db, &f->fail));
    flush(f, later, false);
    db_rollback(f->db);
    access_flush_done(access_table, ERR_FULL);
    assert_int_equal(stored_use(f, key.id), start);
    flush(f, later + 500, false);
    assert_int_equal(stored_use(f, key.id), later);
    access_flush_done(access_table, ERR_FULL); /* a committed use is not written again */
    access_touch(access_table, find(plaintext), later + 600, "/api/v1/trades");
    flush(f, later + 1000, false);
    assert_int_equal(stored_use(f, key.id), later);
}

struct reader {
    const char *plaintext;
    _Atomic bool stop;
    _Atomic uint64_t found;
};

static void *read_on(void *arg)
{
    struct reader *reader = arg;
    rcu_thread_start();
    for (int64_t now = 50 * MINUTE_MS; !atomic_load(&reader->stop); now += 7) {
        rcu_read_begin();
        const struct access_key *key =
            access_find(access_table, KEY_API, str_of(reader->plaintext, API_KEY_SIZE));
        if (!key || key->prefix[0] != 's' || access_key_plan(key) < PLAN_PACK)
            abort();
        access_touch(access_table, key, now, "/api/v1/trades");
        atomic_fetch_add(&reader->found, 1);
        rcu_read_end();
    }
    rcu_thread_stop();
    return NULL;
}

static void readers_run_while_keys_and_plans_change(void **state)
{
    struct store_fixture *f = *state;
    char plaintext[API_KEY_SIZE], other[API_KEY_SIZE];
    struct reader reader = {.plaintext = plaintext};
    pthread_t threads[2];
    make_account(f, "pack@example.com", PLAN_PACK);
    make_account(f, "den@example.com", PLAN_DEN);
    struct key key = mint(f, "pack@example.com", plaintext);
    load(f);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, read_on, &reader), 0);
    for (int i = 0; i < 40; i++) {
        struct key made = mint(f, "den@example.com", other);
        apply(f, STR("key"), made.id);
        CHANGE(f, key_revoke(ACT(f, .now_ms = NOW_MS), made.id));
        apply(f, STR("key"), made.id);
        CHANGE(f, account_set_plan(ACT(f), STR("pack@example.com"), i % 2 ? PLAN_PACK : PLAN_DEN));
        apply(f, STR("account"), key.account_id);
        flush(f, (50 + i) * (int64_t)MINUTE_MS, i % 3 == 0);
    }
    while (!atomic_load(&reader.found))
        sched_yield();
    atomic_store(&reader.stop, true);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(access_count(access_table), 41);
    flush(f, 200 * (int64_t)MINUTE_MS, true);
    assert_true(stored_use(f, key.id) >= 50 * MINUTE_MS);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(find_returns_the_key_with_the_text),
        TEST(find_returns_null_for_a_changed_key),
        TEST(find_in_empty_table_returns_null),
        TEST(revoked_key_is_not_found_after_notice),
        TEST(key_revoked_before_load_is_not_found),
        TEST(minted_key_is_found_after_notice),
        TEST(plan_and_disabled_account_apply_after_notice),
        TEST(notice_for_missing_row_is_ignored),
        TEST(last_use_is_written_once_a_minute_and_at_stop),
        TEST(last_use_is_written_at_once_after_the_clock_was_set_back),
        TEST(flush_writes_into_the_callers_transaction),
        TEST(last_use_is_written_again_after_failed_commit),
        TEST(readers_run_while_keys_and_plans_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
