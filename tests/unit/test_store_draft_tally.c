/* The doubts of drafts on paper: fields of scans that are not sure. */
#include "review_sample.h"

#include "review/desk/row_look.h"
#include "rule/date_doubt.h"
#include "store/desk/draft_queue.h"
#include "store/desk/draft_tally.h"

#define NOW REVIEW_NOW
#define BUY SIDE_BUY
#define LOW BRACKET_1K_15K
#define ID STR("house-1")
#define SCANNED                                                                                    \
    "{\"asset\":{\"how\":\"text\"},\"type\":{\"how\":\"box\"},\"amount\":{\"how\":\"box\"}"
#define DATE_READ ",\"date\":{\"how\":\"text\"}}"
#define DATE_UNCLEAR ",\"date\":{\"how\":\"not_read\",\"reason\":\"\\\"1/2\\\" is not a date\"}}"
#define DATE_UNREAD "}"
#define DATE_NONE ",\"date\":{\"how\":\"entered\"}}"

/* A row of a scan without a trade date; `sources` NULL: entered by hand. */
static struct draft_row_stored scanned(int number, const char *sources)
{
    struct draft_row_stored row = review_row(number, "A", BUY, LOW);
    row.sources = sources ? str_from(sources) : STR_NULL;
    row.values.trade_date = DAY_NONE;
    if (!sources)
        row.printed = STR_NULL;
    return row;
}

static void put_paper(struct store_fixture *f, const struct draft_row_stored *rows, size_t count)
{
    struct draft_new paper = review_report(CHAMBER_HOUSE, "house-1", 0);
    paper.manual = true;
    review_insert(f, &paper, rows, count);
}

static const struct {
    const char *sources; /* NULL: entered by hand */
    bool dated;
    size_t unsure;
} scans[] = {
    {SCANNED DATE_READ, true, 0},
    {SCANNED DATE_UNREAD, false, 1},
    {SCANNED DATE_UNCLEAR, false, 1},
    {SCANNED DATE_NONE, false, 0},
    {"{}", false, 1},
    {"{\"asset\":{\"how\":\"text\",\"reason\":\"some letters may be others\"},"
     "\"owner\":{\"how\":\"not_read\",\"reason\":\"\\\"reason\\\": \\\"date\\\":{ is not clear\"},"
     "\"amount\":{\"how\":\"not_read\",\"reason\":\"more than one amount is marked\"}}",
     false, 4},
    {NULL, false, 0},
};
enum { SCANS = sizeof scans / sizeof *scans };

static struct draft_row_stored scan(int number)
{
    struct draft_row_stored row = scanned(number, scans[number - 1].sources);
    if (scans[number - 1].dated)
        row.values.trade_date = REVIEW_DAY - 30;
    return row;
}

static int64_t doubts(struct store_fixture *f)
{
    const struct draft_queue_filter any = {.now_ms = NOW};
    struct draft_queue page;
    struct draft draft;
    assert_ok(f, draft_queue_page(f->db, &any, 0, 1, &f->arena, &page, &f->fail));
    assert_ok(f, draft_find(f->db, ID, &f->arena, &draft, &f->fail));
    assert_int_equal(page.items[0].doubts, draft.doubts);
    return draft.doubts;
}

