/*
 * Which addresses a webhook must never reach (docs/reliability.md, "Outgoing"): one table of blocks
 * that are not of the public internet, each with its name. An address in none of them is public.
 *
 * Addresses are in the normal form of core/address.h, so what is mapped or behind NAT64 is judged
 * by the IPv4 address inside.
 */
#pragma once

#include "core/address.h"

struct address_block {
    struct cidr cidr;
    const char *name; /* what the block is for, as it stands in reasons: "a private network" */
};

/* The first block of the table that has the address; NULL: it is public. */
const struct address_block *address_block_of(const struct address *address);

/* The whole table, for documentation and tests. A block inside another stands before it. */
const struct address_block *address_blocks(size_t *ret_count);
