/* Ids that the service assigns: a prefix and 16 random hex digits. Private to src/store. */
#pragma once

#include "db/db.h"
#include "db/dialect.h"

enum { ID_RANDOM_SIZE = 16 };

/* Writes prefix.n + ID_RANDOM_SIZE characters, no NUL. */
void id_make(struct str prefix, char *ret);

/* Numbers of many rows by their ids, with one request on PostgreSQL. */

/* `at_once`: a statement that takes a JSON array of ids, and returns the number of each, or NULL,
 * in the order of the ids; without a text on SQLite, where `one` runs for each id ($1). ret[i]: 0
 * if there is no such row. */
enum err id_numbers(
    struct db *db, enum dialect at_once, const char *one, const struct str *ids, size_t n,
    int64_t *ret, struct fail *fail);
