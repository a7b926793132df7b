/* The bodies of events (spec 6.2, decision 47), fixed when the event happens (decision 37). */
#pragma once

#include "paper/cell/change.h"
#include "rule/draft.h"

enum { EVENT_BODY_SIZE_MAX = 32 * 1024 * 1024 };

struct finding;

/* Writes the body of trade.published. `politician` is as of the filing date; findings[i] belongs to
 * rows[i] of the draft, NULL: no signal; `skip[row]` marks rows that were public before. Trades are
 * in the order of their rows. */
void event_body_put(
    struct buf *b, const struct filing *filing, const struct politician_ref *politician,
    const struct draft_filing *draft, struct finding *const *findings, const bool *skip,
    int64_t disclosed_at);

/* Writes the body of an event of changes: n >= 1 entries of one kind and one filing. `trades` has
 * those that are public, each once, in the order of their rows. */
void event_body_put_changes(
    struct buf *b, struct str type, const struct change_entry *entries, size_t n);
