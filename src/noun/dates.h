/*
 * The dates of a trade's report (decision 48): one flat object. Not a member of the Trade of the
 * specification; callers ask for it. The source of a trade has the same members.
 */
#pragma once

#include "noun/field.h"
#include "rule/lateness.h"

/* The struct that the members are of. */
struct shape_dates {
    struct trade_report report;
    struct lateness lateness;
    enum late_status status;
};

extern const struct shape_object shape_dates;

struct shape_dates shape_dates_of(int32_t traded, const struct trade_report *report);
