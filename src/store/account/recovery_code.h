/* Recovery codes of a second factor, as SHA-256. Functions that write are called inside a write
 * transaction. */
#pragma once

#include "base/crypto.h"
#include "store/row/act.h"

/* Replaces all codes of the account. */
enum err recovery_code_replace(
    const struct act *act, int64_t account_no, const uint8_t (*sha256)[SHA256_SIZE], size_t n);

/* Uses up the code. ERR_NOT_FOUND: unknown or used. Of concurrent uses one succeeds. */
enum err recovery_code_use(
    const struct act *act, int64_t account_no, const uint8_t sha256[static SHA256_SIZE]);

/* The number of codes that were not used. */
enum err recovery_code_count(const struct act *act, int64_t account_no, int64_t *ret);
