/*
 * How far the fetch of official documents has come. For admins: it counts the ledger's entries by
 * their own state, from an index. `coverage` (document.h) says more, at the cost of a walk over all
 * reports and drafts.
 */
#pragma once

#include "store/public/document.h"

enum sync_source {
    SYNC_SOURCE_HOUSE,
    SYNC_SOURCE_SENATE,
    SYNC_SOURCE_FILE, /* files that a person imported and that belong to no known report */
    SYNC_SOURCE_COUNT
};

struct str sync_source_name(enum sync_source source);

struct sync_state {
    struct str newest_id; /* the document whose bytes arrived last; null: none */
    int64_t newest_at;    /* when they arrived; INSTANT_NONE: never */
    int64_t indexed_at;   /* the newest import of an index; INSTANT_NONE: none */
    int64_t documents[DOCUMENT_STATE_COUNT];
    int64_t gone; /* of those: no index names them any more */
};

/* Strings live in the arena. */
enum err sync_state_read(
    struct db *db, enum sync_source source, struct arena *arena, struct sync_state *ret,
    struct fail *fail);

/* The drafts that wait for a reviewer, and those that are accepted and wait to be published. */
enum err sync_state_drafts(
    struct db *db, int64_t *ret_waiting, int64_t *ret_accepted, struct fail *fail);
