/* The members of the source of a trade and of a filing that are written alike. */
#pragma once

#include "base/crypto.h"
#include "base/json_out.h"
#include "store/provenance.h"

/* "sha256": hexadecimal digits; zeros: null. */
void source_put_digest(struct json_out *j, const uint8_t sha256[static SHA256_SIZE]);

/* "reviewers": by number and time only (docs/adr/0014-source-of-a-trade.md). */
void source_put_reviewers(struct json_out *j, const struct provenance *p);
