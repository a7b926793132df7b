/* What lists of events and deliveries cost: the steps of SQLite's machine, which do not depend on
 * the speed of this one. On PostgreSQL the same calls must give the same rows. */
#include "delivery_sample.h"

#include <sqlite3.h>

#include "rule/event_type.h"

enum { NOW = 1000000000, PAGE = 26 };

#define EXEC(f, sql) assert_ok((f), db_exec((f)->db, (sql), &(f)->fail))
#define OWNER "owner@example.org"

/* --- counting */

static int64_t steps;

static int count_step(void *unused)
{
    steps++;
    return 0;
}

/* Called for each connection that is opened. */
static int watch(sqlite3 *db)
{
    sqlite3_progress_handler(db, 1, count_step, NULL);
    return SQLITE_OK;
}

/* --- events */

static void add_tests(struct store_fixture *f)
{
    EXEC(
        f, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)"
           " INSERT INTO event (id, type, created_at, body)"
           " SELECT 'evt_t' || i, 'test', 1000000000, '{}' FROM n");
}

static bool count_event(void *ctx, const struct event_row *row)
{
    ++*(int *)ctx;
    return true;
}

/* Everything that a page of events reads. Returns the number of its events. */
static int read_events(struct store_fixture *f, int64_t types, int64_t after, int64_t *ret_steps)
{
    int count = 0;
    struct event_place newest, end;
    struct event_range range = {.types = types, .count = 100};
    const struct event_place of_other_history = {after, 1};
    steps = 0;
    assert_ok(f, event_place_at(f->db, INT64_MAX, &newest, &f->fail));
    assert_ok(f, event_before_newest(f->db, types, 100, &range.after, &f->fail));
    assert_ok(f, event_continue(f->db, &of_other_history, &range.after, &f->fail));
    range.after = after;
    end = newest;
    assert_ok(f, event_place_after(f->db, after, EVENT_SEARCHED_MAX, &end, &f->fail));
    assert_int_equal(end.no, newest.no); /* tests are not among those that were passed */
    range.last = end.no;
    assert_ok(f, event_each(f->db, &range, count_event, &count, &f->fail));
    *ret_steps = steps;
    return count;
}

static void readers_of_events_pass_any_number_of_tests(void **state)
{
    struct store_fixture *f = *state;
    int64_t few, many, types = EVENT_TYPES_ALL;
    for (int i = 0; i < 3; i++)
        delivery_sample_event(f, "{}", NOW + i);
    assert_int_equal(read_events(f, types, 1, &few), 2);
    add_tests(f); /* after the newest, and then between two */
    assert_int_equal(read_events(f, types, 1, &many), 2);
    if (!store_fixture_is_postgresql())
        assert_in_range(many, 1, few + few / 4);
    delivery_sample_event(f, "{}", NOW + 3);
    assert_int_equal(read_events(f, types, 1, &many), 3);
    if (!store_fixture_is_postgresql())
        assert_in_range(many, 1, few * 2);
}

/* --- the log of an endpoint */

/* Each with the number of its event as its time; few failed, fewer expired, the last ones wait. */
static void add_deliveries(struct store_fixture *f, const char *until)
{
    char sql[2048];
    snprintf(
        sql, sizeof sql,
        "WITH RECURSIVE n(i) AS (SELECT 1 + (SELECT count(*) FROM event) UNION ALL SELECT i + 1"
        " FROM n WHERE i < %s) INSERT INTO event (id, type, created_at, body)"
        " SELECT 'evt_' || i, 'trade.published', i, '{}' FROM n",
        until);
    EXEC(f, sql);
    EXEC(
        f, "INSERT INTO delivery (id, event_no, endpoint_no, state, attempts, due_at, created_at,"
           " ended_at) SELECT 'dlv_' || v.no || '_' || e.no, v.no, e.no, CASE WHEN v.no % 50 = 7"
           " THEN 'failed' WHEN v.no % 70 = 9 THEN 'expired' ELSE 'delivered' END, 1, 1,"
           " v.created_at, 5 FROM event v, endpoint e WHERE NOT EXISTS (SELECT 1 FROM delivery d"
           " WHERE d.event_no = v.no)");
    EXEC(f, "UPDATE delivery SET state = 'pending', ended_at = NULL WHERE created_at % 1000 > 950");
}

struct seen {
    int64_t no[PAGE];
    int64_t at[PAGE];
    size_t count;
};

static void see(void *ctx, const struct delivery_row *row)
{
    struct seen *seen = ctx;
    seen->no[seen->count] = row->no;
    seen->at[seen->count++] = row->created_at;
}

