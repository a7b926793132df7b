/* Suggested symbols; see suggested_symbol.h. */
#include "review/desk/suggested_symbol.h"

#include "market/company_name.h"
#include "market/industry.h"
#include "paper/cell/printed_symbol.h"
#include "review/desk/desk_parts.h"
#include "review/review_words.h"
#include "store/public/ticker.h"
#include "store/public/trade.h"

enum { DOUBTS_MAX = 32, DOUBTS_SIZE_MAX = 64 * 1024 };

static const struct str code = STR_INIT("ticker_suggested: "); /* "SYM is COMPANY", or "SYM" */

struct suggested_symbol {
    struct str symbol;  /* normal form */
    struct str company; /* null: no list knows one */
    bool agrees;
};

/* In the arena. false: no symbol is suggested, or the row has one, or it was removed. */
static bool find_suggested(
    const struct draft_row_stored *row, struct arena *arena, struct suggested_symbol *ret)
{
    static const struct str is = STR_INIT(" is ");
    struct str doubts[DOUBTS_MAX], text = STR_NULL;
    if (row->removed || !str_is_null(row->values.ticker) ||
        str_find(row->doubts, STR("ticker_suggested")) < 0)
        return false;
    size_t count = review_texts(row->doubts, arena, doubts, DOUBTS_MAX);
    for (size_t i = 0; i < count; i++)
        if (str_starts(doubts[i], code))
            text = str_slice(doubts[i], code.n, doubts[i].n);
    ptrdiff_t at = str_find(text, is);
    ret->symbol = at < 0 ? text : str_slice(text, 0, (size_t)at);
    ret->company = at < 0 ? STR_NULL : str_slice(text, (size_t)at + is.n, text.n);
    ret->agrees = company_name_compare(row->values.asset_name, ret->company) != COMPANY_NAME_OTHER;
    return text.n > 0;
}

struct str suggested_symbol_settle(struct str doubts, struct arena *arena)
{
    struct str texts[DOUBTS_MAX];
    BUF_SCOPED(b, DOUBTS_SIZE_MAX);
    struct json_out j;
    if (str_find(doubts, STR("ticker_suggested")) < 0)
        return doubts;
    size_t count = review_texts(doubts, arena, texts, DOUBTS_MAX);
    json_init(&j, &b);
    json_array_begin(&j);
    for (size_t i = 0; i < count; i++)
        if (!str_starts(texts[i], code))
            json_str(&j, texts[i]);
    json_array_end(&j);
    return arena_str(arena, buf_view(&b));
}

size_t suggested_symbols_count(const struct desk_view *view, struct arena *arena)
{
    size_t count = 0;
    for (size_t i = 0; i < view->rows.count; i++) {
        struct suggested_symbol found;
        const struct suggested_company *company =
            suggested_company_of(view, view->rows.items[i].row);
        count += (find_suggested(&view->rows.items[i], arena, &found) && found.agrees) ||
                 (company && !company->several);
    }
    return count;
}

/* --- companies by their names */

/* A name of the member's public trades with its symbol. */
struct own_name {
    struct own_name *next;
    struct str key;
    struct str symbol;
};

struct own_names {
    struct arena *arena;
    struct own_name *first;
};

static void note_own(void *ctx, struct str asset_name, struct str symbol)
{
    struct own_names *own = ctx;
    char space[COMPANY_NAME_KEY_MAX];
    struct str key = company_name_key(asset_name, space);
    struct own_name *name = ARENA_NEW(own->arena, struct own_name);
    *name =
        (struct own_name){own->first, arena_str(own->arena, key), arena_str(own->arena, symbol)};
    own->first = name;
}

enum err suggested_company_on(
    struct db *db, struct str symbol, int32_t day, struct arena *arena, struct company *ret,
    struct fail *fail)
{
    struct ticker ticker;
    enum err err = ticker_find(db, symbol, arena, &ticker, fail);
    if (err && err != ERR_NOT_FOUND)
        return err;
    struct company_import imported = {.name = STR_NULL};
    if (!err)
        imported = (struct company_import){ticker.company, ticker.industry, ticker.source};
    if (!company_on(symbol, day, err ? NULL : &imported, ret))
        return fail_set(
            fail, ERR_NOT_FOUND, "no list has a company of %.*s on that day", STR_ARG(symbol));
    ret->symbol = arena_str(arena, symbol);
    return OK;
}

static enum err look_at_own(
    struct db *db, const struct own_names *own, struct str name, int32_t day,
    struct suggested_company *ret, struct fail *fail)
{
    char space[COMPANY_NAME_KEY_MAX];
    struct str key = company_name_key(name, space);
    for (const struct own_name *is = own->first; key.n && is; is = is->next) {
        struct company company;
        if (!str_eq(is->key, key))
            continue;
        enum err err = suggested_company_on(db, is->symbol, day, own->arena, &company, fail);
        if (err == ERR_NOT_FOUND)
            continue;
        TRY(err);
        ret->several |= ret->from_own && !str_eq(ret->company.symbol, company.symbol);
        ret->from_own = true;
        ret->company = company;
    }
    return OK;
}

static bool wants_company(const struct draft_row_stored *row)
{
    return !row->removed && str_is_null(row->values.ticker) && str_is_null(row->company) &&
           !str_is_null(row->values.asset_name) && printed_symbol_may_be_in(row->values.asset_type);
}

