/* GET /api/v1/filings: the source documents (spec 4.4, decision 6). */
#include "api/context.h"
#include "api/list.h"
#include "api/resources.h"

void filings_answer(struct call *call)
{
    const struct param_values *params = &call->params;
    MEM_UNFILLED struct feed_page page;
    struct list_end end;

    feed_filings(
        call->api->config.feed, (enum chamber)params->at[PARAM_CHAMBER].number, list_after(params),
        (size_t)params->at[PARAM_LIMIT].number, &page);
    list_end(page.more ? &page.next : NULL, &end);
    list_reply(call, &page, &end);
}
