/* /politicians: members of Congress with counts of their trades, those in office first. A page of
 * members in office is followed by those who are not, when no more are left. */
#include "feed/feed.h"
#include "html/table.h"
#include "noun/lists.h"
#include "site/data/list_forms.h"
#include "site/data/politicians_query.h"
#include "site/frame/day_view.h"
#include "site/frame/handlers.h"
#include "site/frame/page_query.h"
#include "site/frame/trade_view.h"
#include "site/frame/trade_words.h"

enum { ROWS = 50 };

static const struct str PATH = STR_INIT("/politicians");
static const struct str IN_OFFICE = STR_INIT("in_office");
static const struct str HAS_TRADES = STR_INIT("has_trades");

/* --- a list */

/* "House, CA-12, Democrat" */
static void put_label(struct view *row, const struct feed_politician *p)
{
    char district[16];
    struct buf b = buf_over(district, sizeof district);
    if (p->chamber == CHAMBER_HOUSE && p->district > 0)
        buf_fmt(&b, "-%d", p->district);
    view_fmt(
        row, "label", "%.*s%s%.*s%.*s%s%.*s", STR_ARG(words_chamber(p->chamber)),
        p->state.n ? ", " : "", STR_ARG(p->state), STR_ARG(buf_view(&b)), p->party.n ? ", " : "",
        STR_ARG(p->party));
}

/* Zeros stay empty, so that the others are seen. */
static void put_count(struct view *row, const char *name, int64_t count)
{
    if (count)
        view_count(row, name, count);
    else
        view_fmt(row, name, "%s", "");
}

static void put_member(struct page_call *call, struct view *row, const struct feed_politician *p)
{
    const struct feed_counts *counts = &p->counts;
    view_str(row, "name", p->name);
    view_fmt(row, "href", "/politicians/%.*s", STR_ARG(p->slug));
    put_label(row, p);
    put_count(row, "trades", counts->trades);
    put_count(row, "buys", counts->buys);
    put_count(row, "sells", counts->sells);
    trade_flag_counts_put(row, counts);
    put_count(row, "late", counts->late);
    put_count(row, "lateUnknown", counts->late_unknown);
    view_bool(row, "anyLateUnknown", counts->late_unknown > 0);
    put_count(row, "waiting", p->waiting);
    day_view_put(
        row, "lastOn",
        counts->last_activity == INSTANT_NONE ? DAY_NONE
                                              : instant_day_new_york(counts->last_activity));
    page_surrogate(call, "p", p->slug);
}

/* Links to other pages of one list: they say which of the two it is. */
static size_t keep_filters(
    const struct list_query *query, enum feed_asked in_office,
    struct link_param ret[static PARAM_TABLE_MAX + 1])
{
    size_t count = 0;
    for (size_t i = 0; i < query->given_count; i++)
        if (!str_eq(query->given[i].name, IN_OFFICE))
            ret[count++] = query->given[i];
    if (in_office != FEED_ANY)
        ret[count++] = (struct link_param){IN_OFFICE, shape_truths.name_of((int)in_office)};
    return count;
}

static void put_pages(
    struct page_call *call, struct view *table, const struct feed_people_page *page,
    const struct list_query *query, enum feed_asked in_office)
{
    struct link_param kept[PARAM_TABLE_MAX + 1];
    size_t count = keep_filters(query, in_office, kept);
    page_cursor_links(call, table, PATH, kept, count, page->more ? &page->next : NULL);
}

struct people_shown {
    size_t count;
    bool more;
};

