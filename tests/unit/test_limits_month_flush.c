#include "limits_unit.h"
#include "store_fixture.h"

#include "store/account/month_count.h"

struct rows {
    int keys, addresses;
    int64_t used;
};

static void count_row(void *ctx, enum month_count_kind kind, struct str caller, int64_t used)
{
    struct rows *rows = ctx;
    rows->keys += kind == MONTH_COUNT_KEY;
    rows->addresses += kind == MONTH_COUNT_ADDRESS;
    rows->used += used;
}

static struct rows rows_of(struct store_fixture *f, const char *instant)
{
    struct rows rows = {0};
    assert_ok(
        f, month_count_each(f->db, instant_month_utc(at(instant)), count_row, &rows, &f->fail));
    return rows;
}

static void flush(struct store_fixture *f, struct limits *limits, const char *now)
{
    assert_ok(f, limits_flush(limits, f->db, at(now), &f->fail));
}

static struct limits *loaded(struct store_fixture *f, const char *now)
{
    struct limits *limits = limits_unit_create((struct limits_sizes){0});
    assert_ok(f, limits_load(limits, f->db, at(now), &f->fail));
    return limits;
}

static uint32_t month_used(struct limits *limits, int64_t key_no, const char *now)
{
    return limits_key_usage(limits, key_no, at(now)).month_used;
}

/* MQ-05, decision 26 */
static void flushed_counts_survive(void **state)
{
    struct store_fixture *f = *state;
    struct limits *limits = loaded(f, "2026-11-20T10:00:00Z");
    struct limits_caller callers[] = {
        keyed(1, PLAN_PACK), keyed(INT64_MAX, PLAN_PACK), anonymous("203.0.113.5"),
        anonymous("2001:db8::1")};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(draw_many(limits, callers[i], "2026-11-20T10:00:00Z", 7), 7);
    flush(f, limits, "2026-11-20T10:00:00Z");
    assert_int_equal(draw_many(limits, callers[0], "2026-11-20T10:00:00Z", 3), 3);
    limits_destroy(limits); /* killed: the last three draws are lost */

    limits = loaded(f, "2026-11-20T10:01:00Z");
    for (size_t i = 0; i < 4; i++) {
        callers[i].per_month = 9;
        assert_int_equal(draw_many(limits, callers[i], "2026-11-20T10:01:00Z", 5), 2);
    }
    flush(f, limits, "2026-11-20T10:01:00Z");
    limits_destroy(limits);

    limits = loaded(f, "2026-11-20T10:02:00Z");
    assert_int_equal(month_used(limits, 1, "2026-11-20T10:02:00Z"), 9);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(draw_many(limits, callers[i], "2026-11-20T10:02:00Z", 5), 0);
    limits_destroy(limits);
}

/* MQ-07 */
static void caller_and_month_have_one_row(void **state)
{
    struct store_fixture *f = *state;
    struct limits *limits = loaded(f, "2026-11-20T10:00:00Z");
    for (int i = 0; i < 5; i++) {
        (void)draw_many(limits, keyed(1, PLAN_PACK), "2026-11-30T23:59:59Z", 2);
        (void)draw_many(limits, anonymous("203.0.113.5"), "2026-11-30T23:59:59Z", 1);
        flush(f, limits, "2026-11-30T23:59:59Z");
    }
    (void)draw_many(limits, keyed(1, PLAN_PACK), "2026-12-01T00:00:00Z", 2);
    flush(f, limits, "2026-11-30T23:59:59Z");
    struct rows november = rows_of(f, "2026-11-01T00:00:00Z");
    assert_int_equal(november.keys, 1);
    assert_int_equal(november.addresses, 0); /* expired in December */
    assert_int_equal(november.used, 10);
    assert_int_equal(rows_of(f, "2026-12-01T00:00:00Z").used, 2);
    limits_destroy(limits);
}

