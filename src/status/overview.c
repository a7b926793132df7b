/* What needs a person; see overview.h. */
#include "status/overview.h"

#include <assert.h>

#include "db/store.h"
#include "status/job_result.h"
#include "status/words.h"
#include "store/copy/copy_mark.h"
#include "store/row/change.h"
#include "store/row/credible.h"
#include "store/row/meta.h"
#include "store/run/last_run.h"
#include "store/run/upgrade.h"
#include "store/run/vitals.h"

enum { ITEMS_MAX = 64, DISK_PERCENT_MIN = 5, JOBS_SHOWN_MAX = 16 };

#define GIB ((int64_t)1 << 30)
#define DISK_FREE_MIN GIB       /* less room than this is urgent */
#define LOG_BYTES_MAX (GIB / 4) /* a write-ahead log that cannot be checkpointed grows */

enum err overview_read(
    struct db *db, int64_t now_ms, struct arena *arena, struct overview *ret, struct fail *fail)
{
    int64_t seq = 0, last[LAST_RUN_COUNT] = {0};
    struct copy_mark mark;
    enum meta_data data = META_DATA_NONE;
    *ret = (struct overview){.embedded = db_kind(db) == DB_SQLITE, .commit_wait = -1};
    ret->held = ret->embedded && store_has_server(db);
    TRY(copy_mark_get(db, COPY_SOURCE, arena, &mark, fail));
    if (mark.state == COPY_CLOSED)
        ret->moved_to = mark.other;
    TRY(vitals_commit_wait(db, &ret->commit_wait, fail));
    TRY(change_last(db, &seq, fail));
    TRY(node_list(db, seq, arena, &ret->nodes, fail));
    TRY(mail_queue_count(db, arena, &ret->mail, fail));
    TRY(delivery_stuck_list(db, 0, OVERVIEW_STUCK_MAX, now_ms, arena, &ret->stuck, fail));
    TRY(alert_count(db, &ret->alerts, fail));
    TRY(job_list(db, now_ms, arena, &ret->jobs, fail));
    for (enum sync_source source = 0; source < SYNC_SOURCE_COUNT; source++)
        TRY(sync_state_read(db, source, arena, &ret->sync[source], fail));
    TRY(sync_state_drafts(db, &ret->drafts_waiting, &ret->drafts_accepted, fail));
    TRY(list_ages_read(db, arena, &ret->lists, fail));
    TRY(meta_data_get(db, &data, fail));
    TRY(last_run_read(db, last, fail));
    TRY(credible_future(db, now_ms, &ret->future, fail));
    TRY(upgrade_due(db, &ret->upgrade_due, &ret->upgraded_from, fail));
    ret->real = data == META_DATA_REAL;
    ret->backup_at = last[LAST_BACKUP];
    return storage_read(db, arena, &ret->storage, fail);
}

/* --- judging */

struct judging {
    const struct overview *o;
    const struct overview_config *config;
    struct arena *arena;
    struct overview_item items[ITEMS_MAX];
    size_t count;
    bool running; /* a server is: without one, every job is late */
};

static void add(struct judging *j, enum condition condition, struct str text)
{
    const struct condition_info *info = condition_info(condition);
    if (j->count < ITEMS_MAX)
        j->items[j->count++] = (struct overview_item){
            condition, info->level,          info->topic->name, info->topic->label,
            text,      info->topic->command, info->topic->page};
}

static struct str ago(const struct judging *j, int64_t at)
{
    return words_duration(j->arena, j->config->now_ms - at);
}

static void judge_node(struct judging *j, const struct node *node)
{
    if (!node->running)
        add(j, CONDITION_NODE_SILENT,
            arena_fmt(
                j->arena,
                "The server %.*s has been silent for %.*s: it was killed or cannot reach the "
                "database.",
                STR_ARG(node->label), STR_ARG(words_duration(j->arena, node->silent_ms))));
    else if (node->behind > OVERVIEW_BEHIND_MAX)
        add(j, CONDITION_NODE_BEHIND,
            arena_fmt(
                j->arena, "The server %.*s is %.*s behind.", STR_ARG(node->label),
                STR_ARG(words_count(j->arena, node->behind, "change", "changes"))));
}

