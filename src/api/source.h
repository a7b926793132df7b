/* The members of the source of a trade and of a filing that are written alike. */
#pragma once

#include "base/crypto.h"
#include "base/json_out.h"
#include "store/public/provenance.h"

/* "sha256": hexadecimal digits; zeros: null. */
void source_put_digest(struct json_out *j, const uint8_t sha256[static SHA256_SIZE]);

/* Seconds with one decimal; negative: null. */
void source_put_seconds(struct json_out *j, struct str name, int64_t ms);

/* "review" and "reviewSeconds" */
void source_put_review(struct json_out *j, const struct provenance *p);

/* "reviewers": by number and time only (docs/adr/0014-source-of-a-trade.md). */
void source_put_reviewers(struct json_out *j, const struct provenance *p);
