/* GET /api/v1/committees, /committees/{id}, /industries and /industries/{code}: seats and the map
 * of committees, from the feed (decision 40). */
#include <stdlib.h>

#include "api/context.h"
#include "api/list.h"
#include "api/resources.h"
#include "feed/feed.h"
#include "noun/group.h"
#include "noun/lists.h"

enum { FILTER_ON, FILTER_SORT, FILTER_ORDER, FILTER_CHAMBER };
enum { BY_ID = 1, BY_COUNT, BY_CONFLICTS }; /* 0: by id */

static struct str committee_sort(int value)
{
    static const struct str names[] = {
        {NULL, 0}, STR_INIT("id"), STR_INIT("members"), STR_INIT("conflicts")};
    return names[value];
}

static struct str industry_sort(int value)
{
    static const struct str names[] = {
        {NULL, 0}, STR_INIT("code"), STR_INIT("committees"), STR_INIT("conflicts")};
    return names[value];
}

static const struct shape_list committee_sorts = {BY_CONFLICTS + 1, committee_sort};
static const struct shape_list industry_sorts = {BY_CONFLICTS + 1, industry_sort};

#define ON_PARAM                                                                                   \
    PARAM(                                                                                         \
        FILTER_ON, PARAM_TYPE_DAY, "on",                                                           \
        "The day that is asked about: from the first list of seats to today. Without it the "      \
        "newest list counts.",                                                                     \
        "2020-02-13")
#define SORT_PARAMS(values, first)                                                                 \
    PARAM(                                                                                         \
        FILTER_SORT, PARAM_TYPE_LISTED, "sort",                                                    \
        "What they are ordered by; equal counts by " first ". Cursors of one order are invalid "   \
        "in another.",                                                                             \
        "conflicts", .shows = true, .list = (values), .absent_text = STR_INIT(first)),             \
        PARAM(                                                                                     \
            FILTER_ORDER, PARAM_TYPE_LISTED, "order",                                              \
            "Of counts: desc, the largest first, or asc.", "desc", .shows = true,                  \
            .list = &shape_group_orders, .absent_text = STR_INIT("desc"))

static const struct param day_filters[] = {ON_PARAM};
static const struct param industry_filters[] = {ON_PARAM, SORT_PARAMS(&industry_sorts, "code")};
static const struct param list_filters[] = {
    ON_PARAM,
    SORT_PARAMS(&committee_sorts, "id"),
    PARAM(
        FILTER_CHAMBER, PARAM_TYPE_LISTED, "chamber",
        "Only committees of this chamber; not joint ones.", "senate", .list = &shape_chambers),
};

const struct param_table committee_params = PARAM_TABLE(day_filters);
const struct param_table committees_params = PARAM_TABLE(list_filters);
const struct param_table industries_params = PARAM_TABLE(industry_filters);

/* The day that is asked about; false: the reply is an error with the days that there are. */
static bool read_day(struct api_call *call, struct committee_query *query)
{
    const struct param_value *on = &call->params.filters[FILTER_ON];
    int32_t today = instant_day_utc(http_now_ms(call->x)), first = today, last = today;
    BUF_SCOPED(hint, SIZE_MAX);
    *query =
        (struct committee_query){call->api->config.feed, today, INSTANT_NONE, http_arena(call->x)};
    bool any = feed_committee_days(query->feed, &first, &last);
    if (str_is_null(on->text)) {
        query->on = last < today ? last : today;
        return true;
    }
    query->on = (int32_t)on->number;
    if (query->on >= first && query->on <= today)
        return true;
    buf_text(&hint, "\"on\" must be a date from ");
    day_put(&hint, first);
    buf_text(
        &hint, any ? ", the first list of seats, to today." : " on: no list of seats is known.");
    reply_error(call, ERROR_INVALID_PARAMETER, arena_str(query->arena, buf_view(&hint)));
    return false;
}

/* --- lists */

struct ranked_row {
    int64_t count, conflicts; /* what BY_COUNT and BY_CONFLICTS order by */
    struct str id;
    const void *row;
};

struct row_order {
    int by;
    bool ascending;
};

static int64_t value_of(struct row_order order, const struct ranked_row *line)
{
    return order.by == BY_COUNT ? line->count : order.by == BY_CONFLICTS ? line->conflicts : 0;
}

/* What a cursor has beside the id: the value above the order. 0: by id. */
static int64_t mark_of(struct row_order order, const struct ranked_row *line)
{
    return order.by < BY_COUNT ? 0 : value_of(order, line) << 3 | order.by << 1 | order.ascending;
}

static int compare(const void *a, const void *b, void *ctx)
{
    const struct ranked_row *x = a, *y = b;
    const struct row_order *order = ctx;
    int64_t from = value_of(*order, x), to = value_of(*order, y);
    if (from == to)
        return str_cmp(x->id, y->id);
    return (from > to) == order->ascending ? 1 : -1;
}

/* False: the cursor is of another order. */
static bool read_after(struct api_call *call, struct row_order order, struct ranked_row *ret)
{
    const struct cursor *after = list_after(&call->params);
    int64_t value = after ? after->at_ms >> 3 : 0;
    *ret = (struct ranked_row){value, value, after ? cursor_id(after) : STR_NULL, NULL};
    if (!after || after->at_ms == mark_of(order, ret))
        return true;
    reply_error(call, ERROR_INVALID_CURSOR, STR_NULL);
    return false;
}

