/* Whether the source of a copy is still this copy's; see copy_parts.h. */
#include "store/copy/copy_parts.h"

#include "db/migrate.h"

enum err copy_source_check(struct copy_work *work, enum copy_state state, struct fail *fail)
{
    struct copy_mark mark;
    ARENA_SCOPED(arena);
    enum err err = copy_mark_get(work->from, COPY_SOURCE, &arena, &mark, fail);
    if (!err && (mark.state == COPY_NONE || !str_eq(mark.id, work->id))) {
        work->cancelled = true;
        err = fail_set(
            fail, ERR_REFUSED, "%.*s: this copy was cancelled", STR_ARG(db_name(work->from)));
    } else if (!err && state != COPY_NONE && mark.state != state) {
        err = fail_set(
            fail, ERR_REFUSED, "%.*s: another `stockact copy` continues this copy",
            STR_ARG(db_name(work->from)));
    }
    return err;
}

enum err copy_source_check_schema(struct copy_work *work, struct fail *fail)
{
    int applied;
    TRY(migrate_applied(work->from, &applied, fail));
    if (applied != work->applied)
        return fail_set(
            fail, ERR_REFUSED,
            "%.*s: its schema was migrated while it was copied: run `stockact copy --cancel`, and "
            "copy it to an empty database",
            STR_ARG(db_name(work->from)));
    return OK;
}

enum err copy_source_hold(struct copy_work *work, struct fail *fail)
{
    TRY(db_begin(work->from, fail));
    enum err err = db_exec(work->from, "UPDATE copy_mark SET at = at WHERE role = 'source'", fail);
    if (!err)
        err = copy_source_check(work, COPY_CLOSED, fail);
    if (err)
        db_rollback(work->from);
    return err;
}
