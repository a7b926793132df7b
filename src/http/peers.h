/*
 * The number of connections of each address: a bounded table shared by the loops, used only when a
 * connection is accepted or closed. An IPv6 peer counts as its /64.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct peers;

/* For at most `connections_max` connections at a time. */
struct peers *peers_create(size_t connections_max, size_t per_address_max);
void peers_destroy(struct peers *peers); /* NULL is ignored */

/* False if the address is at its maximum. Match every true with one release. */
bool peers_acquire(struct peers *peers, const uint8_t address[static 16]);
void peers_release(struct peers *peers, const uint8_t address[static 16]);