static struct people_shown put_list(
    struct page_call *call, struct view *sections, const struct list_query *query,
    struct feed_people_filter filter, enum feed_asked in_office, bool from_cursor)
{
    MEM_UNFILLED struct feed_people_page page;
    bool now = in_office == FEED_YES;
    filter.in_office = in_office;
    rcu_read_begin();
    feed_people(
        call->config->feed, &filter, from_cursor ? &query->cursor : NULL, ROWS,
        instant_day_utc(call->now_ms), &page);
    if (page.count) {
        struct view *section = view_item(sections);
        view_text(section, "id", now ? "in-office" : "former");
        view_text(section, "heading", now ? "In office" : "No longer in office");
        view_count(section, "total", page.total);
        struct view *table = table_begin(
            section, "members",
            "Member|#Trades|#Bought|#Sold|#Flagged|#Late|#Waiting|Last disclosed", "No member.");
        for (size_t i = 0; i < page.count; i++)
            put_member(call, table_row(table), &page.rows[i]);
        put_pages(call, table, &page, query, in_office);
    }
    rcu_read_end();
    return (struct people_shown){page.count, page.more};
}

/* The link from a page of members in office to the others. */
static void put_former(struct page_call *call, const struct list_query *query, bool leads)
{
    struct link_param kept[PARAM_TABLE_MAX + 1];
    size_t count = keep_filters(query, FEED_NO, kept);
    if (leads)
        view_str(call->view, "formerHref", link_make(call->arena, PATH, kept, count));
    else
        view_null(call->view, "formerHref");
}

/* Links to all members and to those with trades, which keep the other filters. */
static void put_choices(struct page_call *call, const struct list_query *query, enum feed_asked is)
{
    static const struct {
        const char *label;
        enum feed_asked has_trades;
    } choices[] = {{"all", FEED_ANY}, {"with trades", FEED_YES}};
    struct link_param kept[PARAM_TABLE_MAX + 1];
    struct view *list = view_list(call->view, "choices");
    size_t count = 0;
    for (size_t i = 0; i < query->given_count; i++)
        if (!str_eq(query->given[i].name, HAS_TRADES))
            kept[count++] = query->given[i];
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        enum feed_asked asked = choices[i].has_trades;
        struct str value = asked == FEED_ANY ? STR_NULL : shape_truths.name_of((int)asked);
        struct view *item = view_item(list);
        kept[count] = (struct link_param){HAS_TRADES, value};
        view_text(item, "label", choices[i].label);
        view_str(item, "href", link_make(call->arena, PATH, kept, count + 1));
        view_bool(item, "current", is == asked);
    }
}

/* Links to the ranks of the same members. */
static void put_ranks(struct page_call *call, const struct list_query *query)
{
    struct link_param kept[PARAM_TABLE_MAX];
    size_t count = 0;
    for (size_t i = 0; i < query->given_count; i++) {
        struct str name = query->given[i].name;
        if (str_eq(name, STR("chamber")) || str_eq(name, STR("party")) ||
            str_eq(name, STR("state")))
            kept[count++] = query->given[i];
    }
    view_str(call->view, "exploreHref", link_make(call->arena, STR("/explore"), kept, count));
    view_str(call->view, "lateHref", link_make(call->arena, STR("/late"), kept, count));
}

enum err politicians_page_load(struct page_call *call, struct fail *fail)
{
    struct list_query *query = ARENA_NEW(call->arena, struct list_query);
    struct view *sections = view_list(call->view, "sections");
    struct feed_people_filter filter;
    bool valid = politicians_query_read(call, PATH, query, &filter);
    view_bool(call->view, "hasChoices", valid);
    if (!valid)
        return OK;
    put_choices(call, query, filter.has_trades);
    put_ranks(call, query);
    list_query_sorts(call, PATH, &feed_people_params, query);
    struct people_shown now = {0}, former = {0};
    if (filter.in_office != FEED_NO)
        now = put_list(call, sections, query, filter, FEED_YES, query->has_cursor);
    bool wants_former = filter.in_office == FEED_NO || (filter.in_office == FEED_ANY && !now.more);
    if (wants_former)
        former = put_list(
            call, sections, query, filter, FEED_NO,
            query->has_cursor && filter.in_office == FEED_NO);
    view_bool(call->view, "none", now.count + former.count == 0);
    put_former(call, query, !wants_former);
    page_surrogate(call, "list", STR("politicians"));
    list_forms(call, PATH, query->given, query->given_count);
    return OK;
}
