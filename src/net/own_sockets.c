/* Sockets as libcurl opens and closes them; see own_sockets.h. */
#include "net/own_sockets.h"

#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "net/net_address.h"

struct own_socket {
    LIST_ENTRY(own_socket) link;
    int fd;
};

void own_sockets_init(struct own_sockets *s)
{
    LIST_INIT(&s->list);
}

static struct own_socket *find(const struct own_sockets *s, int fd)
{
    struct own_socket *one = LIST_FIRST(&s->list);
    while (one && one->fd != fd)
        one = LIST_NEXT(one, link);
    return one;
}

static void forget(struct own_socket *one)
{
    LIST_REMOVE(one, link);
    mem_free(one);
}

void own_sockets_finish(struct own_sockets *s)
{
    struct own_socket *one;
    while ((one = LIST_FIRST(&s->list)))
        forget(one);
}

/* Sockets whose connection did not come about are closed without being told. */
curl_socket_t own_sockets_open(void *ctx, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct own_sockets *s = ctx;
    int fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (fd < 0)
        return CURL_SOCKET_BAD;
    if (!find(s, fd)) {
        struct own_socket *one = MEM_NEW(struct own_socket);
        one->fd = fd;
        LIST_INSERT_HEAD(&s->list, one, link);
    }
    return fd;
}

int own_sockets_close(void *ctx, curl_socket_t fd)
{
    struct own_socket *one = find(ctx, fd);
    if (one)
        forget(one);
    return close(fd);
}

bool own_sockets_has_news(const struct own_sockets *s, int port)
{
    const struct own_socket *one;
    for (one = LIST_FIRST(&s->list); one; one = LIST_NEXT(one, link)) {
        union net_address local;
        socklen_t size = sizeof local;
        char byte;
        if (getsockname(one->fd, &local.any, &size) == 0 && net_address_port(&local) == port)
            return recv(one->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0;
    }
    return false;
}
