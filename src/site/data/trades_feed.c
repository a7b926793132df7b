/* /trades.atom and /trades.json, /conflicts.atom and /conflicts.json: the lists of trades and of
 * flagged trades for readers of news. */
#include "site/frame/handlers.h"

#include "noun/dates.h"
#include "noun/trade_read.h"
#include "site/data/list_feed.h"
#include "site/data/list_forms.h"
#include "site/data/trade_query.h"
#include "site/frame/page_query.h"
#include "site/frame/trade_view.h"
#include "site/frame/trade_words.h"
#include "store/public/correction.h"
#include "store/public/trade.h"

static void note_time(void *ctx, const struct correction *correction)
{
    int64_t *newest = ctx;
    if (!correction->damaged && correction->at > *newest)
        *newest = correction->at;
}

/* When the trade was published, or corrected last. */
static enum err find_updated(
    struct page_call *call, const struct trade *trade, int64_t *ret, struct fail *fail)
{
    struct correction_range range = CORRECTION_RANGE_ALL;
    range.trade_id = trade->id;
    *ret = trade->disclosed_at;
    return page_part(call, correction_each(call->db, &range, 1, note_time, ret, fail));
}

static struct str title_of(struct arena *arena, const struct trade *trade)
{
    const struct row_values *values = &trade->values;
    return arena_fmt(
        arena, "%.*s: %.*s %.*s%s%.*s%s, %.*s", STR_ARG(trade->politician.name),
        STR_ARG(words_side(values->side)), STR_ARG(values->asset_name),
        values->ticker.n ? " (" : "", STR_ARG(values->ticker), values->ticker.n ? ")" : "",
        STR_ARG(bracket_info(values->bracket)->label));
}

static void put_filed(struct buf *b, const struct shape_dates *dates)
{
    char day[DAY_TEXT_SIZE];
    int32_t late = dates->lateness.days_late;
    day_print(dates->report.filed, day);
    buf_fmt(b, " Filed on %.*s", DAY_TEXT_SIZE, day);
    if (dates->status == LATE_LATE)
        buf_fmt(b, ", %d day%s late", (int)late, late == 1 ? "" : "s");
    else if (dates->status == LATE_UNKNOWN)
        buf_text(b, ", not known if late");
    buf_char(b, '.');
}

static struct str text_of(
    struct arena *arena, const struct trade *trade, const struct shape_dates *dates)
{
    char day[DAY_TEXT_SIZE];
    BUF_SCOPED(b, SIZE_MAX);
    const struct row_values *values = &trade->values;
    const struct politician_ref *ref = &trade->politician;
    buf_fmt(&b, "%.*s (%.*s", STR_ARG(ref->name), STR_ARG(words_chamber(ref->chamber)));
    if (ref->party.n)
        buf_fmt(&b, ", %.*s", STR_ARG(ref->party));
    if (ref->state.n)
        buf_fmt(&b, ", %.*s", STR_ARG(ref->state));
    buf_fmt(
        &b, ") reported: %.*s %.*s, %.*s", STR_ARG(words_side(values->side)),
        STR_ARG(values->asset_name), STR_ARG(bracket_info(values->bracket)->label));
    if (values->trade_date != DAY_NONE) {
        day_print(values->trade_date, day);
        buf_fmt(&b, ", on %.*s", DAY_TEXT_SIZE, day);
    }
    if (values->owner)
        buf_fmt(&b, ". Owner: %.*s", STR_ARG(words_owner(values->owner)));
    buf_char(&b, '.');
    put_filed(&b, dates);
    if (!str_is_null(trade->conflict_reason))
        buf_fmt(&b, " Flagged, which is not an allegation: %.*s", STR_ARG(trade->conflict_reason));
    return arena_str(arena, buf_view(&b));
}

static void add_tag(struct syndication_item *item, struct str tag)
{
    if (tag.n && item->tag_count < SYNDICATION_TAGS_MAX)
        item->tags[item->tag_count++] = tag;
}

