/* The daily fetch of a server; see sync_job.h. */
#include "serve/sync_job.h"

#include "base/log.h"
#include "serve/child.h"
#include "serve/daily_job.h"
#include "store/run/job_names.h"

enum { POLL_MS = 1000 };

struct sync_job {
    const struct settings *settings;
    struct daily_job *daily;
};

/* Reads the child's output to its end. False: the run must end, and the child was sent SIGTERM. */
static bool follow_child(struct daily_job *job, struct child *child)
{
    while (child_read(child)) {
        if (!daily_job_wait(job, child->out, POLL_MS)) {
            child_stop(child);
            return false;
        }
    }
    return true;
}

static void put_failure(struct json_out *result, struct str reason)
{
    json_object_begin(result);
    JSON_KEY_STR(result, "error", reason);
    json_object_end(result);
}

/* The two sites of a run. */
struct sync_job_run {
    const struct settings *settings;
    struct daily_job *daily;
    struct json_out *result;
    bool failed; /* a site was not fetched whole */
};

/* Runs one site and adds `"site": {...}` to the result. False: the run must end. */
static bool run_site(struct sync_job_run *run, const char *site)
{
    const struct settings *settings = run->settings;
    struct json_out *result = run->result;
    struct str base = settings->sync_base_url;
    char *url = mem_strdup(str_is_null(base) ? STR("") : base);
    const char *const command[] = {
        "sync", site, str_is_null(base) ? NULL : "--base-url", url, NULL};
    struct child child;
    struct fail fail;
    int status;
    json_key(result, str_from(site));
    enum err err = child_start(&child, settings, command, &fail);
    mem_free(url);
    run->failed = run->failed || err;
    if (err) {
        put_failure(result, str_from(fail.text));
        log_line(LOG_ERROR, "sync failed", LOG_S("reason", str_from(fail.text)));
        return true;
    }
    bool ended = follow_child(run->daily, &child);
    struct str output = buf_view(&child.last);
    if (ended && str_starts(output, STR("{")))
        json_raw(result, output);
    else
        put_failure(result, ended ? STR("the command printed no result") : STR("stopped"));
    ARENA_SCOPED(arena);
    output = arena_str(&arena, output);
    child_finish(&child, &status);
    run->failed = run->failed || !ended || status != 0;
    log_line(
        status == 0 ? LOG_INFO : LOG_WARN, "synced", LOG_S("site", str_from(site)),
        LOG_I("status", status), LOG_S("result", output));
    return ended;
}

static bool run(void *ctx, struct daily_job *daily, struct json_out *result)
{
    const struct sync_job *job = ctx;
    struct sync_job_run run = {.settings = job->settings, .daily = daily, .result = result};
    if (run_site(&run, "house"))
        run_site(&run, "senate");
    return !run.failed;
}

enum err sync_job_start(
    const struct sync_job_config *config, struct sync_job **ret, struct fail *fail)
{
    struct sync_job *job = MEM_NEW(struct sync_job);
    job->settings = config->settings;
    const struct daily_job_config daily = {
        .name = job_name(JOB_SYNC),
        .minute = config->settings->sync_at,
        .node = config->node,
        .server = config->server,
        .writer = config->writer,
        .run = run,
        .ctx = job,
    };
    enum err err = daily_job_start(&daily, &job->daily, fail);
    if (err)
        mem_free(job);
    else
        *ret = job;
    return err;
}

void sync_job_stop(struct sync_job *job)
{
    if (!job)
        return;
    daily_job_stop(job->daily);
    mem_free(job);
}
