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
    call->drawer =
        caller_keyed(call->key->key_no, KEY_API, call->plan, call->api->config.limits_factor);
}
