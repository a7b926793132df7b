/* The body of the event trade.published (spec 6.2): fixed when the event happens (decision 37). */
#pragma once

#include "core/draft.h"

enum { EVENT_BODY_SIZE_MAX = 32 * 1024 * 1024 };

/* `politician` as at the filing date; `skip[row]` marks rows of the draft that were public before.
 * Trades stand in the order of their rows. */
void event_body_put(
    struct buf *b, const struct filing *filing, const struct politician_ref *politician,
    const struct draft_filing *draft, const bool *skip, int64_t disclosed_at);
