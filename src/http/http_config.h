/* The configuration of a server: listening address, threads, application and bounds. */
#pragma once

#include "http/bounds.h"
#include "http/http.h"
#include "http/listener.h"

/* The settable bounds of the HTTP edge; the fixed ones are in bounds.h. Zero means the default. */
struct http_limits {
    size_t connections;             /* total; also limited by RLIMIT_NOFILE minus the reserve */
    size_t connections_per_address; /* per /64 for IPv6; not for loopback, unix, unbounded_peer */
    size_t requests_per_connection;
    int64_t idle_ms;          /* between requests, and before a first byte */
    int64_t head_ms;          /* from the first byte of a head to its last */
    int64_t body_ms;          /* from the end of the head to the end of the body */
    int64_t spool_ms;         /* the same for a spooled body; looked at every body_ms */
    int64_t write_grace_ms;   /* a client may be slow to take replies for this long, then ... */
    size_t write_floor;       /* ... must take this many bytes a second */
    size_t reply_bytes;       /* of all replies that wait for their clients (parked.h) */
    int64_t linger_ms;        /* how long bytes of a rejected client are read and dropped */
    int64_t reply_ms;         /* a handler may keep an exchange this long; then 503 */
    int64_t patient_reply_ms; /* the same after http_be_patient */
    int64_t last_call_ms;     /* while draining: for the next request of an idle connection */
};

/* The threads of one lane of http_defer_to. */
struct http_lane_config {
    int threads;      /* 0: none, http_defer_to is always full */
    int nice;         /* nice(2) */
    size_t queue_max; /* exchanges that may wait; 0: 1024 */
};

struct http_config {
    const char *listen; /* "ADDR:PORT", "[ADDR]:PORT" or "unix:PATH"; port 0 uses a free one */
    /* Instead of `listen`: an open listener, for a caller that needs the port before the first
     * request. http_server_start takes ownership, also on failure. */
    struct listener *listener;
    int threads; /* loops; 0: one per core this process may run on */
    struct http_lane_config lanes[HTTP_LANES];
    const struct http_app *app;           /* lives as long as the server */
    void *(*worker_start)(void *app_ctx); /* optional, on the worker; makes worker_ctx */
    void (*worker_stop)(void *app_ctx, void *worker_ctx);
    struct http_limits limits;
};
