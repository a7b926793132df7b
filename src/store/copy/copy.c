/* The steps of a copy in their order; see copy.h. */
#include "store/copy/copy.h"

#include "base/clock.h"
#include "base/codec.h"
#include "db/migrate.h"
#include "store/copy/copy_guard.h"
#include "store/copy/copy_parts.h"

enum {
    FOLLOW_MAX = 20,  /* passes before the last step, however busy the source is */
    FOLLOW_FEW = 100, /* so few changes need no other pass before it */
};

struct marks {
    struct copy_mark source, target;
};

static enum err read_schemas(struct copy_work *work, struct fail *fail)
{
    struct copy_schema other;
    TRY(migrate_applied(work->from, &work->applied, fail));
    TRY(copy_schema_read(work->from, work->arena, &work->schema, fail));
    TRY(copy_schema_read(work->to, work->arena, &other, fail));
    return copy_schema_compare(&work->schema, &other, fail);
}

/* Marks */

/* For copy_guard.h: with all tables locked, so that no other copy and no cancelling comes between.
 */
struct source_step {
    struct copy_work *work;
    const struct copy_mark *mark; /* after it */
};

static enum err mark_begun(struct db *db, void *ctx, struct fail *fail)
{
    struct source_step *step = ctx;
    struct copy_mark other;
    TRY(copy_mark_get(db, COPY_SOURCE, step->work->arena, &other, fail));
    if (other.state != COPY_NONE)
        return fail_set(
            fail, ERR_REFUSED, "%.*s is being copied to %.*s", STR_ARG(db_name(db)),
            STR_ARG(other.other));
    TRY(copy_source_check_schema(step->work, fail));
    return copy_mark_set(db, COPY_SOURCE, step->mark, fail);
}

static enum err mark_closed(struct db *db, void *ctx, struct fail *fail)
{
    struct source_step *step = ctx;
    TRY(copy_source_check(step->work, COPY_FOLLOWING, fail));
    TRY(copy_source_check_schema(step->work, fail));
    return copy_mark_set(db, COPY_SOURCE, step->mark, fail);
}

static enum err mark_reopened(struct db *db, void *ctx, struct fail *fail)
{
    struct source_step *step = ctx;
    TRY(copy_source_check(step->work, COPY_NONE, fail));
    return copy_mark_set(db, COPY_SOURCE, step->mark, fail);
}

static struct str new_id(struct arena *arena)
{
    uint8_t bytes[COPY_ID_SIZE / 2];
    char text[COPY_ID_SIZE];
    random_bytes(bytes, sizeof bytes);
    hex_encode(bytes, sizeof bytes, text);
    return arena_str(arena, str_of(text, sizeof text));
}

static enum err check_marks(
    const struct copy_work *work, const struct marks *marks, struct fail *fail)
{
    const struct copy_mark *source = &marks->source, *target = &marks->target;
    bool pair = source->state && target->state && str_eq(source->id, target->id);
    if (pair)
        return OK;
    if (target->state == COPY_FILLING || target->state == COPY_FILLED)
        return fail_set(
            fail, ERR_REFUSED,
            "%.*s holds an unfinished copy of %.*s: finish that copy, or drop that database",
            STR_ARG(db_name(work->to)), STR_ARG(target->other));
    if (source->state && !str_eq(source->other, db_name(work->to)))
        return fail_set(
            fail, ERR_REFUSED,
            "%.*s is being copied to %.*s, or was: cancel that copy with `stockact copy --cancel`",
            STR_ARG(db_name(work->from)), STR_ARG(source->other));
    if (source->state == COPY_CLOSED)
        return fail_set(
            fail, ERR_REFUSED, "%.*s was moved before, and %.*s is not that copy",
            STR_ARG(db_name(work->from)), STR_ARG(db_name(work->to)));
    if (target->state == COPY_WHOLE)
        return fail_set(
            fail, ERR_EXISTS, "%.*s: this database is not empty", STR_ARG(db_name(work->to)));
    return OK;
}

