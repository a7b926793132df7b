#include "unit.h"

#include "paper/cell/cells.h"

static struct arena arena;

static void expect_shown(const char *stored, const char *shown)
{
    assert_str(cells_shown(str_from(stored), &arena), shown);
}

/* As the first versions stored bulk rows: the members of the dump, with the page's markup. */
#define DUMP(ticker, asset, comment)                                                               \
    "{\"transaction_date\":\"06/30/2015\",\"owner\":\"Joint\",\"ticker\":\"" ticker                \
    "\",\"asset_description\":\"" asset "\",\"asset_type\":\"Corporate Bond\",\"type\":"           \
    "\"Sale (Full)\",\"amount\":\"$1,001 - $15,000\",\"comment\":" comment "}"
#define LINK(symbol) "<a href=\\\"https://finance.example/q?s=" symbol "\\\">" symbol "</a>"

static void stored_row_of_the_dump_is_shown_as_text(void **state)
{
    expect_shown(
        DUMP(
            LINK("ABC") "  \\n <br> " LINK("XYZ"),
            "Abacus &amp; Sons<div class=\\\"text-muted\\\"><em>Rate/Coupon:</em> 4%<br>"
            "<em>Matures:</em> 2031</div>",
            "\"45 days &gt; 30\""),
        "{\"owner\":\"Joint\",\"ticker\":\"ABC\",\"ticker_two\":\"XYZ\","
        "\"asset\":\"Abacus & Sons\",\"asset_detail\":\"Rate/Coupon: 4% Matures: 2031\","
        "\"asset_type\":\"Corporate Bond\",\"type\":\"Sale (Full)\",\"date\":\"06/30/2015\","
        "\"amount\":\"$1,001 - $15,000\",\"comment\":\"45 days > 30\"}");
    /* Escapes may spell the names of the members. */
    expect_shown(
        "{\"\\u0061sset_description\":\"Abacus &amp; Sons\",\"owner\":\"Self\"}",
        "{\"owner\":\"Self\",\"asset\":\"Abacus & Sons\"}");
    /* An empty cell is printed empty; null and optional cells are absent. */
    expect_shown(
        DUMP("", "Abacus", "null"),
        "{\"owner\":\"Joint\",\"ticker\":\"\",\"asset\":\"Abacus\","
        "\"asset_type\":\"Corporate Bond\",\"type\":\"Sale (Full)\",\"date\":\"06/30/2015\","
        "\"amount\":\"$1,001 - $15,000\"}");
}

static void other_rows_are_shown_as_they_are_stored(void **state)
{
    static const char *const rows[] = {
        "{\"asset\":\"Abacus <b>&amp;</b>\",\"date\":\"06/30/2015\"}",
        "{\"asset\":\"says \\\"asset_description\\\": nothing\"}",
        "{\"comment\":\"asset_description\",\"unknown\":\"x\"}",
        "{}",
        "{\"asset_description\":7}",
        "asset_description",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_shown(rows[i], rows[i]);
    assert_true(str_is_null(cells_shown(STR_NULL, &arena)));
}

static void cells_are_read_back_as_written(void **state)
{
    struct str cells[CELL_COUNT], again[CELL_COUNT];
    char space[4096];
    for (int absent = 0; absent <= CELL_COUNT; absent++) {
        struct buf b = buf_over(space, sizeof space);
        for (int c = 0; c < CELL_COUNT; c++)
            cells[c] = c == absent ? STR_NULL : arena_fmt(&arena, "\"%d\" \\ <br> \u00e9", c);
        cells_put(&b, cells);
        assert_true(cells_read(buf_view(&b), &arena, again));
        for (int c = 0; c < CELL_COUNT; c++) {
            assert_true(str_is_null(again[c]) == (c == absent));
            assert_true(c == absent || str_eq(again[c], cells[c]));
        }
    }
}

static void cells_of_both_forms_are_read(void **state)
{
    struct str cells[CELL_COUNT];
    assert_true(cells_read(STR(DUMP(LINK("ABC"), "Abacus", "\"--\"")), &arena, cells));
    assert_str(cells[CELL_TICKER], "ABC");
    assert_true(str_is_null(cells[CELL_TICKER_TWO]));
    assert_true(str_is_null(cells[CELL_ID]));
    assert_str(cells[CELL_COMMENT], "--");
    assert_true(cells_read(STR("{\"asset\":\"A\",\"unknown\":\"x\"}"), &arena, cells));
    assert_str(cells[CELL_ASSET], "A");
    assert_true(str_is_null(cells[CELL_TICKER]));
    static const char *const invalid[] = {"", "[]", "{", "{\"asset\":1}", "{\"asset\":\"\xff\"}"};
    for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
        assert_false(cells_read(str_from(invalid[i]), &arena, cells));
        for (int c = 0; c < CELL_COUNT; c++)
            assert_true(str_is_null(cells[c]));
    }
    assert_false(cells_read(STR_NULL, &arena, cells));
}

static void names_are_distinct(void **state)
{
    for (int a = 0; a < CELL_COUNT; a++)
        for (int b = 0; b < a; b++)
            assert_false(str_eq(cell_name((enum cell)a), cell_name((enum cell)b)));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_row_of_the_dump_is_shown_as_text),
        cmocka_unit_test(other_rows_are_shown_as_they_are_stored),
        cmocka_unit_test(cells_are_read_back_as_written),
        cmocka_unit_test(cells_of_both_forms_are_read),
        cmocka_unit_test(names_are_distinct),
    };
    arena_init(&arena);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_finish(&arena);
    return failed;
}
