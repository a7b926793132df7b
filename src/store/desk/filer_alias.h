/* Printed filer names that a person matched to a member, so that the same name is matched without
 * asking again. */
#pragma once

#include "db/db.h"
#include "rule/model.h"

struct filer_alias {
    enum chamber chamber;
    struct str name;          /* folded by filer_folded, see people/filer.h */
    struct str state;         /* null: not printed */
    int district;             /* -1: not printed */
    struct str politician_id; /* read: in the arena */
    struct str by;
};

/* Fills politician_id. ERR_NOT_FOUND: no alias. */
enum err filer_alias_find(
    struct db *db, struct filer_alias *alias, struct arena *arena, struct fail *fail);

/* Replaces an earlier match of that name. ERR_NOT_FOUND: no such member. */
enum err filer_alias_put(
    struct db *db, const struct filer_alias *alias, int64_t now_ms, struct fail *fail);
