/* The rows of the table of plans (spec 5), as the reference and the owner's page show it. */
#pragma once

#include "base/buf.h"
#include "rule/plan.h"

struct plan_term {
    struct str label;
    void (*put)(struct buf *b, const struct plan_info *plan);
};

/* In order; NULL after the last. */
const struct plan_term *plan_term_at(size_t i);
