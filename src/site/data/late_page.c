/* /late: how many days members took to report trades, against day 30 and day 45 of the rule. A
 * member with fewer than five reports is not ranked. */
#include <stdlib.h>
#include <string.h>

#include "feed/groups.h"
#include "html/table.h"
#include "noun/lists.h"
#include "site/data/list_query.h"
#include "site/frame/handlers.h"
#include "site/frame/page_query.h"
#include "site/frame/reader.h"
#include "site/frame/trade_view.h"
#include "site/frame/trade_words.h"

enum { ROWS = 25, REPORTS_MIN = 5, BAR_WIDTH = 400 };

static const struct str PATH = STR_INIT("/late");

enum { FIELD_CHAMBER, FIELD_PARTY, FIELD_STATE };

static const struct param fields[] = {
    [FIELD_CHAMBER] =
        {.name = STR_INIT("chamber"), .type = PARAM_TYPE_LISTED, .list = &shape_chambers},
    [FIELD_PARTY] = {.name = STR_INIT("party"), .type = PARAM_TYPE_PARTY},
    [FIELD_STATE] = {.name = STR_INIT("state"), .type = PARAM_TYPE_LISTED, .list = &shape_states},
};
static const struct param_table params = PARAM_TABLE(fields);

struct late_member {
    struct politician_ref is;
    struct feed_counts counts;
    int64_t reports;
};

struct late_members {
    struct late_member *items;
    size_t count, room;
    int64_t left_out; /* with fewer reports */
};

/* The largest share of late trades first, those of whom nothing is known last. */
static int by_share(const void *a, const void *b)
{
    const struct late_member *x = a, *y = b;
    int64_t known_x = feed_late_known(&x->counts), known_y = feed_late_known(&y->counts);
    int64_t of_x = x->counts.late * known_y, of_y = y->counts.late * known_x;
    if (known_x && known_y && of_x != of_y)
        return of_x < of_y ? 1 : -1;
    return known_x != known_y ? (known_x < known_y ? 1 : -1) : str_cmp(x->is.slug, y->is.slug);
}

/* Inside a read of the feed. */
static void rank(struct page_call *call, const struct list_query *query, struct late_members *ret)
{
    struct feed_people_page *page = ARENA_NEW(call->arena, struct feed_people_page);
    struct feed_people_filter filter = FEED_PEOPLE_FILTER_NONE;
    filter.has_trades = FEED_YES;
    filter.until_ms = reader_until(call);
    filter.chamber = (enum chamber)query->values[FIELD_CHAMBER].number;
    if (query->is_given[FIELD_PARTY])
        filter.party = param_party(&query->values[FIELD_PARTY]);
    if (query->is_given[FIELD_STATE])
        filter.state = shape_states.name_of((int)query->values[FIELD_STATE].number);
    page->more = true;
    for (bool first = true; page->more; first = false) {
        struct cursor after = page->next;
        feed_people(
            call->config->feed, &filter, first ? NULL : &after, FEED_PAGE_MAX,
            instant_day_utc(call->now_ms), page);
        for (size_t i = 0; i < page->count; i++) {
            const struct feed_politician *p = &page->rows[i];
            if (p->filings < REPORTS_MIN) {
                ret->left_out++;
                continue;
            }
            if (ret->count == ret->room)
                ret->items =
                    arena_grow(call->arena, ret->items, ret->count, &ret->room, sizeof *ret->items);
            ret->items[ret->count++] = (struct late_member){
                .is =
                    {.slug = p->slug,
                     .name = p->name,
                     .chamber = p->chamber,
                     .party = p->party,
                     .state = p->state},
                .counts = p->counts,
                .reports = p->filings};
        }
    }
    qsort(ret->items, ret->count, sizeof *ret->items, by_share);
}