/* The number of rows, read another way. */
static int64_t count_matching(struct store_fixture *f, const struct delivery_filter *filter)
{
    struct query q;
    int64_t count = 0;
    query_start(
        &q, f->db,
        "SELECT count(*) FROM delivery WHERE endpoint_no = $1 AND created_at >= $2"
        " AND created_at < $3 AND (CAST($4 AS TEXT) IS NULL OR state = $4)"
        " AND (CAST($5 AS BIGINT) = 0 OR created_at > $6)"
        " AND (CAST($7 AS BIGINT) = 0 OR created_at < $8)");
    query_i64(&q, filter->endpoint_no);
    query_i64(&q, filter->since);
    query_i64(&q, filter->until == INSTANT_NONE ? INT64_MAX : filter->until);
    query_str(
        &q, filter->state == DELIVERY_STATE_COUNT ? STR_NULL : delivery_state_name(filter->state));
    query_i64(&q, filter->after.no);
    query_i64(&q, filter->after.created_at);
    query_i64(&q, filter->before.no);
    query_i64(&q, filter->before.created_at);
    if (query_row(&q))
        count = query_get_i64(&q, 0);
    assert_ok(f, query_end(&q, &f->fail));
    return count;
}

static int64_t read_log(struct store_fixture *f, const struct delivery_filter *filter)
{
    struct seen seen = {.count = 0};
    bool rising = filter->after.no != 0;
    int64_t expected = count_matching(f, filter);
    steps = 0;
    assert_ok(f, delivery_each(f->db, filter, PAGE, see, &seen, &f->fail));
    int64_t cost = steps;
    assert_int_equal(seen.count, expected < PAGE ? expected : PAGE);
    for (size_t i = 1; i < seen.count; i++)
        assert_true(rising ? seen.at[i] > seen.at[i - 1] : seen.at[i] < seen.at[i - 1]);
    return cost;
}

/* Each state and all, each kind of time, first page, older page and newer page. */
static int64_t read_all_filters(struct store_fixture *f, int64_t last)
{
    const int64_t times[][2] = {
        {INSTANT_NONE, INSTANT_NONE},
        {last / 50, last / 50 + 30},
        {last - 20, INSTANT_NONE},
        {INSTANT_NONE, 20},
        {last / 2, last},
        {-9, -5}};
    const struct delivery_place middle = {
        store_fixture_number(
            f, last == 2000
                   ? "SELECT no FROM delivery WHERE endpoint_no = 1 AND created_at = 1000"
                   : "SELECT no FROM delivery WHERE endpoint_no = 1 AND created_at = 10000"),
        last / 2};
    int64_t most = 0;
    for (int state = 0; state <= DELIVERY_STATE_COUNT; state++)
        for (size_t t = 0; t < sizeof times / sizeof *times; t++)
            for (int page = 0; page < 3; page++) {
                const struct delivery_filter filter = {
                    .endpoint_no = 1,
                    .state = (enum delivery_state)state,
                    .since = times[t][0],
                    .until = times[t][1],
                    .before = page == 1 ? middle : (struct delivery_place){0, 0},
                    .after = page == 2 ? middle : (struct delivery_place){0, 0},
                };
                int64_t cost = read_log(f, &filter);
                most = cost > most ? cost : most;
            }
    return most;
}

static void log_costs_the_same_with_ten_times_as_many_deliveries(void **state)
{
    struct store_fixture *f = *state;
    delivery_sample_account(f, OWNER);
    delivery_sample_endpoint(f, OWNER, "https://one.example/");
    delivery_sample_endpoint(f, OWNER, "https://two.example/");
    add_deliveries(f, "2000");
    int64_t few = read_all_filters(f, 2000);
    add_deliveries(f, "20000");
    int64_t many = read_all_filters(f, 20000);
    if (!store_fixture_is_postgresql())
        assert_in_range(many, 1, few + few / 4);
}

static void log_is_ordered_by_time_when_the_clock_was_set_back(void **state)
{
    struct store_fixture *f = *state;
    struct seen seen = {.count = 0};
    struct delivery_filter filter = DELIVERY_FILTER_ALL;
    delivery_sample_account(f, OWNER);
    delivery_sample_endpoint(f, OWNER, "https://one.example/");
    delivery_sample_event(f, "{}", NOW + 7);
    delivery_sample_event(f, "{}", NOW);
    delivery_sample_event(f, "{}", NOW);
    filter.endpoint_no = 1;
    assert_ok(f, delivery_each(f->db, &filter, PAGE, see, &seen, &f->fail));
    assert_int_equal(seen.count, 3);
    assert_int_equal(seen.no[0], 1);
    assert_int_equal(seen.no[1], 3);
    assert_int_equal(seen.no[2], 2);
    filter.before = (struct delivery_place){3, NOW};
    seen.count = 0;
    assert_ok(f, delivery_each(f->db, &filter, PAGE, see, &seen, &f->fail));
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.no[0], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(readers_of_events_pass_any_number_of_tests),
        store_test(log_costs_the_same_with_ten_times_as_many_deliveries),
        store_test(log_is_ordered_by_time_when_the_clock_was_set_back),
    };
    sqlite3_auto_extension((void (*)(void))watch);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