/* MQ-07 */
static void counts_are_kept_for_thirteen_months(void **state)
{
    struct store_fixture *f = *state;
    struct limits *limits = loaded(f, "2026-11-20T10:00:00Z");
    (void)draw_many(limits, keyed(1, PLAN_PACK), "2026-11-20T10:00:00Z", 2);
    flush(f, limits, "2026-11-20T10:00:00Z");
    flush(f, limits, "2027-12-31T10:00:00Z");
    assert_int_equal(rows_of(f, "2026-11-01T00:00:00Z").keys, 1);
    flush(f, limits, "2028-01-01T00:00:00Z");
    assert_int_equal(rows_of(f, "2026-11-01T00:00:00Z").keys, 0);
    limits_destroy(limits);
}

/* CL-03 */
static void months_pruned_by_wrong_date_are_restored(void **state)
{
    struct store_fixture *f = *state;
    struct limits *limits = loaded(f, "2026-11-20T10:00:00Z");
    struct limits_caller k = keyed(1, PLAN_PACK), a = anonymous("203.0.113.5");
    (void)draw_many(limits, k, "2026-11-20T10:00:00Z", 20);
    (void)draw_many(limits, keyed(2, PLAN_PACK), "2026-11-20T10:00:00Z", 4);
    (void)draw_many(limits, a, "2026-11-20T10:00:00Z", 6);
    flush(f, limits, "2026-11-20T10:00:00Z");
    (void)draw_many(limits, k, "2038-01-19T03:14:08Z", 1);
    flush(f, limits, "2038-01-19T03:14:08Z");
    assert_int_equal(rows_of(f, "2026-11-01T00:00:00Z").used, 0);
    (void)draw_many(limits, k, "2026-11-20T10:02:00Z", 1);
    flush(f, limits, "2026-11-20T10:02:00Z");
    assert_int_equal(rows_of(f, "2026-11-01T00:00:00Z").used, 31);
    limits_destroy(limits);
    limits = loaded(f, "2026-11-20T10:03:00Z");
    assert_int_equal(month_used(limits, 1, "2026-11-20T10:03:00Z"), 21);
    assert_int_equal(month_used(limits, 2, "2026-11-20T10:03:00Z"), 4);
    a.per_month = 7;
    assert_int_equal(draw_many(limits, a, "2026-11-20T10:03:00Z", 3), 1);
    limits_destroy(limits);
}

/* An embedded database is never lost between a commit and its answer, but reads of it can fail. */
static void commit_with_lost_answer_counts_once(void **state)
{
    struct store_fixture *f = *state;
    bool marks = store_fixture_is_postgresql();
    struct limits *limits = loaded(f, "2026-11-20T10:00:00Z");
    int64_t used = 0, counters = store_fixture_number(f, "SELECT count(*) FROM counter");
    for (int round = 0; round < 4; round++) {
        bool committed = marks && round % 2 == 0;
        (void)draw_many(limits, keyed(1, PLAN_PACK), "2026-11-20T10:00:00Z", 7);
        used += 7;
        assert_ok(f, db_begin(f->db, &f->fail));
        flush(f, limits, "2026-11-20T10:00:00Z");
        if (committed)
            assert_ok(f, db_commit(f->db, &f->fail));
        else
            db_rollback(f->db);
        limits_flush_done(limits, ERR_UNAVAILABLE);
        (void)draw_many(limits, keyed(1, PLAN_PACK), "2026-11-20T10:00:01Z", 2);
        used += 2;
        flush(f, limits, "2026-11-20T10:00:01Z");
        assert_int_equal(rows_of(f, "2026-11-01T00:00:00Z").used, used);
        assert_int_equal(month_used(limits, 1, "2026-11-20T10:00:01Z"), used);
    }
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM counter"), counters + marks);
    store_fixture_assert_sound(f);
    assert_ok(f, limits_flush_last(limits, f->db, at("2026-11-20T10:00:02Z"), &f->fail));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM counter"), counters);
    limits_destroy(limits);
}

