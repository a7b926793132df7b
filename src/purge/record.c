/* Records a failing purge; see record.h. */
#include "purge/record.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/json_out.h"
#include "base/mem.h"
#include "store/run/job.h"

#define JOB job_name(JOB_PURGE)

static void note_last(void *ctx, const struct job_run *run)
{
    *(enum job_state *)ctx = run->state;
}

static struct str result_of(struct buf *b, const char *reason)
{
    struct json_out j;
    json_init(&j, b);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "error", str_from(reason));
    json_object_end(&j);
    return buf_view(b);
}

/* A success is recorded only after a recorded failure, which may be from before the start. */
static enum err run(struct db *db, void *ctx, struct fail *fail)
{
    const struct record *record = ctx;
    enum job_state last = JOB_NEVER;
    int64_t now_ms = clock_wall_ms(), no;
    bool failed = record->reason[0] != '\0';
    BUF_SCOPED(b, 4 * RECORD_REASON_SIZE);
    enum err err = job_run_each(db, JOB, INT64_MAX, 1, now_ms, note_last, &last, fail);
    if (err || (!failed && last != JOB_FAILED))
        return err;
    err = job_run_begin(db, JOB, str_from(record->server), now_ms, &no, fail);
    if (!err)
        err = job_run_end(
            db, no, now_ms, failed, failed ? result_of(&b, record->reason) : STR_NULL, fail);
    return err;
}

static void done(void *ctx, enum err err, const struct fail *fail)
{
    struct record *record = ctx;
    atomic_store(&record->is_out, false);
}

bool record_post(struct record *record, const char *reason)
{
    if (atomic_load(&record->is_out))
        return false;
    snprintf(record->reason, sizeof record->reason, "%s", reason);
    atomic_store(&record->is_out, true);
    if (writer_post(record->writer, WRITER_COUNT, run, done, record) == OK)
        return true;
    atomic_store(&record->is_out, false);
    return false;
}
