/* The table of states and actions; see draft_state.h. */
#include "rule/draft_state.h"

#include <assert.h>

#include "base/closed_list.h"

static const struct str state_names[DRAFT_STATE_COUNT] = {
    [DRAFT_WAITING] = STR_INIT("draft"),         [DRAFT_IN_REVIEW] = STR_INIT("in_review"),
    [DRAFT_ACCEPTED] = STR_INIT("accepted"),     [DRAFT_REJECTED] = STR_INIT("rejected"),
    [DRAFT_PUBLISHED] = STR_INIT("published"),   [DRAFT_AMENDED] = STR_INIT("amended"),
    [DRAFT_SUPERSEDED] = STR_INIT("superseded"),
};

static const struct str action_names[DRAFT_ACTION_COUNT] = {
    [DRAFT_CLAIM] = STR_INIT("claim"),
    [DRAFT_EDIT] = STR_INIT("edit"),
    [DRAFT_ACCEPT_FIRST] = STR_INIT("accept_first"),
    [DRAFT_ACCEPT] = STR_INIT("accept"),
    [DRAFT_REJECT] = STR_INIT("reject"),
    [DRAFT_REPORT_NOTHING] = STR_INIT("nothing_reported"),
    [DRAFT_PUBLISH] = STR_INIT("publish"),
    [DRAFT_AMEND] = STR_INIT("amend"),
    [DRAFT_SUPERSEDE] = STR_INIT("supersede"),
};

/* One past the next state, so that 0 means "not allowed". Claiming a settled draft reopens it: a
 * published or amended one to release a held row, or to correct what is public. */
#define TO(state) ((state) + 1)

static const unsigned char steps[DRAFT_STATE_COUNT][DRAFT_ACTION_COUNT] = {
    [DRAFT_WAITING] =
        {
            [DRAFT_CLAIM] = TO(DRAFT_IN_REVIEW),
            [DRAFT_SUPERSEDE] = TO(DRAFT_SUPERSEDED),
        },
    [DRAFT_IN_REVIEW] =
        {
            [DRAFT_CLAIM] = TO(DRAFT_IN_REVIEW),
            [DRAFT_EDIT] = TO(DRAFT_IN_REVIEW),
            [DRAFT_ACCEPT_FIRST] = TO(DRAFT_WAITING),
            [DRAFT_ACCEPT] = TO(DRAFT_ACCEPTED),
            [DRAFT_REJECT] = TO(DRAFT_REJECTED),
            [DRAFT_REPORT_NOTHING] = TO(DRAFT_REJECTED),
            [DRAFT_SUPERSEDE] = TO(DRAFT_SUPERSEDED),
        },
    [DRAFT_ACCEPTED] =
        {
            [DRAFT_CLAIM] = TO(DRAFT_IN_REVIEW),
            [DRAFT_PUBLISH] = TO(DRAFT_PUBLISHED),
            [DRAFT_SUPERSEDE] = TO(DRAFT_SUPERSEDED),
        },
    [DRAFT_REJECTED] =
        {
            [DRAFT_CLAIM] = TO(DRAFT_IN_REVIEW),
            [DRAFT_SUPERSEDE] = TO(DRAFT_SUPERSEDED),
        },
    [DRAFT_PUBLISHED] =
        {
            [DRAFT_CLAIM] = TO(DRAFT_IN_REVIEW),
            [DRAFT_AMEND] = TO(DRAFT_AMENDED),
        },
    [DRAFT_AMENDED] =
        {
            [DRAFT_CLAIM] = TO(DRAFT_IN_REVIEW),
            [DRAFT_AMEND] = TO(DRAFT_AMENDED),
        },
};

static const struct str entry_names[DRAFT_ENTRY_COUNT] = {
    [DRAFT_ENTRY_SECOND] = STR_INIT("second"),
    [DRAFT_ENTRY_THIRD] = STR_INIT("third"),
    [DRAFT_ENTRY_TWICE] = STR_INIT("twice"),
};

ENUM_NAME(draft_entry_name, draft_entry, entry_names[value], DRAFT_ENTRY_COUNT)
ENUM_FROM(
    draft_entry_from_name, draft_entry, entry_names[value], DRAFT_ENTRY_SECOND, DRAFT_ENTRY_COUNT,
    DRAFT_ENTRY_NONE)
ENUM_NAME(draft_state_name, draft_state, state_names[value], DRAFT_STATE_COUNT)
ENUM_FIND(draft_state_from_name, draft_state, state_names[value], 0, DRAFT_STATE_COUNT)
ENUM_NAME(draft_action_name, draft_action, action_names[value], DRAFT_ACTION_COUNT)

bool draft_step(enum draft_state state, enum draft_action action, enum draft_state *ret_next)
{
    assert(state < DRAFT_STATE_COUNT && action < DRAFT_ACTION_COUNT);
    if (!steps[state][action])
        return false;
    *ret_next = (enum draft_state)(steps[state][action] - 1);
    return true;
}
