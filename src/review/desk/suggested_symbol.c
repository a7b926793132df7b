/* Suggested symbols; see suggested_symbol.h. */
#include "review/desk/suggested_symbol.h"

#include "base/json_out.h"
#include "market/company_name.h"
#include "paper/cell/row_field.h"
#include "review/desk/desk_parts.h"
#include "review/review_words.h"
#include "store/desk/draft_row.h"

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

size_t suggested_symbols_count(const struct draft_row_list *rows, struct arena *arena)
{
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        struct suggested_symbol found;
        count += find_suggested(&rows->items[i], arena, &found) && found.agrees;
    }
    return count;
}

static enum err take(
    struct desk_act *a, struct draft_row_stored *row, struct str symbol, struct fail *fail)
{
    const struct draft_event event = {
        .action = STR("set"),
        .row = row->row,
        .field = row_field_name(ROW_TICKER),
        .new = symbol,
        .reason = STR("suggested by the asset's name"),
    };
    row->values.ticker = symbol;
    row->doubts = suggested_symbol_settle(row->doubts, &a->arena);
    TRY(draft_row_update(a->desk->db, a->draft.no, row, a->desk->now_ms, fail));
    return desk_note(a, event, fail);
}

enum err suggested_symbols_take(
    const struct desk *desk, struct str filing_id, struct suggested_taken *ret, struct fail *fail)
{
    DESK_ACT(a);
    struct draft_row_list rows = {.count = 0};
    *ret = (struct suggested_taken){0};
    TRY(desk_open(&a, desk, filing_id, fail));
    TRY(desk_begin_edit(&a, fail));
    TRY(draft_row_load(desk->db, a.draft.no, &a.arena, &rows, fail));
    for (size_t i = 0; i < rows.count; i++) {
        struct suggested_symbol found;
        if (!find_suggested(&rows.items[i], &a.arena, &found))
            continue;
        ret->taken += found.agrees;
        ret->left += !found.agrees;
        if (found.agrees)
            TRY(take(&a, &rows.items[i], found.symbol, fail));
    }
    return desk_close(&a, fail);
}
