/*
 * The sockets of an engine by where they lead, and whether each is in use or kept idle. On an idle
 * connection nothing may come: what does, the connection's end or an answer that nobody asked for,
 * would be read as the answer to the next request. libcurl 7.88 does not look.
 */
#pragma once

#include <stddef.h>
#include <sys/queue.h>

#include "net/net_address.h"

enum { KEPT_LISTS = 256 };

struct kept_socket;
LIST_HEAD(kept_list, kept_socket);

struct kept {
    struct kept_list lists[KEPT_LISTS]; /* by address and port */
    struct kept_socket **by_fd;         /* NULL: not of the engine */
    size_t by_fd_count;
};

/* Zeroed memory is an empty one. */
void kept_finish(struct kept *kept);

void kept_opened(struct kept *kept, int fd, const union net_address *to); /* in use at first */
void kept_closing(struct kept *kept, int fd);
void kept_set_in_use(struct kept *kept, int fd, bool in_use);

/* Ends what leads there, is idle and has something to read, so that libcurl finds it dead. */
void kept_end_spoiled(struct kept *kept, const union net_address *to);

/* Whether there is something to read on the connection from this local port, or it has ended. */
bool kept_has_news(const struct kept *kept, int local_port);
