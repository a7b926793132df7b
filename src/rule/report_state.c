/* The table of states of reports; see report_state.h. */
#include "rule/report_state.h"

#include <assert.h>

static const struct report_state_info states[REPORT_STATE_COUNT] = {
#define REPORT_STATE_ROW(constant, name, words, meaning, moves)                                    \
    [REPORT_##constant] = {STR_INIT(name), STR_INIT(words), STR_INIT(meaning), STR_INIT(moves)},
    REPORT_STATES(REPORT_STATE_ROW)
#undef REPORT_STATE_ROW
};

const struct report_state_info *report_state_info(enum report_state state)
{
    assert(state > REPORT_NONE && state < REPORT_STATE_COUNT);
    return &states[state];
}

struct str report_state_name(enum report_state state)
{
    assert(state < REPORT_STATE_COUNT);
    return states[state].name;
}

bool report_state_from_name(struct str name, enum report_state *ret)
{
    for (int i = REPORT_NONE + 1; i < REPORT_STATE_COUNT; i++)
        if (str_eq(states[i].name, name)) {
            *ret = (enum report_state)i;
            return true;
        }
    return false;
}

bool report_state_is_of_draft(enum report_state state)
{
    return state >= REPORT_NEEDS_MANUAL && state < REPORT_STATE_COUNT;
}

bool report_state_is_waiting(enum report_state state)
{
    return state == REPORT_AWAITING_DOCUMENT ||
           (state >= REPORT_REFUSED && state <= REPORT_REJECTED);
}
