/* A table by address and another by descriptor; see kept.h. */
#include "net/kept.h"

#include <assert.h>
#include <poll.h>
#include <sys/socket.h>

#include "base/mem.h"

enum { DRAIN_READS_MAX = 64, DRAIN_BYTES = 4096 };

struct kept_socket {
    LIST_ENTRY(kept_socket) link; /* of the list for its address */
    int fd;
    bool in_use;
    union net_address to;
};

static struct kept_list *list_of(struct kept *kept, const union net_address *to)
{
    bool ipv4 = to->any.sa_family == AF_INET;
    uint16_t port = ipv4 ? to->ipv4.sin_port : to->ipv6.sin6_port;
    const uint8_t *bytes = ipv4 ? (const uint8_t *)&to->ipv4.sin_addr : to->ipv6.sin6_addr.s6_addr;
    unsigned sum = port + (port >> 8);
    for (size_t i = 0; i < (ipv4 ? sizeof to->ipv4.sin_addr : sizeof to->ipv6.sin6_addr); i++)
        sum = sum * 31 + bytes[i];
    return &kept->lists[sum % KEPT_LISTS];
}

static struct kept_socket *find(const struct kept *kept, int fd)
{
    return fd >= 0 && (size_t)fd < kept->by_fd_count ? kept->by_fd[fd] : NULL;
}

static void make_room(struct kept *kept, int fd)
{
    size_t count = kept->by_fd_count, wanted = (size_t)fd + 1;
    if (wanted <= count)
        return;
    wanted = wanted > 2 * count ? wanted : 2 * count;
    kept->by_fd = mem_realloc(kept->by_fd, wanted * sizeof *kept->by_fd);
    memset(kept->by_fd + count, 0, (wanted - count) * sizeof *kept->by_fd);
    kept->by_fd_count = wanted;
}

void kept_closing(struct kept *kept, int fd)
{
    struct kept_socket *s = find(kept, fd);
    if (!s)
        return;
    LIST_REMOVE(s, link);
    kept->by_fd[fd] = NULL;
    mem_free(s);
}

void kept_opened(struct kept *kept, int fd, const union net_address *to)
{
    assert(fd >= 0);
    kept_closing(kept, fd);
    struct kept_socket *s = MEM_NEW(struct kept_socket);
    s->fd = fd;
    s->in_use = true;
    s->to = *to;
    make_room(kept, fd);
    kept->by_fd[fd] = s;
    LIST_INSERT_HEAD(list_of(kept, to), s, link);
}

void kept_set_in_use(struct kept *kept, int fd, bool in_use)
{
    struct kept_socket *s = find(kept, fd);
    if (s)
        s->in_use = in_use;
}

/* Checked because the descriptor may belong to another connection by now. */
static bool leads_there(int fd, const union net_address *to)
{
    struct sockaddr_storage peer;
    socklen_t size = sizeof peer;
    return getpeername(fd, (struct sockaddr *)&peer, &size) == 0 &&
           net_address_is(to, (const struct sockaddr *)&peer);
}

static bool has_something(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return poll(&p, 1, 0) > 0;
}

/* libcurl looks for a hang-up or for readable bytes, depending on TLS: shut down and drain. */
static void end(int fd)
{
    char bytes[DRAIN_BYTES];
    shutdown(fd, SHUT_RDWR);
    for (int i = 0; i < DRAIN_READS_MAX && recv(fd, bytes, sizeof bytes, MSG_DONTWAIT) > 0; i++)
        ;
}

void kept_end_spoiled(struct kept *kept, const union net_address *to)
{
    struct kept_socket *s;
    LIST_FOREACH(s, list_of(kept, to), link)
    if (!s->in_use && net_address_is(&s->to, &to->any) && has_something(s->fd) &&
        leads_there(s->fd, to))
        end(s->fd);
}

bool kept_has_news(const struct kept *kept, int local_port)
{
    for (size_t fd = 0; fd < kept->by_fd_count; fd++) {
        union net_address local;
        socklen_t size = sizeof local;
        if (kept->by_fd[fd] && getsockname((int)fd, &local.any, &size) == 0 &&
            net_address_port(&local) == local_port)
            return has_something((int)fd);
    }
    return false;
}

void kept_finish(struct kept *kept)
{
    for (size_t fd = 0; fd < kept->by_fd_count; fd++)
        kept_closing(kept, (int)fd);
    mem_free(kept->by_fd);
}
