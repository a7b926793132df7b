/* GET /api/v1/politicians: profiles by slug, out of the feed's memory (decision 40). */
#include <assert.h>

#include "api/context.h"
#include "api/list.h"
#include "api/profile.h"
#include "api/resources.h"

void people_answer(struct call *call)
{
    const struct param_values *params = &call->params;
    struct feed_people_filter filter = {.chamber = (enum chamber)params->at[PARAM_CHAMBER].number};
    MEM_UNFILLED struct feed_people_page page;
    struct list_end end;
    struct buf *body = http_body(call->x);

    if ((params->given & PARAM_BIT(PARAM_Q)) &&
        !param_fold(params->at[PARAM_Q].text, http_arena(call->x), &filter.q))
        assert(!"a text that was read as one to search for");
    feed_people(
        call->api->config.feed, &filter, list_after(params), (size_t)params->at[PARAM_LIMIT].number,
        instant_day_utc(http_now_ms(call->x)), &page);
    list_end(page.more ? &page.next : NULL, &end);
    buf_str(body, STR("{\"data\":["));
    for (size_t i = 0; i < page.count; i++) {
        if (i)
            buf_char(body, ',');
        profile_put(body, &page.rows[i]);
    }
    buf_str(body, end.after);
    reply_whole(call, MEDIA_JSON);
    list_link(call, &end);
}
