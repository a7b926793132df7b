/* Symbols in the rows of all real documents at hand: those taken from the asset's name, those
 * suggested, and those that were another company's. */
#include "unit.h"

#include <jansson.h>
#include <stdlib.h>

#include "paper/cell/printed.h"
#include "paper/read_row.h"
#include "shared_data.h"

struct counts {
    size_t rows, with_ticker, taken, suggested, other;
};

static struct str member(const json_t *object, const char *name)
{
    return str_from(json_string_value(json_object_get(object, name)));
}

static bool company(void *ctx, struct str symbol, int32_t day, struct company *ret)
{
    return company_on(symbol, day, NULL, ret);
}

static void count_row(
    struct counts *c, struct arena *arena, enum reading_kind kind, const struct reading_row *cells)
{
    const struct read_row_symbols symbols = {.company = company};
    struct read_row with, without;
    read_row(kind, cells, DAY_NONE, &symbols, arena, &with);
    read_row(kind, cells, DAY_NONE, NULL, arena, &without);
    struct str ticker = with.row.values.ticker;
    c->rows++;
    c->with_ticker += !str_is_null(ticker);
    bool has_cell = kind == READING_SENATE_PTR && !printed_is_empty(cells->cell[CELL_TICKER]);
    bool in_brackets = kind == READING_HOUSE_PTR && !str_is_null(without.row.values.ticker);
    c->taken += !str_is_null(ticker) && !has_cell && !in_brackets;
    for (size_t i = 0; i < with.doubt_count; i++) {
        bool suggested = str_starts(with.doubts[i], STR("ticker_suggested"));
        bool other = str_starts(with.doubts[i], STR("ticker_of_other_company"));
        c->suggested += suggested;
        c->other += other;
        if (suggested || other)
            print_message(
                "# %.*s | %.*s\n", STR_ARG(with.doubts[i]), STR_ARG(cells->cell[CELL_ASSET]));
    }
    if (getenv("SHOW_TRADES") && !str_eq(ticker, without.row.values.ticker))
        print_message("# taken %.*s | %.*s\n", STR_ARG(ticker), STR_ARG(cells->cell[CELL_ASSET]));
}

/* The first of two symbols in the cell. */
static struct str first_word(struct str cell)
{
    struct str word;
    return str_split(&cell, ' ', &word) ? word : STR_NULL;
}

static bool count_all(const char *path, enum reading_kind kind, struct counts *c)
{
    struct arena arena;
    size_t i, k;
    json_t *document, *row;
    arena_init(&arena);
    *c = (struct counts){.rows = 0};
    struct str text = shared_data_read(&arena, path);
    json_t *all = str_is_null(text) ? NULL : json_loadb(text.p, text.n, 0, NULL);
    json_array_foreach(all, i, document)
    {
        json_array_foreach(json_object_get(document, "rows"), k, row)
        {
            const struct reading_row cells = {
                .row = (int)k + 1,
                .cell = {
                    [CELL_DATE] = member(row, "date"),
                    [CELL_OWNER] = member(row, "owner"),
                    [CELL_TICKER] = first_word(member(row, "ticker")),
                    [CELL_ASSET] = member(row, "asset"),
                    [CELL_ASSET_TYPE] = member(row, "at"),
                    [CELL_TYPE] = member(row, "type"),
                    [CELL_AMOUNT] = member(row, "amount"),
                }};
            count_row(c, &arena, kind, &cells);
        }
    }
    print_message(
        "# %s: %zu rows, %zu with a symbol, %zu of them from the name, %zu suggested, %zu of "
        "another "
        "company\n",
        path, c->rows, c->with_ticker, c->taken, c->suggested, c->other);
    json_decref(all);
    arena_finish(&arena);
    return all != NULL;
}

static void senate_pages_give_their_printed_symbols(void **state)
{
    struct counts c;
    if (!count_all("senate/ptr-rows.json", READING_SENATE_PTR, &c))
        skip();
    assert_int_equal(c.rows, 4388);
    assert_int_equal(c.with_ticker, 3667);
    assert_int_equal(c.taken, 235);
    assert_int_equal(c.suggested, 3);
    assert_int_equal(c.other, 0);
}

static void house_reports_have_their_symbols_in_brackets(void **state)
{
    struct counts c;
    if (!count_all("house/ptr-rows.json", READING_HOUSE_PTR, &c))
        skip();
    assert_int_equal(c.rows, 1667);
    assert_int_equal(c.with_ticker, 1524);
    assert_int_equal(c.taken, 4);
    assert_int_equal(c.suggested, 5);
    assert_int_equal(c.other, 3); /* among them EXE for Crexendo */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(senate_pages_give_their_printed_symbols),
        cmocka_unit_test(house_reports_have_their_symbols_in_brackets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
