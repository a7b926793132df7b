/* The SHA-256 of a stored finding, which identifies it and tells whether its texts are whole.
 * Private to src/store/public. */
#pragma once

#include "base/crypto.h"
#include "db/db.h"

void finding_digest(struct str reason, struct str evidence, uint8_t ret[static SHA256_SIZE]);

/* Reason, evidence and SHA-256 from column `at` on: whether the texts do not give the SHA-256. Do
 * not serve them then. A null SHA-256 means that there is no finding. */
bool finding_columns_damaged(const struct query *q, int at);
