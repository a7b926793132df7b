/*
 * Passwords of accounts: their rules (NIST 800-63B: a minimum length, no composition), and the gate
 * in front of Argon2id, which takes 64 MiB and about 0.1 s each time.
 *
 * At most two hashes are computed at a time in a process, and one caller waits for its turn; a
 * caller who is `known` (a session, a browser that has signed in before) takes the place of one who
 * is not, and the next turn. Never call these functions on a loop or on the writer's thread.
 */
#pragma once

#include "base/crypto.h"

enum { PASSWORD_RUNNING_MAX = 2, PASSWORD_WAITING_MAX = 1 };

/* ERR_INVALID: the length, or the password is the address. */
enum err password_check_rules(struct str password, struct str email, struct fail *fail);

/* Checks the rules and writes the hash, NUL-terminated. ERR_BUSY: too many callers wait. */
enum err password_make(
    struct str password, struct str email, bool known, char ret[static PASSWORD_HASH_SIZE],
    struct fail *fail);

/* Compares with a hash. A null hash takes the same time, and nothing is equal to it. *ret_stale: it
 * is equal, and the hash has other parameters than new ones have. ERR_BUSY: as above. */
enum err password_compare(
    struct str hash, struct str password, bool known, bool *ret_equal, bool *ret_stale,
    struct fail *fail);
