/* What the database holds, and what to do next; see summary.h. */
#include "status/summary.h"

#include "status/words.h"
#include "store/account/endpoint_health.h"
#include "store/public/finding.h"
#include "store/public/member.h"

static void add_reports(void *ctx, const struct document_count *count)
{
    struct summary *summary = ctx;
    summary->reports[count->state] += count->count;
}

static int64_t estimate(const struct storage *storage, struct str table)
{
    for (size_t i = 0; i < storage->table_count; i++)
        if (str_eq(storage->tables[i].name, table))
            return storage->tables[i].rows;
    return 0;
}

/* A walk over a million trades takes too long for a look at the state. */
static enum err count_trades(
    struct db *db, const struct overview *overview, struct summary *ret, struct fail *fail)
{
    ret->trades = estimate(&overview->storage, STR("trade"));
    ret->trades_estimated = ret->trades > SUMMARY_COUNTED_MAX;
    if (ret->trades_estimated)
        return OK;
    return finding_count_cases(db, &ret->trades, fail);
}

static int64_t last_end(const struct job_list *jobs, struct str prefix)
{
    int64_t last = INSTANT_NONE;
    for (size_t i = 0; i < jobs->count; i++)
        if (str_starts(jobs->items[i].name, prefix) && jobs->items[i].last.ended_at > last)
            last = jobs->items[i].last.ended_at;
    return last;
}

enum err summary_read(
    struct db *db, const struct overview *overview, struct summary *ret, struct fail *fail)
{
    struct summary s = {
        .last_sync = last_end(&overview->jobs, job_name(JOB_SYNC)),
        .last_sweep = last_end(&overview->jobs, job_name(JOB_SWEEP)),
    };
    /* Without commits no heartbeat is written: the servers may run. */
    s.running = overview->commit_wait >= 0 && overview->nodes.count > 0;
    for (size_t i = 0; i < overview->nodes.count; i++)
        s.running |= overview->nodes.items[i].running;
    TRY(meta_data_get(db, &s.data, fail));
    TRY(member_count(db, &s.members, fail));
    TRY(count_trades(db, overview, &s, fail));
    TRY(document_coverage(db, NULL, add_reports, &s, fail));
    TRY(last_run_read(db, s.last, fail));
    TRY(endpoint_health_count(db, &s.endpoints, &s.endpoints_failing, fail));
    *ret = s;
    return OK;
}

static struct str reports(struct arena *arena, int64_t n, const char *does, const char *do_)
{
    return arena_fmt(
        arena, "%.*s %s", STR_ARG(words_count(arena, n, "report", "reports")), n == 1 ? does : do_);
}

/* Moving the default folder away makes room for the default database. Others are named in settings,
 * which must name the new one. */
static struct str begin_with_real_data(struct str path)
{
    if (str_eq(path, STR("var/stockact.db")))
        return STR("to begin with real data, stop the server, `mv var var.demo`, and run `stockact "
                   "setup`");
    return STR("to begin with real data, name a new database in STOCKACT_DATABASE, and run "
               "`stockact setup`");
}

struct str summary_next(const struct summary *s, struct str path, struct arena *arena)
{
    int64_t accepted = s->reports[REPORT_ACCEPTED];
    int64_t waiting = s->reports[REPORT_DRAFT] + s->reports[REPORT_NEEDS_MANUAL];
    if (s->data == META_DATA_NONE && !s->members)
        return STR("stockact setup (real data) or stockact demo (invented data)");
    if (!s->members)
        return STR("stockact setup: without members, no report can be matched to its filer");
    if (s->data == META_DATA_DEMO)
        return s->running ? begin_with_real_data(path) : STR("stockact serve");
    if (accepted)
        return arena_fmt(
            arena, "stockact publish --all-accepted --by EMAIL: %.*s",
            STR_ARG(reports(arena, accepted, "waits for publication", "wait for publication")));
    if (waiting)
        return arena_fmt(
            arena, "stockact review list: %.*s",
            STR_ARG(reports(arena, waiting, "waits for a reviewer", "wait for a reviewer")));
    if (!s->trades)
        return STR("stockact ingest FOLDER (reports that you saved) or stockact sync house");
    if (!s->running)
        return STR("stockact serve");
    if (!str_is_null(path) && s->last[LAST_BACKUP] == INSTANT_NONE)
        return STR("stockact backup FILE: there is no backup yet");
    return STR_NULL;
}
