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
#include "http/http_config.h"

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
