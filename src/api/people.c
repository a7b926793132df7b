/* GET /api/v1/politicians: profiles ordered by slug, from the feed (decision 40). */
#include <assert.h>

#include "api/context.h"
#include "api/list.h"
#include "api/profile.h"
#include "api/resources.h"
#include "shape/lists.h"

enum { FILTER_Q, FILTER_CHAMBER };

static const struct param filters[] = {
    [FILTER_Q] =
        {
            .name = STR_INIT("q"),
            .type = PARAM_TYPE_SEARCH,
            .description = STR_INIT(
                "Only politicians whose names contain each of these words or parts of words; "
                "former and legal names count. Letter case, accents and punctuation are ignored."),
            .example = STR_INIT("lindq"),
        },
    [FILTER_CHAMBER] =
        {
            .name = STR_INIT("chamber"),
            .type = PARAM_TYPE_LISTED,
            .list = &shape_chambers,
            .description = STR_INIT("Only politicians whose current or last chamber is this one."),
            .example = STR_INIT("senate"),
        },
};

const struct param_table people_params = PARAM_TABLE(filters);

void people_answer(struct api_call *call)
{
    const struct param_values *params = &call->params;
    struct feed_people_filter filter = FEED_PEOPLE_FILTER_NONE;
    MEM_UNFILLED struct feed_people_page page;
    struct list_end end;
    struct buf *body = http_body(call->x);

    filter.chamber = (enum chamber)params->filters[FILTER_CHAMBER].number;
    struct str q = params->filters[FILTER_Q].text;
    if (!str_is_null(q) && !param_fold(q, http_arena(call->x), &filter.q))
        assert(!"params_read checked that q can be folded");
    feed_people(
        call->api->config.feed, &filter, list_after(params), list_limit(params),
        instant_day_utc(http_now_ms(call->x)), &page);
    list_end(page.more ? &page.next : NULL, &end);
    buf_str(body, STR("{\"data\":["));
    for (size_t i = 0; i < page.count; i++) {
        if (i)
            buf_char(body, ',');
        profile_put(body, &page.rows[i]);
    }
    buf_str(body, end.after);
    reply_complete(call, MEDIA_JSON);
    list_link(call, &end);
}
