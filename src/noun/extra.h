/*
 * What callers can add to a Trade with `fields` (decision 48): objects beside the members of the
 * specification, and their columns behind the others in CSV. One table has them all.
 */
#pragma once

#include "noun/field.h"
#include "rule/lateness.h"
#include "rule/model.h"

/* Of one Trade. `fields`: a bit for each number in shape_fields (noun/lists.h). */
struct shape_extra {
    int64_t fields;
    struct str details; /* an object of noun/details.h; empty: none but the next */
    enum cap_gains cap_gains;
    int32_t traded; /* DAY_NONE: not stated */
    const struct trade_report *report;
};

static inline bool shape_extra_has(int64_t fields, int field)
{
    return fields >> field & 1;
}

/* The object that a field adds, by its number in shape_fields. */
const struct shape_object *shape_extra_object(int field);

/* The object of this trade as JSON, or `null`. */
void shape_extra_value(struct buf *b, int field, const struct shape_extra *extra);

/* `"details":{...},"dates":{...},`, of those asked for: they stand between head and tail of the
 * Trade (noun/trade.h). */
void shape_extra_json(struct buf *b, const struct shape_extra *extra);
