/* The list of events; see event_type.h. */
#include "core/event_type.h"

#include <assert.h>

static const struct str names[EVENT_TYPE_COUNT] = {
    [EVENT_TRADE_PUBLISHED] = STR_INIT("trade.published"),
    [EVENT_TRADE_CORRECTED] = STR_INIT("trade.corrected"),
    [EVENT_TRADE_WITHDRAWN] = STR_INIT("trade.withdrawn"),
    [EVENT_TRADE_REINSTATED] = STR_INIT("trade.reinstated"),
};

struct str event_type_name(enum event_type type)
{
    assert(type < EVENT_TYPE_COUNT);
    return names[type];
}

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

bool event_types_are_valid(struct str text)
{
    bool seen[EVENT_TYPE_COUNT] = {false};
    struct str name;
    while (str_split(&text, ',', &name)) {
        int type = 1;
        while (type < EVENT_TYPE_COUNT && !str_eq(names[type], name))
            type++;
        if (type == EVENT_TYPE_COUNT || seen[type])
            return false;
        seen[type] = true;
    }
    return true;
}
