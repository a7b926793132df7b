/* /filings.csv: the published filings, with counts of their trades. */
#include "site/frame/handlers.h"

#include "noun/filing.h"
#include "site/data/filings_query.h"
#include "site/data/list_csv.h"
#include "site/data/list_forms.h"

static void put_header(struct buf *b)
{
    buf_text(
        b, "id,chamber,source_doc_id,filed_at,published_at,politician_id,url,trades,bought,sold,"
           "exchanged,flagged,late,late_unknown,flagged_later,flagged_a,flagged_b,flagged_c\r\n");
}

static void put_row(
    const struct list_csv *csv, struct buf *b, const struct feed_row *row, struct arena *arena)
{
    const struct feed_filings_filter *asked = csv->filter;
    struct feed_filter of_filing = FEED_FILTER_NONE;
    struct feed_filing published;
    struct feed_counts counts;
    struct filing filing;
    struct list_csv_line line = {.to = b};
    shape_filing_read(row->head, arena, &filing);
    of_filing.filing = filing.id;
    of_filing.line_ms = asked->until_ms;
    feed_counts(csv->feed, &of_filing, &counts);
    bool found = feed_filing(csv->feed, filing.id, INSTANT_NONE, &published);
    list_csv_text(&line, filing.id);
    list_csv_text(&line, chamber_name(filing.chamber));
    list_csv_text(&line, filing.source_doc_id);
    list_csv_instant(&line, filing.filed_at);
    list_csv_instant(&line, found ? published.published_at : INSTANT_NONE);
    list_csv_text(&line, filing.politician_id);
    list_csv_text(&line, filing.url);
    const int64_t numbers[] = {
        counts.trades,
        counts.buys,
        counts.sells,
        counts.exchanges,
        counts.conflicts,
        counts.late,
        counts.late_unknown,
        counts.conflicts_later,
        counts.grades[CONFLICT_GRADE_A],
        counts.grades[CONFLICT_GRADE_B],
        counts.grades[CONFLICT_GRADE_C]};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        list_csv_number(&line, numbers[i]);
    list_csv_end(&line);
}

static bool put(
    const struct list_csv *csv, const struct cursor *after, struct buf *b, struct cursor *ret_next)
{
    MEM_UNFILLED struct feed_page page;
    ARENA_SCOPED(arena);
    feed_filings(csv->feed, csv->filter, after, FEED_PAGE_MAX, &page);
    for (size_t i = 0; i < page.count; i++)
        put_row(csv, b, &page.rows[i], &arena);
    if (page.more)
        *ret_next = page.next;
    return page.more;
}

enum err filings_csv_load(struct page_call *call, struct fail *fail)
{
    struct feed_filings_filter *filter = ARENA_NEW(call->arena, struct feed_filings_filter);
    struct list_query query;
    if (!list_csv_may(call, fail))
        return OK;
    if (!filings_query_read(call, STR("/filings.csv"), &query, filter))
        return list_forms_fault(call, STR("/filings"), fail);
    list_csv_reply(
        call, &(struct list_csv){
                  .name = "filings",
                  .feed = call->config->feed,
                  .filter = filter,
                  .put_header = put_header,
                  .put = put,
              });
    return OK;
}