static enum err read_marks(struct copy_work *work, struct marks *ret, struct fail *fail)
{
    TRY(copy_mark_get(work->from, COPY_SOURCE, work->arena, &ret->source, fail));
    TRY(copy_mark_get(work->to, COPY_TARGET, work->arena, &ret->target, fail));
    return check_marks(work, ret, fail);
}

/* Begins the copy, or finds where it was. */
static enum err begin(struct copy_work *work, struct marks *marks, struct fail *fail)
{
    enum err err = OK;
    if (marks->target.state == COPY_NONE)
        err = copy_target_expect_empty(work, fail);
    if (!err && marks->source.state == COPY_NONE) {
        marks->source = (struct copy_mark){
            .state = COPY_FOLLOWING,
            .id = new_id(work->arena),
            .other = db_name(work->to),
            .at = clock_wall_ms(),
        };
        struct source_step step = {work, &marks->source};
        err = copy_guard_note(work->from, &work->schema, mark_begun, &step, fail);
    }
    work->id = marks->source.id;
    if (!err && marks->target.state == COPY_NONE) {
        marks->target = marks->source;
        marks->target.state = COPY_FILLING;
        marks->target.other = db_name(work->from);
        err = copy_target_claim(work, &marks->target, fail);
    }
    return err;
}

static enum err set_target_state(
    struct copy_work *work, struct marks *marks, enum copy_state state, struct fail *fail)
{
    TRY(copy_target_begin(work, fail));
    marks->target.state = state;
    enum err err = copy_mark_set(work->to, COPY_TARGET, &marks->target, fail);
    return db_end(work->to, err, fail);
}

/* Steps */

/* Until few changes are left. */
static enum err follow(struct copy_work *work, struct copy_report *report, struct fail *fail)
{
    int64_t count = FOLLOW_FEW;
    enum err err = OK;
    for (int i = 0; !err && i < FOLLOW_MAX && count >= FOLLOW_FEW; i++) {
        err = copy_follow(work, NULL, &count, fail);
        report->changed += count;
    }
    return err;
}

/* Everything that takes long: the source is in use. */
static enum err prepare(
    struct copy_work *work, struct marks *marks, struct copy_report *report, struct fail *fail)
{
    int64_t count = 0;
    if (marks->target.state == COPY_FILLING) {
        TRY(copy_fill(work, fail));
        TRY(set_target_state(work, marks, COPY_FILLED, fail));
    }
    TRY(follow(work, report, fail));
    TRY(copy_target_tie(work, fail));
    TRY(copy_follow(work, report, &count, fail));
    report->changed += count;
    return follow(work, report, fail);
}

/* Reads the mark of the target, and keeps it as it is until the end of the transaction that this
 * begins. After a lost connection its transaction may still be on its way: then this waits for it.
 */
static enum err hold_target(struct copy_work *work, enum copy_state *ret, struct fail *fail)
{
    struct copy_mark mark;
    TRY(db_begin(work->to, fail));
    enum err err = db_exec(work->to, "UPDATE copy_mark SET at = at WHERE role = 'target'", fail);
    if (!err)
        err = copy_mark_get(work->to, COPY_TARGET, work->arena, &mark, fail);
    *ret = err ? COPY_NONE : mark.state;
    return err;
}

/* The last step failed. The source takes changes again, unless the target is whole, or may be.
 * `closed`: it is certain that the source was closed. */
static enum err reopen(
    struct copy_work *work, struct marks *marks, bool closed, enum err why, struct fail *fail)
{
    struct source_step step = {work, &marks->source};
    enum copy_state state;
    enum err err = hold_target(work, &state, NULL);
    bool whole = !err && state == COPY_WHOLE;
    if (!err && !whole) {
        marks->source.state = COPY_FOLLOWING;
        err = copy_guard_reopen(work->from, &work->schema, mark_reopened, &step, NULL);
    }
    db_rollback(work->to);
    if (whole)
        return OK; /* only the answer was lost */
    if (!err || work->cancelled || !fail)
        return why;
    struct str said = arena_str(work->arena, str_from(fail->text));
    return fail_set(
        fail, why, "%.*s; %.*s %s no changes until you run this again, or `stockact copy --cancel`",
        STR_ARG(said), STR_ARG(db_name(work->from)), closed ? "takes" : "may take");
}

