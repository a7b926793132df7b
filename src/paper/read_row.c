/* From cells to fields; see read_row.h. */
#include "paper/read_row.h"

#include <assert.h>

#include "base/utf8.h"
#include "paper/cell/details_read.h"
#include "paper/cell/printed.h"
#include "rule/date_doubt.h"

enum {
    HOUSE_TICKER_ROOT_MAX = 5, /* longer words in brackets are not tickers: "(Delaware)" */
    HOUSE_TICKER_CLASS_MAX = 3,
    REREAD_SHOWN_MAX = 60, /* bytes of a text in a doubt */
    PRINTED_SIZE_MAX = READING_SIZE_MAX,
};

struct read_row_reader {
    struct arena *arena;
    const struct reading_row *cells;
    struct read_row *out;
    const struct read_row_symbols *symbols; /* or NULL */
    printed_symbol_company *company;        /* of the symbols; knows none if they do not */
    void *company_ctx;
    int32_t day; /* traded, else filed; DAY_NONE: neither is known */
};

static struct str cell(const struct read_row_reader *r, enum cell cell)
{
    return str_trim(r->cells->cell[cell]);
}

/* "CODE: detail", or the code alone if there is no detail. */
static void doubt(struct read_row_reader *r, const char *code, struct str about)
{
    struct read_row *out = r->out;
    assert(out->doubt_count < READ_ROW_DOUBTS_MAX);
    out->doubts[out->doubt_count++] =
        about.n ? arena_fmt(r->arena, "%s: %.*s", code, STR_ARG(about)) : str_from(code);
}

/* Keeps the first reason. */
static void hold(struct read_row_reader *r, const char *why, struct str printed)
{
    if (str_is_null(r->out->held))
        r->out->held =
            printed.n ? arena_fmt(r->arena, "%s: %.*s", why, STR_ARG(printed)) : str_from(why);
}

/* --- asset, type and ticker */

/* Removes "OPEN...CLOSE" from the end of the text; false: it does not end so. */
static bool take_bracket(struct str *text, char open, char close, struct str *ret)
{
    if (text->n == 0 || text->p[text->n - 1] != close)
        return false;
    size_t at = text->n - 1;
    while (at > 0 && text->p[at - 1] != open && text->p[at - 1] != close)
        at--;
    if (at == 0 || text->p[at - 1] != open)
        return false;
    *ret = str_trim(str_slice(*text, at, text->n - 1));
    *text = str_trim(str_slice(*text, 0, at - 1));
    return true;
}

/* Up to five letters, and optionally a class after one of . - / $ */
static bool looks_like_ticker(struct str text)
{
    size_t root = 0;
    while (root < text.n && ascii_is_alpha(text.p[root]))
        root++;
    if (root == 0 || root > HOUSE_TICKER_ROOT_MAX)
        return false;
    if (root == text.n)
        return true;
    bool mark = str_find_char(STR(".-/$"), text.p[root]) >= 0;
    size_t class = text.n - root - 1;
    for (size_t i = root + 1; i < text.n; i++)
        if (!ascii_is_alpha(text.p[i]))
            return false;
    return mark && class >= 1 && class <= HOUSE_TICKER_CLASS_MAX;
}

/* Older House forms print a few small capitals in the wrong case, always the same ones ("aagIY").
 * Any other lower-case letter, or a text without capitals, is a word, not a ticker. */
static bool may_be_word(struct str text)
{
    bool capital = false, small = false;
    for (size_t i = 0; i < text.n; i++) {
        bool lower = text.p[i] >= 'a' && text.p[i] <= 'z';
        if (lower && str_find_char(STR("aglu"), text.p[i]) < 0)
            return true;
        small |= lower;
        capital |= text.p[i] >= 'A' && text.p[i] <= 'Z';
    }
    return small && !capital;
}

/* Asset types without a symbol on an exchange (spec 2.1), whatever the brackets hold: a CUSIP, a
 * coin. */
static bool has_no_ticker(enum asset_type type)
{
    return type == ASSET_CRYPTO || type == ASSET_GOVERNMENT_SECURITY;
}

/* No list has the symbol on any day. */
static bool is_unknown(const struct read_row_reader *r, struct str symbol)
{
    const struct read_row_symbols *s = r->symbols;
    return s && s->known && !s->known(s->ctx, symbol);
}

static void set_ticker(struct read_row_reader *r, struct str printed)
{
    char symbol[TICKER_SIZE_MAX];
    size_t n = printed_ticker(printed, symbol);
    if (n == 0) {
        doubt(r, "ticker_unreadable", printed);
        return;
    }
    struct str ticker = arena_str(r->arena, str_of(symbol, n));
    bool unknown = is_unknown(r, ticker);
    if (unknown)
        doubt(r, "ticker_unknown", printed);
    /* If letter case cannot distinguish a word from a symbol, the ticker tables decide. */
    if (!unknown || !may_be_word(printed))
        r->out->row.values.ticker = ticker;
}

