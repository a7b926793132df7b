/*
 * Secrets at rest: XChaCha20-Poly1305 under a key derived from the master key for one purpose.
 * A sealed secret is bound to its owner, the id of its row, and cannot be opened for another row.
 *
 *     nonce (24 random bytes) | ciphertext (as long as the secret) | tag (16 bytes)
 */
#pragma once

#include "base/crypto.h"
#include "base/err.h"

enum { SEAL_OVERHEAD = 24 + 16 };

struct seal_key {
    uint8_t bytes[SHA256_SIZE];
};

/* `purpose` separates kinds of secrets: a secret sealed for one purpose cannot be opened for
 * another. */
void seal_key_init(struct seal_key *ret, struct str master_key, struct str purpose);
void seal_key_finish(struct seal_key *key); /* wipes */

/* Writes secret.n + SEAL_OVERHEAD bytes, different each time. */
void seal(const struct seal_key *key, struct str owner, struct str secret, uint8_t *ret);

/* Writes `size` bytes, which the caller wipes after use. ERR_CORRUPT: not sealed with this key for
 * this owner, altered, or a secret of another size; ret is then all zeros. */
enum err seal_open(
    const struct seal_key *key, struct str owner, struct str sealed, void *ret, size_t size,
    struct fail *fail);
