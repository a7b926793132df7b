/* Checks addresses; see guard.h. */
#include "webhook/guard.h"

#include <assert.h>
#include <netinet/in.h>
#include <unistd.h>

#include "core/address_class.h"

/* 0.0.0.0 and :: listen on every address; as a target they are this machine. */
static bool is_any(const struct address *address)
{
    static const struct address ipv4 = {.bytes = {[10] = 0xff, [11] = 0xff}};
    static const struct address ipv6;
    return address_eq(address, &ipv4) || address_eq(address, &ipv6);
}

void guard_init(struct guard *guard, const struct cidr_list *allow, struct str listening)
{
    struct str host = listening;
    int64_t port = 0;
    *guard = (struct guard){.allow = allow};
    if (str_starts(listening, STR("unix:")))
        return;
    while (host.n && host.p[host.n - 1] != ':')
        host.n--;
    bool known = str_to_i64(str_slice(listening, host.n, listening.n), &port);
    host = str_slice(host, 0, host.n ? host.n - 1 : 0);
    if (str_starts(host, STR("[")))
        host = str_slice(host, 1, host.n - 1);
    known = known && address_parse(host, &guard->address);
    assert(known); /* the server listens there */
    guard->listens = true;
    guard->port = (uint16_t)port;
    guard->everywhere = is_any(&guard->address);
}

static uint16_t port_of(const struct sockaddr *to)
{
    if (to->sa_family == AF_INET)
        return ntohs(((const struct sockaddr_in *)(const void *)to)->sin_port);
    return ntohs(((const struct sockaddr_in6 *)(const void *)to)->sin6_port);
}

/* An address belongs to this machine if a socket can bind to it. If that cannot be tested, every
 * address counts as ours. */
static bool is_of_this_machine(const struct sockaddr *to)
{
    struct sockaddr_storage any_port = {0};
    socklen_t size =
        to->sa_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
    memcpy(&any_port, to, size);
    /* The port is at the same offset in both. */
    ((struct sockaddr_in *)&any_port)->sin_port = 0;
    int fd = socket(to->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return true;
    bool bound = bind(fd, (const struct sockaddr *)&any_port, size) == 0;
    close(fd);
    return bound;
}

static bool is_own_listener(const struct guard *guard, const struct sockaddr *to)
{
    if (!guard->listens || port_of(to) != guard->port)
        return false;
    struct address address = address_from_sockaddr(to);
    return address_eq(&address, &guard->address) || is_any(&address) ||
           (guard->everywhere && is_of_this_machine(to));
}

bool guard_may_connect(const struct guard *guard, const struct sockaddr *to)
{
    if (to->sa_family != AF_INET && to->sa_family != AF_INET6)
        return false;
    if (is_own_listener(guard, to))
        return false;
    struct address address = address_from_sockaddr(to);
    return cidr_list_has(guard->allow, &address) || !address_block_of(&address);
}