/* Removes a symbol in brackets from the end of a House asset, and the exchange behind it. */
static bool take_symbol(struct str *name, struct str *ret)
{
    struct str rest = *name, inside = STR_NULL;
    while (take_bracket(&rest, '(', ')', &inside) && rest.n) {
        if (looks_like_ticker(inside) && !printed_symbol_is_exchange(inside)) {
            *name = rest;
            *ret = inside;
            return true;
        }
        if (!printed_symbol_is_exchange(inside))
            return false;
    }
    return false;
}

/* "CODE: SYM is COMPANY" */
static void doubt_symbol(
    struct read_row_reader *r, const char *code, struct str symbol, const struct company *company)
{
    doubt(
        r, code,
        company ? arena_fmt(r->arena, "%.*s is %.*s", STR_ARG(symbol), STR_ARG(company->name))
                : symbol);
}

static bool no_company(void *ctx, struct str symbol, int32_t day, struct company *ret)
{
    return false;
}

/* Compares the symbol and the name with what is known of that day. */
static void compare_symbol(struct read_row_reader *r, struct str name)
{
    struct str *ticker = &r->out->row.values.ticker;
    struct company company;
    *ticker = printed_symbol_without_exchange(*ticker, name, r->day, r->company, r->company_ctx);
    if (printed_symbol_is_of_another(*ticker, name, r->day, r->company, r->company_ctx, &company))
        doubt_symbol(r, "ticker_of_other_company", *ticker, &company);
}

/* Looks for a symbol in the name of an asset that has none of its own. */
static void find_symbol(struct read_row_reader *r, struct str *name)
{
    struct draft_row *row = &r->out->row;
    struct printed_symbol found;
    if (!printed_symbol_may_be_in(row->values.asset_type))
        return;
    printed_symbol_find(*name, r->day, r->company, r->company_ctx, &found);
    struct str symbol = arena_str(r->arena, str_of(found.text, found.n));
    if (found.result == PRINTED_SYMBOL_NONE)
        return;
    if (found.result == PRINTED_SYMBOL_SUGGESTED) {
        doubt_symbol(r, "ticker_suggested", symbol, found.known ? &found.company : NULL);
        return;
    }
    row->values.ticker = symbol;
    *name = found.name;
    if (found.result == PRINTED_SYMBOL_FILED && is_unknown(r, symbol))
        doubt(r, "ticker_unknown", symbol);
    compare_symbol(r, *name);
}

static void complete_symbol(struct read_row_reader *r, struct str *name)
{
    if (name->n && str_is_null(r->out->row.values.ticker))
        find_symbol(r, name);
    else if (name->n)
        compare_symbol(r, *name);
}

/* The state of a company, or "REIT", that happens to be the symbol of another one. */
static bool is_other_word(const struct read_row_reader *r, struct str symbol, struct str name)
{
    struct company ignored;
    return printed_symbol_is_word(symbol) &&
           printed_symbol_is_of_another(symbol, name, r->day, r->company, r->company_ctx, &ignored);
}

static void read_house_asset(struct read_row_reader *r)
{
    struct str name = cell(r, CELL_ASSET), code = STR_NULL, symbol = STR_NULL;
    struct draft_row *row = &r->out->row;
    if (take_bracket(&name, '[', ']', &code) && !printed_asset_type(code, &row->values.asset_type))
        doubt(r, "asset_type_unknown", code);
    struct str without = name;
    if (!has_no_ticker(row->values.asset_type) && take_symbol(&without, &symbol) &&
        !is_other_word(r, symbol, without)) {
        set_ticker(r, symbol);
        if (!str_is_null(row->values.ticker))
            name = without;
    }
    complete_symbol(r, &name);
    row->values.asset_name = name.n ? name : STR_NULL;
}

static void read_senate_asset(struct read_row_reader *r)
{
    struct str name = cell(r, CELL_ASSET), type = cell(r, CELL_ASSET_TYPE), symbol = STR_NULL;
    struct draft_row *row = &r->out->row;
    if (!printed_asset_type(type, &row->values.asset_type))
        doubt(r, "asset_type_unknown", type);
    struct str printed = cell(r, CELL_TICKER);
    if (!printed_is_empty(printed) && !printed_symbol_is_exchange(printed) &&
        !has_no_ticker(row->values.asset_type))
        set_ticker(r, printed);
    struct str without = name;
    if (!str_is_null(row->values.ticker) && take_bracket(&without, '(', ')', &symbol) &&
        without.n && str_eq_nocase(symbol, printed))
        name = without;
    complete_symbol(r, &name);
    row->values.asset_name = name.n ? name : STR_NULL;
}

/* --- the other cells */

static int32_t read_day(struct read_row_reader *r, enum cell which, const char *code)
{
    int32_t day;
    struct str text = cell(r, which);
    if (printed_is_empty(text))
        return DAY_NONE;
    if (printed_day(text, &day))
        return day;
    doubt(r, code, text);
    return DAY_NONE;
}