static void judge_nodes(struct judging *j)
{
    const struct node_list *nodes = &j->o->nodes;
    const struct node *first = NULL;
    size_t running = 0;
    bool differ = false;
    for (size_t i = 0; i < nodes->count; i++) {
        const struct node *node = &nodes->items[i];
        running += node->running;
        differ = differ || (first && node->running && !str_eq(first->version, node->version));
        if (node->running && !first)
            first = node;
    }
    j->running = running > 0;
    if (j->o->commit_wait >= 0) {
        add(j, CONDITION_WRITES_WAIT,
            STR("Changes wait for a standby of PostgreSQL, which does not answer: writes are "
                "refused, reads continue."));
        if (!running && nodes->count > 0)
            return; /* no heartbeat is written: whether these servers run is not known */
    }
    if (!running && j->o->held)
        add(j, CONDITION_NO_HEARTBEAT,
            STR("A server has this database open and writes no heartbeat: it is loading its data, "
                "stopping or frozen."));
    else if (!running)
        add(j, CONDITION_NO_SERVER, STR("No server is running on this database."));
    for (size_t i = 0; i < nodes->count && (running || !j->o->embedded); i++)
        judge_node(j, &nodes->items[i]);
    if (differ)
        add(j, CONDITION_VERSIONS_DIFFER, STR("The servers run different versions."));
}

static void judge_mail(struct judging *j)
{
    const struct mail_counts *mail = &j->o->mail;
    int64_t unsent = mail->waiting + mail->retrying;
    struct str error = str_is_null(mail->error)
                           ? STR("")
                           : arena_fmt(j->arena, " The last error: %.*s", STR_ARG(mail->error));
    if (mail->given_up)
        add(j, CONDITION_MAIL_GIVEN_UP,
            arena_fmt(
                j->arena, "%.*s given up.%.*s",
                STR_ARG(words_count(j->arena, mail->given_up, "e-mail was", "e-mails were")),
                STR_ARG(error)));
    if (unsent && !j->config->mail)
        add(j, CONDITION_MAIL_OFF,
            arena_fmt(
                j->arena, "%.*s, and no mail server is set (STOCKACT_SMTP_URL).",
                STR_ARG(words_count(j->arena, unsent, "e-mail waits", "e-mails wait"))));
    else if (unsent && j->config->now_ms - mail->oldest_at >= OVERVIEW_MAIL_LATE_MS)
        add(j, CONDITION_MAIL_LATE,
            arena_fmt(
                j->arena, "%.*s, the oldest for %.*s.%.*s",
                STR_ARG(words_count(j->arena, unsent, "e-mail waits", "e-mails wait")),
                STR_ARG(ago(j, mail->oldest_at)), STR_ARG(error)));
}

static void judge_deliveries(struct judging *j)
{
    const struct delivery_stuck_list *stuck = &j->o->stuck;
    int64_t late = 0, held = 0, oldest = INT64_MAX;
    for (size_t i = 0; i < stuck->count; i++) {
        bool is_late = stuck->items[i].reason == STUCK_LATE;
        late += is_late;
        held += !is_late;
        if (is_late && stuck->items[i].oldest_due < oldest)
            oldest = stuck->items[i].oldest_due;
    }
    if (late)
        add(j, CONDITION_WEBHOOKS_LATE,
            arena_fmt(
                j->arena, "Deliveries to %.*s late, the oldest by %.*s.",
                STR_ARG(words_count(j->arena, late, "endpoint are", "endpoints are")),
                STR_ARG(ago(j, oldest))));
    if (held)
        add(j, CONDITION_WEBHOOKS_HELD,
            arena_fmt(
                j->arena, "Deliveries to %.*s not enabled. They expire after %d days.",
                STR_ARG(words_count(
                    j->arena, held, "endpoint wait because it is",
                    "endpoints wait because they are")),
                DELIVERY_HELD_DAYS));
}

