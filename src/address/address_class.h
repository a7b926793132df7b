/*
 * The addresses that a webhook must never reach (docs/reliability.md, "Outgoing"): one table of
 * named blocks outside the public internet. An address in none of them is public.
 *
 * Addresses are in the normal form of address/address.h, so a mapped or NAT64 address is classified
 * by the IPv4 address inside it.
 */
#pragma once

#include "address/address.h"

struct address_block {
    struct cidr cidr;
    const char *name; /* the purpose of the block, as printed in reasons: "a private network" */
};

/* The first block of the table that contains the address; NULL: public. */
const struct address_block *address_block_of(const struct address *address);

/* The whole table, for tests. A nested block comes before its parent. */
const struct address_block *address_blocks(size_t *ret_count);
