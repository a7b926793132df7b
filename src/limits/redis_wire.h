/*
 * A connection to Redis on a libuv loop: TCP, with TLS for rediss://. It sends formatted commands
 * and hands over replies in their order. Nothing blocks. The name look-up has no timeout: it takes
 * as long as the system's resolver, on a thread of libuv.
 *
 * A failed connection makes no more callbacks: its owner checks redis_wire_failed after each turn
 * of the loop, and closes it.
 *
 */
#pragma once

#include <hiredis/hiredis.h>
#include <uv.h>

#include "limits/redis_tls.h"
#include "limits/redis_url.h"

enum { REDIS_WIRE_REASON_MAX = 160, REDIS_WIRE_WAITING_MAX = 16 * 1024 * 1024 };

/* Neither may close the connection. */
struct redis_wire_events {
    void (*opened)(void *ctx); /* connected; with TLS, the certificate is verified */
    void (*replied)(void *ctx, const redisReply *reply);
};

struct redis_wire;

/* Begins to connect. `events` and `tls` outlive the connection; tls NULL: none. */
struct redis_wire *redis_wire_open(
    uv_loop_t *loop, const struct redis_place *place, const struct redis_tls *tls,
    const struct redis_wire_events *events, void *ctx);
/* The memory is freed when the loop has run its callbacks. NULL is ignored. */
void redis_wire_close(struct redis_wire *wire);

/* Copies a formatted command; redis_wire_flush sends what waits. More than REDIS_WIRE_WAITING_MAX
 * bytes fail the connection. */
void redis_wire_send(struct redis_wire *wire, const char *p, size_t n);
void redis_wire_flush(struct redis_wire *wire);

/* Monotonic time at which the name look-up ended; 0: it has not. */
int64_t redis_wire_found_ms(const struct redis_wire *wire);

/* Why the connection failed; NULL: it has not. */
const char *redis_wire_failed(const struct redis_wire *wire);
