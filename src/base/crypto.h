/* Digests, keyed digests, randomness and constant-time comparison, over OpenSSL. All functions are
 * thread-safe. */
#pragma once

#include "base/str.h"

enum { SHA256_SIZE = 32 };

void sha256(struct str data, uint8_t ret[static SHA256_SIZE]);
void hmac_sha256(struct str key, struct str data, uint8_t ret[static SHA256_SIZE]);

/* HKDF-SHA-256 (RFC 5869) without salt: derives a key for one purpose from the master key. */
void hkdf_sha256(struct str key, struct str info, uint8_t ret[static SHA256_SIZE]);

void random_bytes(void *ret, size_t n); /* from the kernel; cannot fail after boot */

bool crypto_equal(const void *a, const void *b, size_t n); /* in constant time */
