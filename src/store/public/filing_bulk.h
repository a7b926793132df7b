/*
 * What PostgreSQL does for each row of the tables that a bulk publication fills: it checks foreign
 * keys and adds to indexes. Done once for all rows, both take a fraction of the time. Nobody else
 * can use these tables meanwhile, so this is for a database without trades that no server uses.
 *
 * Inside one transaction: bulk_rules_drop, the rows, bulk_rules_add. A rollback brings the rules
 * back as well.
 */
#pragma once

#include "db/db.h"

struct bulk_rules {
    const char **add; /* statements that bring the rules back */
    size_t count;     /* 0: nothing was dropped */
};

/* Drops nothing on SQLite, while a server runs on the database or others use the tables, if there
 * are trades already, and if the tables belong to another user. From now on this connection waits
 * for long statements. The statements live in the arena. */
enum err bulk_rules_drop(
    struct db *db, struct arena *arena, struct bulk_rules *ret, struct fail *fail);

/* Fails if a row names one that is not there. */
enum err bulk_rules_add(struct db *db, const struct bulk_rules *rules, struct fail *fail);
