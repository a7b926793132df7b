/* GET /api/v1/stats: trades grouped and summed, as JSON or CSV, from the feed. */
#include "api/context.h"
#include "api/list.h"
#include "api/resources.h"
#include "api/trades.h"
#include "feed/groups.h"
#include "noun/csv.h"

static bool read_dimensions(struct api_call *call, enum group_dimension by[static GROUP_BY_MAX])
{
    int64_t set = call->params.page[PAGE_PARAM_GROUP_BY].number;
    size_t n = 0;
    for (int dimension = 1; dimension < GROUP_DIMENSION_COUNT; dimension++) {
        if (!(set >> dimension & 1))
            continue;
        if (n == GROUP_BY_MAX) {
            reply_error(
                call, ERROR_INVALID_PARAMETER,
                STR("\"group_by\" must be one or two dimensions, with a comma between them."));
            return false;
        }
        by[n++] = (enum group_dimension)dimension;
    }
    return true;
}

static void answer_csv(
    struct api_call *call, const struct feed_groups *groups, const struct feed_group_by *query,
    const struct list_end *end)
{
    struct buf *body = http_body(call->x);
    group_csv(body, NULL, query->by);
    shape_csv_end(body);
    for (size_t i = 0; i < groups->count; i++) {
        group_csv(body, &groups->groups[i], query->by);
        shape_csv_end(body);
    }
    reply_complete(call, MEDIA_CSV);
    http_head(
        call->x, header_info(HEADER_DISPOSITION)->name, STR("attachment; filename=\"stats.csv\""));
    if (!str_is_null(end->next))
        http_head(call->x, header_info(HEADER_NEXT_CURSOR)->name, end->next);
}

static void answer_json(
    struct api_call *call, const struct feed_groups *groups, const struct feed_group_by *query,
    const struct list_end *end)
{
    struct buf *body = http_body(call->x);
    bool overlaps = group_overlaps(query->by[0]) || group_overlaps(query->by[1]);
    buf_text(body, "{\"data\":[");
    for (size_t i = 0; i < groups->count; i++) {
        if (i)
            buf_char(body, ',');
        group_json(body, &groups->groups[i], query->by);
    }
    buf_text(body, "],\"totals\":");
    shape_object_json(body, &shape_group_columns, &groups->totals);
    buf_text(body, overlaps ? ",\"overlaps\":true" : ",\"overlaps\":false");
    buf_str(body, str_slice(end->after, 1, end->after.n)); /* without the bracket */
    reply_complete(call, MEDIA_JSON);
}

void stats_answer(struct api_call *call)
{
    const struct param_values *params = &call->params;
    struct arena *arena = http_arena(call->x);
    struct feed_filter filter = FEED_FILTER_NONE;
    MEM_UNFILLED struct feed_test tests[PARAM_TABLE_MAX];
    MEM_UNFILLED struct feed_groups groups;
    struct list_end end;
    struct feed_group_by query = {
        .sort = (int)params->page[PAGE_PARAM_SORT].number,
        .ascending = params->page[PAGE_PARAM_ORDER].number == GROUP_ASCENDING,
        .offset = feed_groups_offset(list_after(params)),
        .limit = list_limit(params),
    };
    if (!read_dimensions(call, query.by) || !list_values_pass(call, false))
        return;
    trades_read_filters(params, &filter, tests);
    if (!feed_group(call->api->config.feed, &filter, &query, arena, &groups)) {
        reply_error(
            call, ERROR_INVALID_PARAMETER,
            STR("\"group_by\" makes more than 100,000 groups: add a filter, or group by one "
                "dimension."));
        return;
    }
    if (!groups.count)
        list_waiting(call, filter.politician);
    struct cursor next = feed_groups_cursor(query.offset + groups.count);
    list_end(groups.more ? &next : NULL, &end);
    if (params->page[PAGE_PARAM_FORMAT].number == PARAM_FORMAT_CSV)
        answer_csv(call, &groups, &query, &end);
    else
        answer_json(call, &groups, &query, &end);
    list_link(call, &end);
}
