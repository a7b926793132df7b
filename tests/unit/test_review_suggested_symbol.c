/* Symbols that the reader suggests are taken at once where the company's name agrees. */
#include "review_sample.h"

#include "review/desk/suggested_symbol.h"
#include "store/desk/draft_history.h"

#define NOW REVIEW_NOW
#define ID STR("house-1")

static struct draft_row_stored suggested(int number, const char *asset, const char *doubts)
{
    struct draft_row_stored row = review_row(number, asset, SIDE_BUY, BRACKET_1K_15K);
    row.doubts = str_from(doubts);
    return row;
}

static int setup(void **state)
{
    store_fixture_setup(state);
    struct store_fixture *f = *state;
    const struct draft_new report = review_report(CHAMBER_HOUSE, "house-1", 0);
    struct draft_row_stored rows[] = {
        suggested(
            1, "QQHT - Hartex Motors",
            "[\"ticker_suggested: QQHT is Hartex Marine Inc\",\"exact_amount: $5,000\"]"),
        suggested(2, "QQHB - Bramble Foods", "[\"ticker_suggested: QQHB is Harbor Tools Corp\"]"),
        suggested(3, "QQZZ - Bramble Foods", "[\"ticker_suggested: QQZZ\"]"),
        suggested(4, "QQHT - Hartex Motors", "[\"ticker_suggested: QQHT is Hartex Marine Inc\"]"),
        suggested(5, "QQHT - Hartex Motors", "[\"ticker_suggested: QQHT is Hartex Marine Inc\"]"),
        suggested(6, "Bramble Foods", "[]"),
    };
    review_members(f);
    review_insert(f, &report, rows, sizeof rows / sizeof *rows);
    return 0;
}

static struct draft_row_list rows_of(struct store_fixture *f)
{
    struct draft draft;
    struct draft_row_list rows;
    assert_ok(f, draft_find(f->db, ID, &f->arena, &draft, &f->fail));
    assert_ok(f, draft_row_load(f->db, draft.no, &f->arena, &rows, &f->fail));
    return rows;
}

static struct desk_view view_of(struct store_fixture *f)
{
    struct desk_view view;
    assert_ok(f, desk_show(f->db, ID, &f->arena, &view, &f->fail));
    assert_ok(
        f,
        suggested_companies(f->db, &view.draft, &view.rows, &f->arena, &view.companies, &f->fail));
    return view;
}

static size_t suggested_count(struct store_fixture *f)
{
    struct desk_view view = view_of(f);
    return suggested_symbols_count(&view, &f->arena);
}

static void count_event(void *ctx, const struct draft_event *event)
{
    *(int *)ctx += str_eq(event->action, STR("set")) && str_eq(event->new, STR("QQHT"));
}

static void suggestions_with_a_like_name_are_taken_together(void **state)
{
    struct store_fixture *f = *state;
    const struct desk desk = review_desk(f, NOW);
    struct suggested_taken taken;
    struct draft draft;
    int events = 0;
    assert_ok(f, desk_delete_row(&desk, ID, 5, STR_NULL, &f->fail));
    assert_int_equal(suggested_count(f), 2);
    assert_ok(f, suggested_symbols_take(&desk, ID, 0, &taken, &f->fail));
    assert_int_equal(taken.taken, 2);
    assert_int_equal(taken.left, 2);
    struct draft_row_list rows = rows_of(f);
    assert_str(rows.items[0].values.ticker, "QQHT");
    assert_str(rows.items[0].doubts, "[\"exact_amount: $5,000\"]");
    for (size_t i = 1; i < rows.count; i++)
        assert_int_equal(str_is_null(rows.items[i].values.ticker), i != 3);
    assert_str(rows.items[2].doubts, "[\"ticker_suggested: QQZZ\"]");
    assert_ok(f, draft_find(f->db, ID, &f->arena, &draft, &f->fail));
    assert_int_equal(draft.state, DRAFT_IN_REVIEW);
    assert_ok(f, draft_history_each(f->db, draft.no, count_event, &events, &f->fail));
    assert_int_equal(events, 2);
    assert_ok(f, suggested_symbols_take(&desk, ID, 0, &taken, &f->fail));
    assert_int_equal(taken.taken, 0);
}

