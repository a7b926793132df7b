/* /healthz: the process runs. /readyz: it accepts requests (decision 31). */
#include "api/context.h"
#include "api/reply.h"
#include "api/resources.h"

void healthz_answer(struct api_call *call)
{
    buf_str(http_body(call->x), STR("{\"status\":\"ok\"}"));
    reply_complete(call, MEDIA_JSON);
}

void readyz_answer(struct api_call *call)
{
    switch (atomic_load_explicit(&call->api->state, memory_order_acquire)) {
    case API_READY:
        buf_str(http_body(call->x), STR("{\"status\":\"ready\"}"));
        reply_complete(call, MEDIA_JSON);
        return;
    case API_STARTING:
        reply_error(call, ERROR_SERVICE_UNAVAILABLE, STR("The server is loading its data."));
        return;
    case API_DRAINING:
        break;
    }
    reply_error(call, ERROR_SERVICE_UNAVAILABLE, STR("The server is shutting down."));
}
