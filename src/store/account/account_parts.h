/* The columns of an account, for statements that join it, and the form of addresses that is unique.
 * Private to src/store/account. */
#pragma once

#include "address/email.h"
#include "store/account/account.h"

#define ACCOUNT_COLUMNS_OF(a)                                                                      \
    a ".no, " a ".id, " a ".email, " a ".plan, " a ".role, " a ".created_at, " a                   \
      ".disabled_at, " a ".password_hash, " a ".deleted_at, " a ".password_at, " a ".totp_at, " a  \
      ".totp_step, " a ".totp_sealed, " a ".totp_pending, " a ".confirmed_at"

/* Reads them from the query's row, beginning with the column `from`. */
struct account account_row_read(const struct query *q, int from, struct arena *arena);

/* Folds ASCII letters only; the mail server decides how other letters fold. An invalid address
 * folds to the empty text, which no account has. */
struct str email_fold(struct str email, char ret[static EMAIL_SIZE_MAX]);
