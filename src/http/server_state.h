/*
 * The state that the threads of one server share. Everything except the marked members is set
 * before the first thread starts and is const afterwards. Private to src/http.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "http/http_config.h"
#include "http/listener.h"
#include "http/spool.h"

struct loop;
struct workers;

struct http_server {
    const struct http_app *app;
    struct http_config config;
    struct http_limits limits;
    size_t connections_max;
    struct listener listener; /* drain closes its fd when no loop watches it any more */
    struct peers *peers;
    struct workers *workers[HTTP_LANES];
    struct loop **loops;
    int loop_count;

    atomic_size_t connections;      /* open, on all loops */
    atomic_size_t parked_bytes;     /* of all loops: parked.h */
    atomic_size_t large_body_bytes; /* of all exchanges: at most HTTP_LARGE_BODIES_MAX */
    struct spools spools;           /* likewise */

    pthread_mutex_t lock;
    pthread_cond_t changed; /* signals changes of the members below */
    int loops_hidden;       /* under lock: loops that no longer accept */
    int loops_empty;        /* under lock: of those, loops without a connection */
    bool drained;           /* by the draining thread only */
};

/*
 * The number of connections of each address: a bounded table shared by the loops, used only when a
 * connection is accepted or closed. An IPv6 peer counts as its /64.
 */

struct peers;

/* For at most `connections_max` connections at a time. */
struct peers *peers_create(size_t connections_max, size_t per_address_max);
void peers_destroy(struct peers *peers); /* NULL is ignored */

/* False if the address is at its maximum. Match every true with one release. */
bool peers_acquire(struct peers *peers, const uint8_t address[static 16]);
void peers_release(struct peers *peers, const uint8_t address[static 16]);
