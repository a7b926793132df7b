/* What a server is given: where it listens, its threads, the application and the bounds. */
#pragma once

#include "http/bounds.h"
#include "http/http.h"
#include "http/listener.h"

/* The settable bounds of the HTTP edge; the fixed ones are in bounds.h. Zero means the default. */
struct http_limits {
    size_t connections;             /* in all; also at most RLIMIT_NOFILE less the reserve */
    size_t connections_per_address; /* IPv6: per /64; not loopback, unix, unbounded_peer */
    size_t requests_per_connection;
    int64_t idle_ms;        /* between requests, and before a first byte */
    int64_t head_ms;        /* from the first byte of a head to its last */
    int64_t body_ms;        /* from the end of the head to the end of the body */
    int64_t write_grace_ms; /* a reader may be as slow as it likes for this long, then ... */
    size_t write_floor;     /* ... has to take this many bytes a second on average */
    int64_t linger_ms;      /* how long what a refused client still sends is read and dropped */
    int64_t reply_ms;       /* a handler may keep an exchange this long; then 503 */
    int64_t last_call_ms;   /* while draining: for the next request of an idle connection */
};

struct http_config {
    const char *listen; /* "ADDR:PORT", "[ADDR]:PORT" or "unix:PATH"; port 0 takes a free one */
    /* Instead of `listen`: opened beforehand, by who must know the port before anybody is answered.
     * Taken over, whatever http_server_start returns. */
    struct listener *listener;
    int threads;                /* loops; 0: one per core this process may run on */
    int workers;                /* threads for http_defer; 0: none, http_defer is always full */
    size_t queue_max;           /* deferred exchanges that may wait; 0: 1024 */
    const struct http_app *app; /* lasts as long as the server */
    void *(*worker_start)(void *app_ctx); /* optional, on the worker; makes worker_ctx */
    void (*worker_stop)(void *app_ctx, void *worker_ctx);
    struct http_limits limits;
};
