/*
 * Whose address a request comes from: addresses in one normal form, the groups that limits count
 * by, lists of CIDR blocks, and X-Forwarded-For read from right to left through trusted proxies
 * (decision 25).
 *
 * In the normal form IPv4 is v4-mapped (::ffff:a.b.c.d); NAT64 (64:ff9b::/96) is unwrapped to the
 * IPv4 address inside; there is no zone id. All zero (`::`) stands for a peer without an address: a
 * unix socket.
 */
#pragma once

#include <sys/socket.h>

#include "base/buf.h"
#include "base/err.h"

struct address {
    uint8_t bytes[16];
};

#define ADDRESS_UNIX ((struct address){{0}})

/* AF_INET and AF_INET6; every other family (a unix socket) gives ADDRESS_UNIX. */
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

struct cidr_list {
    size_t n;
    bool unix_socket;
    struct cidr blocks[CIDR_LIST_MAX];
};

/* The empty text is the empty list. The failure names the entry that is wrong. */
enum err cidr_list_parse(struct str text, struct cidr_list *ret, struct fail *fail) MUST_CHECK;
bool cidr_list_has(const struct cidr_list *list, const struct address *address);

enum { CLIENT_ADDRESS_HOPS_MAX = 64 };

/* The client behind `peer`. `forwarded` are the values of all X-Forwarded-For lines in order; they
 * count only when the peer is in `trusted`. From the right, the first entry that is not a trusted
 * proxy is the client; an entry that is no address (with or without port) ends the walk at the
 * last trusted hop, as does the 64th entry. ADDRESS_UNIX comes back for a unix peer that says
 * nothing usable: one bucket that all such callers share. */
struct address client_address(
    const struct address *peer, const struct cidr_list *trusted, const struct str *forwarded,
    size_t forwarded_count);
