/*
 * The marks of a copy: its source and its target each have one, with the same id. With them a
 * killed copy can continue, and db/store.c refuses a database that is incomplete or was
 * moved.
 */
#pragma once

#include "db/db.h"

enum copy_role { COPY_SOURCE, COPY_TARGET };

enum copy_state {
    COPY_NONE,      /* no mark */
    COPY_FOLLOWING, /* source: its changes are noted */
    COPY_CLOSED,    /* source: it refuses changes */
    COPY_FILLING,   /* target: rows may be missing */
    COPY_FILLED,    /* target: has all rows, but lacks later changes */
    COPY_WHOLE,     /* target: the copy is finished */
};

enum { COPY_ID_SIZE = 16 };

struct copy_mark {
    enum copy_state state;
    struct str id;    /* in the arena, as the next */
    struct str other; /* the name of the other database */
    int64_t at;       /* time of this state: Unix time in milliseconds */
};

enum err copy_mark_get(
    struct db *db, enum copy_role role, struct arena *arena, struct copy_mark *ret,
    struct fail *fail);
enum err copy_mark_set(
    struct db *db, enum copy_role role, const struct copy_mark *mark, struct fail *fail);
enum err copy_mark_remove(struct db *db, enum copy_role role, struct fail *fail);
