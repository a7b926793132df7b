/* Daily counts and latest errors of keys (decision 43). */
#include "store_fixture.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "access/usage.h"
#include "store/account/account.h"
#include "store/account/key.h"
#include "store/account/key_usage.h"

enum { THREADS = 64, NOTES = 3000, DAY = 20780 };

#define NOON (DAY * (int64_t)DAY_MS + 12 * HOUR_MS)
#define TRADES "/api/v1/trades"

static struct usage *usage;
static struct key_usage *key_use;
static int64_t key_no;

static int64_t add_key(struct store_fixture *f, const char *email)
{
    struct account account;
    struct key key;
    char plaintext[API_KEY_SIZE];
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(
        f,
        account_create(ACT(f, .now_ms = NOON), str_from(email), PLAN_PACK, ROLE_MEMBER, &account));
    assert_ok(
        f,
        key_mint(ACT(f, .now_ms = NOON), str_from(email), KEY_API, STR("test"), plaintext, &key));
    assert_ok(f, db_commit(f->db, &f->fail));
    return key.no;
}

static int setup(void **state)
{
    int failed = store_fixture_setup(state);
    key_no = add_key(*state, "pack@example.com");
    usage = usage_create();
    key_use = key_usage_create(key_no);
    return failed;
}

static int teardown(void **state)
{
    key_usage_destroy(key_use);
    usage_destroy(usage);
    return store_fixture_teardown(state);
}

static void note(int64_t now_ms, int status, const char *error)
{
    usage_note(usage, key_use, now_ms, status, error, TRADES);
}

static void flush(struct store_fixture *f, int64_t now_ms)
{
    assert_ok(f, usage_flush(usage, f->db, now_ms, &f->fail));
}

static struct usage_counts stored(struct store_fixture *f, int64_t no, int32_t day)
{
    struct usage_counts counts;
    assert_ok(f, key_day_read(f->db, no, day, &counts, 1, &f->fail));
    return counts;
}

#define ASSERT_DAY(f, day, ...)                                                                    \
    do {                                                                                           \
        const struct usage_counts expected_ = {{__VA_ARGS__}};                                     \
        struct usage_counts counts_ = stored((f), key_no, (day));                                  \
        for (int kind_ = 0; kind_ < USAGE_KINDS; kind_++)                                          \
            assert_int_equal(counts_.n[kind_], expected_.n[kind_]);                                \
    } while (0)

static struct usage_error_list errors_of(struct store_fixture *f, int64_t no)
{
    struct usage_error_list list;
    assert_ok(f, key_errors_list(f->db, no, &f->arena, &list, &f->fail));
    return list;
}

static void flush_writes_counts_by_kind_and_day(void **state)
{
    struct store_fixture *f = *state;
    static const int statuses[] = {200, 304, 400, 404, 429, 500, 503};
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        note(NOON, statuses[i], NULL);
    note(NOON + DAY_MS, 200, NULL);
    ASSERT_DAY(f, DAY, 0);
    flush(f, NOON);
    ASSERT_DAY(f, DAY, 1, 1, 2, 1, 2);
    ASSERT_DAY(f, DAY + 1, 1);
    note(NOON, 200, NULL);
    flush(f, NOON);
    flush(f, NOON); /* with nothing to write */
    ASSERT_DAY(f, DAY, 2, 1, 2, 1, 2);
}

static void clock_that_jumps_loses_no_count(void **state)
{
    struct store_fixture *f = *state;
    static const int days[] = {0, 2, 0, 31, 1, 0, 2};
    for (size_t i = 0; i < sizeof days / sizeof *days; i++)
        note(NOON + days[i] * (int64_t)DAY_MS, 200, NULL);
    flush(f, NOON);
    ASSERT_DAY(f, DAY, 3);
    ASSERT_DAY(f, DAY + 1, 1);
    ASSERT_DAY(f, DAY + 2, 2);
    ASSERT_DAY(f, DAY + 31, 1);
}

static void *note_on(void *arg)
{
    _Atomic int *left = arg;
    for (int i = 0; i < NOTES; i++) {
        bool odd = i % 2;
        note(NOON + (odd ? DAY_MS : 0), odd ? 404 : 200, odd ? "not_found" : NULL);
    }
    atomic_fetch_sub(left, 1);
    return NULL;
}

