/* A trade as a view; see trade_view.h. */
#include "site/frame/trade_view.h"

#include "html/table.h"
#include "noun/trade_read.h"
#include "site/frame/day_view.h"
#include "site/frame/page_query.h"
#include "site/frame/trade_words.h"
#include "store/public/trade.h"

struct str trade_path(struct arena *arena, const char *folder, struct str id)
{
    BUF_SCOPED(b, SIZE_MAX);
    buf_text(&b, folder);
    query_encode(&b, id);
    return arena_str(arena, buf_view(&b));
}

void trade_path_put(struct view *v, const char *name, const char *folder, struct str id)
{
    view_str(v, name, str_is_null(id) ? STR_NULL : trade_path(view_arena(v), folder, id));
}

/* "House, D-CA"; what is not known is left out. */
static void put_label(struct view *v, const struct politician_ref *ref)
{
    struct str party = ref->party.n ? str_slice(ref->party, 0, 1) : STR("");
    bool both = party.n && ref->state.n;
    view_str(v, "partyLetter", party.n ? party : STR_NULL);
    view_fmt(
        v, "label", "%.*s%s%.*s%s%.*s", STR_ARG(words_chamber(ref->chamber)),
        party.n || ref->state.n ? ", " : "", STR_ARG(party), both ? "-" : "", STR_ARG(ref->state));
}

void trade_politician_put(struct view *v, const struct politician_ref *ref)
{
    view_str(v, "slug", ref->slug);
    view_str(v, "name", ref->name);
    trade_path_put(v, "href", "/politicians/", ref->slug);
    view_str(v, "chamber", chamber_name(ref->chamber));
    view_str(v, "chamberText", words_chamber(ref->chamber));
    view_str(v, "party", ref->party);
    view_str(v, "state", ref->state);
    put_label(v, ref);
}

static void put_filing(struct page_call *call, struct view *v, struct str id)
{
    struct str filing = trade_id_filing(id);
    view_str(v, "filingId", filing);
    trade_path_put(v, "filingHref", "/filings/", filing);
    view_int(v, "row", trade_id_row(id));
    page_surrogate(call, "f", filing);
}

struct str trade_spoken(struct arena *arena, const struct trade *trade)
{
    const struct row_values *values = &trade->values;
    struct str what = values->ticker.n ? values->ticker : values->asset_name;
    struct str day = day_str(arena, values->trade_date);
    return arena_fmt(
        arena, "%.*s %.*s %.*s, %.*s", STR_ARG(trade->politician.name),
        STR_ARG(words_side(values->side)), STR_ARG(what), STR_ARG(day.n ? day : STR("no date")));
}

void trade_view_put(struct page_call *call, struct view *row, const struct trade *trade)
{
    const struct row_values *values = &trade->values;
    enum side side = values->side;
    view_str(row, "id", trade->id);
    trade_path_put(row, "href", "/trades/", trade->id);
    view_str(row, "spoken", trade_spoken(call->arena, trade));
    put_filing(call, row, trade->id);
    trade_politician_put(view_object(row, "politician"), &trade->politician);
    view_str(row, "ticker", values->ticker);
    trade_path_put(row, "tickerHref", "/tickers/", values->ticker);
    view_str(row, "assetName", values->asset_name);
    view_str(row, "assetType", asset_type_name(values->asset_type));
    view_str(row, "assetTypeText", words_asset_type(values->asset_type, call->arena));
    view_str(row, "side", side_name(side));
    view_str(row, "sideText", words_side(side));
    view_bool(row, "bought", side == SIDE_BUY);
    view_bool(row, "sold", side == SIDE_SELL_FULL || side == SIDE_SELL_PARTIAL);
    view_str(row, "bracket", bracket_key(values->bracket));
    view_str(row, "amountText", bracket_info(values->bracket)->label);
    day_view_put(row, "tradeDate", values->trade_date);
    view_instant(row, "disclosedAt", trade->disclosed_at);
    day_view_put(row, "disclosedOn", instant_day_new_york(trade->disclosed_at));
    view_str(row, "filingUrl", trade->filing_url);
    view_str(row, "owner", owner_name(values->owner));
    view_str(row, "ownerText", words_owner(values->owner));
    view_bool(row, "flagged", !str_is_null(trade->conflict_reason));
    view_str(row, "conflictReason", trade->conflict_reason);
    page_surrogate(call, "p", trade->politician.slug);
}

void trade_late_put(struct view *row, const struct lateness *lateness)
{
    enum late_status status = lateness_status(lateness);
    view_bool(row, "late", status == LATE_LATE);
    view_bool(row, "onTime", status == LATE_ON_TIME);
    view_bool(row, "lateUnknown", status == LATE_UNKNOWN);
    if (status == LATE_UNKNOWN)
        view_null(row, "daysLate");
    else
        view_int(row, "daysLate", lateness->days_late);
    view_bool(row, "oneDayLate", lateness->days_late == 1);
    view_str(row, "lateReason", late_reason_sentence(lateness->reason));
}

void trade_flag_numbers_put(
    struct view *v, int64_t firm, int64_t later, const int64_t grades[CONFLICT_GRADE_COUNT])
{
    view_count(v, "flagged", firm);
    view_count(v, "flaggedLater", later);
    view_bool(v, "anyFlagged", firm > 0);
    view_bool(v, "anyFlaggedLater", later > 0);
    trade_grades_put(v, grades);
}

void trade_grades_put(struct view *v, const int64_t grades[CONFLICT_GRADE_COUNT])
{
    struct view *list = view_list(v, "grades");
    for (int grade = CONFLICT_GRADE_A; grade < CONFLICT_GRADE_COUNT; grade++) {
        if (!grades[grade])
            continue;
        struct view *item = view_item(list);
        view_str(item, "grade", conflict_grade_name((enum conflict_grade)grade));
        view_count(item, "count", grades[grade]);
    }
}

void trade_flag_counts_put(struct view *v, const struct feed_counts *counts)
{
    trade_flag_numbers_put(v, feed_conflicts_firm(counts), counts->conflicts_later, counts->grades);
}

void trade_late_counts_put(struct view *v, const struct feed_counts *counts)
{
    view_count(v, "late", counts->late);
    view_count(v, "lateUnknown", counts->late_unknown);
    view_count(v, "lateKnown", feed_late_known(counts));
    view_bool(v, "anyLate", counts->late > 0);
    view_bool(v, "anyLateUnknown", counts->late_unknown > 0);
    view_bool(v, "noLateKnown", counts->late_unknown > 0 && !feed_late_known(counts));
}

void trade_table_put(
    struct page_call *call, const char *name, const struct feed_page *page, struct str path,
    const struct link_param *filters, size_t filter_count, const char *empty)
{
    struct view *table =
        table_begin(call->view, name, "Traded|Member|Asset|Side|Amount|Disclosed", empty);
    for (size_t i = 0; i < page->count; i++) {
        struct trade trade;
        shape_trade_read(page->rows[i].head, page->rows[i].tail, call->arena, &trade);
        struct view *row = table_row(table);
        trade_view_put(call, row, &trade);
        const struct lateness lateness = feed_row_lateness(&page->rows[i]);
        trade_late_put(row, &lateness);
    }
    page_cursor_links(call, table, path, filters, filter_count, page->more ? &page->next : NULL);
}
