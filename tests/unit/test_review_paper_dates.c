/* Rows of paper whose trade date nobody has given. */
#include "review_sample.h"

#define BUY SIDE_BUY
#define LOW BRACKET_1K_15K
#define NOW REVIEW_NOW
#define ID STR("house-1")
#define SCANNED                                                                                    \
    "{\"asset\":{\"how\":\"text\"},\"type\":{\"how\":\"box\"},\"amount\":{\"how\":\"box\"}"
#define DATE_UNCLEAR ",\"date\":{\"how\":\"not_read\",\"reason\":\"\\\"1/2\\\" is not a date\"}}"
#define DATE_UNREAD "}"

static const char *const not_read =
    "the trade date of row 1 was not read: type it, or say that the page states none";
static const char *const no_date =
    "row 1 has no trade date: type it, or say that the page states none";

/* A row of a scan without a trade date. */
static struct draft_row_stored scanned(int number, const char *sources)
{
    struct draft_row_stored row = review_row(number, "A", BUY, LOW);
    row.sources = str_from(sources);
    row.values.trade_date = DAY_NONE;
    return row;
}

static void put_paper(struct store_fixture *f, const struct draft_row_stored *rows, size_t count)
{
    struct draft_new paper = review_report(CHAMBER_HOUSE, "house-1", 0);
    paper.manual = true;
    review_insert(f, &paper, rows, count);
}

static enum err set(struct store_fixture *f, int row, const char *field, const char *value)
{
    const struct desk desk = review_desk(f, NOW);
    return desk_set(&desk, ID, row, str_from(field), str_from(value), STR_NULL, &f->fail);
}

static enum err accept(struct store_fixture *f)
{
    const struct desk desk = review_desk(f, NOW);
    enum draft_state ret;
    return desk_accept(&desk, ID, STR_NULL, STR_NULL, &ret, &f->fail);
}

/* The rows of the obstacles about dates: "1 3 ". */
static const char *waiting(struct store_fixture *f)
{
    struct desk_view view;
    struct str text = STR("");
    assert_ok(f, desk_show(f->db, ID, &f->arena, &view, &f->fail));
    for (size_t i = 0; i < view.obstacles.count; i++)
        if (view.obstacles.items[i].kind == OBSTACLE_NO_DATE) {
            assert_str(view.obstacles.items[i].name, "tradeDate");
            text = arena_fmt(&f->arena, "%.*s%d ", STR_ARG(text), view.obstacles.items[i].row);
        }
    return arena_fmt(&f->arena, "%.*s", STR_ARG(text)).p;
}

static void unread_trade_date_waits_until_a_person_says_that_the_page_states_none(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row_stored rows[] = {scanned(1, SCANNED DATE_UNREAD)};
    put_paper(f, ROWS(rows));
    assert_int_equal(accept(f), ERR_REFUSED);
    assert_string_equal(f->fail.text, not_read);
    assert_ok(f, set(f, 1, "side", "sell_full"));
    assert_int_equal(accept(f), ERR_REFUSED);
    assert_ok(f, set(f, 1, "tradeDate", ""));
    review_release(f, "house-1", NOW);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM trade WHERE trade_day IS NULL AND side = 'sell_full'"),
        1);
}

static void unclear_trade_date_waits_until_a_person_types_it(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row_stored rows[] = {
        scanned(1, SCANNED DATE_UNCLEAR), review_row(2, "B", BUY, LOW)};
    put_paper(f, ROWS(rows));
    assert_string_equal(waiting(f), "1 ");
    assert_ok(f, set(f, 1, "tradeDate", "2024-01-02"));
    assert_string_equal(waiting(f), "");
    review_release(f, "house-1", NOW);
}