static void answer_lines(
    struct api_call *call, const struct shape_object *object, struct ranked_row *lines, size_t n)
{
    const struct param_value *filters = call->params.filters;
    struct row_order order = {
        (int)filters[FILTER_SORT].number, filters[FILTER_ORDER].number == GROUP_ASCENDING};
    struct buf *body = http_body(call->x);
    size_t limit = list_limit(&call->params), count = 0, i = 0;
    struct ranked_row after;
    struct list_end end;
    struct cursor next;
    if (!read_after(call, order, &after))
        return;
    qsort_r(lines, n, sizeof *lines, compare, &order);
    while (i < n && !str_is_null(after.id) && compare(&lines[i], &after, &order) <= 0)
        i++;
    buf_text(body, "{\"data\":[");
    for (; i < n && count < limit; i++) {
        buf_text(body, count++ ? "," : "");
        shape_object_json(body, object, lines[i].row);
    }
    if (i < n)
        next = cursor_at(call->operation->resource, mark_of(order, &lines[i - 1]), lines[i - 1].id);
    list_end(i < n ? &next : NULL, &end);
    buf_str(body, end.after);
    reply_complete(call, MEDIA_JSON);
    list_link(call, &end);
}

void committees_answer(struct api_call *call)
{
    enum { ROWS_MAX = 4096 }; /* more committees than there can be */
    struct committee_query query;
    enum chamber chamber = (enum chamber)call->params.filters[FILTER_CHAMBER].number;
    if (!read_day(call, &query))
        return;
    struct committee_summary *rows = ARENA_ARRAY(query.arena, struct committee_summary, ROWS_MAX);
    size_t n = feed_committee_list(&query, chamber, STR_NULL, ROWS_MAX, rows);
    struct ranked_row *lines = ARENA_ARRAY(query.arena, struct ranked_row, n + 1);
    for (size_t i = 0; i < n; i++)
        lines[i] = (struct ranked_row){rows[i].members, rows[i].conflicts, rows[i].id, &rows[i]};
    answer_lines(call, &shape_committee_summary, lines, n);
}

/* The committee has no members in the Congress of the day. */
static void refuse_congress(struct api_call *call, const struct committee_detail *detail)
{
    BUF_SCOPED(hint, SIZE_MAX);
    buf_fmt(
        &hint, "%.*s has no members in the list of that Congress, the %dth. It has some ",
        STR_ARG(detail->is.id), detail->congress);
    for (size_t i = detail->congress_count; i-- > 0;) {
        const struct committee_congress *congress = &detail->congresses[i];
        buf_fmt(&hint, "in the %dth from ", congress->congress);
        day_put(&hint, congress->from);
        if (congress->to != DAY_NONE) {
            buf_text(&hint, " to ");
            day_put(&hint, congress->to - 1);
        }
        buf_text(&hint, i ? ", " : ".");
    }
    reply_error(call, ERROR_INVALID_PARAMETER, arena_str(http_arena(call->x), buf_view(&hint)));
}

static struct str changed(struct arena *arena, struct str text, char (*change)(char))
{
    char *copy = arena_alloc(arena, text.n + 1);
    for (size_t i = 0; i < text.n; i++)
        copy[i] = change(text.p[i]);
    return str_of(copy, text.n);
}

static void answer_object(
    struct api_call *call, const struct shape_object *object, const void *value)
{
    reply_object(call, object, value);
    reply_complete(call, MEDIA_JSON);
}

void committee_answer(struct api_call *call)
{
    struct committee_query query;
    struct committee_detail detail;
    if (!read_day(call, &query))
        return;
    struct str id = changed(query.arena, call->segment, ascii_upper);
    if (!feed_committee(&query, id, &detail))
        reply_error(
            call, ERROR_NOT_FOUND,
            STR("No list of seats has a committee with this id. /api/v1/committees lists them."));
    else if (detail.basis == CONFLICT_NO_LIST)
        refuse_congress(call, &detail);
    else
        answer_object(call, &shape_committee_detail, &detail);
}

void industries_answer(struct api_call *call)
{
    struct committee_query query;
    struct industry_summary rows[INDUSTRY_COUNT];
    struct ranked_row lines[INDUSTRY_COUNT];
    if (!read_day(call, &query))
        return;
    feed_industries(&query, rows);
    for (int i = 0; i < INDUSTRY_COUNT; i++)
        lines[i] = (struct ranked_row){
            rows[i].committees, rows[i].conflicts, industry_get(i + 1)->code, &rows[i]};
    answer_lines(call, &shape_industry_summary, lines, INDUSTRY_COUNT);
}

void industry_answer(struct api_call *call)
{
    struct committee_query query;
    struct industry_detail detail;
    if (!read_day(call, &query))
        return;
    int industry = industry_from_code(changed(query.arena, call->segment, ascii_lower));
    if (!industry) {
        reply_error(
            call, ERROR_NOT_FOUND,
            STR("No industry has this code. /api/v1/industries lists them."));
        return;
    }
    feed_industry(&query, industry, &detail);
    answer_object(call, &shape_industry_detail, &detail);
}