static void tally(struct store_fixture *f)
{
    struct draft draft;
    assert_ok(f, draft_find(f->db, ID, &f->arena, &draft, &f->fail));
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, draft_tally(f->db, draft.no, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
}

/* As the form of a row counts them, and as the queue does. */
static void unsure_fields_of_scans_are_doubts(void **state)
{
    struct store_fixture *f = *state;
    struct unsure_field unsure[CELL_COUNT];
    struct draft_row_stored rows[SCANS];
    size_t sum = 0;
    for (int i = 0; i < SCANS; i++) {
        rows[i] = scan(i + 1);
        assert_int_equal(unsure_fields(&rows[i], &f->arena, unsure), scans[i].unsure);
        sum += scans[i].unsure;
    }
    put_paper(f, rows, SCANS);
    tally(f);
    assert_int_equal(doubts(f), sum);
    const struct desk desk = review_desk(f, NOW);
    assert_ok(f, desk_set(&desk, ID, 2, STR("tradeDate"), STR("2024-01-02"), STR_NULL, &f->fail));
    assert_int_equal(doubts(f), sum - 1);
    assert_ok(f, desk_delete_row(&desk, ID, 6, STR_NULL, &f->fail));
    assert_int_equal(doubts(f), sum - 5);
}

/* A row with a doubt, or held, counts once; a scan's also if all its fields are sure. */
static void other_doubts_count_by_row(void **state)
{
    struct store_fixture *f = *state;
    struct draft_row_stored rows[] = {
        scanned(1, SCANNED DATE_READ), scanned(2, SCANNED DATE_UNREAD),
        review_row(3, "C", BUY, BRACKET_NONE)};
    rows[0].values.trade_date = REVIEW_DAY + 30;
    rows[0].doubts = STR("[\"traded_after_filed: 2024-11-04\",\"ticker_unknown: ZZZZZ\"]");
    rows[1].doubts = STR("[\"ticker_unknown: ZZZZZ\"]");
    put_paper(f, ROWS(rows));
    tally(f);
    assert_int_equal(doubts(f), 3);
}

static void no_due_day_follows_from_dates_that_cannot_be_right(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_queue_filter any = {.now_ms = NOW};
    for (int d = 0; d < DATE_DOUBT_COUNT; d++) {
        struct str name = date_doubt_name((enum date_doubt)d),
                   id = arena_fmt(&f->arena, "house-%d", d);
        struct draft_new report = review_report(CHAMBER_HOUSE, id.p, 0);
        struct draft_row_stored row = review_row(1, "A", BUY, LOW);
        if (name.n)
            row.doubts = arena_fmt(&f->arena, "[\"%.*s: 05/08/3031\"]", STR_ARG(name));
        review_insert(f, &report, &row, 1);
        assert_ok(f, db_begin(f->db, &f->fail));
        assert_ok(f, draft_tally(f->db, d + 1, &f->fail));
        assert_ok(f, db_commit(f->db, &f->fail));
    }
    struct draft_queue page;
    assert_ok(f, draft_queue_page(f->db, &any, 0, DATE_DOUBT_COUNT, &f->arena, &page, &f->fail));
    assert_int_equal(page.count, DATE_DOUBT_COUNT);
    for (size_t i = 0; i < page.count; i++) {
        int64_t d = 0;
        struct str id = page.items[i].filing_id;
        assert_true(str_to_i64(str_slice(id, 6, id.n), &d));
        bool doubted = d > DATE_DOUBT_NONE && d < DATE_DOUBT_PUBLIC_COUNT;
        assert_int_equal(page.items[i].due_day, doubted ? DAY_NONE : REVIEW_DAY + 15);
    }
}

static void counts_of_an_earlier_version_are_corrected(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row_stored rows[] = {scan(6)};
    int64_t after = 0, calls = 0;
    bool more = true;
    for (int i = 0; i < 45; i++) {
        struct draft_new paper =
            review_report(CHAMBER_HOUSE, arena_fmt(&f->arena, "house-%d", i + 1).p, 0);
        paper.manual = i != 2;
        review_insert(f, &paper, ROWS(rows));
    }
    assert_ok(f, db_exec(f->db, "UPDATE draft SET state = 'superseded' WHERE no = 2", &f->fail));
    for (; more && calls < 100; calls++) {
        assert_ok(f, db_begin(f->db, &f->fail));
        assert_ok(f, draft_tally_again(f->db, &after, &more, &f->fail));
        assert_ok(f, db_commit(f->db, &f->fail));
    }
    assert_int_equal(calls, 44); /* one for each wrong count, and one that finds no more */
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM draft WHERE doubt_count = 4"), 43);
    assert_int_equal(
        store_fixture_number(f, "SELECT CAST(sum(doubt_count) AS BIGINT) FROM draft"), 43 * 4);
    after = 0;
    for (calls = 0, more = true; more && calls < 100; calls++)
        assert_ok(f, draft_tally_again(f->db, &after, &more, &f->fail));
    assert_int_equal(calls, 4); /* 20 drafts at a time, which writes nothing */
}

#define tally_test(f) cmocka_unit_test_setup_teardown(f, review_setup, store_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        tally_test(unsure_fields_of_scans_are_doubts),
        tally_test(other_doubts_count_by_row),
        tally_test(no_due_day_follows_from_dates_that_cannot_be_right),
        tally_test(counts_of_an_earlier_version_are_corrected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
