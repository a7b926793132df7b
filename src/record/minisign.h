/*
 * Signatures in the form of minisign (https://jedisct1.github.io/minisign/), by Ed25519 over the
 * BLAKE2b-512 of a text. `minisign -V` verifies them. The key is derived from the master key, so
 * that nothing is stored, and all servers of a database sign with the same key.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

enum { MINISIGN_ID_SIZE = 8, MINISIGN_PUBLIC_SIZE = 32, MINISIGN_SECRET_SIZE = 64 };

struct minisign_public {
    uint8_t id[MINISIGN_ID_SIZE]; /* the first bytes of the SHA-256 of `key` */
    uint8_t key[MINISIGN_PUBLIC_SIZE];
};

struct minisign_key {
    struct minisign_public shown;
    uint8_t secret[MINISIGN_SECRET_SIZE];
};

void minisign_key_init(struct minisign_key *ret, struct str master_key);
void minisign_key_finish(struct minisign_key *key); /* wipes */

/* The key in base64, as `minisign -P` takes it, and the file for `minisign -p`. */
void minisign_public_put(struct buf *b, const struct minisign_public *key);
void minisign_public_file_put(struct buf *b, const struct minisign_public *key);
/* ERR_INVALID: the text is not such a file. */
enum err minisign_public_read(struct str file, struct minisign_public *ret, struct fail *fail);

/* The file for `minisign -x`. `comment` is signed too: one line. */
void minisign_sign(
    struct buf *b, const struct minisign_key *key, struct str text, struct str comment);
/* ERR_INVALID: `file` is not a signature. ERR_CORRUPT: it is not one of this text by this key. */
enum err minisign_verify(
    const struct minisign_public *key, struct str text, struct str file, struct fail *fail);
