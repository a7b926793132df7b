/*
 * Keyed hashes that replace client addresses in tables, in the database and in Redis: 16 bytes of
 * HMAC-SHA-256 of the address's group, under HKDF(master key, "addr" + UTC month) (decision 25).
 * The address itself is never stored, and a new month makes all hashes unlinkable to the old ones.
 *
 * IPv4 has one level, /32; IPv6 has three: /64, /48, /32. The first two bytes of every key come
 * from its group (/16 or /32). So all levels of a caller, and all newcomers that may share a
 * window, are in one shard, and a key from the database determines its shard.
 */
#pragma once

#include "address/address.h"
#include "base/crypto.h"

enum {
    ADDRESS_KEY_SIZE = 16,
    ADDRESS_KEY_ROUTE = 2, /* leading bytes that come from the group */
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

/* Each level's limit is this multiple of the caller's. */
extern const uint32_t address_level_factor[ADDRESS_LEVELS_MAX];

struct address_salts;

struct address_salts *address_salts_create(struct str master_key); /* copied */
void address_salts_destroy(struct address_salts *salts);           /* NULL is ignored */

/* Thread-safe. */
void address_keys_make(
    struct address_salts *salts, int32_t month, const struct address *address,
    struct address_keys *ret);

/* Four bytes of a key, which choose the slot in a table. */
uint32_t address_key_word(const struct address_key *key, size_t offset);
bool address_key_eq(const struct address_key *a, const struct address_key *b);
