/* Marks on the database as a whole. */
#pragma once

#include "db/db.h"

/* Invented and real data never mix (docs/architecture.md, "Invariants"): the first import or demo
 * marks the database. */
enum meta_data { META_DATA_NONE, META_DATA_DEMO, META_DATA_REAL };

enum err meta_data_get(struct db *db, enum meta_data *ret, struct fail *fail);

/* Call inside the transaction that writes the data. ERR_REFUSED: the database is marked as the
 * other kind. */
enum err meta_data_claim(struct db *db, enum meta_data data, struct fail *fail);

/* ERR_NOT_FOUND: never set. The text lives in the arena. */
enum err meta_get(
    struct db *db, struct str name, struct arena *arena, struct str *ret, struct fail *fail);
enum err meta_set(struct db *db, struct str name, struct str value, struct fail *fail);
