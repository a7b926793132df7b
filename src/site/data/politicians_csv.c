/* /politicians.csv: members of Congress with counts of their trades, by slug or, with `q`, by fit.
 */
#include "site/frame/handlers.h"

#include "site/data/list_csv.h"
#include "site/data/list_forms.h"
#include "site/data/politicians_query.h"

static void put_header(struct buf *b)
{
    buf_text(
        b, "id,slug,name,chamber,party,state,district,in_office,trades,bought,sold,exchanged,"
           "flagged,late,late_unknown,filings,indexed,waiting,first_disclosed_at,last_disclosed_"
           "at,flagged_later,flagged_a,flagged_b,flagged_c\r\n");
}

static void put_row(struct buf *b, const struct feed_politician *p)
{
    struct list_csv_line line = {.to = b};
    const struct feed_counts *counts = &p->counts;
    const struct str texts[] = {p->id,    p->slug, p->name, chamber_name(p->chamber),
                                p->party, p->state};
    const int64_t numbers[] = {counts->trades,       counts->buys,      counts->sells,
                               counts->exchanges,    counts->conflicts, counts->late,
                               counts->late_unknown, p->filings};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        list_csv_text(&line, texts[i]);
    if (p->district < 0)
        list_csv_text(&line, STR_NULL);
    else
        list_csv_number(&line, p->district);
    list_csv_text(&line, p->in_office ? STR("true") : STR("false"));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        list_csv_number(&line, numbers[i]);
    if (p->indexed < 0)
        list_csv_text(&line, STR_NULL);
    else
        list_csv_number(&line, p->indexed);
    list_csv_number(&line, p->waiting);
    list_csv_instant(&line, counts->first_activity);
    list_csv_instant(&line, counts->last_activity);
    list_csv_number(&line, counts->conflicts_later);
    for (int grade = CONFLICT_GRADE_A; grade < CONFLICT_GRADE_COUNT; grade++)
        list_csv_number(&line, counts->grades[grade]);
    list_csv_end(&line);
}

static bool put(
    const struct list_csv *csv, const struct cursor *after, struct buf *b, struct cursor *ret_next)
{
    MEM_UNFILLED struct feed_people_page page;
    feed_people(csv->feed, csv->filter, after, FEED_PAGE_MAX, csv->today, &page);
    for (size_t i = 0; i < page.count; i++)
        put_row(b, &page.rows[i]);
    if (page.more)
        *ret_next = page.next;
    return page.more;
}

enum err politicians_csv_load(struct page_call *call, struct fail *fail)
{
    struct feed_people_filter *filter = ARENA_NEW(call->arena, struct feed_people_filter);
    struct list_query *query = ARENA_NEW(call->arena, struct list_query);
    if (!list_csv_may(call, fail))
        return OK;
    if (!politicians_query_read(call, STR("/politicians.csv"), query, filter))
        return list_forms_fault(call, STR("/politicians"), fail);
    list_csv_reply(
        call, &(struct list_csv){
                  .name = "politicians",
                  .feed = call->config->feed,
                  .today = instant_day_utc(call->now_ms),
                  .filter = filter,
                  .put_header = put_header,
                  .put = put,
              });
    return OK;
}
