/* Password hashes: Argon2id with libsodium's interactive limits (64 MiB, two passes, one lane:
 * about 0.1 s), in the usual text form that includes salt and parameters. */
#pragma once

#include "base/err.h"
#include "base/str.h"

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