static struct str error_of(struct arena *arena, struct str result)
{
    struct str error = job_result_error(arena, result);
    return str_is_null(error) ? STR(".") : arena_fmt(arena, ": %.*s", STR_ARG(error));
}

/* Without an enabled alert the job of alerts has nothing to do, whatever its next time is. */
static bool is_off(const struct judging *j, struct str name)
{
    enum job_name job;
    if (!job_from_name(name, &job))
        return false;
    if (job < JOB_DAILY_COUNT)
        return !j->config->daily.on[job];
    return job == JOB_ALERTS && (!j->config->mail || j->o->alerts.states[ALERT_ENABLED] == 0);
}

static bool is_late(const struct judging *j, const struct job_status *job)
{
    return j->running && job->next_at != INSTANT_NONE && job->last.state != JOB_RUNNING &&
           j->config->now_ms - job->next_at >= OVERVIEW_JOB_LATE_MS && !is_off(j, job->name);
}

/* A fetch is judged once, with its site, and not again with the job that starts it. */
static void judge_job(struct judging *j, const struct job_status *job)
{
    bool fetch = str_starts(job->name, STR("sync"));
    int64_t now_ms = j->config->now_ms;
    bool bad = job->last.state == JOB_FAILED || job->last.state == JOB_INTERRUPTED;
    if (bad && !str_eq(job->name, STR("sync")))
        add(j, fetch ? CONDITION_SYNC_FAILED : CONDITION_JOB_FAILED,
            arena_fmt(
                j->arena, "The last run of \"%.*s\" %s, %.*s ago%.*s", STR_ARG(job->name),
                job->last.state == JOB_FAILED ? "failed" : "was interrupted",
                STR_ARG(ago(j, job->last.started_at)),
                STR_ARG(error_of(j->arena, job->last.result))));
    if (is_late(j, job))
        add(j, fetch ? CONDITION_SYNC_LATE : CONDITION_JOB_LATE,
            arena_fmt(
                j->arena, "The job \"%.*s\" is %.*s late.", STR_ARG(job->name),
                STR_ARG(ago(j, job->next_at))));
    bool old = str_starts(job->name, STR("sync ")) && job->ok_at != INSTANT_NONE &&
               now_ms - job->ok_at >= OVERVIEW_SYNC_OLD_DAYS * (int64_t)DAY_MS && !bad;
    if (old && j->config->daily.on[JOB_SYNC])
        add(j, CONDITION_SYNC_OLD,
            arena_fmt(
                j->arena, "The last complete run of \"%.*s\" was %.*s ago.", STR_ARG(job->name),
                STR_ARG(ago(j, job->ok_at))));
}

static void judge_storage(struct judging *j)
{
    const struct storage *s = &j->o->storage;
    if (s->disk_free >= 0 &&
        (s->disk_free < DISK_FREE_MIN || s->disk_free < s->disk_bytes / 100 * DISK_PERCENT_MIN))
        add(j, s->disk_free < DISK_FREE_MIN ? CONDITION_DISK_LOW : CONDITION_DISK_SOON,
            arena_fmt(
                j->arena, "The disk of the database has %.*s left.",
                STR_ARG(words_bytes(j->arena, s->disk_free))));
    if (s->reserve_bytes == 0 && j->running)
        add(j, CONDITION_RESERVE_RELEASED,
            STR("The reserve beside the database was released: its disk was full."));
    if (s->log_bytes > LOG_BYTES_MAX)
        add(j, CONDITION_WRITE_AHEAD_LOG,
            arena_fmt(
                j->arena,
                "The write-ahead log has grown to %.*s: a long transaction blocks the checkpoint.",
                STR_ARG(words_bytes(j->arena, s->log_bytes))));
}

