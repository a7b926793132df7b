/*
 * Steps with {online} in their text, on PostgreSQL: they create an index concurrently with writers,
 * which is impossible inside a transaction. One process at a time runs such a step, and the step
 * can be repeated. Private to src/db.
 */
#pragma once

#include "db/db.h"

bool migrate_is_online(const struct db *db, struct str text);

/* Waits until no other process runs such a step; ERR_BUSY: for too long. Statements may then take
 * as long as they need. */
enum err migrate_online_enter(struct db *db, struct fail *fail) MUST_CHECK;
/* Returns err, or else the error of leaving. */
enum err migrate_online_leave(struct db *db, enum err err, struct fail *fail) MUST_CHECK;
