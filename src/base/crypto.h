/* Digests, keyed digests, randomness and constant-time comparison, over OpenSSL. All of them are
 * safe to call from any thread. */
#pragma once

#include "base/str.h"

enum { SHA256_SIZE = 32 };

void sha256(struct str data, uint8_t ret[static SHA256_SIZE]);
void hmac_sha256(struct str key, struct str data, uint8_t ret[static SHA256_SIZE]);

/* HKDF-SHA-256 (RFC 5869) without salt: a key for one purpose out of the master key. */
void hkdf_sha256(struct str key, struct str info, uint8_t ret[static SHA256_SIZE]);

void random_bytes(void *ret, size_t n); /* from the kernel; cannot fail once the machine is up */

bool crypto_equal(const void *a, const void *b, size_t n); /* in constant time */
