/*
 * The master key: 32 random bytes in a file that only its owner may read. From it come the keys for
 * hashing client addresses and for sealing secrets, so a lost file cannot be replaced once rows
 * depend on it. It is never logged and never in the database.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"

enum { SECRET_KEY_SIZE = 32 };

/* With `create` a missing file is made: whole and durable before it has its name, never over
 * another file. ERR_NOT_FOUND: it is missing. ERR_REFUSED: group or others may read or write it.
 * ERR_CORRUPT: it does not hold exactly 32 bytes. */
enum err secret_key_load(
    const char *path, bool create, uint8_t ret[static SECRET_KEY_SIZE],
    struct fail *fail) MUST_CHECK;
