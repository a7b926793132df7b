/*
 * What stands for a client's address in tables, in the database and in Redis: 16 bytes of
 * HMAC-SHA-256 under HKDF(master key, "addr" + UTC month) of the address's group (decision 25). The
 * address itself goes no further than here, and a new month makes all of it unlinkable.
 *
 * IPv4 has one level, /32; IPv6 has three: /64, /48, /32. The first two bytes of every key are
 * those of its group's (/16 or /32), so that all levels of a caller, and all newcomers who may have
 * to share a window, are in one shard, and a key that was read from the database finds its way.
 */
#pragma once

#include "base/crypto.h"
#include "core/address.h"

enum {
    ADDRESS_KEY_SIZE = 16,
    ADDRESS_KEY_ROUTE = 2, /* leading bytes that are the group's */
    ADDRESS_LEVELS_MAX = 3,
};

struct address_key {
    uint8_t bytes[ADDRESS_KEY_SIZE];
};

struct address_keys {
    bool ipv4;
    size_t n;                                      /* levels */
    struct address_key levels[ADDRESS_LEVELS_MAX]; /* the caller's own first, then wider ones */
    struct address_key group;                      /* /16 or /32 */
};

/* The limits of a level are so many times the caller's. */
extern const uint32_t address_level_factor[ADDRESS_LEVELS_MAX];

struct address_salts;

struct address_salts *address_salts_create(struct str master_key); /* copied */
void address_salts_destroy(struct address_salts *salts);           /* NULL is fine */

/* Thread-safe. */
void address_keys_make(
    struct address_salts *salts, int32_t month, const struct address *address,
    struct address_keys *ret);

/* Four bytes of a key, for finding a place in a table. */
uint32_t address_key_word(const struct address_key *key, size_t offset);
bool address_key_eq(const struct address_key *a, const struct address_key *b);
