/* Checks addresses and ports; see guard.h. */
#include "webhook/guard.h"

#include <assert.h>
#include <netinet/in.h>
#include <unistd.h>

#include "address/address_class.h"
#include "base/disk.h"
#include "net/net_address.h"

/* 0.0.0.0 and :: listen on every address; as a target they are this machine. */
static bool is_any(const struct address *address)
{
    static const struct address ipv4 = {.bytes = {[10] = 0xff, [11] = 0xff}};
    static const struct address ipv6;
    return address_eq(address, &ipv4) || address_eq(address, &ipv6);
}

void guard_init(
    struct guard *guard, const struct cidr_list *allow, const struct port_set *refused_ports,
    struct str listening)
{
    struct str host = listening;
    int64_t port = 0;
    *guard = (struct guard){.allow = allow, .refused_ports = refused_ports};
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
    FD_CLOSED int fd = socket(to->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return true;
    return bind(fd, (const struct sockaddr *)&any_port, size) == 0;
}

static bool is_own_listener(const struct guard *guard, const struct sockaddr *to)
{
    if (!guard->listens || port_of(to) != guard->port)
        return false;
    struct address address = address_from_sockaddr(to);
    return address_eq(&address, &guard->address) || is_any(&address) ||
           (guard->everywhere && is_of_this_machine(to));
}

enum err guard_check_port(const struct guard *guard, uint16_t port, struct fail *fail)
{
    if (!port_set_has(guard->refused_ports, port))
        return OK;
    const struct port_service *service = port_service_of(port);
    return fail_set(
        fail, ERR_REFUSED,
        "port %u may not be connected to%s%s%s; see STOCKACT_WEBHOOK_REFUSED_PORTS", port,
        service ? " (" : "", service ? service->name : "", service ? ")" : "");
}

static enum err refuse(const struct sockaddr *to, const char *why, struct fail *fail)
{
    char text[INET6_ADDRSTRLEN + 2];
    struct buf b = buf_over(text, sizeof text);
    union net_address address = {0};
    memcpy(
        &address, to,
        to->sa_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6));
    net_address_put(&b, &address);
    return fail_set(
        fail, ERR_REFUSED, "%.*s may not be connected to (%s)", STR_ARG(buf_view(&b)), why);
}

enum err guard_check(const struct guard *guard, const struct sockaddr *to, struct fail *fail)
{
    if (to->sa_family != AF_INET && to->sa_family != AF_INET6)
        return fail_set(fail, ERR_REFUSED, "an address that is neither IPv4 nor IPv6");
    if (is_own_listener(guard, to))
        return refuse(to, "this server's own listener", fail);
    TRY(guard_check_port(guard, port_of(to), fail));
    struct address address = address_from_sockaddr(to);
    const struct address_block *block = address_block_of(&address);
    if (!block || cidr_list_has(guard->allow, &address))
        return OK;
    return refuse(to, block->name, fail);
}

bool guard_would_allow(const struct guard *guard, const struct sockaddr *to)
{
    return !is_own_listener(guard, to) && !port_set_has(guard->refused_ports, port_of(to));
}