static void processes_on_one_database_share_months(void **state)
{
    struct store_fixture *f = *state;
    struct limits *one = loaded(f, "2026-11-20T10:00:00Z");
    struct limits *other = loaded(f, "2026-11-20T10:00:00Z");
    struct limits_caller k = keyed(1, PLAN_PACK);
    (void)draw_many(one, k, "2026-11-20T10:00:00Z", 40);
    (void)draw_many(other, k, "2026-11-20T10:00:00Z", 30);
    flush(f, one, "2026-11-20T10:00:00Z");
    flush(f, other, "2026-11-20T10:00:00Z");
    assert_int_equal(month_used(other, 1, "2026-11-20T10:00:00Z"), 70);
    (void)draw_many(one, k, "2026-11-20T10:01:00Z", 1);
    flush(f, one, "2026-11-20T10:01:00Z");
    assert_int_equal(month_used(one, 1, "2026-11-20T10:01:00Z"), 71);
    assert_int_equal(rows_of(f, "2026-11-01T00:00:00Z").used, 71);
    limits_destroy(one);
    limits_destroy(other);
}

static void uncommitted_counts_are_written_again(void **state)
{
    struct store_fixture *f = *state;
    struct limits *limits = loaded(f, "2026-11-20T10:00:00Z");
    struct limits_caller callers[] = {keyed(1, PLAN_PACK), anonymous("203.0.113.5")};
    for (size_t i = 0; i < 2; i++)
        (void)draw_many(limits, callers[i], "2026-11-20T10:00:00Z", 5);
    assert_ok(f, db_begin(f->db, &f->fail));
    flush(f, limits, "2026-11-20T10:00:00Z");
    db_rollback(f->db);
    for (size_t i = 0; i < 2; i++)
        (void)draw_many(limits, callers[i], "2026-11-20T10:00:00Z", 2);
    limits_flush_done(limits, ERR_IO);
    assert_int_equal(rows_of(f, "2026-11-01T00:00:00Z").used, 0);

    assert_ok(f, db_begin(f->db, &f->fail));
    flush(f, limits, "2026-11-20T10:00:00Z");
    (void)draw_many(limits, callers[0], "2026-11-20T10:00:01Z", 1);
    assert_ok(f, db_commit(f->db, &f->fail));
    limits_flush_done(limits, OK);
    assert_int_equal(rows_of(f, "2026-11-01T00:00:00Z").used, 14);
    assert_int_equal(month_used(limits, 1, "2026-11-20T10:00:01Z"), 8);
    flush(f, limits, "2026-11-20T10:00:01Z");
    assert_int_equal(rows_of(f, "2026-11-01T00:00:00Z").used, 15);
    limits_destroy(limits);
}

static void refunds_are_written(void **state)
{
    struct store_fixture *f = *state;
    struct limits *limits = loaded(f, "2026-11-20T10:00:00Z");
    struct limits_caller k = keyed(1, PLAN_PACK);
    (void)draw_many(limits, k, "2026-11-20T10:00:00Z", 4);
    struct limits_answer answer = draw(limits, k, "2026-11-20T10:00:00Z");
    flush(f, limits, "2026-11-20T10:00:00Z");
    limits_refund(limits, &k, &answer);
    flush(f, limits, "2026-11-20T10:00:01Z");
    assert_int_equal(rows_of(f, "2026-11-01T00:00:00Z").used, 4);
    assert_int_equal(month_used(limits, 1, "2026-11-20T10:00:01Z"), 4);
    limits_destroy(limits);
}

/* IP-11: the database is bounded like the table */
static void evicted_addresses_are_deleted_from_database(void **state)
{
    struct store_fixture *f = *state;
    struct limits *limits = limits_unit_create(
        (struct limits_sizes){.shards = 1, .minute_addresses = 64, .month_addresses = 32});
    for (uint32_t i = 0; i < 600; i++) {
        struct limits_caller caller = anonymous("0.0.0.0");
        caller.address.bytes[12] = (uint8_t)(i >> 8);
        caller.address.bytes[13] = (uint8_t)i;
        (void)draw_ms(limits, &caller, at("2026-11-20T10:00:00Z") + i / 32 * MINUTE_MS);
        if (i % 7 == 0)
            flush(f, limits, "2026-11-20T11:00:00Z");
    }
    flush(f, limits, "2026-11-20T11:00:00Z");
    struct limits_stats stats;
    limits_stats(limits, &stats);
    assert_in_range(stats.forgotten, 500, 600);
    assert_int_equal(rows_of(f, "2026-11-01T00:00:00Z").addresses, stats.month_addresses);
    assert_int_equal(stats.month_addresses, 32);

    /* Entries of the next month evict those of this month once they are written. */
    struct limits_caller next = anonymous("203.0.113.5");
    next.per_month = 5;
    assert_int_equal(draw_many(limits, next, "2026-12-01T00:00:00Z", 10), 5);
    limits_stats(limits, &stats);
    assert_int_equal(stats.shared_month, 0);
    limits_destroy(limits);
}

