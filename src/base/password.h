/* Password hashes: Argon2id, 19 MiB, two passes, one lane (about 26 ms), in the usual text form
 * that includes salt and parameters. */
#pragma once

#include "base/err.h"
#include "base/str.h"

enum { PASSWORD_MIN = 8, PASSWORD_MAX = 1024, PASSWORD_HASH_SIZE = 128 };

/* Writes NUL-terminated text. ERR_INVALID: shorter than PASSWORD_MIN bytes or over PASSWORD_MAX. */
enum err password_hash(struct str password, char ret[static PASSWORD_HASH_SIZE], struct fail *fail)
    MUST_CHECK;
