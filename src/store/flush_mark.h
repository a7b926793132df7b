/*
 * Which flush of month counts the database holds. A server that loses PostgreSQL while it commits
 * cannot know what became of the commit; the mark is written in the same transaction and tells it
 * afterwards, so that no draw is counted twice. One row per server; removed at a clean stop.
 */
#pragma once

#include "store/db/db.h"

/* `server` is a name that no other server has. */
enum err flush_mark_set(struct db *db, struct str server, int64_t no, struct fail *fail) MUST_CHECK;
/* *ret = 0: there is none. */
enum err flush_mark_get(struct db *db, struct str server, int64_t *ret, struct fail *fail)
    MUST_CHECK;
enum err flush_mark_remove(struct db *db, struct str server, struct fail *fail) MUST_CHECK;
