/* When a kind of command last did its work; see last_run.h. */
#include "store/run/last_run.h"

#include "base/instant.h"
#include "store/row/meta.h"

static const struct str names[LAST_RUN_COUNT] = {
    [LAST_IMPORT] = STR_INIT("last_import"),   [LAST_INGEST] = STR_INIT("last_ingest"),
    [LAST_BACKUP] = STR_INIT("last_backup"),   [LAST_MEMBERS] = STR_INIT("last_members"),
    [LAST_SYMBOLS] = STR_INIT("last_symbols"),
};

enum err last_run_note(struct db *db, enum last_run run, int64_t now_ms, struct fail *fail)
{
    ARENA_SCOPED(arena);
    return meta_set(db, names[run], arena_fmt(&arena, "%lld", (long long)now_ms), fail);
}

enum err last_run_read(struct db *db, int64_t ret[static LAST_RUN_COUNT], struct fail *fail)
{
    for (int i = 0; i < LAST_RUN_COUNT; i++)
        ret[i] = INSTANT_NONE;
    QUERY(q, db, "SELECT name, value FROM meta WHERE name LIKE 'last_%'");
    while (query_row(&q))
        for (int i = 0; i < LAST_RUN_COUNT; i++)
            if (str_eq(query_get_str(&q, 0), names[i]))
                str_to_i64(query_get_str(&q, 1), &ret[i]);
    return query_end(&q, fail);
}
