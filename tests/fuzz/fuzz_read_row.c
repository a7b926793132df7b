/* Any cells: a row is complete or held; bracket, side and owner are values of the tables; a symbol
 * occurs in the cells. The first byte selects the form; the lines after it are cells. */
#include "fuzz.h"

#include "paper/cell/printed.h"
#include "paper/read_row.h"

static bool knows(void *ctx, struct str symbol)
{
    return symbol.n % 2 == *(const unsigned *)ctx;
}

static bool company(void *ctx, struct str symbol, int32_t day, struct company *ret)
{
    return company_on(symbol, day, NULL, ret);
}

/* Returns true if the cell contains the symbol, ignoring case and separators. */
static bool states(struct str cell, struct str symbol)
{
    for (size_t from = 0; from < cell.n; from++) {
        size_t s = 0;
        for (size_t i = from; i < cell.n && s < symbol.n; i++) {
            bool mark = !ascii_is_alpha(symbol.p[s]) && !ascii_is_digit(symbol.p[s]);
            if (ascii_upper(cell.p[i]) != symbol.p[s] &&
                !(mark && !ascii_is_alpha(cell.p[i]) && !ascii_is_digit(cell.p[i])))
                break;
            s++;
        }
        if (s == symbol.n)
            return true;
    }
    return false;
}

static void check_ticker(const struct read_row *r, const struct reading_row *cells)
{
    char normal[TICKER_SIZE_MAX];
    if (str_is_null(r->row.values.ticker))
        return;
    size_t n = printed_ticker(r->row.values.ticker, normal);
    assert(str_eq(str_of(normal, n), r->row.values.ticker));
    assert(
        states(cells->cell[CELL_ASSET], r->row.values.ticker) ||
        states(cells->cell[CELL_TICKER], r->row.values.ticker));
    assert(
        r->row.values.asset_type != ASSET_CRYPTO &&
        r->row.values.asset_type != ASSET_GOVERNMENT_SECURITY);
}

static void check(const struct read_row *r, const struct reading_row *cells)
{
    enum owner owner;
    bool whole = !str_is_null(r->row.values.asset_name) && r->row.values.side != SIDE_NONE &&
                 r->row.values.bracket != BRACKET_NONE;
    assert(whole == str_is_null(r->held));
    assert(r->row.row == cells->row && r->row.page == cells->page && r->status == cells->status);
    assert(r->row.values.side == printed_side(str_trim(cells->cell[CELL_TYPE])));
    assert(
        r->row.values.bracket ==
        printed_amount(str_trim(cells->cell[CELL_AMOUNT]), r->row.values.owner));
    assert(
        !printed_owner(str_trim(cells->cell[CELL_OWNER]), &owner) || owner == r->row.values.owner);
    assert(str_is_null(r->row.values.asset_name) || r->row.values.asset_name.n > 0);
    assert(str_starts(r->row.printed, STR("{")) && str_ends(r->row.printed, STR("}")));
    assert(r->doubt_count <= READ_ROW_DOUBTS_MAX);
    for (size_t i = 0; i < r->doubt_count; i++)
        assert(r->doubts[i].n > 0);
    check_ticker(r, cells);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct read_row row;
    struct str rest = fuzz_text(data, size);
    struct reading_row cells = {.row = 1 + fuzz_byte(&rest) % 9, .page = 1};
    uint8_t choice = fuzz_byte(&rest);
    unsigned known = choice & 1;
    for (int c = 0; c < CELL_COUNT; c++) {
        struct str line = fuzz_line(&rest);
        cells.cell[c] = line.n ? line : STR_NULL;
    }
    cells.status = (enum reading_status)(choice / 8 % READING_STATUS_COUNT);
    const struct read_row_symbols symbols = {choice & 32 ? NULL : knows, company, &known};
    arena_init(&arena);
    read_row(
        choice & 2 ? READING_SENATE_PTR : READING_HOUSE_PTR, &cells, choice & 4 ? 19000 : DAY_NONE,
        choice & 64 ? NULL : &symbols, &arena, &row);
    check(&row, &cells);
    arena_finish(&arena);
    return 0;
}
