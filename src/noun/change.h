/* Corrections, changes and events (decisions 29, 44, 47), as the API and webhooks print them. */
#pragma once

#include "noun/field.h"
#include "paper/cell/change.h"

struct shape_backfill {
    int64_t at;
    int64_t from, to; /* INSTANT_NONE: without trades */
    int64_t trades;
};

struct shape_correction {
    int64_t no;
    struct str trade_id, filing_id; /* or null, like all texts */
    int64_t at;
    enum correction_kind kind;
    struct str field, old, new, reason;
    const struct shape_backfill *backfill; /* NULL: another kind */
};

struct shape_event {
    struct str id, type;
    int64_t at;
    struct str body; /* JSON, or null */
};

extern const struct shape_object shape_correction, shape_backfill, shape_backfill_range;
extern const struct shape_object shape_change;       /* of a change_entry, like EventChange */
extern const struct shape_object shape_event_change; /* without trade and filing */
extern const struct shape_object shape_event, shape_event_filing; /* the latter of a filing */