static void draw_of_each(struct limits *limits, int keys, int addresses, const char *now)
{
    for (int i = 1; i <= keys; i++)
        assert_int_equal(draw_many(limits, keyed(i, PLAN_PACK), now, 1), 1);
    for (int i = 0; i < addresses; i++) {
        char text[32];
        snprintf(text, sizeof text, "203.0.%d.%d", i / 200, 1 + i % 200);
        assert_int_equal(draw_many(limits, anonymous(text), now, 1), 1);
    }
}

/* More than one statement writes (MONTH_COUNT_ADD_MAX). */
static void counts_of_many_callers_are_written_together(void **state)
{
    enum { KEYS = 700, ADDRESSES = 600 };
    static const char first[] = "2026-11-20T10:00:00Z", second[] = "2026-11-20T10:01:00Z";
    struct store_fixture *f = *state;
    struct limits *limits = loaded(f, first), *other = loaded(f, first);
    draw_of_each(limits, KEYS, ADDRESSES, first);
    draw_of_each(other, KEYS, 0, first);
    flush(f, limits, first);
    flush(f, other, first);
    struct rows rows = rows_of(f, first);
    assert_int_equal(rows.keys, KEYS);
    assert_int_equal(rows.addresses, ADDRESSES);
    assert_true(rows.used == 2 * KEYS + ADDRESSES);
    assert_int_equal(month_used(other, 1, first), 2);
    assert_int_equal(month_used(other, KEYS, first), 2);

    assert_ok(f, db_exec(f->db, "DELETE FROM month_count WHERE kind = 'address'", &f->fail));
    draw_of_each(limits, KEYS, ADDRESSES, second);
    flush(f, limits, second);
    rows = rows_of(f, first);
    assert_true(rows.used == 3 * KEYS + 2 * ADDRESSES); /* the lost rows are back */
    assert_int_equal(month_used(limits, KEYS, second), 3);
    limits_destroy(limits);
    limits_destroy(other);
}

/* IP-10 */
static void find_raw(void *ctx, enum month_count_kind kind, struct str caller, int64_t used)
{
    bool *found = ctx;
    *found |= str_find(caller, STR("\xcb\x00\x71\x05")) >= 0;
    *found |= str_find(caller, STR("\x20\x01\x0d\xb8")) >= 0;
}

static void no_row_holds_an_address(void **state)
{
    struct store_fixture *f = *state;
    struct limits *limits = loaded(f, "2026-11-20T10:00:00Z");
    bool found = false;
    (void)draw_many(limits, anonymous("203.0.113.5"), "2026-11-20T10:00:00Z", 1);
    (void)draw_many(limits, anonymous("2001:db8::1"), "2026-11-20T10:00:00Z", 1);
    flush(f, limits, "2026-11-20T10:00:00Z");
    assert_int_equal(rows_of(f, "2026-11-01T00:00:00Z").addresses, 4);
    assert_ok(
        f, month_count_each(
               f->db, instant_month_utc(at("2026-11-01T00:00:00Z")), find_raw, &found, &f->fail));
    assert_false(found);
    limits_destroy(limits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(flushed_counts_survive),
        store_test(caller_and_month_have_one_row),
        store_test(counts_are_kept_for_thirteen_months),
        store_test(months_pruned_by_wrong_date_are_restored),
        store_test(commit_with_lost_answer_counts_once),
        store_test(processes_on_one_database_share_months),
        store_test(uncommitted_counts_are_written_again),
        store_test(refunds_are_written),
        store_test(evicted_addresses_are_deleted_from_database),
        store_test(counts_of_many_callers_are_written_together),
        store_test(no_row_holds_an_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
