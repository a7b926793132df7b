/* Recovery codes of a second factor, as SHA-256. Functions that write are called inside a write
 * transaction. */
#pragma once

#include "base/crypto.h"
#include "db/db.h"

/* Replaces all codes of the account. */
enum err recovery_code_replace(
    struct db *db, int64_t account_no, const uint8_t (*sha256)[SHA256_SIZE], size_t n,
    int64_t now_ms, struct fail *fail) MUST_CHECK;

/* Uses up the code. ERR_NOT_FOUND: unknown or used. Of concurrent uses one succeeds. */
enum err recovery_code_use(
    struct db *db, int64_t account_no, const uint8_t sha256[static SHA256_SIZE], int64_t now_ms,
    struct fail *fail) MUST_CHECK;

/* The number of codes that were not used. */
enum err recovery_code_count(struct db *db, int64_t account_no, int64_t *ret, struct fail *fail)
    MUST_CHECK;
