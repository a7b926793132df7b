/*
 * SHA-256 over a list of values in an encoding that no two different lists share: each value is one
 * byte for its type, then its content in a fixed size or after its length.
 *
 *     null      00
 *     text      01, length as 8 bytes, bytes
 *     integer   02, 8 bytes
 *     bytes     03, length as 8 bytes, bytes
 *
 * Numbers are little-endian. The first value is a text that names the kind of list, so that lists
 * of different kinds have different encodings too. Stored digests rest on this encoding
 * (docs/adr/0022-chain-over-publications.md): it must not change.
 */
#pragma once

#include "base/crypto.h"

enum { DIGEST_SPACE = 480 };

/* Lives on the caller's stack. The space collects small values: one call of the hash function for
 * each of them would take longer than hashing them. */
struct digest {
    uint64_t state[16]; /* of digest.c */
    size_t n;
    uint8_t space[DIGEST_SPACE];
};

void digest_begin(struct digest *d, struct str kind);
void digest_str(struct digest *d, struct str value); /* the null string is a null */
void digest_i64(struct digest *d, int64_t value);
void digest_opt_i64(struct digest *d, int64_t value, int64_t none); /* `none` is a null */
void digest_bytes(struct digest *d, const void *p, size_t n);       /* p == NULL is a null */
void digest_end(struct digest *d, uint8_t ret[static SHA256_SIZE]);
