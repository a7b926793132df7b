/* Digests, keyed digests, randomness and constant-time comparison, over OpenSSL. All functions are
 * thread-safe. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

enum { SHA256_SIZE = 32 };

void sha256(struct str data, uint8_t ret[static SHA256_SIZE]);
void hmac_sha256(struct str key, struct str data, uint8_t ret[static SHA256_SIZE]);

/* HKDF-SHA-256 (RFC 5869) without salt: derives a key for one purpose from the master key. */
void hkdf_sha256(struct str key, struct str info, uint8_t ret[static SHA256_SIZE]);

void random_bytes(void *ret, size_t n); /* from the kernel; cannot fail after boot */

bool crypto_equal(const void *a, const void *b, size_t n); /* in constant time */

/* Password hashes: Argon2id with libsodium's interactive limits (64 MiB, two passes, one lane:
 * about 0.1 s), in the usual text form that includes salt and parameters. */

enum { PASSWORD_MIN = 10, PASSWORD_MAX = 256, PASSWORD_HASH_SIZE = 128 };

/* Writes NUL-terminated text. ERR_INVALID: shorter than PASSWORD_MIN bytes or over PASSWORD_MAX. */
enum err password_hash(struct str password, char ret[static PASSWORD_HASH_SIZE], struct fail *fail);

/* A hash of random bytes that are forgotten: takes as long to compare as any other. */
void password_hash_nothing(char ret[static PASSWORD_HASH_SIZE]);

/* True if the hash is of this password. Takes the same time if it is not. A password longer than
 * PASSWORD_MAX is compared like a wrong one. */
bool password_verify(struct str hash, struct str password);

/* True if the hash has other parameters than password_hash uses. */
bool password_is_stale(struct str hash);

/* A file of certificates in PEM, such as the authorities that a connection trusts: when they end.
 */

struct certificate_file {
    size_t count;
    size_t over;           /* of these, expired */
    int64_t next_end_ms;   /* the earliest end of the others; INSTANT_NONE: all are expired */
    int64_t newest_end_ms; /* the latest end of all; INSTANT_NONE: there is no certificate */
};

/* Text around the certificates and anything else in the file is skipped. ERR_IO: the file cannot be
 * read. */
enum err certificate_file_read(
    const char *path, int64_t now_ms, struct certificate_file *ret, struct fail *fail);

/*
 * HMAC-SHA-256 with one key over many texts: the two halves that depend only on the key are hashed
 * once, so that the HMAC of up to 55 bytes costs two SHA-256 blocks. For a single text use
 * hmac_sha256 of base/crypto.h, which gives the same result.
 */

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