/* The member's own trades decide between symbols of the lists, and not against them. */
static enum err suggest(
    struct db *db, const struct own_names *own, const struct draft_row_stored *row, int32_t day,
    struct suggested_company *ret, struct fail *fail)
{
    static const struct str etf = STR_INIT(" ETF");
    struct company listed[COMPANIES_MAX];
    size_t n = company_named(row->values.asset_name, day, listed);
    TRY(look_at_own(db, own, row->values.asset_name, day, ret, fail));
    bool agrees = n == 0;
    for (size_t i = 0; ret->from_own && i < n; i++)
        agrees |= str_eq(ret->company.symbol, listed[i].symbol);
    if (!ret->from_own && n == 1)
        ret->company = listed[0];
    ret->several |= ret->from_own ? !agrees : n > 1;
    ret->row = ret->from_own || n ? row->row : 0;
    bool fund = !ret->several && (ret->company.industry == industry_from_code(STR("funds")) ||
                                  str_find(ret->company.name, etf) >= 0);
    ret->type = fund ? ASSET_FUND : ASSET_STOCK;
    return OK;
}

enum err suggested_companies(
    struct db *db, const struct draft *draft, const struct draft_row_list *rows,
    struct arena *arena, struct suggested_company **ret, struct fail *fail)
{
    struct own_names own = {.arena = arena};
    bool loaded = str_is_null(draft->is.politician_id);
    int32_t filed =
        draft->is.filed_at == INSTANT_NONE ? DAY_NONE : instant_day_new_york(draft->is.filed_at);
    *ret = ARENA_ARRAY(arena, struct suggested_company, rows->count + 1);
    for (size_t i = 0; i < rows->count; i++) {
        const struct draft_row_stored *row = &rows->items[i];
        int32_t day = row->values.trade_date == DAY_NONE ? filed : row->values.trade_date;
        if (!wants_company(row) || day == DAY_NONE)
            continue;
        if (!loaded)
            TRY(trade_each_symbol_of(db, draft->is.politician_id, note_own, &own, fail));
        loaded = true;
        TRY(suggest(db, &own, row, day, &(*ret)[i], fail));
    }
    return OK;
}

const struct suggested_company *suggested_company_of(const struct desk_view *view, int row)
{
    for (size_t i = 0; view->companies && i < view->rows.count; i++)
        if (view->companies[i].row == row)
            return &view->companies[i];
    return NULL;
}

struct str suggested_company_words(const struct suggested_company *is, struct arena *arena)
{
    return is->several ? STR("the name is that of several symbols: type the right one")
                       : arena_fmt(
                             arena, "%.*s, %.*s, by %s", STR_ARG(is->company.symbol),
                             STR_ARG(is->company.name),
                             is->from_own ? "this member's public trades" : "the lists of the day");
}

/* --- taking them */

static enum err note(
    struct desk_act *a, int row, struct str field, struct str value, struct fail *fail)
{
    const struct draft_event event = {
        .action = STR("set"),
        .row = row,
        .field = field,
        .new = value,
        .reason = STR("suggested by the asset's name"),
    };
    return desk_note(a, event, fail);
}

static enum err take_symbol(
    struct desk_act *a, struct draft_row_stored *row, struct str symbol, struct fail *fail)
{
    row->values.ticker = symbol;
    row->doubts = suggested_symbol_settle(row->doubts, &a->arena);
    TRY(draft_row_update(a->desk->db, a->draft.no, row, a->desk->now_ms, fail));
    return note(a, row->row, row_field_name(ROW_TICKER), symbol, fail);
}

static enum err take_company(
    struct desk_act *a, struct draft_row_stored *row, const struct suggested_company *is,
    struct fail *fail)
{
    bool typed = row->values.asset_type == ASSET_NONE;
    row->company = is->company.symbol;
    if (typed)
        row->values.asset_type = is->type;
    TRY(draft_row_update(a->desk->db, a->draft.no, row, a->desk->now_ms, fail));
    TRY(note(a, row->row, STR("company"), row->company, fail));
    return typed
               ? note(a, row->row, row_field_name(ROW_ASSET_TYPE), asset_type_name(is->type), fail)
               : OK;
}

enum err suggested_symbols_take(
    const struct desk *desk, struct str filing_id, int row, struct suggested_taken *ret,
    struct fail *fail)
{
    DESK_ACT(a);
    struct draft_row_list rows = {.count = 0};
    struct suggested_company *companies;
    *ret = (struct suggested_taken){0};
    TRY(desk_open(&a, desk, filing_id, fail));
    TRY(desk_begin_edit(&a, fail));
    TRY(draft_row_load(desk->db, a.draft.no, &a.arena, &rows, fail));
    TRY(suggested_companies(desk->db, &a.draft, &rows, &a.arena, &companies, fail));
    for (size_t i = 0; i < rows.count; i++) {
        struct draft_row_stored *item = &rows.items[i];
        struct suggested_symbol found;
        bool symbol = find_suggested(item, &a.arena, &found);
        bool company = companies[i].row && !companies[i].several;
        if (row && item->row != row)
            continue;
        if (symbol && found.agrees) {
            TRY(take_symbol(&a, item, found.symbol, fail));
            ret->taken++;
        } else if (company) {
            TRY(take_company(&a, item, &companies[i], fail));
            ret->confirmed++;
        } else
            ret->left += symbol || companies[i].several;
    }
    return desk_close(&a, fail);
}
