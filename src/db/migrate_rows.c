/* See migrate_rows.h. */
#include "db/migrate_rows.h"

enum err migrate_rows_begin(
    struct migrate_rows *rows, struct db *db, const char *count,
    const struct progress_hook *progress, struct fail *fail)
{
    *rows = (struct migrate_rows){.progress = progress};
    TRY(query_number(db, &rows->total, fail, count));
    progress_enter(progress, MIGRATE_ROWS, rows->total);
    return OK;
}

void migrate_rows_add(struct migrate_rows *rows, size_t count)
{
    rows->done += (int64_t)count;
    progress_tell(rows->progress, rows->done, rows->total);
}
