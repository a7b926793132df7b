/*
 * The master key: 32 random bytes in a file that only its owner may access. If root owns it and
 * another user runs the program, its group may read it too. The keys that hash client addresses and
 * seal secrets are derived from it, so a lost file cannot be replaced: sealed rows need it. The key
 * is never logged and never stored in the database.
 */
#pragma once

#include <stdint.h>
#include <sys/stat.h>

#include "base/err.h"

enum { SECRET_KEY_SIZE = 32 };

/* Whether only those may access a key file whom the comment above names. */
bool secret_key_is_private(const struct stat *st);

/* Reads the master key. If the file is missing and `create` is set, creates it: durably, and
 * without ever replacing another file. ERR_NOT_FOUND: the file is missing. ERR_REFUSED: others may
 * access it. ERR_CORRUPT: it does not have exactly 32 bytes. */
enum err secret_key_load(
    const char *path, bool create, uint8_t ret[static SECRET_KEY_SIZE], struct fail *fail);

/* The key in any file of 32 bytes, with any mode. To compare it only. */
bool secret_key_peek(const char *path, uint8_t ret[static SECRET_KEY_SIZE]) MUST_CHECK;

/*
 * Replacing the key takes three steps, each of which survives a kill. secret_key_next writes the
 * new key beside the file, as PATH.next. The caller seals everything again. secret_key_replace then
 * renames it, and gives it to the owner of the old file, or, if there is none and root runs it, to
 * the owner of the folder: the server must read it.
 */

/* Reads PATH.next, and creates it if `create` is set and it is missing. Errors as above. */
enum err secret_key_next(
    const char *path, bool create, uint8_t ret[static SECRET_KEY_SIZE], struct fail *fail);
/* Renames PATH.next to PATH, durably. The old file, if there is one, stays as PATH.NAME: a name
 * that no other key has. */
enum err secret_key_replace(const char *path, const char *name, struct fail *fail);
