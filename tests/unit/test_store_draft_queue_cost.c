/* What a page of the reviewers' queue costs, however many drafts wait: the steps of SQLite's
 * machine, or the rows that PostgreSQL reads. Neither depends on the speed of this machine. */
#include "review_sample.h"

#include <sqlite3.h>

#include "store/desk/draft_queue.h"

enum { FEW = 300, MANY = 3000, PAGE = 51 };

#define NOW REVIEW_NOW

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

/* Drafts up to number `last`: 1 of 10 on paper, 1 of 7 with a doubt, the others clean. */
static void fill(struct store_fixture *f, int last)
{
    char sql[2048];
    snprintf(
        sql, sizeof sql,
        "WITH RECURSIVE n(i) AS (SELECT 1 + (SELECT count(*) FROM draft) UNION ALL SELECT i + 1"
        " FROM n WHERE i < %d) INSERT INTO draft (filing_id, revision, chamber, source_doc_id,"
        " manual, filer, filed_at, state, checks, created_at, row_count, doubt_count, failed_count,"
        " due_day, clean) SELECT 'house-' || (10000 + i), 1, 'house', CAST(10000 + i AS TEXT),"
        " CASE WHEN i %% 10 = 0 THEN 1 ELSE 0 END, 'Robin Vale', i %% 400 * 86400000, 'draft',"
        " '[]', 1, i %% 13, CASE WHEN i %% 7 = 0 THEN 1 ELSE 0 END, 0, i %% 500,"
        " CASE WHEN i %% 7 = 0 OR i %% 10 = 0 THEN 0 ELSE 1 END FROM n",
        last);
    assert_ok(f, db_exec(f->db, sql, &f->fail));
    if (store_fixture_is_postgresql())
        assert_ok(f, db_exec(f->db, "ANALYZE draft", &f->fail));
}

/* Drafts that this transaction has read, in any way. */
static int64_t rows_read(struct store_fixture *f)
{
    return store_fixture_number(
        f, "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_xact_user_tables"
           " WHERE relname = 'draft'");
}

static int64_t cost(
    struct store_fixture *f, const struct draft_queue_filter *filter, struct draft_queue *ret)
{
    assert_ok(f, db_begin_read(f->db, &f->fail));
    int64_t before = store_fixture_is_postgresql() ? rows_read(f) : 0;
    steps = 0;
    assert_ok(f, draft_queue_page(f->db, filter, 0, PAGE, &f->arena, ret, &f->fail));
    int64_t cost = store_fixture_is_postgresql() ? rows_read(f) - before : steps;
    assert_ok(f, db_commit(f->db, &f->fail));
    return cost;
}

/* The page that each order begins with, and the one after its last draft. */
static void measure(struct store_fixture *f, int64_t costs[QUEUE_SORT_COUNT][2][2])
{
    for (int sort = 0; sort < QUEUE_SORT_COUNT; sort++)
        for (int blind = 0; blind < 2; blind++) {
            struct draft_queue page;
            struct draft_queue_filter filter = {
                .sort = (enum draft_queue_sort)sort,
                .blind = blind,
                .for_whom = STR("ann@example.org"),
                .now_ms = NOW};
            costs[sort][blind][0] = cost(f, &filter, &page);
            assert_int_equal(page.count, PAGE);
            filter.after = page.items[PAGE - 1].filing_id;
            costs[sort][blind][1] = cost(f, &filter, &page);
            assert_int_equal(page.count, PAGE);
        }
}

static void a_page_costs_the_same_however_many_wait(void **state)
{
    struct store_fixture *f = *state;
    int64_t few[QUEUE_SORT_COUNT][2][2], many[QUEUE_SORT_COUNT][2][2];
    fill(f, FEW);
    measure(f, few);
    fill(f, MANY);
    measure(f, many);
    for (int sort = 0; sort < QUEUE_SORT_COUNT; sort++)
        for (int i = 0; i < 4; i++)
            assert_in_range(many[sort][i / 2][i % 2], 1, few[sort][i / 2][i % 2] * 5 / 4);
}

/* After a draft in the middle of the list. Where many have the same number, those are passed. */
static void the_next_draft_costs_the_same_anywhere(void **state)
{
    static const enum draft_queue_sort sorts[] = {
        QUEUE_OLDEST, QUEUE_NEWEST, QUEUE_DUE, QUEUE_CLEAN};
    static const int counts[] = {FEW, MANY};
    struct store_fixture *f = *state;
    int64_t costs[2][4];
    for (int i = 0; i < 2; i++) {
        fill(f, counts[i]);
        for (int s = 0; s < 4; s++) {
            struct draft_queue page;
            const struct draft_queue_filter filter = {
                .sort = sorts[s],
                .now_ms = NOW,
                .after = arena_fmt(&f->arena, "house-%d", 10001 + counts[i] / 2)};
            costs[i][s] = cost(f, &filter, &page);
            assert_int_equal(page.count, PAGE);
        }
    }
    for (int s = 0; s < 4; s++)
        assert_in_range(costs[1][s], 1, costs[0][s] * 2);
}

/* What the head of the list counts is read from an index alone. */
static void counts_read_no_draft(void **state)
{
    struct store_fixture *f = *state;
    struct draft_queue_counts counts;
    fill(f, FEW);
    assert_ok(f, draft_queue_count(f->db, NOW, &counts, &f->fail));
    assert_int_equal(counts.waiting, FEW);
    assert_int_equal(counts.paper, FEW / 10);
    if (store_fixture_is_postgresql())
        return;
    struct query q;
    struct str plan = STR("");
    query_start(
        &q, f->db,
        "EXPLAIN QUERY PLAN SELECT count(CASE WHEN d.clean = 1 THEN 1 END), min(d.due_day),"
        " min(d.created_at), count(CASE WHEN d.manual = 1 AND d.claimed_until > 1 THEN 1 END)"
        " FROM draft d WHERE d.state <> 'accepted' AND d.state <> 'rejected'"
        " AND d.state <> 'published' AND d.state <> 'amended' AND d.state <> 'superseded'");
    while (query_row(&q))
        plan = arena_str(&f->arena, query_get_str(&q, 3));
    assert_ok(f, query_end(&q, &f->fail));
    assert_true(str_find(plan, STR("COVERING INDEX queue_counted")) >= 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(a_page_costs_the_same_however_many_wait),
        store_test(the_next_draft_costs_the_same_anywhere),
        store_test(counts_read_no_draft),
    };
    sqlite3_auto_extension((void (*)(void))watch);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
