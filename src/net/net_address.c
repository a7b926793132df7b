/* Socket addresses; see net_address.h. */
#include "net/net_address.h"

#include <arpa/inet.h>
#include <assert.h>

bool net_address_parse(struct str text, union net_address *ret)
{
    char zero_ended[INET6_ADDRSTRLEN];
    if (!text.n || text.n >= sizeof zero_ended)
        return false;
    memcpy(zero_ended, text.p, text.n);
    zero_ended[text.n] = '\0';
    *ret = (union net_address){0};
    if (inet_pton(AF_INET, zero_ended, &ret->ipv4.sin_addr) == 1) {
        ret->any.sa_family = AF_INET;
        return true;
    }
    *ret = (union net_address){0};
    if (inet_pton(AF_INET6, zero_ended, &ret->ipv6.sin6_addr) == 1) {
        ret->any.sa_family = AF_INET6;
        return true;
    }
    return false;
}

void net_address_set_port(union net_address *a, uint16_t port)
{
    if (a->any.sa_family == AF_INET)
        a->ipv4.sin_port = htons(port);
    else
        a->ipv6.sin6_port = htons(port);
}

uint16_t net_address_port(const union net_address *a)
{
    return ntohs(a->any.sa_family == AF_INET ? a->ipv4.sin_port : a->ipv6.sin6_port);
}

void net_address_put(struct buf *b, const union net_address *a)
{
    char text[INET6_ADDRSTRLEN];
    bool ipv4 = a->any.sa_family == AF_INET;
    const void *bytes = ipv4 ? (const void *)&a->ipv4.sin_addr : &a->ipv6.sin6_addr;
    if (!inet_ntop(a->any.sa_family, bytes, text, sizeof text))
        assert(!"an address fits into its text");
    buf_fmt(b, ipv4 ? "%s" : "[%s]", text);
}

bool net_address_is(const union net_address *a, const struct sockaddr *other)
{
    if (a->any.sa_family != other->sa_family)
        return false;
    if (other->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, other, sizeof in);
        return in.sin_port == a->ipv4.sin_port && in.sin_addr.s_addr == a->ipv4.sin_addr.s_addr;
    }
    struct sockaddr_in6 in6;
    memcpy(&in6, other, sizeof in6);
    return in6.sin6_port == a->ipv6.sin6_port &&
           memcmp(&in6.sin6_addr, &a->ipv6.sin6_addr, sizeof in6.sin6_addr) == 0;
}
