/*
 * The states of a draft between its document and publication, and the actions that move it: one
 * table (spec 3 leaves it open). The part review decides who may act and which other conditions
 * hold.
 */
#pragma once

#include "base/str.h"

enum draft_state {
    DRAFT_WAITING,    /* "draft": waits for a reviewer */
    DRAFT_IN_REVIEW,  /* claimed by one reviewer until the claim expires */
    DRAFT_ACCEPTED,   /* ready to publish */
    DRAFT_REJECTED,   /* not to be published, unless it is claimed again */
    DRAFT_PUBLISHED,  /* its filing is public as the draft says, except for held rows */
    DRAFT_AMENDED,    /* was published; a later filing amends it */
    DRAFT_SUPERSEDED, /* replaced by a later version of the document before publication */
    DRAFT_STATE_COUNT
};

enum draft_action {
    DRAFT_CLAIM,
    DRAFT_EDIT,
    DRAFT_ACCEPT_FIRST, /* a second person must accept too */
    DRAFT_ACCEPT,
    DRAFT_REJECT,
    DRAFT_REPORT_NOTHING, /* its document says that there is nothing to report */
    DRAFT_PUBLISH,
    DRAFT_AMEND,     /* a filing that amends it was published */
    DRAFT_SUPERSEDE, /* another version of its document was read */
    DRAFT_ACTION_COUNT
};

/* What a paper filing needs besides the person who entered it, if two people must type it. */
enum draft_entry {
    DRAFT_ENTRY_NONE,   /* nothing, or the first person has not finished */
    DRAFT_ENTRY_SECOND, /* a second person types it without seeing the draft */
    DRAFT_ENTRY_THIRD,  /* a third person decides about the differences */
    DRAFT_ENTRY_TWICE,  /* typed twice, and every difference was decided */
    DRAFT_ENTRY_COUNT
};

struct str draft_entry_name(enum draft_entry entry);     /* "second"; null for DRAFT_ENTRY_NONE */
enum draft_entry draft_entry_from_name(struct str name); /* DRAFT_ENTRY_NONE for another text */

/* Names as stored and shown. */
struct str draft_state_name(enum draft_state state);
bool draft_state_from_name(struct str name, enum draft_state *ret);
struct str draft_action_name(enum draft_action action);

/* false: the action is not allowed in that state. */
bool draft_step(enum draft_state state, enum draft_action action, enum draft_state *ret_next);