static void counts_are_exact_with_64_threads_and_flushes(void **state)
{
    struct store_fixture *f = *state;
    pthread_t threads[THREADS];
    _Atomic int left = THREADS;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, note_on, &left), 0);
    for (int i = 0; atomic_load(&left); i++) {
        assert_ok(f, db_begin(f->db, &f->fail));
        flush(f, NOON);
        bool fails = i % 3 == 0;
        if (fails)
            db_rollback(f->db);
        else
            assert_ok(f, db_commit(f->db, &f->fail));
        usage_flush_done(usage, fails ? ERR_FULL : OK);
        sched_yield();
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    flush(f, NOON);
    ASSERT_DAY(f, DAY, THREADS * NOTES / 2);
    ASSERT_DAY(f, DAY + 1, 0, 0, THREADS * NOTES / 2);
    assert_int_equal(errors_of(f, key_no).count, USAGE_ERRORS_KEPT);
}

static void failed_flush_is_repeated(void **state)
{
    struct store_fixture *f = *state;
    note(NOON, 200, NULL);
    note(NOON + 1, 400, "invalid_parameter");
    assert_ok(f, db_begin(f->db, &f->fail));
    flush(f, NOON);
    note(NOON + 2, 404, "not_found"); /* between flush and result */
    db_rollback(f->db);
    usage_flush_done(usage, ERR_FULL);
    flush(f, NOON);
    ASSERT_DAY(f, DAY, 1, 0, 2);
    struct usage_error_list errors = errors_of(f, key_no);
    assert_int_equal(errors.count, 2);
    assert_str(errors.items[0].error, "not_found");
    assert_str(errors.items[1].error, "invalid_parameter");
}

/* A lost connection during the commit: the mark says what happened. */
static void flush_in_doubt_is_written_once(void **state)
{
    struct store_fixture *f = *state;
    int ends = store_fixture_is_postgresql() ? 2 : 1; /* an embedded database leaves no doubt */
    for (int committed = 0; committed < ends; committed++) {
        note(NOON, 200, NULL);
        assert_ok(f, db_begin(f->db, &f->fail));
        flush(f, NOON);
        if (committed)
            assert_ok(f, db_commit(f->db, &f->fail));
        else
            db_rollback(f->db);
        usage_flush_done(usage, ERR_UNAVAILABLE);
        note(NOON, 304, NULL);
        flush(f, NOON);
        ASSERT_DAY(f, DAY, committed + 1, committed + 1);
    }
    assert_ok(f, usage_flush_last(usage, f->db, NOON, &f->fail));
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM counter WHERE name LIKE 'flush.%'"), 0);
}

static void several_servers_add_up(void **state)
{
    struct store_fixture *f = *state;
    struct usage *other = usage_create();
    struct key_usage *same_key = key_usage_create(key_no);
    for (int i = 0; i < 15; i++) {
        note(NOON + 2 * i, 404, "not_found");
        usage_note(other, same_key, NOON + 2 * i + 1, 410, "gone", TRADES "/{id}");
    }
    usage_note(other, same_key, NOON + MINUTE_MS, 429, "rate_limited", TRADES);
    note(NOON + MINUTE_MS + 5, 429, "rate_limited");
    flush(f, NOON);
    assert_ok(f, usage_flush(other, f->db, NOON, &f->fail));
    ASSERT_DAY(f, DAY, 0, 0, 30, 2);
    struct usage_error_list errors = errors_of(f, key_no);
    assert_int_equal(errors.count, USAGE_ERRORS_KEPT);
    assert_int_equal(errors.items[0].status, 429);
    assert_int_equal(errors.items[0].count, 2);
    assert_int_equal(errors.items[0].at, NOON + MINUTE_MS + 5);
    for (size_t i = 1; i < errors.count; i++)
        assert_int_equal(errors.items[i].at, NOON + 30 - (int64_t)i);
    key_usage_destroy(same_key);
    usage_destroy(other);
}

