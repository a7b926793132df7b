/*
 * Internet addresses in one normal form, and lists of CIDR blocks. IPv4 is v4-mapped
 * (::ffff:a.b.c.d); NAT64 (64:ff9b::/96) is unwrapped to the IPv4 address inside (decision 25);
 * there is no zone id. All zero (`::`) stands for a peer without an address: a unix socket.
 */
#pragma once

#include <sys/socket.h>

#include "base/buf.h"
#include "base/err.h"

struct address {
    uint8_t bytes[16];
};

#define ADDRESS_UNIX ((struct address){{0}})

/* AF_INET and AF_INET6; any other family (a unix socket) gives ADDRESS_UNIX. */
struct address address_from_sockaddr(const struct sockaddr *sockaddr);
/* An address in text, IPv6 with or without zone id; no port, no brackets. */
bool address_parse(struct str text, struct address *ret);
void address_put(struct buf *b, const struct address *address);

bool address_is_ipv4(const struct address *address);
bool address_is_unix(const struct address *address);
bool address_is_loopback(const struct address *address); /* 127/8 or ::1 */
bool address_eq(const struct address *a, const struct address *b);
/* The first `bits` of the 16 bytes, the rest zero. IPv4 prefixes count from bit 96: /16 is 112. */
struct address address_prefix(const struct address *address, unsigned bits);

/* A list of blocks as settings write it: CIDRs or single addresses between commas or spaces, and
 * the word `unix` for peers on the unix listener. Bits beyond a block's length are ignored. */
enum { CIDR_LIST_MAX = 64 };

struct cidr {
    struct address base;
    uint8_t bits; /* of the 16 bytes */
};

/* ::/0 contains every IPv6 address and no mapped IPv4 address. */
bool cidr_has(const struct cidr *cidr, const struct address *address);

struct cidr_list {
    size_t n;
    bool unix_socket;
    struct cidr blocks[CIDR_LIST_MAX];
};

/* The empty text is the empty list. The error names the invalid entry. */
enum err cidr_list_parse(struct str text, struct cidr_list *ret, struct fail *fail);
bool cidr_list_has(const struct cidr_list *list, const struct address *address);
