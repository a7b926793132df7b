/* `stockact sync status`: what was fetched from the official sites, and when. */
#include "cmd/operate/store_access.h"
#include "cmd/term/mood.h"
#include "status/job_result.h"
#include "store/run/job.h"
#include "store/run/sync_state.h"

static const struct job_status *find_job(const struct job_list *jobs, struct str name)
{
    for (size_t i = 0; i < jobs->count; i++)
        if (str_eq(jobs->items[i].name, name))
            return &jobs->items[i];
    return NULL;
}

static void put_fetch(struct store_read *read, const struct job_status *job)
{
    const bool has_run = job && job->last.state != JOB_NEVER;
    struct str state = has_run ? job_state_name(job->last.state) : STR_NULL;
    if (out_is_page(read->out) && !has_run)
        state = STR("not fetched");
    out_state(read->out, "lastFetch", state, mood_of(state));
    out_instant(read->out, "fetchedAt", has_run ? job->last.started_at : INSTANT_NONE);
    out_instant(read->out, "lastOkAt", has_run ? job->ok_at : INSTANT_NONE);
    out_i64(read->out, "failures", has_run ? job->failures : 0);
    out_str(
        read->out, "error", has_run ? job_result_error(&read->arena, job->last.result) : STR_NULL);
}

static enum err show_source(
    struct store_read *read, enum sync_source source, const struct job_list *jobs,
    struct fail *fail)
{
    struct sync_state state;
    struct str name = sync_source_name(source);
    TRY(sync_state_read(read->db, source, &read->arena, &state, fail));
    out_begin(read->out, OUT_TABLE);
    out_str(read->out, "source", name);
    const struct job_status *job =
        find_job(jobs, arena_fmt(&read->arena, "sync %.*s", STR_ARG(name)));
    bool page = out_is_page(read->out); /* it puts the first two values into a title */
    if (page)
        put_fetch(read, job);
    out_str(read->out, "newestDocument", state.newest_id);
    out_instant(read->out, "arrivedAt", state.newest_at);
    out_instant(read->out, "indexedAt", state.indexed_at);
    if (!page)
        put_fetch(read, job);
    for (enum document_state s = 0; s < DOCUMENT_BULK; s++)
        out_i64(read->out, arena_str(&read->arena, document_state_name(s)).p, state.documents[s]);
    out_i64(read->out, "gone_from_index", state.gone);
    out_end(read->out);
    return OK;
}

enum err cmd_sync_status(struct store_read *read, struct fail *fail)
{
    struct job_list jobs;
    TRY(job_list(read->db, read->now_ms, &read->arena, &jobs, fail));
    for (enum sync_source source = 0; source < SYNC_SOURCE_COUNT; source++)
        TRY(show_source(read, source, &jobs, fail));
    return OK;
}
