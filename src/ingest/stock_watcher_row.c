/*
 * Rows of the dump. The cells hold the page's markup: symbols are links, bonds and options have
 * detail lines, and exchanges list the asset given and the asset received on two lines. The
 * provenance keeps the cells as text (paper/cell/cells.h).
 */
#include "ingest/stock_watcher_row.h"

#include "paper/cell/cells.h"
#include "paper/cell/details_read.h"
#include "paper/cell/html_cell.h"
#include "paper/cell/printed.h"
#include "paper/cell/printed_symbol.h"

enum { ASSET_NAME_SIZE_MAX = 1000, PRINTED_SIZE_MAX = 16 * 1024 };

static const char *refuse(struct arena *arena, const char *what, struct str printed)
{
    return arena_fmt(
               arena, "%s \"%.*s\" is not known", what, (int)(printed.n < 60 ? printed.n : 60),
               printed.n ? printed.p : "")
        .p;
}

/* For an exchange, the symbol given, which comes first (decision 13). May be NULL. */
static const char *read_ticker(struct arena *arena, struct str cell, struct str *ret)
{
    char symbol[TICKER_SIZE_MAX];
    struct str text = html_cell_text(arena, cell, HTML_CELL_FIRST_LINE);
    *ret = STR_NULL;
    if (printed_is_empty(text) || printed_symbol_is_exchange(text))
        return NULL;
    size_t n = printed_ticker(text, symbol);
    if (n == 0)
        return refuse(arena, "ticker", text);
    *ret = arena_str(arena, str_of(symbol, n));
    return NULL;
}

/* Removes a trailing "(TICKER)" only if it equals the ticker of the row: "(REIT)" and "(NYSE)" stay
 * (decision 12). */
static struct str cut_ticker(struct str name, struct str ticker)
{
    char symbol[TICKER_SIZE_MAX];
    if (!ticker.n || !str_ends(name, STR(")")))
        return name;
    for (size_t i = name.n - 1; i-- > 1;) {
        if (name.p[i] != '(')
            continue;
        struct str inside = str_slice(name, i + 1, name.n - 1);
        size_t n = ticker_normalize(inside, symbol);
        return n && str_eq(str_of(symbol, n), ticker) ? str_trim(str_slice(name, 0, i)) : name;
    }
    return name;
}

/* Null: too large. */
static struct str row_printed(struct arena *arena, const struct str cells[static CELL_COUNT])
{
    BUF_SCOPED(b, PRINTED_SIZE_MAX);
    cells_put(&b, cells);
    return b.overflow ? STR_NULL : arena_str(arena, buf_view(&b));
}

static bool find_company(void *ctx, struct str symbol, int32_t day, struct company *ret)
{
    return company_on(symbol, day, NULL, ret);
}

/* Reads the symbol as paper/read_row.c does: without the suffix of an exchange, or from the asset's
 * name. These rows are not reviewed, so suggestions are left out, and symbols of other companies.
 */
static void complete_symbol(struct arena *arena, struct draft_row *row)
{
    struct str *ticker = &row->values.ticker, *name = &row->values.asset_name;
    enum asset_type type = row->values.asset_type;
    struct printed_symbol found;
    if (!str_is_null(*ticker)) {
        *ticker = printed_symbol_without_exchange(
            *ticker, *name, row->values.trade_date, find_company, NULL);
        return;
    }
    if (!printed_symbol_may_be_in(type))
        return;
    printed_symbol_find(*name, row->values.trade_date, find_company, NULL, &found);
    struct company other;
    struct str symbol = arena_str(arena, str_of(found.text, found.n));
    bool filed = found.result == PRINTED_SYMBOL_FILED &&
                 !printed_symbol_is_of_another(
                     symbol, found.name, row->values.trade_date, find_company, NULL, &other);
    if (found.result != PRINTED_SYMBOL_TAKEN && !filed)
        return;
    *ticker = symbol;
    *name = found.name;
}

const char *stock_watcher_row_read(
    struct arena *arena, struct json_in *j, const json_t *row, struct draft_row *ret)
{
    struct str date = str_trim(json_in_str(j, row, "transaction_date"));
    struct str owner = json_in_str(j, row, "owner"), ticker = json_in_str(j, row, "ticker");
    struct str asset = json_in_str(j, row, "asset_description");
    struct str type = json_in_str(j, row, "asset_type"), side = json_in_str(j, row, "type");
    struct str amount = json_in_str(j, row, "amount"), cells[CELL_COUNT];
    json_in_opt_str(j, row, "comment");
    *ret = (struct draft_row){.values.trade_date = DAY_NONE, .notified_date = DAY_NONE};
    if (j->err)
        return "not built like a row";
    if (!printed_is_empty(date) && !printed_day(date, &ret->values.trade_date))
        return refuse(arena, "transaction date", date);
    if (!printed_owner(owner, &ret->values.owner))
        return refuse(arena, "owner", owner);
    const char *wrong = read_ticker(arena, ticker, &ret->values.ticker);
    if (wrong)
        return wrong;
    if (!printed_asset_type(type, &ret->values.asset_type))
        return refuse(arena, "asset type", type);
    if ((ret->values.side = printed_side(side)) == SIDE_NONE)
        return refuse(arena, "transaction type", side);
    if ((ret->values.bracket = printed_amount(amount, ret->values.owner)) == BRACKET_NONE)
        return refuse(arena, "amount", amount);
    ret->values.asset_name =
        cut_ticker(html_cell_text(arena, asset, HTML_CELL_HEAD), ret->values.ticker);
    if (printed_is_empty(ret->values.asset_name))
        return "the asset has no name";
    if (ret->values.asset_name.n > ASSET_NAME_SIZE_MAX)
        return "the asset's name is longer than 1,000 bytes";
    complete_symbol(arena, ret);
    dump_row_cells(j, row, arena, cells);
    ret->values.details = details_of_cells(cells, &ret->values, arena);
    ret->printed = row_printed(arena, cells);
    return str_is_null(ret->printed) ? "the cells are larger than 16 KiB" : NULL;
}