/* The distribution of the trades of a filter: days to report are known of `known` trades. */
static void put_days(struct page_call *call, struct view *row, const struct feed_filter *filter)
{
    MEM_UNFILLED struct feed_groups groups;
    const struct feed_group_by query = {.sort = 1, .limit = 1};
    (void)feed_group(call->config->feed, filter, &query, call->arena, &groups);
    const struct group_columns *c = &groups.totals;
    int64_t known = c->days_known, whole = known ? known : 1;
    view_count(row, "trades", c->trades);
    view_count(row, "unknown", c->trades - known);
    view_bool(row, "anyUnknown", c->trades > known);
    view_count(row, "in30", c->days_in_30);
    view_count(row, "in45", c->days_in_45 - c->days_in_30);
    view_count(row, "over", known - c->days_in_45);
    view_int(row, "width30", c->days_in_30 * BAR_WIDTH / whole);
    view_int(row, "width45", c->days_in_45 * BAR_WIDTH / whole);
    view_int(row, "width", known ? BAR_WIDTH : 0);
    view_bool(row, "hasDays", known > 0);
    view_count(row, "median", c->median_days);
    view_count(row, "slow", c->p90_days);
    view_count(row, "late", c->late);
    view_count(row, "lateKnown", c->trades - c->late_unknown);
    view_bool(row, "lateNotKnown", c->trades == c->late_unknown);
    view_bool(row, "bad", c->late > 0);
}

#define COLUMNS                                                                                    \
    "|Days to report|#≤ 30|#31–45|#> 45|#Not known|#Half within|#9 in 10 within|#Late|#Reports"

static void put_chambers(struct page_call *call, const struct list_query *query)
{
    struct view *table = table_begin(call->view, "chambers", "Chamber" COLUMNS, "");
    enum chamber asked = (enum chamber)query->values[FIELD_CHAMBER].number;
    for (int chamber = 1; chamber < shape_chambers.count; chamber++) {
        struct feed_filter filter = FEED_FILTER_NONE;
        if (asked && asked != (enum chamber)chamber)
            continue;
        filter.chamber = (enum chamber)chamber;
        filter.line_ms = reader_until(call);
        struct view *row = table_row(table);
        view_str(row, "name", words_chamber((enum chamber)chamber));
        view_fmt(row, "list", "/trades?chamber=%.*s", STR_ARG(shape_chambers.name_of(chamber)));
        view_null(row, "href");
        view_null(row, "label");
        view_null(row, "reports");
        view_null(row, "reportsText");
        put_days(call, row, &filter);
    }
}

static void put_members(struct page_call *call, const struct list_query *query)
{
    struct late_members members = {.count = 0};
    size_t first = feed_groups_offset(list_query_after(query));
    rank(call, query, &members);
    struct view *table = table_begin(
        call->view, "members", "Member" COLUMNS,
        "No member with at least five published reports matches.");
    size_t end = first + ROWS < members.count ? first + ROWS : members.count;
    for (size_t i = first; i < end; i++) {
        const struct late_member *m = &members.items[i];
        struct feed_filter filter = FEED_FILTER_NONE;
        filter.politician = m->is.slug;
        filter.line_ms = reader_until(call);
        struct view *row = table_row(table);
        trade_politician_put(row, &m->is);
        view_fmt(row, "list", "/trades?politician_slug=%.*s", STR_ARG(m->is.slug));
        view_count(row, "reports", m->reports);
        put_days(call, row, &filter);
        page_surrogate(call, "p", m->is.slug);
    }
    view_count(call->view, "ranked", (int64_t)members.count);
    view_count(call->view, "leftOut", members.left_out);
    const struct cursor next = feed_groups_cursor(end);
    page_cursor_links(
        call, table, PATH, query->given, query->given_count, end < members.count ? &next : NULL);
}

enum err late_page_load(struct page_call *call, struct fail *fail)
{
    struct list_query *query = ARENA_NEW(call->arena, struct list_query);
    bool valid = list_query_read(call, PATH, &params, CURSOR_STATS, query);
    if (!valid)
        return OK;
    rcu_read_begin();
    put_chambers(call, query);
    put_members(call, query);
    rcu_read_end();
    page_surrogate(call, "list", STR("trades"));
    page_surrogate(call, "list", STR("filings"));
    return OK;
}
