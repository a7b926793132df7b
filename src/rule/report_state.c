/* The table of states of reports; see report_state.h. */
#include "rule/report_state.h"

#include <assert.h>

#include "base/closed_list.h"

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

ENUM_NAME(report_state_name, report_state, states[value].name, REPORT_STATE_COUNT)
ENUM_FIND(
    report_state_from_name, report_state, states[value].name, REPORT_NONE + 1, REPORT_STATE_COUNT)

bool report_state_is_of_draft(enum report_state state)
{
    return state >= REPORT_NEEDS_MANUAL && state < REPORT_STATE_COUNT;
}

bool report_state_is_waiting(enum report_state state)
{
    return state == REPORT_AWAITING_DOCUMENT ||
           (state >= REPORT_REFUSED && state <= REPORT_REJECTED);
}