/* Held rows stay behind, and deleted ones are not published. */
static void rows_that_are_not_published_need_no_trade_date(void **state)
{
    struct store_fixture *f = *state;
    struct draft_row_stored rows[] = {
        scanned(1, SCANNED DATE_UNREAD), scanned(2, SCANNED DATE_UNREAD),
        review_row(3, "C", BUY, LOW)};
    const struct desk desk = review_desk(f, NOW);
    rows[0].values.bracket = BRACKET_NONE;
    rows[0].held = STR("the amount was not read");
    put_paper(f, ROWS(rows));
    assert_string_equal(waiting(f), "2 ");
    assert_ok(f, desk_delete_row(&desk, ID, 2, STR_NULL, &f->fail));
    assert_string_equal(waiting(f), "");
    assert_ok(f, set(f, 1, "amountBucket", "1k_15k"));
    assert_string_equal(waiting(f), "1 ");
}

static void hand_entered_row_waits_until_a_person_says_that_the_page_states_none(void **state)
{
    struct store_fixture *f = *state;
    static const char *const fields[][2] = {
        {"assetName", "A"}, {"side", "buy"}, {"tradeDate", ""}, {"amountBucket", "1k_15k"}};
    const struct desk desk = review_desk(f, NOW);
    int row;
    put_paper(f, NULL, 0);
    for (int answered = 0; answered <= 1; answered++) {
        assert_ok(f, desk_add_row(&desk, ID, 1, &row, &f->fail));
        assert_int_equal(row, 1 + answered);
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
            if (i != 2 || answered)
                assert_ok(f, set(f, row, fields[i][0], fields[i][1]));
        assert_string_equal(waiting(f), "1 ");
    }
    assert_int_equal(accept(f), ERR_REFUSED);
    assert_string_equal(f->fail.text, no_date);
    assert_ok(f, set(f, 1, "tradeDate", ""));
    assert_string_equal(waiting(f), "");
    review_release(f, "house-1", NOW);
}

static void electronic_filing_needs_no_answer(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_new report = review_report(CHAMBER_HOUSE, "house-1", 0);
    struct draft_row_stored rows[] = {review_row(1, "A", BUY, LOW)};
    rows[0].values.trade_date = DAY_NONE;
    review_insert(f, &report, ROWS(rows));
    review_release(f, "house-1", NOW);
}

/* As an earlier version accepted it. */
static void accepted_draft_without_an_answer_is_not_published(void **state)
{
    struct store_fixture *f = *state;
    struct draft_row_stored rows[] = {scanned(1, SCANNED DATE_UNREAD)};
    struct publish_draft_result result;
    rows[0].values.trade_date = REVIEW_DAY - 30;
    put_paper(f, ROWS(rows));
    review_accept(f, "house-1", NOW);
    assert_ok(f, db_exec(f->db, "UPDATE draft_row SET trade_day = NULL", &f->fail));
    assert_int_equal(publish_draft(f->db, ID, REVIEW_BY, NOW, &result, &f->fail), ERR_REFUSED);
    assert_string_equal(f->fail.text, not_read);
    assert_string_equal(review_public(f), "");
    assert_ok(f, set(f, 1, "tradeDate", ""));
    review_release(f, "house-1", NOW);
}

/* Two people who typed the paper blind have both left the date out. */
static void paper_that_was_typed_twice_needs_no_answer(void **state)
{
    struct store_fixture *f = *state;
    struct draft_row_stored rows[] = {scanned(1, SCANNED DATE_UNREAD)};
    rows[0].values.trade_date = REVIEW_DAY - 30;
    put_paper(f, ROWS(rows));
    review_accept(f, "house-1", NOW);
    assert_ok(f, db_exec(f->db, "UPDATE draft_row SET trade_day = NULL", &f->fail));
    assert_ok(f, db_exec(f->db, "UPDATE draft SET entry = 'twice'", &f->fail));
    review_publish(f, "house-1", NOW);
}

#define date_test(f) cmocka_unit_test_setup_teardown(f, review_setup, store_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        date_test(unread_trade_date_waits_until_a_person_says_that_the_page_states_none),
        date_test(unclear_trade_date_waits_until_a_person_types_it),
        date_test(rows_that_are_not_published_need_no_trade_date),
        date_test(hand_entered_row_waits_until_a_person_says_that_the_page_states_none),
        date_test(electronic_filing_needs_no_answer),
        date_test(accepted_draft_without_an_answer_is_not_published),
        date_test(paper_that_was_typed_twice_needs_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
