/* An address with its port, of either family, as connect() takes it. */
#pragma once

#include <netinet/in.h>

#include "base/buf.h"

union net_address {
    struct sockaddr any;
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;
};

/* IPv4 in dotted decimal, or IPv6 without brackets and zone; the port is 0. */
bool net_address_parse(struct str text, union net_address *ret);
void net_address_set_port(union net_address *a, uint16_t port);
uint16_t net_address_port(const union net_address *a);
/* Without the port; IPv6 in brackets. */
void net_address_put(struct buf *b, const union net_address *a);
/* True for the same family, address and port. */
bool net_address_is(const union net_address *a, const struct sockaddr *other);