static void symbol_that_a_person_sets_settles_the_suggestion(void **state)
{
    struct store_fixture *f = *state;
    const struct desk desk = review_desk(f, NOW);
    assert_ok(f, desk_set(&desk, ID, 2, STR("ticker"), STR("QQBF"), STR_NULL, &f->fail));
    assert_ok(f, desk_set(&desk, ID, 3, STR("side"), STR("sell_full"), STR_NULL, &f->fail));
    struct draft_row_list rows = rows_of(f);
    assert_str(rows.items[1].doubts, "[]");
    assert_str(rows.items[2].doubts, "[\"ticker_suggested: QQZZ\"]");
}

/* --- companies, by the lists of the program */

static void set(struct store_fixture *f, int row, const char *field, const char *value)
{
    const struct desk desk = review_desk(f, NOW);
    assert_ok(f, desk_set(&desk, ID, row, str_from(field), str_from(value), STR_NULL, &f->fail));
}

static void company_of_a_name_is_taken_with_its_type(void **state)
{
    struct store_fixture *f = *state;
    const struct desk desk = review_desk(f, NOW);
    struct suggested_taken taken;
    set(f, 6, "assetName", "Apple Inc");
    set(f, 6, "assetType", "");
    struct desk_view view = view_of(f);
    const struct suggested_company *is = suggested_company_of(&view, 6);
    assert_non_null(is);
    assert_str(is->company.symbol, "AAPL");
    assert_str(suggested_company_words(is, &f->arena), "AAPL, Apple Inc., by the lists of the day");
    assert_ok(f, suggested_symbols_take(&desk, ID, 6, &taken, &f->fail));
    assert_int_equal(taken.confirmed, 1);
    assert_int_equal(taken.taken, 0);
    const struct draft_row_stored row = rows_of(f).items[5];
    assert_str(row.company, "AAPL");
    assert_true(str_is_null(row.values.ticker));
    assert_int_equal(row.values.asset_type, ASSET_STOCK);
    view = view_of(f);
    assert_null(suggested_company_of(&view, 6));
    set(f, 6, "ticker", "AAPL");
    assert_true(str_is_null(rows_of(f).items[5].company));
}

static void name_of_several_symbols_waits_for_the_person(void **state)
{
    struct store_fixture *f = *state;
    const struct desk desk = review_desk(f, NOW);
    struct suggested_taken taken;
    set(f, 6, "assetName", "Alphabet Inc.");
    struct desk_view view = view_of(f);
    assert_true(suggested_company_of(&view, 6)->several);
    assert_ok(f, suggested_symbols_take(&desk, ID, 6, &taken, &f->fail));
    assert_int_equal(taken.left, 1);
    assert_true(str_is_null(rows_of(f).items[5].company));
}

static void company_is_a_symbol_of_that_day_in_a_row_without_one(void **state)
{
    struct store_fixture *f = *state;
    const struct desk desk = review_desk(f, NOW);
    static const char *const refused[] = {"QQQZZ", "a b", "VIAC"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct str value = str_from(refused[i]);
        assert_int_equal(
            desk_set(&desk, ID, 6, STR("company"), value, STR_NULL, &f->fail), ERR_INVALID);
    }
    set(f, 6, "company", " goog ");
    assert_str(rows_of(f).items[5].company, "GOOG");
    set(f, 6, "company", "");
    assert_true(str_is_null(rows_of(f).items[5].company));
    set(f, 6, "ticker", "AAPL");
    assert_int_equal(
        desk_set(&desk, ID, 6, STR("company"), STR("AAPL"), STR_NULL, &f->fail), ERR_INVALID);
}

static void another_reviewer_takes_no_symbols(void **state)
{
    struct store_fixture *f = *state;
    const struct desk ann = review_desk(f, NOW);
    struct desk ben = review_desk(f, NOW);
    struct suggested_taken taken;
    ben.by = STR("ben@example.org");
    assert_ok(f, desk_claim(&ann, ID, &f->fail));
    assert_int_equal(suggested_symbols_take(&ben, ID, 0, &taken, &f->fail), ERR_BUSY);
    assert_true(str_is_null(rows_of(f).items[0].values.ticker));
}

#define symbol_test(f) cmocka_unit_test_setup_teardown(f, setup, store_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        symbol_test(suggestions_with_a_like_name_are_taken_together),
        symbol_test(symbol_that_a_person_sets_settles_the_suggestion),
        symbol_test(company_of_a_name_is_taken_with_its_type),
        symbol_test(name_of_several_symbols_waits_for_the_person),
        symbol_test(company_is_a_symbol_of_that_day_in_a_row_without_one),
        symbol_test(another_reviewer_takes_no_symbols),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
