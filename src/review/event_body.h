/* The body of the event trade.published (spec 6.2), fixed when the event happens (decision 37). */
#pragma once

#include "core/draft.h"

enum { EVENT_BODY_SIZE_MAX = 32 * 1024 * 1024 };

struct finding;

/* Writes the body. `politician` is as of the filing date; findings[i] belongs to rows[i] of the
 * draft, NULL: no signal; `skip[row]` marks rows that were public before. Trades are in the order
 * of their rows. */
void event_body_put(
    struct buf *b, const struct filing *filing, const struct politician_ref *politician,
    const struct draft_filing *draft, struct finding *const *findings, const bool *skip,
    int64_t disclosed_at);
