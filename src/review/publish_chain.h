/*
 * Publishing an accepted draft together with the accepted drafts that it builds on, such as an
 * amendment and its original: one list, in order, in one transaction.
 */
#pragma once

#include "review/publish_draft.h"

struct publish_chain_item {
    struct str filing_id;
    struct publish_draft_result result;
};

struct publish_chain {
    struct publish_chain_item *items; /* in the order of publication; the draft itself is last */
    size_t count;
};

/* In the arena. Errors as of publish_draft; then nothing is published. */
enum err publish_chain(
    struct db *db, struct str filing_id, struct str by, int64_t now_ms, struct arena *arena,
    struct publish_chain *ret, struct fail *fail);
