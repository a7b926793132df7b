/*
 * Resolves names on one loop, with c-ares and the machine's configuration (resolv.conf, hosts,
 * nsswitch.conf), which is read again when resolv.conf changes. One query per name is in flight at
 * a time; later callers wait for the same answer. Nothing is cached between queries.
 *
 * A query gets at most RESOLVER_TIME_MAX_MS, shared between the configured servers.
 */
#pragma once

#include <uv.h>

#include "base/err.h"
#include "base/mem.h"
#include "net/net_address.h"

enum { RESOLVER_TIME_MAX_MS = 3000 };

enum resolver_outcome {
    RESOLVER_FOUND,
    RESOLVER_NO_SUCH_NAME, /* the name does not exist, or has no address */
    RESOLVER_FAILED,
    RESOLVER_TIMED_OUT,
};

struct resolver_answer {
    enum resolver_outcome outcome;
    const union net_address *addresses; /* in the order to try them; port 0 */
    size_t count;                       /* at least 1 when found */
    const char *detail;                 /* of a failure, in plain words */
};

struct resolver;
struct resolver_query;
struct resolver_wait;

typedef void resolver_answered(struct resolver_wait *wait, const struct resolver_answer *answer);

/* A caller's wait for an answer; the caller provides the memory, zeroed before its first use. */
struct resolver_wait {
    struct resolver_query *query; /* NULL: not waiting */
    struct resolver_wait *next, **at;
    int64_t until_ms; /* of the monotonic clock */
    resolver_answered *answered;
};

/* servers: "127.0.0.1:5353,..." instead of the configured ones, for tests; null: the configured
 * ones. */
enum err resolver_create(
    uv_loop_t *loop, struct str servers, struct resolver **ret, struct fail *fail);

/* There must be no waits left. The memory is freed when the loop has run its close callbacks. */
void resolver_destroy(struct resolver *r); /* NULL is ignored */

/* Calls `answered` once, on the loop's thread, possibly before this returns; not after until_ms,
 * nor RESOLVER_TIME_MAX_MS from now. */
void resolver_ask(
    struct resolver *r, struct str name, int64_t until_ms, resolver_answered *answered,
    struct resolver_wait *wait);
/* `answered` will not be called. Harmless if it is not waiting. */
void resolver_forget(struct resolver_wait *wait);