/* Of PostgreSQL only what `backup --note` told. */
static void judge_backup(struct judging *j)
{
    int64_t at = j->o->backup_at;
    if (!j->o->real || (at == INSTANT_NONE && !j->o->embedded))
        return;
    if (at == INSTANT_NONE)
        add(j, CONDITION_BACKUP_NONE, STR("There is no backup of this database."));
    else if (j->config->now_ms - at >= OVERVIEW_BACKUP_OLD_HOURS * (int64_t)HOUR_MS)
        add(j, CONDITION_BACKUP_OLD,
            arena_fmt(j->arena, "The last backup was made %.*s ago.", STR_ARG(ago(j, at))));
}

static void judge_lists(struct judging *j)
{
    int32_t today = instant_day_utc(j->config->now_ms);
    for (enum list_kind kind = 0; kind < LIST_KIND_COUNT; kind++) {
        const struct list_bound *bound = list_bound_of(kind);
        if (!list_is_old(&j->o->lists, kind, today))
            continue;
        add(j, CONDITION_LIST_OLD,
            arena_fmt(
                j->arena, "The newest list of %.*s %s %.*s: import a newer one.",
                STR_ARG(bound->name), j->o->lists.of_import[kind] ? "was" : "is of",
                STR_ARG(list_age_text(j->arena, &j->o->lists, kind, today))));
        j->items[j->count - 1].command = bound->command;
    }
}

/* It holds back every later publication. */
static void judge_future(struct judging *j)
{
    char text[INSTANT_TEXT_SIZE];
    if (j->o->future == INSTANT_NONE)
        return;
    instant_print(j->o->future, text);
    add(j, CONDITION_FUTURE,
        arena_fmt(
            j->arena,
            "The newest publication or correction has the time %.*s, which is in the future: set "
            "the clock, then run this.",
            (int)sizeof text, text));
}

/* A database with invented data is made anew. */
static void judge_upgrade(struct judging *j)
{
    for (enum upgrade_task task = 0; task < UPGRADE_TASK_COUNT && j->o->real; task++) {
        const struct upgrade_task_info *info = upgrade_task_info(task);
        if (!(j->o->upgrade_due >> task & 1))
            continue;
        add(j, CONDITION_UPGRADE,
            arena_fmt(
                j->arena, "To be run once after the upgrade from schema %d (%.*s): %.*s",
                j->o->upgraded_from, STR_ARG(info->name), STR_ARG(info->why)));
        j->items[j->count - 1].command = info->command;
    }
}

/* What the server's own metrics show, or `doctor`. */
static void judge_told(struct judging *j)
{
    for (enum condition c = 0; c < CONDITION_COUNT; c++)
        if (j->config->told >> c & 1)
            add(j, c, str_from(condition_info(c)->text));
}

static void judge_service(struct judging *j)
{
    judge_told(j);
    judge_nodes(j);
    judge_mail(j);
    judge_deliveries(j);
    for (size_t i = 0; i < j->o->jobs.count && i < JOBS_SHOWN_MAX; i++)
        judge_job(j, &j->o->jobs.items[i]);
    judge_storage(j);
    judge_backup(j);
    judge_lists(j);
    judge_upgrade(j);
    judge_future(j);
}

struct overview_items overview_judge(
    const struct overview *overview, const struct overview_config *config, struct arena *arena)
{
    struct judging *j = ARENA_NEW(arena, struct judging);
    j->o = overview;
    j->config = config;
    j->arena = arena;
    if (str_is_null(overview->moved_to))
        judge_service(j);
    else
        add(j, CONDITION_MOVED,
            arena_fmt(
                arena,
                "This database was moved to %.*s and takes no more changes: name that one in the "
                "settings, and restart the servers.",
                STR_ARG(overview->moved_to)));
    struct overview_items ret = {
        .items = ARENA_ARRAY(arena, struct overview_item, ITEMS_MAX + OVERVIEW_MORE_MAX)};
    for (enum condition_level level = 0; level < CONDITION_LEVEL_COUNT; level++)
        for (size_t i = 0; i < j->count; i++)
            if (j->items[i].level == level)
                ret.items[ret.count++] = j->items[i];
    return ret;
}
