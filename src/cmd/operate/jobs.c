/* `stockact jobs`: jobs and their runs (store/run/job.h). */
#include "cmd/operate/store_access.h"
#include "cmd/term/mood.h"
#include "status/job_result.h"
#include "store/run/job.h"

enum { LIMIT_DEFAULT = 100, NAMES_SIZE_MAX = 1000 };

enum err cmd_jobs_list(struct store_read *read, struct fail *fail)
{
    struct job_list list;
    enum err err = job_list(read->db, read->now_ms, &read->arena, &list, fail);
    for (size_t i = 0; i < list.count && !err; i++) {
        const struct job_status *job = &list.items[i];
        out_begin(read->out, OUT_TABLE);
        out_str(read->out, "name", job->name);
        struct str state = job_state_name(job->last.state);
        out_state(read->out, "state", state, mood_of(state));
        out_instant(read->out, "startedAt", job->last.started_at);
        out_instant(read->out, "endedAt", job->last.ended_at);
        out_instant(read->out, "nextAt", job->next_at);
        out_instant(read->out, "lastOkAt", job->ok_at);
        out_i64(read->out, "failures", job->failures);
        out_str(read->out, "error", job_result_error(&read->arena, job->last.result));
        out_end(read->out);
    }
    return err;
}

static void show_run(void *ctx, const struct job_run *run)
{
    struct store_read *read = ctx;
    struct str result = run->result;
    out_begin(read->out, OUT_TABLE);
    out_i64(read->out, "run", run->no);
    out_str(read->out, "name", run->name);
    struct str state = job_state_name(run->state);
    out_state(read->out, "state", state, mood_of(state));
    out_instant(read->out, "startedAt", run->started_at);
    out_instant(read->out, "endedAt", run->ended_at);
    out_str(read->out, "server", run->server);
    if (!read->out->json)
        out_str(read->out, "result", job_result_words(&read->arena, result));
    else if (str_starts(result, STR("{")))
        out_raw(read->out, "result", result);
    else
        out_str(read->out, "result", STR_NULL);
    out_str(read->out, "error", job_result_error(&read->arena, result));
    out_end(read->out);
}

/* Refuses a name that neither this program's jobs have nor those of the database, which another
 * version may have run. */
static enum err check_name(struct store_read *read, struct str name, struct fail *fail)
{
    enum job_name known;
    struct job_list list;
    BUF_SCOPED(names, NAMES_SIZE_MAX);
    if (str_is_null(name) || job_from_name(name, &known))
        return OK;
    TRY(job_list(read->db, read->now_ms, &read->arena, &list, fail));
    for (size_t i = 0; i < list.count; i++)
        if (str_eq(list.items[i].name, name))
            return OK;
    for (known = 0; known < JOB_NAME_COUNT; known++)
        buf_fmt(&names, "%s%.*s", known ? ", " : "", STR_ARG(job_name(known)));
    for (size_t i = 0; i < list.count; i++)
        if (!job_from_name(list.items[i].name, &known))
            buf_fmt(&names, ", %.*s", STR_ARG(list.items[i].name));
    return fail_set(
        fail, ERR_NOT_FOUND, "there is no job \"%.*s\": the jobs are %.*s", STR_ARG(name),
        STR_ARG(buf_view(&names)));
}

enum err cmd_jobs_runs(struct store_read *read, struct fail *fail)
{
    const struct options *options = read->cmd->options;
    struct str name = options->operand_count ? options->operands[0] : STR_NULL;
    TRY(check_name(read, name, fail));
    return job_run_each(
        read->db, name, options_i64(options, "before", INT64_MAX),
        options_i64(options, "limit", LIMIT_DEFAULT), read->now_ms, show_run, read, fail);
}