static void read_days(struct read_row_reader *r, int32_t filed_day)
{
    struct draft_row *row = &r->out->row;
    row->values.trade_date = read_day(r, CELL_DATE, "date_unreadable");
    row->notified_date = read_day(r, CELL_NOTIFIED, "notified_unreadable");
    for (int d = 1; d < DATE_DOUBT_COUNT; d++) {
        enum date_doubt about = (enum date_doubt)d;
        enum cell which = date_doubt_is_of_notice(about) ? CELL_NOTIFIED : CELL_DATE;
        bool listed = !str_is_null(row->values.ticker);
        if (date_doubt_holds(about, row->values.trade_date, row->notified_date, filed_day, listed))
            doubt(r, date_doubt_name(about).p, cell(r, which));
    }
}

/* On a scanned page, where a cell that was not read may still have something in it. */
static bool is_unread(const struct read_row_reader *r, enum cell which)
{
    return r->cells->source && str_is_null(r->cells->cell[which]);
}

/* The Senate's paper form has one box for sales in full and in part. */
static void hold_side(struct read_row_reader *r)
{
    struct str type = cell(r, CELL_TYPE);
    if (str_eq(type, STR("Sale")))
        hold(r, "the form does not say whether it was sold in full or in part", STR_NULL);
    else
        hold(
            r,
            is_unread(r, CELL_TYPE) ? "the transaction type was not read"
                                    : "the transaction type is not one of the form's",
            type);
}

static void read_amount(struct read_row_reader *r)
{
    struct draft_row *row = &r->out->row;
    struct str amount = cell(r, CELL_AMOUNT);
    bool exact = printed_amount_is_exact(amount);
    row->values.bracket = printed_amount(amount, row->values.owner);
    if (exact)
        doubt(r, "exact_amount", amount);
    if (row->values.bracket == BRACKET_NONE)
        hold(
            r,
            exact                       ? "the amount is under $1,001"
            : is_unread(r, CELL_AMOUNT) ? "the amount was not read"
                                        : "the amount is not one of the form's ranges",
            amount);
}

/* The cells in which two readings of the document differ. */
static void compare_readings(struct read_row_reader *r)
{
    for (int c = 0; r->cells->second && c < CELL_COUNT; c++) {
        struct str first = r->cells->cell[c], second = r->cells->second[c];
        if (str_is_null(second))
            continue;
        struct str code = arena_fmt(r->arena, "%.*s_reread", STR_ARG(cell_name((enum cell)c)));
        struct str both = arena_fmt(
            r->arena, "\"%.*s\" and \"%.*s\"", STR_ARG(utf8_cut(first, REREAD_SHOWN_MAX)),
            STR_ARG(utf8_cut(second, REREAD_SHOWN_MAX)));
        doubt(r, code.p, both);
    }
}

/* Senate pages number their rows; one known page repeats a number. */
static void compare_number(struct read_row_reader *r)
{
    int64_t number;
    struct str printed = cell(r, CELL_ID);
    if (!str_to_i64(printed, &number) || number != r->cells->row)
        doubt(r, "row_number", printed);
}

static struct str printed_json(struct read_row_reader *r)
{
    BUF_SCOPED(b, PRINTED_SIZE_MAX);
    reading_row_put(&b, r->cells);
    return b.overflow ? STR_NULL : arena_str(r->arena, buf_view(&b));
}

/* The day whose companies the symbols mean. */
static int32_t symbol_day(const struct read_row_reader *r, int32_t filed_day)
{
    int32_t day;
    return printed_day(cell(r, CELL_DATE), &day) ? day : filed_day;
}

void read_row(
    enum reading_kind kind, const struct reading_row *cells, int32_t filed_day,
    const struct read_row_symbols *symbols, struct arena *arena, struct read_row *ret)
{
    bool lists = symbols && symbols->company;
    struct read_row_reader r = {
        .arena = arena,
        .cells = cells,
        .out = ret,
        .symbols = symbols,
        .company = lists ? symbols->company : no_company,
        .company_ctx = lists ? symbols->ctx : NULL,
    };
    *ret = (struct read_row){
        .row = {.row = cells->row, .page = cells->page},
        .status = cells->status,
    };
    r.day = symbol_day(&r, filed_day);
    ret->row.printed = printed_json(&r);
    if (!printed_owner(cell(&r, CELL_OWNER), &ret->row.values.owner))
        doubt(&r, "owner_unknown", cell(&r, CELL_OWNER));
    if (kind == READING_SENATE_PTR) {
        compare_number(&r);
        read_senate_asset(&r);
    } else {
        read_house_asset(&r);
    }
    compare_readings(&r);
    ret->row.values.details = details_of_cells(cells->cell, &ret->row.values, arena);
    read_days(&r, filed_day);
    ret->row.cap_gains = printed_cap_gains(cell(&r, CELL_CAP_GAINS));
    ret->row.values.side = printed_side(cell(&r, CELL_TYPE));
    if (str_is_null(ret->row.values.asset_name))
        hold(
            &r, is_unread(&r, CELL_ASSET) ? "the asset was not read" : "no asset is printed",
            STR_NULL);
    if (ret->row.values.side == SIDE_NONE)
        hold_side(&r);
    read_amount(&r);
}
