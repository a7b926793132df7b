/*
 * Invented events, with bodies like those that webhooks send (spec 6.2, decision 47): for
 * `stockact trigger`, which needs no database. Nothing is published.
 */
#pragma once

#include "rule/event_type.h"

struct demo_event {
    struct str id; /* evt_ and 16 random hexadecimal digits */
    struct str type;
    struct str body;
};

/* Makes an event of this type, about one filing that was published or changed now. *ret is in the
 * arena. */
void demo_event_make(
    struct arena *arena, enum event_type type, int64_t now_ms, struct demo_event *ret);
