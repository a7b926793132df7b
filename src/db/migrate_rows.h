/* Progress of a schema step that fills in rows. Private to src/db. */
#pragma once

#include "base/progress_hook.h"
#include "db/db.h"
#include "db/migrate_phase.h"

struct migrate_rows {
    const struct progress_hook *progress; /* NULL: no reports */
    int64_t done, total;
};

/* Enters MIGRATE_ROWS. `count` is a statement that selects the number of rows. */
enum err migrate_rows_begin(
    struct migrate_rows *rows, struct db *db, const char *count,
    const struct progress_hook *progress, struct fail *fail);
void migrate_rows_add(struct migrate_rows *rows, size_t count);
