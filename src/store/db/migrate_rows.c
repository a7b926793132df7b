/* See migrate_rows.h. */
#include "store/db/migrate_rows.h"

enum err migrate_rows_begin(
    struct migrate_rows *rows, struct db *db, const char *count,
    const struct progress_hook *progress, struct fail *fail)
{
    struct query q;
    *rows = (struct migrate_rows){.progress = progress};
    query_start(&q, db, count);
    if (query_row(&q))
        rows->total = query_get_i64(&q, 0);
    enum err err = query_end(&q, fail);
    if (!err)
        progress_enter(progress, MIGRATE_ROWS, rows->total);
    return err;
}

void migrate_rows_add(struct migrate_rows *rows, size_t count)
{
    rows->done += (int64_t)count;
    progress_tell(rows->progress, rows->done, rows->total);
}
