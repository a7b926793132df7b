/*
 * The last flush of month counts that the database holds. A server that loses PostgreSQL during a
 * commit cannot know whether the commit happened. The mark is written in the same transaction and
 * answers that later, so that no draw is counted twice. One row per server; deleted at a clean
 * stop.
 */
#pragma once

#include "db/db.h"

/* `server` is a name that no other server has. */
enum err flush_mark_set(struct db *db, struct str server, int64_t no, struct fail *fail);
/* *ret is 0 if there is no mark. SQLite has none, and then it is -1: a failed commit changed
 * nothing, because a server ends if that is in doubt. */
enum err flush_mark_get(struct db *db, struct str server, int64_t *ret, struct fail *fail);
enum err flush_mark_remove(struct db *db, struct str server, struct fail *fail);
