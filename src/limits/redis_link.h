/*
 * One connection to Redis on a thread of its own, made again by itself whenever it is lost. Calls
 * run scripts that are loaded at each connection; many may be under way, each is one round trip.
 *
 * A call that Redis does not answer in REDIS_LINK_ANSWER_MS is given up together with the
 * connection. It need not take effect later either: every script gets, as its last argument, the
 * time of Redis's own clock up to which it may act, for it to check. A script that is past it
 * returns an empty array; as an answer in time cannot be, that clock has been set, and the
 * connection is made again to learn it.
 */
#pragma once

#include "limits/redis_call.h"
#include "limits/redis_url.h"

enum {
    REDIS_LINK_ANSWER_MS = 500,
    REDIS_LINK_CONNECT_MS = 1000,
    REDIS_LINK_RETRY_MS = 200,
    REDIS_LINK_CALLS_MAX = 10000, /* under way */
};

struct redis_link;

/* url is copied. NULL: no descriptor is left. */
struct redis_link *redis_link_create(const struct redis_url *url);
void redis_link_destroy(struct redis_link *link); /* calls under way get no answer; NULL is fine */

/* Before redis_link_start; text is constant. */
const struct redis_script *redis_link_script(struct redis_link *link, const char *text);
bool redis_link_start(struct redis_link *link); /* false: no thread can be made */

bool redis_link_ready(const struct redis_link *link);

/* From any thread. `arguments`: the keys, then what else the script wants. false: there is no
 * connection, or too many calls are under way; `answered` is not called. It is called on the link's
 * thread otherwise, and may be NULL. */
bool redis_link_call(
    struct redis_link *link, const struct redis_script *script, size_t key_count,
    const struct str *arguments, size_t n, redis_answered *answered, void *ctx);

uint64_t redis_link_losses(const struct redis_link *link); /* connections that were lost */
