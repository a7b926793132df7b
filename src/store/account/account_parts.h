/* The columns of an account, for statements that join it, and the form of addresses that is unique.
 * Private to src/store/account. */
#pragma once

#include "address/email.h"
#include "db/row_digest.h"
#include "store/account/account.h"

#define ACCOUNT_COLUMNS ROW_DIGEST_ACCOUNT_COLUMNS ", account.digest"

/* Reads them from the query's row, beginning with the column `from`. */
struct account account_row_read(const struct query *q, int from, struct arena *arena);

/* Folds ASCII letters only; the mail server decides how other letters fold. An invalid address
 * folds to the empty text, which no account has. */
struct str email_fold(struct str email, char ret[static EMAIL_SIZE_MAX]);
