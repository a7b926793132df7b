/* /filings.atom and /filings.json: filings for readers of news. `updated` moves with each
 * correction of the filing and of its trades. */
#include "site/frame/handlers.h"

#include "noun/filing.h"
#include "noun/trade_read.h"
#include "site/data/correction_view.h"
#include "site/data/filings_query.h"
#include "site/data/list_feed.h"
#include "site/data/list_forms.h"
#include "site/frame/page_query.h"
#include "site/frame/reader.h"
#include "site/frame/trade_view.h"
#include "site/frame/trade_words.h"

/* What the feed of the store says about one filing. */
struct told {
    struct filing filing;
    struct feed_counts counts;
    struct politician_ref filer; /* of a trade; slug null: no trade is public */
    int64_t published_at;
};

/* Inside a read of the feed. */
static struct told tell(struct page_call *call, const struct feed_row *row)
{
    MEM_UNFILLED struct feed_page page;
    struct feed_filing published;
    struct trade trade;
    struct feed_filter filter = FEED_FILTER_NONE;
    struct told told = {.filer = {.slug = STR_NULL}};
    shape_filing_read(row->head, call->arena, &told.filing);
    filter.filing = told.filing.id;
    filter.line_ms = reader_until(call);
    feed_counts(call->config->feed, &filter, &told.counts);
    feed_trades(call->config->feed, &filter, NULL, 1, &page);
    if (page.count) {
        shape_trade_read(page.rows[0].head, page.rows[0].tail, call->arena, &trade);
        told.filer = trade.politician;
    }
    bool found = feed_filing(call->config->feed, told.filing.id, INSTANT_NONE, &published);
    told.published_at = found ? published.published_at : told.filing.filed_at;
    return told;
}

static enum err find_updated(
    struct page_call *call, const struct told *told, int64_t *ret, struct fail *fail)
{
    struct correction_range range = CORRECTION_RANGE_ALL;
    struct correction_list list;
    range.filing_id = told->filing.id;
    *ret = told->published_at;
    TRY(correction_list_read(call, &range, 1, &list, fail));
    if (list.count && list.items[0].at > *ret)
        *ret = list.items[0].at;
    return OK;
}

static struct str text_of(struct arena *arena, const struct told *told)
{
    char day[DAY_TEXT_SIZE];
    const struct feed_counts *counts = &told->counts;
    day_print(instant_day_new_york(told->filing.filed_at), day);
    return arena_fmt(
        arena,
        "%.*s document %.*s, filed on %.*s: %lld bought, %lld sold, %lld exchanged; %lld flagged "
        "and %lld on a later list (grade A %lld, B %lld, C %lld), %lld of %lld known reported "
        "late.",
        STR_ARG(words_chamber(told->filing.chamber)), STR_ARG(told->filing.source_doc_id),
        DAY_TEXT_SIZE, day, (long long)counts->buys, (long long)counts->sells,
        (long long)counts->exchanges, (long long)feed_conflicts_firm(counts),
        (long long)counts->conflicts_later, (long long)counts->grades[CONFLICT_GRADE_A],
        (long long)counts->grades[CONFLICT_GRADE_B], (long long)counts->grades[CONFLICT_GRADE_C],
        (long long)counts->late, (long long)feed_late_known(counts));
}

static enum err make_item(
    struct page_call *call, const struct told *told, struct syndication_item *ret,
    struct fail *fail)
{
    struct arena *arena = call->arena;
    const struct filing *filing = &told->filing;
    const struct politician_ref *filer = &told->filer;
    bool known = !str_is_null(filer->slug);
    struct str page = page_url(call, trade_path(arena, "/filings/", filing->id));
    *ret = (struct syndication_item){
        .id = page,
        .page = page,
        .document = filing->url,
        .title = arena_fmt(
            arena, "%.*s: %lld trade%s", STR_ARG(known ? filer->name : filing->source_doc_id),
            (long long)told->counts.trades, told->counts.trades == 1 ? "" : "s"),
        .text = text_of(arena, told),
        .author = known ? filer->name : STR_NULL,
        .author_page =
            known ? page_url(call, trade_path(arena, "/politicians/", filer->slug)) : STR_NULL,
        .tags = {chamber_name(filing->chamber)},
        .tag_count = 1,
        .published = told->published_at,
    };
    return find_updated(call, told, &ret->updated, fail);
}

enum err filings_feed_load(struct page_call *call, struct fail *fail)
{
    MEM_UNFILLED struct feed_page page;
    struct list_query query;
    struct feed_filings_filter filter = FEED_FILINGS_FILTER_NONE;
    struct told *told = arena_alloc(call->arena, LIST_FEED_ROWS * sizeof *told);
    struct syndication_item *items = arena_alloc(call->arena, LIST_FEED_ROWS * sizeof *items);
    struct syndication s = {.title = STR("Filings of members of Congress"), .items = items};
    enum err err = OK;
    if (!filings_query_read(call, str_from(call->page->path), &query, &filter))
        return list_forms_fault(call, STR("/filings"), fail);
    rcu_read_begin();
    feed_filings(call->config->feed, &filter, list_query_after(&query), LIST_FEED_ROWS, &page);
    for (size_t i = 0; i < page.count; i++)
        told[i] = tell(call, &page.rows[i]);
    rcu_read_end();
    for (; s.count < page.count && !err; s.count++) {
        err = make_item(call, &told[s.count], &items[s.count], fail);
        if (told[s.count].filer.slug.n)
            page_surrogate(call, "p", told[s.count].filer.slug);
        page_surrogate(call, "f", told[s.count].filing.id);
    }
    if (err)
        return err;
    page_surrogate(call, "list", STR("filings"));
    list_feed_reply(
        call, &s, query.given, query.given_count,
        page.more ? page_cursor_text(call->arena, &page.next) : STR_NULL);
    return OK;
}
