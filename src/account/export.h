/* The export of what is stored about an account. */
#pragma once

#include "account/subject.h"

enum {
    EXPORT_SIZE_MAX = 64 * 1024 * 1024, /* of the command; a page has room for a reply */
    EXPORT_DELIVERIES_MAX = 1000,       /* of an endpoint, the newest */
};

/* Appends everything that is stored about the account as one JSON object: the account, its keys
 * (without hashes), requests by month, endpoints (without secrets) with their deliveries (without
 * bodies), sessions, its actions and those about it, and the subjects of e-mails. Reads only: call
 * it in a read transaction, and account_export_log on the writer. ERR_LIMIT: more bytes than the
 * buffer may have. */
enum err account_export(const struct act *act, const struct account *account, struct buf *ret);

/* Writes the row of the action log, in a write transaction, over a struct subject. */
act_run account_export_log;