static enum err close_source(struct copy_work *work, struct marks *marks, struct fail *fail)
{
    struct source_step step = {work, &marks->source};
    if (marks->source.state == COPY_CLOSED)
        return OK;
    marks->source.state = COPY_CLOSED;
    marks->source.at = clock_wall_ms();
    return copy_guard_close(work->from, &work->schema, mark_closed, &step, fail);
}

static enum err finish(struct copy_work *work, struct marks *marks, int64_t *ret, struct fail *fail)
{
    TRY(copy_follow(work, NULL, ret, fail));
    TRY(copy_source_hold(work, fail));
    marks->target.state = COPY_WHOLE;
    marks->target.at = clock_wall_ms();
    enum err err = copy_target_finish(work, &marks->target, fail);
    db_rollback(work->from);
    return err;
}

/* The last step: nothing changes any more. */
static enum err move(
    struct copy_work *work, struct marks *marks, struct copy_report *report, struct fail *fail)
{
    int64_t count = 0, from_ms = clock_mono_ms();
    enum err err = close_source(work, marks, fail);
    if (err == ERR_BUSY || err == ERR_REFUSED)
        return err; /* it is as it was; after any other error it may be closed */
    bool closed = !err;
    if (closed)
        err = finish(work, marks, &count, fail);
    if (err)
        err = reopen(work, marks, closed, err, fail);
    report->changed += count;
    report->read_only_ms = clock_mono_ms() - from_ms;
    return err;
}

enum err copy_run(
    struct db *from, struct db *to, struct arena *arena, const struct progress_hook *progress,
    struct copy_report *ret, struct fail *fail)
{
    struct copy_work work = {.from = from, .to = to, .arena = arena, .progress = progress};
    struct marks marks = {0};
    *ret = (struct copy_report){0};
    if (str_eq(db_name(from), db_name(to)))
        return fail_set(
            fail, ERR_REFUSED, "%.*s: the source and the target are the same database",
            STR_ARG(db_name(to)));
    TRY(read_schemas(&work, fail));
    TRY(copy_target_lock(&work, fail));
    TRY(read_marks(&work, &marks, fail));
    ret->was_whole = marks.target.state == COPY_WHOLE;
    if (ret->was_whole)
        return OK;
    TRY(bulk_unchecked(to, fail));
    TRY(begin(&work, &marks, fail));
    TRY(prepare(&work, &marks, ret, fail));
    return move(&work, &marks, ret, fail);
}

enum err copy_compare(
    struct db *a, struct db *b, struct arena *arena, const struct progress_hook *progress,
    struct copy_report *ret, struct fail *fail)
{
    struct copy_work work = {.from = a, .to = b, .arena = arena, .progress = progress};
    *ret = (struct copy_report){0};
    TRY(read_schemas(&work, fail));
    TRY(db_begin_read(a, fail));
    enum err err = db_begin_read(b, fail);
    if (!err)
        err = copy_compare_all(&work, ret, fail);
    db_rollback(b);
    db_rollback(a);
    return err;
}

/* Cancelling */

static enum err forget_copy(struct db *db, void *ctx, struct fail *fail)
{
    TRY(db_exec(db, "DELETE FROM copy_change", fail));
    return copy_mark_remove(db, COPY_SOURCE, fail);
}

enum err copy_cancel(struct db *from, struct arena *arena, struct copy_mark *ret, struct fail *fail)
{
    struct copy_schema schema;
    TRY(copy_mark_get(from, COPY_SOURCE, arena, ret, fail));
    if (ret->state == COPY_NONE)
        return fail_set(
            fail, ERR_NOT_FOUND, "%.*s: no copy of this database was begun",
            STR_ARG(db_name(from)));
    TRY(copy_schema_read(from, arena, &schema, fail));
    return copy_guard_open(from, &schema, forget_copy, NULL, fail);
}
