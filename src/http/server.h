/*
 * The server: one listening socket, one thread per loop, worker threads for deferred handlers.
 *
 *     http_server_start -> (serves) -> http_server_drain -> http_server_destroy
 *
 * Raises the soft RLIMIT_NOFILE to the hard one. Open databases and logs before it is started, so
 * that they have their descriptors whatever the clients do.
 */
#pragma once

#include "http/http_config.h"
#include "http/http_stats.h"

struct http_server;

/* Serving when it returns OK. Errors: an invalid address, one in use, or one not allowed. A stale
 * unix socket is replaced; a live one is an error. */
enum err http_server_start(
    const struct http_config *config, struct http_server **ret, struct fail *fail);

/* The listening address, in the form of `listen` with the real port. */
struct str http_server_address(const struct http_server *server);

/* The maximum of concurrent connections: the limit, or what the descriptors allow. */
size_t http_server_connections_max(const struct http_server *server);

/* The most memory that clients can make the server use, whatever they do. */
struct http_memory {
    size_t own;     /* connections, requests and replies, in this process */
    size_t sockets; /* the kernel's buffers of TCP connections; it may have less for them */
};

struct http_memory http_server_memory(const struct http_server *server);

/* Stops accepting, lets requests in progress finish, and answers requests of idle connections
 * within the last call; these replies have Connection: close. Returns true if all connections
 * closed. False: some were cut at the timeout. The loops still run resumed exchanges afterwards.
 * Call once, from a thread that is not a loop. */
bool http_server_drain(struct http_server *server, int64_t timeout_ms);

/* From any thread: every stream that rests takes a turn (stream.h). */
void http_server_wake_streams(struct http_server *server);

/* Ends the threads and frees everything; drains without waiting if that was not done. No thread may
 * call http_resume any more. NULL is ignored. */
void http_server_destroy(struct http_server *server);

void http_server_stats(const struct http_server *server, struct http_stats *ret);
