/* The table of actions; see action.h. */
#include "rule/action.h"

#include <assert.h>

#define ROW(action, name, ...) [action] = {STR_INIT(name), __VA_ARGS__},

static const struct action_info actions[ACTION_COUNT] = {ACTIONS(ROW)};

const struct action_info *action_info(enum action action)
{
    assert(action < ACTION_COUNT);
    return &actions[action];
}

struct str action_who_name(enum action_who who)
{
    static const struct str names[] = {
        [ACTION_ANYONE] = STR_INIT("anyone"),
        [ACTION_OWNER] = STR_INIT("owner"),
        [ACTION_REVIEWER] = STR_INIT("reviewer"),
        [ACTION_ADMIN] = STR_INIT("admin"),
    };
    assert(who <= ACTION_ADMIN);
    return names[who];
}
