/*
 * A connection to Redis on a libuv loop: TCP, with TLS for rediss://. It sends formatted commands
 * and hands over replies in their order. Nothing blocks but the look-up of the name.
 *
 * A connection that failed calls nothing any more: its owner looks at redis_wire_failed after each
 * turn of the loop, and closes it.
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

/* Begins to connect. `events` and `tls` outlive the connection; NULL: no TLS. NULL: *reason says
 * why. */
struct redis_wire *redis_wire_open(
    uv_loop_t *loop, const struct redis_url *url, const struct redis_tls *tls,
    const struct redis_wire_events *events, void *ctx, char reason[static REDIS_WIRE_REASON_MAX]);
/* The memory is freed when the loop has run its close callback. NULL is ignored. */
void redis_wire_close(struct redis_wire *wire);

/* Copies a formatted command; redis_wire_flush sends what waits. More than REDIS_WIRE_WAITING_MAX
 * bytes fail the connection. */
void redis_wire_send(struct redis_wire *wire, const char *p, size_t n);
void redis_wire_flush(struct redis_wire *wire);

/* Why the connection is of no more use; NULL: it is. */
const char *redis_wire_failed(const struct redis_wire *wire);
