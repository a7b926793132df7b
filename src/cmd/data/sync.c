/* `stockact sync house` and `stockact sync senate`: fetch new documents from the official sites.
 * Each is a run of a job (store/run/job.h), also when started by hand. */
#include "base/build.h"
#include "base/clock.h"
#include "cmd/data/ingest_page.h"
#include "cmd/data/ingest_parts.h"
#include "cmd/operate/store_access.h"
#include "cmd/term/mood.h"
#include "cmd/term/progress.h"
#include "config/values.h"
#include "status/job_result.h"
#include "store/run/job.h"
#include "store/run/sync_state.h"
#include "sync/sync.h"

typedef enum err sync_fn(const struct sync_config *config, struct sync_tally *tally, struct fail *);

/* The User-Agent header: program, version and the operator's contact address. */
static struct str user_agent(struct arena *arena, struct str contact)
{
    if (str_is_null(contact))
        return build.agent;
    return arena_fmt(arena, "%.*s (%.*s)", STR_ARG(build.agent), STR_ARG(contact));
}

/* A shorter pace and plain HTTP are allowed only for a test server on loopback. */
static enum err read_config(
    struct cmd *cmd, struct arena *arena, struct sync_config *config, struct fail *fail)
{
    const struct settings *settings = cmd->settings;
    *config = (struct sync_config){
        .user_agent = user_agent(arena, settings->sync_contact),
        .proxy = settings->sync_proxy,
        .pace_ms = SYNC_PACE_MS,
        .year = (int)options_i64(cmd->options, "year", 0),
        .now_ms = clock_wall_ms,
    };
    value_base_url(options_value(cmd->options, "base-url"), &config->base_url);
    config->plain_http = value_is_loopback_url(config->base_url);
    if (settings->sync_pace_ms == SYNC_PACE_NONE)
        return OK;
    config->pace_ms = settings->sync_pace_ms;
    if (!config->plain_http)
        return fail_set(
            fail, ERR_REFUSED,
            "STOCKACT_SYNC_PACE_MS is for tests only: it needs --base-url with a loopback host");
    return OK;
}

static void show_tally(struct out *out, const char *site, const struct sync_tally *tally)
{
    if (out->json) {
        out_begin(out, OUT_BLOCK);
        out_str(out, "site", str_from(site));
        out_i64(out, "requests", tally->requests);
        out_i64(out, "indexes", tally->indexes);
        out_i64(out, "documents", tally->documents);
        out_i64(out, "missing", tally->missing);
        out_i64(out, "failed", tally->failed);
        out_end(out);
    }
    out_line(
        out, "%s: %lld document%s fetched, %lld not found, %lld failed; %lld request%s", site,
        (long long)tally->documents, tally->documents == 1 ? "" : "s", (long long)tally->missing,
        (long long)tally->failed, (long long)tally->requests, tally->requests == 1 ? "" : "s");
}

/* --- the run's row */

enum { RESULT_SIZE_MAX = 4096 };

struct sync_record {
    struct str name; /* "sync house" */
    int64_t no;
    bool failed;
    struct str result; /* JSON */
};

static enum err begin_record(struct db *db, void *ctx, struct fail *fail)
{
    struct sync_record *record = ctx;
    return job_run_begin(db, record->name, STR_NULL, clock_wall_ms(), &record->no, fail);
}

static enum err end_record(struct db *db, void *ctx, struct fail *fail)
{
    const struct sync_record *record = ctx;
    return job_run_end(db, record->no, clock_wall_ms(), record->failed, record->result, fail);
}

/* If the store does not take it, the run stays without an end. The run's own error says why. */
static void write_record(
    struct db *db, struct sync_record *record, const struct sync_tally *tally, enum err err,
    const struct fail *fail)
{
    struct json_out j;
    struct fail unused;
    BUF_SCOPED(text, RESULT_SIZE_MAX);
    json_init(&j, &text);
    json_object_begin(&j);
    JSON_KEY_I64(&j, "requests", tally->requests);
    JSON_KEY_I64(&j, "indexes", tally->indexes);
    JSON_KEY_I64(&j, "documents", tally->documents);
    JSON_KEY_I64(&j, "missing", tally->missing);
    JSON_KEY_I64(&j, "failed", tally->failed);
    if (err)
        JSON_KEY_STR(&j, "error", str_from(fail->text));
    json_object_end(&j);
    record->failed = err != OK;
    record->result = buf_view(&text);
    if (store_access_write(db, end_record, record, &unused))
        fprintf(stderr, "stockact: the result of this run is not stored: %s\n", unused.text);
}

static const struct progress_label fetching = {"Fetching", "report", "reports"};

static enum err sync_recorded(
    struct cmd *cmd, struct sync_config *config, sync_fn *run, const char *site, struct fail *fail)
{
    struct sync_tally tally = {0};
    ARENA_SCOPED(arena);
    struct sync_record record = {.name = arena_fmt(&arena, "sync %s", site)};
    enum err err = store_access_write(config->db, begin_record, &record, fail);
    if (!err) {
        struct progress *progress = progress_start(cmd->out, &fetching);
        config->progress = progress_hook_of(progress);
        err = run(config, &tally, fail);
        progress_stop(progress);
        show_tally(cmd->out, site, &tally);
        write_record(config->db, &record, &tally, err, fail);
    }
    return err;
}

static enum err sync(
    struct cmd *cmd, struct sync_config *config, sync_fn *run, const char *site, struct fail *fail)
{
    struct ingest_page page;
    ingest_page_init(&page, cmd->out, 0, cmd->settings->base_url);
    enum err err = store_access_open(cmd, STORE_WRITE, &config->db, fail);
    if (!err)
        err = store_access_write(config->db, ingest_begin, NULL, fail);
    if (!err)
        err = ingest_open(
            config->db, "/proc/self/exe", ingest_page_line, &page, &config->ingest, fail);
    if (!err)
        err = sync_recorded(cmd, config, run, site, fail);
    if (!err && page.lines && out_is_page(cmd->out))
        ingest_page_end(&page, 0);
    ingest_close(config->ingest);
    db_close(config->db);
    return err;
}

static enum err read_and_sync(struct cmd *cmd, sync_fn *run, const char *site, struct fail *fail)
{
    struct sync_config config;
    ARENA_SCOPED(arena);
    TRY(read_config(cmd, &arena, &config, fail));
    if (str_is_null(cmd->settings->sync_contact) && out_is_page(cmd->out))
        out_line(
            cmd->out, "STOCKACT_SYNC_CONTACT is not set: with your e-mail address or a URL, the "
                      "official sites can reach you.");
    return sync(cmd, &config, run, site, fail);
}

enum err cmd_sync_house(struct cmd *cmd, struct fail *fail)
{
    return read_and_sync(cmd, sync_house, "house", fail);
}

enum err cmd_sync_senate(struct cmd *cmd, struct fail *fail)
{
    return read_and_sync(cmd, sync_senate, "senate", fail);
}

/* --- `stockact sync status`: what was fetched from the official sites, and when */

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
