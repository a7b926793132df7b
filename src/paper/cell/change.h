/* An entry of the sequence of changes (decision 47): what changed for readers. */
#pragma once

#include "base/mem.h"
#include "rule/model.h"

/* An entry, with its trade and filing as they are when it is read. */
struct change_entry {
    int64_t seq;
    int64_t at;
    enum change_kind kind;
    struct str trade_id; /* null: about the filing alone */
    struct str filing_id;
    int64_t filing_no;
    /* corrected: the entry of the corrections log. signal: field is conflictReason. */
    struct str field;
    struct str old;
    struct str new;
    struct str reason;
    bool trade_is_public, filing_is_public;
    bool damaged; /* a stored row that it shows does not match its digest: that part is left out */
    struct trade trade; /* set if it is public */
    struct filing filing;
    struct politician_ref politician; /* of the filing */
};

/* Copies the entry with its strings into the arena. */
void change_entry_copy(
    const struct change_entry *entry, struct arena *arena, struct change_entry *ret);
