/* What must be run once after an upgrade; see upgrade.h. */
#include "store/run/upgrade.h"

#include <assert.h>

#include "db/migrate.h"
#include "store/row/meta.h"

#define DONE "upgrade_done_" /* and the name of the task: a mark with the schema of that day */

static const struct upgrade_task_info tasks[UPGRADE_TASK_COUNT] = {
    [UPGRADE_MEMBERS] =
        {STR_INIT("members"), 14, STR_INIT("members import FILE..."),
         STR_INIT("Import the terms of former members.")},
    [UPGRADE_CORRECT] =
        {STR_INIT("correct"), 14, STR_INIT("members correct --by EMAIL --reason TEXT"),
         STR_INIT("Correct party and state of published trades to those of the filing's day.")},
    [UPGRADE_REREAD] =
        {STR_INIT("reread"), 14, STR_INIT("reread --by EMAIL"),
         STR_INIT("Read the documents of published filings again.")},
    [UPGRADE_AUDIT] =
        {STR_INIT("audit"), 14, STR_INIT("audit"),
         STR_INIT("Compare published filings with their documents.")},
    [UPGRADE_SCANS] =
        {STR_INIT("scans"), 25, STR_INIT("review scan --all-waiting"),
         STR_INIT("Read the scans that wait for review.")},
    [UPGRADE_CHECK] =
        {STR_INIT("check"), 46, STR_INIT("check"),
         STR_INIT("Look for stored times that are in the future.")},
};

const struct upgrade_task_info *upgrade_task_info(enum upgrade_task task)
{
    assert(task < UPGRADE_TASK_COUNT);
    return &tasks[task];
}

enum err upgrade_due(struct db *db, unsigned *ret, int *ret_schema, struct fail *fail)
{
    int64_t schema = 0, done[UPGRADE_TASK_COUNT] = {0};
    QUERY(q, db, "SELECT name, value FROM meta WHERE name LIKE 'upgrade%'");
    while (query_row(&q)) {
        struct str name = query_get_str(&q, 0), value = query_get_str(&q, 1);
        if (str_eq(name, STR(MIGRATE_UPGRADED_FROM)))
            str_to_i64(value, &schema);
        for (int i = 0; i < UPGRADE_TASK_COUNT && str_starts(name, STR(DONE)); i++)
            if (str_eq(str_slice(name, sizeof DONE - 1, name.n), tasks[i].name))
                str_to_i64(value, &done[i]);
    }
    *ret = 0;
    *ret_schema = (int)schema;
    for (unsigned i = 0; i < UPGRADE_TASK_COUNT; i++)
        if (schema && schema < tasks[i].before && done[i] < tasks[i].before)
            *ret |= 1U << i;
    return query_end(&q, fail);
}

enum err upgrade_done(struct db *db, enum upgrade_task task, struct fail *fail)
{
    ARENA_SCOPED(arena);
    return meta_set(
        db, arena_fmt(&arena, DONE "%.*s", STR_ARG(upgrade_task_info(task)->name)),
        arena_fmt(&arena, "%d", migrate_latest()), fail);
}
