/* The events that an endpoint can receive (spec 6.2, decision 47), as a closed list. */
#pragma once

#include "rule/model.h"

enum event_type {
    EVENT_NONE,
    EVENT_TRADE_PUBLISHED,
    EVENT_TRADE_CORRECTED,
    EVENT_TRADE_WITHDRAWN,
    EVENT_TRADE_REINSTATED,
    EVENT_TYPE_COUNT
};

struct str event_type_name(enum event_type type);

/* The event for changes of this kind; EVENT_NONE: they send none. */
enum event_type event_type_of_change(enum change_kind kind);

/* A set of types: bit `1 << type`. */
enum { EVENT_TYPES_ALL = (1 << EVENT_TYPE_COUNT) - (1 << EVENT_TRADE_PUBLISHED) };

static inline bool event_types_have(int64_t set, enum event_type type)
{
    return set >> type & 1;
}

/* Whether it is one or more different names with commas between them, the form in which the events
 * of an endpoint are stored and given on the command line. */
bool event_types_are_valid(struct str text);
