/* /admin/jobs and /admin/sync: the jobs with their last runs, and the fetch of documents. */
#include "site/admin/admin_parts.h"
#include "site/frame/handlers.h"
#include "status/job_result.h"
#include "status/words.h"
#include "store/run/job.h"
#include "store/run/sync_state.h"

static void put_state(struct view *v, enum job_state state)
{
    static const struct {
        const char *kind;
        struct str label;
    } shown[JOB_STATE_COUNT] = {
        [JOB_NEVER] = {"off", STR_INIT("Never ran")},
        [JOB_RUNNING] = {"wait", STR_INIT("Running")},
        [JOB_OK] = {"good", STR_INIT("Done")},
        [JOB_FAILED] = {"bad", STR_INIT("Failed")},
        [JOB_INTERRUPTED] = {"bad", STR_INIT("Interrupted")},
    };
    view_str(v, "state", job_state_name(state));
    admin_badge(v, "badge", shown[state].kind, shown[state].label);
}

static void put_run(struct page_call *call, struct view *v, const struct job_run *run)
{
    bool ended = run->ended_at != INSTANT_NONE;
    put_state(v, run->state);
    view_ago(v, "startedAt", run->started_at, call->now_ms);
    view_instant(v, "endedAt", run->ended_at);
    view_str(
        v, "took", ended ? words_duration(call->arena, run->ended_at - run->started_at) : STR_NULL);
    view_str(v, "server", run->server);
    view_str(v, "error", job_result_error(call->arena, run->result));
    view_str(v, "result", job_result_words(call->arena, run->result));
}

static enum err put_jobs(struct page_call *call, struct fail *fail)
{
    struct job_list jobs;
    TRY(job_list(call->db, call->now_ms, call->arena, &jobs, fail));
    struct view *table = table_begin(
        call->view, "jobs", "Job|Last run|When|Result|Next",
        "No job has run yet: no server was started.");
    for (size_t i = 0; i < jobs.count; i++) {
        struct view *row = table_row(table);
        view_str(row, "name", jobs.items[i].name);
        view_str(
            row, "href",
            link_make(
                call->arena, STR("/admin/jobs"),
                &(struct link_param){STR("job"), jobs.items[i].name}, 1));
        put_run(call, row, &jobs.items[i].last);
        view_ago(row, "nextAt", jobs.items[i].next_at, call->now_ms);
        view_ago(row, "okAt", jobs.items[i].ok_at, call->now_ms);
        view_count(row, "failures", jobs.items[i].failures);
        view_bool(row, "again", jobs.items[i].failures > 1);
    }
    return OK;
}

struct run_rows {
    struct page_call *call;
    struct view *table;
    size_t count;
    int64_t last;
};

/* One more row than a page has is read, to know whether there is another page. */
static void add_run(void *ctx, const struct job_run *run)
{
    struct run_rows *rows = ctx;
    if (rows->count++ == ADMIN_ROWS)
        return;
    struct view *row = table_row(rows->table);
    view_int(row, "run", run->no);
    view_str(row, "name", run->name);
    put_run(rows->call, row, run);
    rows->last = run->no;
}

enum err admin_jobs_load(struct page_call *call, struct fail *fail)
{
    struct str name = admin_filter(call, "job");
    int64_t before = admin_before(call);
    TRY(put_jobs(call, fail));
    struct run_rows rows = {.call = call};
    rows.table =
        table_begin(call->view, "runs", "Job|State|Started|Took|Result", "No run is kept.");
    view_str(call->view, "job", name);
    TRY(job_run_each(
        call->db, name, before ? before : INT64_MAX, ADMIN_ROWS + 1, call->now_ms, add_run, &rows,
        fail));
    const struct link_param filter = {STR("job"), name};
    admin_pages(
        call, rows.table, "/admin/jobs", &filter, 1, rows.count > ADMIN_ROWS ? rows.last : 0);
    return OK;
}

/* --- /admin/sync */

static const struct job_status *find_job(const struct job_list *jobs, struct str name)
{
    for (size_t i = 0; i < jobs->count; i++)
        if (str_eq(jobs->items[i].name, name))
            return &jobs->items[i];
    return NULL;
}

static void put_fetch(
    struct page_call *call, struct view *v, const struct job_list *jobs, enum sync_source source)
{
    struct str name = arena_fmt(call->arena, "sync %.*s", STR_ARG(sync_source_name(source)));
    const struct job_status *job = find_job(jobs, name);
    const struct job_status never = {
        .next_at = INSTANT_NONE,
        .ok_at = INSTANT_NONE,
        .last = {.started_at = INSTANT_NONE, .ended_at = INSTANT_NONE}};
    if (!job)
        job = &never;
    put_run(call, v, &job->last);
    view_ago(v, "okAt", job->ok_at, call->now_ms);
    view_count(v, "failures", job->failures);
    view_str(
        v, "runs",
        link_make(call->arena, STR("/admin/jobs"), &(struct link_param){STR("job"), name}, 1));
}

static void put_counts(struct view *v, const struct sync_state *state)
{
    view_count(v, "awaiting", state->documents[DOCUMENT_AWAITING_DOCUMENT]);
    view_count(v, "needsManual", state->documents[DOCUMENT_NEEDS_MANUAL]);
    view_count(v, "drafts", state->documents[DOCUMENT_DRAFT]);
    view_count(v, "refused", state->documents[DOCUMENT_REFUSED]);
    view_count(v, "indexed", state->documents[DOCUMENT_INDEXED]);
    view_count(v, "gone", state->gone);
}

enum err admin_sync_load(struct page_call *call, struct fail *fail)
{
    static const struct str labels[SYNC_SOURCE_COUNT] = {
        STR_INIT("House"), STR_INIT("Senate"), STR_INIT("Files imported by hand")};
    struct job_list jobs;
    struct view *sources = view_list(call->view, "sources");
    int64_t waiting = 0, accepted = 0;
    TRY(job_list(call->db, call->now_ms, call->arena, &jobs, fail));
    TRY(sync_state_drafts(call->db, &waiting, &accepted, fail));
    for (enum sync_source source = 0; source < SYNC_SOURCE_COUNT; source++) {
        struct sync_state state;
        struct view *v = view_item(sources);
        TRY(sync_state_read(call->db, source, call->arena, &state, fail));
        view_str(v, "source", sync_source_name(source));
        view_str(v, "label", labels[source]);
        view_bool(v, "fetched", source != SYNC_SOURCE_FILE);
        view_str(v, "newestDocument", state.newest_id);
        view_ago(v, "arrivedAt", state.newest_at, call->now_ms);
        view_ago(v, "indexedAt", state.indexed_at, call->now_ms);
        put_fetch(call, v, &jobs, source);
        put_counts(v, &state);
    }
    view_bool(call->view, "daily", call->config->daily.on[JOB_SYNC]);
    view_count(call->view, "draftsWaiting", waiting);
    view_count(call->view, "draftsAccepted", accepted);
    return OK;
}
