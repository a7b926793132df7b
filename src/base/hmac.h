/*
 * HMAC-SHA-256 with one key over many texts: the two halves that depend only on the key are hashed
 * once, so that the HMAC of up to 55 bytes costs two SHA-256 blocks. For a single text use
 * hmac_sha256 of base/crypto.h, which gives the same result.
 */
#pragma once

#include "base/crypto.h"

struct hmac_state {
    _Alignas(8) uint8_t inner[112]; /* OpenSSL's SHA256_CTX after the padded key */
    _Alignas(8) uint8_t outer[112];
};

void hmac_init(struct hmac_state *state, struct str key); /* key: at most 64 bytes */
void hmac_finish(struct hmac_state *state);               /* wipes */

/* Thread-safe: only reads the state. */
void hmac_sum(const struct hmac_state *state, struct str data, uint8_t ret[static SHA256_SIZE]);

/* The HMAC of the concatenated parts. */
void hmac_sum_parts(
    const struct hmac_state *state, const struct str *parts, size_t count,
    uint8_t ret[static SHA256_SIZE]);
