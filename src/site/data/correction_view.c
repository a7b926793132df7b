/* Corrections as a view; see correction_view.h. */
#include "site/data/correction_view.h"

#include "base/log.h"
#include "noun/filing.h"
#include "noun/trade_read.h"
#include "paper/cell/change.h"
#include "site/frame/day_view.h"
#include "site/frame/reader.h"
#include "site/frame/trade_view.h"
#include "store/public/trade.h"

/* --- reading */

struct correction_reading {
    struct arena *arena;
    int64_t limit, read;
    struct correction_list *list;
};

static struct correction copy(struct arena *arena, const struct correction *c)
{
    struct correction mine = *c;
    struct str *texts[] = {&mine.trade_id, &mine.filing_id, &mine.field, &mine.old,
                           &mine.new,      &mine.reason,    &mine.by};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!str_is_null(*texts[i]))
            *texts[i] = arena_str(arena, *texts[i]);
    return mine;
}

/* Damaged entries are not served. */
static void add(void *ctx, const struct correction *correction)
{
    struct correction_reading *reading = ctx;
    struct correction_list *list = reading->list;
    if (reading->read++ == reading->limit) {
        list->more = true;
        return;
    }
    if (correction->damaged)
        log_line(LOG_ERROR, "a correction is damaged and left out: run `stockact check`");
    else
        list->items[list->count++] = copy(reading->arena, correction);
    list->last_at = correction->at;
    list->last_no = correction->no;
}

enum err correction_list_read(
    struct page_call *call, const struct correction_range *range, int64_t limit,
    struct correction_list *ret, struct fail *fail)
{
    struct correction_reading reading = {call->arena, limit, 0, ret};
    struct correction_range seen = *range;
    seen.seen_before_ms = reader_before(call);
    *ret = (struct correction_list){
        .items = arena_alloc(call->arena, (size_t)limit * sizeof *ret->items)};
    return page_part(call, correction_each(call->db, &seen, limit + 1, add, &reading, fail));
}

/* --- showing */

struct str correction_kind_words(enum correction_kind kind)
{
    static const struct str words[CORRECTION_KIND_COUNT] = {
        [CORRECTION_FIELD] = STR_INIT("corrected"),
        [CORRECTION_WITHDRAWN] = STR_INIT("withdrawn"),
        [CORRECTION_REINSTATED] = STR_INIT("reinstated"),
        [CORRECTION_BACKFILL] = STR_INIT("history imported"),
    };
    return words[kind];
}

struct str correction_about(struct page_call *call, const struct correction *c)
{
    struct feed_row row;
    struct trade trade;
    rcu_read_begin();
    bool found = !str_is_null(c->trade_id) && feed_trade(call->config->feed, c->trade_id, &row);
    if (found)
        shape_trade_read(row.head, row.tail, call->arena, &trade);
    rcu_read_end();
    if (!found)
        return STR_NULL;
    struct str ticker = trade.values.ticker;
    return arena_fmt(
        call->arena, "%.*s: %.*s%s%.*s%s", STR_ARG(trade.politician.name),
        STR_ARG(trade.values.asset_name), ticker.n ? " (" : "", STR_ARG(ticker),
        ticker.n ? ")" : "");
}

struct str correction_filer(struct page_call *call, const struct correction *c)
{
    struct feed_politician member;
    struct feed_filing found;
    struct filing filing;
    struct str name = STR_NULL;
    struct str id = str_is_null(c->trade_id) ? c->filing_id : trade_id_filing(c->trade_id);
    RCU_READ();
    if (!str_is_null(id) && feed_filing(call->config->feed, id, INSTANT_NONE, &found)) {
        shape_filing_read(found.row.head, call->arena, &filing);
        if (feed_politician(
                call->config->feed, filing.politician_id, instant_day_utc(call->now_ms),
                INSTANT_NONE, &member))
            name = arena_str(call->arena, member.name);
    }
    return name;
}

struct str correction_id(struct arena *arena, int64_t no)
{
    return arena_fmt(arena, "correction-%lld", (long long)no);
}

/* The reason of a change that an amendment made is "ID amends ID" (review/publish_draft.c), with
 * two ids of one chamber. Returns the id of the amendment; null: another reason. */
static struct str amendment_of(struct str reason)
{
    static const struct str words = STR_INIT(" amends ");
    ptrdiff_t at = str_find(reason, words), dash = str_find(reason, STR("-"));
    if (at <= 0 || dash <= 0 || dash > at)
        return STR_NULL;
    struct str id = str_slice(reason, 0, (size_t)at);
    struct str other = str_slice(reason, (size_t)at + words.n, reason.n);
    if (str_find(id, STR(" ")) >= 0 || str_find(other, STR(" ")) >= 0 ||
        !str_starts(other, str_slice(id, 0, (size_t)dash + 1)))
        return STR_NULL;
    return id;
}

static void put_reason(struct view *row, struct str reason)
{
    struct str amendment = amendment_of(reason);
    view_str(row, "reason", reason);
    view_null(row, "amendment");
    if (!str_is_null(amendment))
        trade_path_put(view_object(row, "amendment"), "href", "/filings/", amendment);
}

void correction_view_put(struct view *row, const struct correction *c)
{
    bool of_trade = !str_is_null(c->trade_id);
    struct str what = of_trade ? c->trade_id : c->filing_id;
    view_str(row, "id", correction_id(view_arena(row), c->no));
    view_instant(row, "at", c->at);
    view_str(row, "kindText", correction_kind_words(c->kind));
    view_str(row, "what", what);
    trade_path_put(row, "href", of_trade ? "/trades/" : "/filings/", what);
    view_bool(row, "changed", !str_is_null(c->field));
    view_str(row, "field", correction_words_field(c->field));
    view_str(row, "old", correction_words_value(c->field, c->old, view_arena(row)));
    view_str(row, "new", correction_words_value(c->field, c->new, view_arena(row)));
    put_reason(row, c->reason);
    bool backfill = c->kind == CORRECTION_BACKFILL;
    view_bool(row, "backfill", backfill);
    view_count(row, "trades", backfill ? c->count : 0);
    view_bool(row, "oneTrade", c->count == 1);
    day_view_put(row, "from", backfill ? instant_day_new_york(c->range_start) : DAY_NONE);
    day_view_put(row, "to", backfill ? instant_day_new_york(c->range_end) : DAY_NONE);
}