static void rate_limited_responses_of_one_minute_are_one_error(void **state)
{
    struct store_fixture *f = *state;
    int64_t minute = NOON - NOON % MINUTE_MS;
    note(minute, 400, "invalid_parameter");
    for (int i = 0; i < 100; i++) {
        note(minute + 1000 + i, 429, "rate_limited");
        if (i % 30 == 0)
            flush(f, NOON);
    }
    note(minute + MINUTE_MS, 429, "rate_limited");
    usage_note(usage, key_use, minute + MINUTE_MS + 1, 404, "not_found", NULL);
    flush(f, NOON);
    struct usage_error_list errors = errors_of(f, key_no);
    assert_int_equal(errors.count, 4);
    assert_true(str_is_null(errors.items[0].path));
    assert_int_equal(errors.items[1].count, 1);
    assert_int_equal(errors.items[2].count, 100);
    assert_int_equal(errors.items[2].at, minute + 1099);
    assert_str(errors.items[2].path, TRADES);
    assert_int_equal(errors.items[3].status, 400);
}

static void only_the_latest_errors_are_kept(void **state)
{
    struct store_fixture *f = *state;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 50; i++)
            note(NOON + round * 100 + i, 404, "not_found");
        flush(f, NOON);
        struct usage_error_list errors = errors_of(f, key_no);
        assert_int_equal(errors.count, USAGE_ERRORS_KEPT);
        for (size_t i = 0; i < errors.count; i++)
            assert_int_equal(errors.items[i].at, NOON + round * 100 + 49 - (int64_t)i);
    }
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM key_error"), USAGE_ERRORS_KEPT);
}

static void days_are_deleted_after_13_months(void **state)
{
    struct store_fixture *f = *state;
    int64_t now, kept, old;
    assert_true(instant_parse(STR("2026-11-22T10:00:00Z"), &now));
    assert_true(instant_parse(STR("2025-10-01T00:00:00Z"), &kept));
    old = kept - 1;
    note(old, 200, NULL);
    note(kept, 200, NULL);
    flush(f, kept);
    ASSERT_DAY(f, instant_day_utc(old), 1);
    flush(f, now);
    ASSERT_DAY(f, instant_day_utc(old), 0);
    ASSERT_DAY(f, instant_day_utc(kept), 1);
}

/* A restored backup may not have it. The other keys' counts are written all the same. */
static void key_without_a_row_is_skipped(void **state)
{
    struct store_fixture *f = *state;
    struct key_usage *unknown = key_usage_create(key_no + 1000);
    usage_note(usage, unknown, NOON, 404, "not_found", TRADES);
    note(NOON, 200, NULL);
    flush(f, NOON);
    ASSERT_DAY(f, DAY, 1);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM key_day"), 1);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM key_error"), 0);
    key_usage_destroy(unknown);
}

static void key_may_ask_once_a_second(void **state)
{
    assert_true(key_usage_may_ask(key_use, 5000));
    assert_false(key_usage_may_ask(key_use, 5000));
    assert_false(key_usage_may_ask(key_use, 5999));
    assert_true(key_usage_may_ask(key_use, 6000));
    assert_true(key_usage_may_ask(key_use, 5500)); /* the clock was set back */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(flush_writes_counts_by_kind_and_day, setup, teardown),
        cmocka_unit_test_setup_teardown(clock_that_jumps_loses_no_count, setup, teardown),
        cmocka_unit_test_setup_teardown(
            counts_are_exact_with_64_threads_and_flushes, setup, teardown),
        cmocka_unit_test_setup_teardown(failed_flush_is_repeated, setup, teardown),
        cmocka_unit_test_setup_teardown(flush_in_doubt_is_written_once, setup, teardown),
        cmocka_unit_test_setup_teardown(several_servers_add_up, setup, teardown),
        cmocka_unit_test_setup_teardown(
            rate_limited_responses_of_one_minute_are_one_error, setup, teardown),
        cmocka_unit_test_setup_teardown(only_the_latest_errors_are_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(days_are_deleted_after_13_months, setup, teardown),
        cmocka_unit_test_setup_teardown(key_without_a_row_is_skipped, setup, teardown),
        cmocka_unit_test_setup_teardown(key_may_ask_once_a_second, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
