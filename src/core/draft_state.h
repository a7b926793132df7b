/*
 * Where a draft stands between its document and the public, and what may happen to it there: one
 * table (spec 3 leaves it open). Who may do it and what else must hold is review's.
 */
#pragma once

#include "base/str.h"

enum draft_state {
    DRAFT_WAITING,    /* "draft": nobody looks at it */
    DRAFT_IN_REVIEW,  /* one reviewer holds it, until the claim expires */
    DRAFT_ACCEPTED,   /* may be published */
    DRAFT_REJECTED,   /* will not be, unless somebody takes it up again */
    DRAFT_PUBLISHED,  /* its filing is public as it says, but for rows that are held */
    DRAFT_AMENDED,    /* was published; a later filing amends it */
    DRAFT_SUPERSEDED, /* a later version of the document took its place before it was published */
    DRAFT_STATE_COUNT
};

enum draft_action {
    DRAFT_CLAIM,
    DRAFT_EDIT,
    DRAFT_ACCEPT_FIRST, /* a second person must accept too */
    DRAFT_ACCEPT,
    DRAFT_REJECT,
    DRAFT_PUBLISH,
    DRAFT_AMEND,     /* a filing that amends it was published */
    DRAFT_SUPERSEDE, /* another version of its document was read */
    DRAFT_ACTION_COUNT
};

/* Names as stored and shown. */
struct str draft_state_name(enum draft_state state);
bool draft_state_from_name(struct str name, enum draft_state *ret);
struct str draft_action_name(enum draft_action action);

/* false: that action is not possible in that state. */
bool draft_step(enum draft_state state, enum draft_action action, enum draft_state *ret_next);
