/* The windows of a call; see drawer.h. */
#include "api/drawer.h"

#include "api/context.h"
#include "edge/caller.h"

void drawer_of_address(struct api_call *call)
{
    const struct api_config *config = &call->api->config;
    call->peer = caller_peer(call->x);
    call->drawer =
        caller_anonymous(caller_address(call->x, config->trusted_proxies), config->limits_factor);
}

void drawer_of_key(struct api_call *call)
{
    const struct plan_info *plan = plan_info(call->plan);
    uint32_t factor = call->api->config.limits_factor;
    call->drawer = (struct limits_caller){
        .keyed = true,
        .key_no = call->key->key_no,
        .per_minute = caller_times(plan->requests_per_minute, factor),
        .per_month = caller_times(plan->requests_per_month, factor),
    };
}