/* Each of the dates as its member of the API. */
static void add_facts(
    struct arena *arena, const struct shape_dates *dates, struct syndication_item *item)
{
    struct syndication_fact *facts = ARENA_ARRAY(arena, struct syndication_fact, shape_dates.count);
    BUF_SCOPED(b, SIZE_MAX);
    for (size_t i = 0; i < shape_dates.count; i++) {
        size_t key = shape_dates.fields[i].key.n;
        buf_reset(&b);
        shape_members_json(&b, &shape_dates, i, i + 1, dates);
        facts[i] = (struct syndication_fact){
            shape_dates.fields[i].name, arena_str(arena, str_slice(buf_view(&b), key, b.n))};
    }
    item->facts = facts;
    item->fact_count = shape_dates.count;
}

static enum err make_item(
    struct page_call *call, const struct trade *trade, const struct shape_dates *dates,
    struct syndication_item *ret, struct fail *fail)
{
    struct arena *arena = call->arena;
    struct str page = page_url(call, trade_path(arena, "/trades/", trade->id));
    *ret = (struct syndication_item){
        .id = page,
        .page = page,
        .document = trade->filing_url,
        .title = title_of(arena, trade),
        .text = text_of(arena, trade, dates),
        .author = trade->politician.name,
        .author_page = page_url(call, trade_path(arena, "/politicians/", trade->politician.slug)),
        .published = trade->disclosed_at,
    };
    add_facts(arena, dates, ret);
    add_tag(ret, trade->values.ticker);
    add_tag(ret, side_name(trade->values.side));
    add_tag(ret, chamber_name(trade->politician.chamber));
    add_tag(ret, asset_type_name(trade->values.asset_type));
    add_tag(ret, str_is_null(trade->conflict_reason) ? STR_NULL : STR("flagged"));
    return find_updated(call, trade, &ret->updated, fail);
}

static enum err load(
    struct page_call *call, struct str list, const char *title, bool flagged, struct fail *fail)
{
    MEM_UNFILLED struct feed_page page;
    struct trade_query *query = ARENA_NEW(call->arena, struct trade_query);
    struct trade *trades = arena_alloc(call->arena, LIST_FEED_ROWS * sizeof *trades);
    struct shape_dates *dates = arena_alloc(call->arena, LIST_FEED_ROWS * sizeof *dates);
    struct syndication_item *items = arena_alloc(call->arena, LIST_FEED_ROWS * sizeof *items);
    struct syndication s = {.title = str_from(title), .items = items};
    enum err err = OK;
    if (!trade_query_read(call, str_from(call->page->path), query))
        return list_forms_fault(call, list, fail);
    query->filter.conflicts_only |= flagged;
    rcu_read_begin();
    feed_trades(
        call->config->feed, &query->filter, trade_query_after(query), LIST_FEED_ROWS, &page);
    for (size_t i = 0; i < page.count; i++) {
        shape_trade_read(page.rows[i].head, page.rows[i].tail, call->arena, &trades[i]);
        dates[i] = shape_dates_of(page.rows[i].traded, &page.rows[i].report);
    }
    rcu_read_end();
    for (; s.count < page.count && !err; s.count++) {
        err = make_item(call, &trades[s.count], &dates[s.count], &items[s.count], fail);
        page_surrogate(call, "p", trades[s.count].politician.slug);
        page_surrogate(call, "f", trade_id_filing(trades[s.count].id));
    }
    if (err)
        return err;
    page_surrogate(call, "list", STR("trades"));
    list_feed_reply(
        call, &s, query->given, query->given_count,
        page.more ? page_cursor_text(call->arena, &page.next) : STR_NULL);
    return OK;
}

enum err trades_feed_load(struct page_call *call, struct fail *fail)
{
    return load(call, STR("/trades"), "Trades of members of Congress", false, fail);
}

enum err conflicts_feed_load(struct page_call *call, struct fail *fail)
{
    return load(call, STR("/conflicts"), "Flagged trades of members of Congress", true, fail);
}
