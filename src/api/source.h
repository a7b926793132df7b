/* Where a trade and a filing come from, as the API prints it (noun/source.h). */
#pragma once

#include "noun/source.h"
#include "store/public/provenance.h"

/* The arena keeps the reviewers: by number and time only (docs/adr/0014-source-of-a-trade.md). */
struct shape_filing_source source_of(
    const struct provenance *p, const uint8_t sha256[static SHA256_SIZE], int64_t corrections,
    struct arena *arena);
