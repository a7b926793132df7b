/* /politicians.atom and /politicians.json: the members of the list whose trades were published
 * last, for readers of news. */
#include "site/frame/handlers.h"

#include "site/data/list_forms.h"
#include "site/data/list_newest.h"
#include "site/data/politicians_query.h"
#include "site/frame/trade_words.h"

static void add(struct page_call *call, struct list_newest *newest, const struct feed_politician *p)
{
    struct arena *arena = call->arena;
    struct list_newest_row *row = list_newest_place(newest, p->slug, &p->counts);
    if (!row)
        return;
    *row = (struct list_newest_row){
        .key = arena_str(arena, p->slug),
        .name = arena_str(arena, p->name),
        .label = arena_fmt(
            arena, "%.*s%s%.*s%s%.*s", STR_ARG(words_chamber(p->chamber)), p->state.n ? ", " : "",
            STR_ARG(p->state), p->party.n ? ", " : "", STR_ARG(p->party)),
        .counts = p->counts};
}

static void find_newest(
    struct page_call *call, const struct feed_people_filter *filter, struct list_newest *ret)
{
    struct feed_people_page *page = ARENA_NEW(call->arena, struct feed_people_page);
    const struct cursor *after = NULL;
    struct cursor next;
    RCU_READ();
    do {
        feed_people(
            call->config->feed, filter, after, FEED_PAGE_MAX, instant_day_utc(call->now_ms), page);
        for (size_t i = 0; i < page->count; i++)
            add(call, ret, &page->rows[i]);
        next = page->next;
        after = &next;
    } while (page->more);
}

static void choose(struct correction_range *range, struct str slug)
{
    range->politician = slug;
}

enum err politicians_feed_load(struct page_call *call, struct fail *fail)
{
    static const struct list_newest_kind kind = {
        STR_INIT("/politicians"), STR_INIT("Members of Congress with new trades"), "p", choose};
    struct list_newest *newest = ARENA_NEW(call->arena, struct list_newest);
    struct list_query *query = ARENA_NEW(call->arena, struct list_query);
    struct feed_people_filter filter;
    if (!politicians_query_read(call, str_from(call->page->path), query, &filter))
        return list_forms_fault(call, kind.list, fail);
    newest->count = 0;
    if (filter.has_trades != FEED_NO) {
        filter.has_trades = FEED_YES;
        filter.rank = (struct feed_rank){0};
        find_newest(call, &filter, newest);
    }
    page_surrogate(call, "list", STR("politicians"));
    return list_newest_reply(call, &kind, newest, query->given, query->given_count, fail);
}
