/*
 * The sockets of an engine by peer address, and whether each is in use or idle. An idle connection
 * with something to read (the end of the stream, or bytes that no request asked for) must not be
 * reused: libcurl 7.88 does not check, and would take that for the response to the next request.
 */
#pragma once

#include <sys/queue.h>

#include "net/net_address.h"

enum { KEPT_LISTS = 256 };

struct kept_socket;
LIST_HEAD(kept_list, kept_socket);

struct kept {
    struct kept_list lists[KEPT_LISTS]; /* by address and port */
    struct kept_socket **by_fd;         /* NULL: not a socket of the engine */
    size_t by_fd_count;
};

/* Zeroed memory is an empty table. */
void kept_finish(struct kept *kept);

void kept_opened(struct kept *kept, int fd, const union net_address *to); /* in use at first */
void kept_closing(struct kept *kept, int fd);
void kept_set_in_use(struct kept *kept, int fd, bool in_use);

/* Shuts down idle sockets to that address that have something to read (bytes or the stream's end),
 * so that libcurl finds them dead. */
void kept_end_spoiled(struct kept *kept, const union net_address *to);

/* True if the connection from this local port has bytes to read or has ended. */
bool kept_has_news(const struct kept *kept, int local_port);
