/*
 * The server: one listening socket, one thread per loop, worker threads for deferred handlers.
 *
 *     http_server_start -> (serves) -> http_server_drain -> http_server_destroy
 *
 * Raises the soft RLIMIT_NOFILE to the hard one. Open databases and logs before it is started, so
 * that they have their descriptors whatever the clients do.
 */
#pragma once

#include "base/err.h"
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

struct http_server;

/* Serves when it returns OK. Refused with a reason: an address that is not one, in use, or not
 * allowed. A unix socket that nobody listens on is replaced; one that lives is refused. */
enum err http_server_start(
    const struct http_config *config, struct http_server **ret, struct fail *fail) MUST_CHECK;

/* Where it listens, in the form of `listen` with the true port. */
struct str http_server_address(const struct http_server *server);

/* How many connections it holds at once: the limit, or what the descriptors allow. */
size_t http_server_connections_max(const struct http_server *server);

/* Accepts no more, lets requests under way finish, and answers what idle connections ask within the
 * last call; these replies say Connection: close. Returns true when no connection is left. False:
 * some were cut at the timeout. Loops still run resumed exchanges afterwards. Once, from a thread
 * that is not a loop. */
bool http_server_drain(struct http_server *server, int64_t timeout_ms);

/* Ends the threads and frees everything; drains with no patience if that was not done. No thread
 * may call http_resume any more. NULL is fine. */
void http_server_destroy(struct http_server *server);

/* Counts since the start, but for those marked "now". */
struct http_stats {
    uint64_t connections_open; /* now */
    uint64_t connections_accepted;
    uint64_t refused_full;           /* connections in all */
    uint64_t refused_address;        /* connections of one address */
    uint64_t refused_descriptors;    /* none was free */
    uint64_t requests;               /* handed to handle */
    uint64_t refused_bad_request;    /* 400 */
    uint64_t refused_timeout;        /* 408 */
    uint64_t refused_body_too_large; /* 413 */
    uint64_t refused_uri_too_long;   /* 414 */
    uint64_t refused_head_too_large; /* 431 */
    uint64_t closed_idle;
    uint64_t closed_slow_reader;
    uint64_t replies_dropped;   /* the client had gone */
    uint64_t replies_abandoned; /* 503 in place of an answer that took too long */
    uint64_t deferred;
    uint64_t deferred_full;
    uint64_t deferred_waiting; /* now */
};

void http_server_stats(const struct http_server *server, struct http_stats *ret);
