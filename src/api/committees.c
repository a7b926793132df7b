/* GET /api/v1/committees, /committees/{id}, /industries and /industries/{code}: seats and the map
 * of committees, from the feed (decision 40). */
#include "api/context.h"
#include "api/list.h"
#include "api/resources.h"
#include "feed/feed.h"
#include "noun/lists.h"

enum { FILTER_ON, FILTER_CHAMBER };

#define ON_PARAM                                                                                   \
    {                                                                                              \
        .name = STR_INIT("on"), .type = PARAM_TYPE_DAY,                                            \
        .description = STR_INIT("The day that is asked about: from the first list of seats to "    \
                                "today. Without it the newest list counts."),                      \
        .example = STR_INIT("2020-02-13"),                                                         \
    }

static const struct param day_filters[] = {
    [FILTER_ON] = ON_PARAM,
};

static const struct param list_filters[] = {
    [FILTER_ON] = ON_PARAM,
    PARAM(
        FILTER_CHAMBER, PARAM_TYPE_LISTED, "chamber",
        "Only committees of this chamber; not joint ones.", "senate", .list = &shape_chambers),
};

const struct param_table committee_params = PARAM_TABLE(day_filters);
const struct param_table committees_params = PARAM_TABLE(list_filters);

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

/* The rows are in the body: ends the page, which goes on after the last row's key. */
static void end_list(struct api_call *call, struct str last, bool more)
{
    struct list_end end;
    struct cursor next;
    if (more)
        next = cursor_at(call->operation->resource, 0, last);
    list_end(more ? &next : NULL, &end);
    buf_str(http_body(call->x), end.after);
    reply_complete(call, MEDIA_JSON);
    list_link(call, &end);
}

static void put_row(
    struct buf *body, size_t i, const struct shape_object *object, const void *value)
{
    buf_text(body, i ? "," : "{\"data\":[");
    shape_object_json(body, object, value);
}

static struct str after_of(struct api_call *call)
{
    const struct cursor *after = list_after(&call->params);
    return after ? cursor_id(after) : STR_NULL;
}

void committees_answer(struct api_call *call)
{
    struct committee_query query;
    MEM_UNFILLED struct committee_summary rows[FEED_PAGE_MAX + 1];
    size_t limit = list_limit(&call->params);
    enum chamber chamber = (enum chamber)call->params.filters[FILTER_CHAMBER].number;
    if (!read_day(call, &query))
        return;
    size_t n = feed_committee_list(&query, chamber, after_of(call), limit + 1, rows);
    for (size_t i = 0; i < n && i < limit; i++)
        put_row(http_body(call->x), i, &shape_committee_summary, &rows[i]);
    if (!n)
        buf_text(http_body(call->x), "{\"data\":[");
    end_list(call, n > limit ? rows[limit - 1].id : STR_NULL, n > limit);
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
    struct str after = after_of(call), last = STR_NULL;
    size_t limit = list_limit(&call->params), n = 0;
    bool more = false;
    if (!read_day(call, &query))
        return;
    feed_industries(&query, rows);
    for (int i = 0; i < INDUSTRY_COUNT; i++) {
        struct str code = industry_get(i + 1)->code;
        if (!str_is_null(after) && str_cmp(code, after) <= 0)
            continue;
        more = n == limit;
        if (more)
            break;
        put_row(http_body(call->x), n++, &shape_industry_summary, &rows[i]);
        last = code;
    }
    if (!n)
        buf_text(http_body(call->x), "{\"data\":[");
    end_list(call, last, more);
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
