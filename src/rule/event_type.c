/* The list of events; see event_type.h. */
#include "rule/event_type.h"

#include <assert.h>

#include "base/closed_list.h"

static const struct str names[EVENT_TYPE_COUNT] = {
    [EVENT_TRADE_PUBLISHED] = STR_INIT("trade.published"),
    [EVENT_TRADE_CORRECTED] = STR_INIT("trade.corrected"),
    [EVENT_TRADE_WITHDRAWN] = STR_INIT("trade.withdrawn"),
    [EVENT_TRADE_REINSTATED] = STR_INIT("trade.reinstated"),
};

ENUM_NAME(event_type_name, event_type, names[value], EVENT_TYPE_COUNT)

/* Publications send their event themselves, with its own body (spec 6.2). A signal is derived from
 * other data, and a sweep changes thousands at once. */
enum event_type event_type_of_change(enum change_kind kind)
{
    static const enum event_type types[CHANGE_KIND_COUNT] = {
        [CHANGE_CORRECTED] = EVENT_TRADE_CORRECTED,
        [CHANGE_WITHDRAWN] = EVENT_TRADE_WITHDRAWN,
        [CHANGE_REINSTATED] = EVENT_TRADE_REINSTATED,
    };
    assert(kind < CHANGE_KIND_COUNT);
    return types[kind];
}

/* EVENT_NONE: there is none of that name. */
static ENUM_FROM(from_name, event_type, names[value], EVENT_NONE + 1, EVENT_TYPE_COUNT, EVENT_NONE)

    bool event_types_are_valid(struct str text)
{
    int64_t set = 0;
    struct str name;
    while (str_split(&text, ',', &name)) {
        enum event_type type = from_name(name);
        if (type == EVENT_NONE || event_types_have(set, type))
            return false;
        set |= (int64_t)1 << type;
    }
    return true;
}
