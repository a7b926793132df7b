/* The table of conditions, and what metrics show; see condition.h. */
#include "status/condition.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/instant.h"

enum { WINDOW_MS = 5 * MINUTE_MS, NUMBER_SIZE = 32 };

#define TOLD "stockact_condition{alert=\""

#define TOPIC(name, label, command, page)                                                          \
    {                                                                                              \
        STR_INIT(name), STR_INIT(label), STR_INIT(command), STR_INIT(page)                         \
    }

static const struct condition_topic nodes =
    TOPIC("servers", "Servers", "nodes list", "/admin/nodes");
/* Why no server runs: a setting, a missing key, a taken address. */
static const struct condition_topic server =
    TOPIC("servers", "Servers", "config check", "/admin/nodes");
static const struct condition_topic machine = TOPIC("servers", "Servers", "doctor", "/admin/nodes");
static const struct condition_topic database =
    TOPIC("database", "Database", "doctor", "/admin/storage");
static const struct condition_topic redis = TOPIC("redis", "Redis", "doctor", "/admin/nodes");
static const struct condition_topic mail = TOPIC("mail", "Mail", "mail list", "/admin/mail");
static const struct condition_topic deliveries =
    TOPIC("deliveries", "Deliveries", "webhooks stuck", "/admin/deliveries");
static const struct condition_topic jobs = TOPIC("jobs", "Jobs", "jobs list", "/admin/jobs");
static const struct condition_topic alerts =
    TOPIC("alerts", "Alerts", "jobs runs alerts", "/admin/jobs");
static const struct condition_topic purges =
    TOPIC("jobs", "Jobs", "jobs runs purge", "/admin/jobs");
static const struct condition_topic lists = TOPIC("lists", "Lists", "doctor", "/admin/jobs");
static const struct condition_topic drafts = TOPIC("drafts", "Drafts", "review list", "/desk");
static const struct condition_topic sync = TOPIC("sync", "Sync", "sync status", "/admin/sync");
static const struct condition_topic storage =
    TOPIC("storage", "Storage", "storage", "/admin/storage");
static const struct condition_topic backup =
    TOPIC("backup", "Backup", "backup --keep 14 FOLDER", "/admin/storage");
static const struct condition_topic upgrade = TOPIC("upgrade", "Upgrade", "status", "/admin/nodes");
static const struct condition_topic clock =
    TOPIC("clock", "Clock", "redate --reason TEXT", "/admin/nodes");
static const struct condition_topic rows = TOPIC("rows", "Rows", "check", "/admin/storage");

#define URGENT CONDITION_URGENT
#define NOTICE CONDITION_NOTICE
#define METRIC(how, name, limit, sentence)                                                         \
    .test = CONDITION_##how, .metric = "stockact_" name, .bound = (limit), .text = (sentence)

static const struct condition_info conditions[CONDITION_COUNT] = {
    [CONDITION_MOVED] = {URGENT, &storage},
    [CONDITION_SERVER_DOWN] = {URGENT, &machine, "StockactDown", "server"},
    [CONDITION_NO_SERVER] = {URGENT, &server, "StockactUnwatched"},
    [CONDITION_NO_HEARTBEAT] = {URGENT, &machine},
    [CONDITION_ERRORS] =
        {URGENT, &machine, "StockactErrors",
         METRIC(ROSE, "requests_total{", 0.01, "More than 1 % of the responses are errors."),
         .with = "status=\"5", .other = "stockact_requests_total{"},
    [CONDITION_SLOW] =
        {NOTICE, &machine, "StockactSlow",
         METRIC(
             ROSE_LESS, "request_duration_seconds_bucket{route=\"/api/v1/", 0.99,
             "One request of a hundred to the API takes longer than 0.25 s."),
         .with = "le=\"0.25\"",
         .other = "stockact_request_duration_seconds_count{route=\"/api/v1/"},
    [CONDITION_QUEUE_FULL] =
        {NOTICE, &machine, "StockactQueueFull",
         METRIC(
             ROSE, "deferred_full_total ", 0, "Requests were refused because workers were busy.")},
    [CONDITION_CONNECTIONS_REFUSED] =
        {URGENT, &machine, "StockactConnectionsRefused",
         METRIC(
             ROSE, "connections_refused_total{reason=\"full\"", 0,
             "Connections were refused: too many are open, or descriptors are used up."),
         .other = "stockact_connections_refused_total{reason=\"descriptors\""},
    [CONDITION_DATABASE_DOWN] =
        {URGENT, &database, "StockactDatabaseDown", "database",
         METRIC(BELOW, "database_up ", 1, "The server gets no answer from the database.")},
    [CONDITION_REDIS_DOWN] =
        {URGENT, &redis, "StockactRedisDown", "redis",
         METRIC(BELOW, "redis_up ", 1, "The server is not connected to Redis.")},
    [CONDITION_REDIS_UNANSWERED] =
        {URGENT, &redis, "StockactRedisUnanswered",
         METRIC(
             ROSE, "draws_unavailable_total ", 0,
             "Requests met Redis, or a node of its cluster, that does not answer.")},
    [CONDITION_NODE_SILENT] = {URGENT, &nodes, "StockactNodeSilent"},
    [CONDITION_WRITES_WAIT] = {URGENT, &database, "StockactWritesWait", "database writes"},
    [CONDITION_NODE_BEHIND] = {URGENT, &nodes, "StockactNodeBehind"},
    [CONDITION_VERSIONS_DIFFER] = {NOTICE, &nodes, "StockactVersionsDiffer"},
    [CONDITION_CLOCK_SET_BACK] =
        {NOTICE, &machine, "StockactClockSetBack",
         METRIC(ROSE, "clock_steps_back_total ", 0, "The clock of the machine was set back.")},
    [CONDITION_CLOCK_WRONG] =
        {NOTICE, &machine, "StockactClockWrong", "database clock",
         METRIC(
             ABOVE, "clock_ahead_seconds ", 2,
             "The clocks of the server and of the database differ by more than 2 s.")},
    [CONDITION_ADDRESSES_FULL] =
        {NOTICE, &machine, "StockactAddressesFull",
         METRIC(
             ROSE, "windows_shared_total ", 0,
             "More addresses send requests than the server can count apart.")},
    [CONDITION_LOG_LINES_DROPPED] =
        {NOTICE, &machine, "StockactLogLinesDropped",
         METRIC(ROSE, "log_lines_dropped_total ", 0, "Lines of the log were dropped.")},
    [CONDITION_UPGRADE] = {NOTICE, &upgrade},
    [CONDITION_FUTURE] = {URGENT, &clock},
    [CONDITION_ROWS_DAMAGED] =
        {URGENT, &rows, "StockactRowsDamaged",
         METRIC(
             ABOVE, "feed_withheld ", 0,
             "Published rows are damaged or were changed outside the program."),
         .other = "stockact_chain_findings "},
    [CONDITION_DISK_LOW] = {URGENT, &storage, "StockactDiskLow", "disk"},
    [CONDITION_DISK_SOON] = {NOTICE, &storage, NULL, "disk"},
    [CONDITION_RESERVE_RELEASED] = {URGENT, &storage, "StockactReserveReleased"},
    [CONDITION_BACKUP_NONE] = {NOTICE, &backup, "StockactBackupOld"},
    [CONDITION_BACKUP_OLD] = {URGENT, &backup, "StockactBackupOld"},
    [CONDITION_WRITE_AHEAD_LOG] = {NOTICE, &storage, "StockactWriteAheadLog"},
    [CONDITION_COUNTS_OLD] =
        {NOTICE, &database, "StockactCountsOld",
         METRIC(
             ABOVE, "counts_age_seconds ", 900,
             "The server's figures of the database are over 15 minutes old.")},
    [CONDITION_JOB_FAILED] = {URGENT, &jobs, "StockactJobFailed"},
    [CONDITION_JOB_LATE] = {URGENT, &jobs, "StockactJobLate"},
    [CONDITION_SYNC_FAILED] = {URGENT, &sync, "StockactJobFailed"},
    [CONDITION_SYNC_LATE] = {URGENT, &sync, "StockactJobLate"},
    [CONDITION_SYNC_OLD] = {NOTICE, &sync, "StockactJobOld"},
    [CONDITION_LIST_OLD] = {NOTICE, &lists, NULL, "list of"},
    [CONDITION_DRAFTS_OLD] =
        {NOTICE, &drafts, "StockactDraftsOld",
         METRIC(
             ABOVE, "drafts_oldest_waiting_seconds ", 604800,
             "A draft has waited for a reviewer for more than a week.")},
    [CONDITION_WEBHOOKS_LATE] = {URGENT, &deliveries, "StockactWebhooksLate"},
    [CONDITION_WEBHOOKS_HELD] = {NOTICE, &deliveries},
    [CONDITION_MAIL_OFF] = {URGENT, &mail},
    [CONDITION_MAIL_LATE] = {URGENT, &mail, "StockactMailLate"},
    [CONDITION_MAIL_GIVEN_UP] = {URGENT, &mail, "StockactMailGivenUp"},
    [CONDITION_ALERTS_BEHIND] =
        {NOTICE, &alerts, "StockactAlertsBehind",
         METRIC(
             ABOVE, "alerts_behind_seconds ", 300,
             "The oldest change that was not matched with alerts has waited for 5 minutes.")},
    [CONDITION_ALERT_TOO_LONG] =
        {NOTICE, &alerts, "StockactAlertTooLong",
         METRIC(
             ROSE, "alert_emails_total{outcome=\"too_long\"", 0,
             "E-mails of alerts were too long and were dropped.")},
    [CONDITION_PURGE_FAILING] =
        {NOTICE, &purges, "StockactPurgeFailing", "purge",
         METRIC(
             ABOVE, "purge_failing_seconds ", 60,
             "Pages of the cache have not been purged for a minute.")},
    [CONDITION_MACHINE] = {NOTICE, &machine},
};

static_assert(CONDITION_COUNT <= sizeof(condition_set) * CHAR_BIT, "one bit for each");

const struct condition_info *condition_info(enum condition condition)
{
    assert(condition < CONDITION_COUNT);
    return &conditions[condition];
}

struct str condition_level_name(enum condition_level level)
{
    static const struct str names[CONDITION_LEVEL_COUNT] = {STR_INIT("urgent"), STR_INIT("notice")};
    assert(level < CONDITION_LEVEL_COUNT);
    return names[level];
}

/* --- metrics */

static bool next_line(struct str *rest, struct str *ret)
{
    ptrdiff_t end = str_find_char(*rest, '\n');
    *ret = str_slice(*rest, 0, end < 0 ? rest->n : (size_t)end);
    *rest = str_slice(*rest, end < 0 ? rest->n : (size_t)end + 1, rest->n);
    return ret->n > 0;
}

static double value_of(struct str line)
{
    char text[NUMBER_SIZE] = "";
    size_t at = line.n;
    while (at && line.p[at - 1] != ' ')
        at--;
    memcpy(text, line.p + at, line.n - at < sizeof text ? line.n - at : 0);
    return strtod(text, NULL);
}

struct samples {
    double sum, min, max;
};

static void add(struct samples *s, struct str metrics, const char *begin, const char *with)
{
    struct str line;
    while (begin && next_line(&metrics, &line)) {
        if (!str_starts(line, str_from(begin)) || (with && str_find(line, str_from(with)) < 0))
            continue;
        double value = value_of(line);
        s->sum += value;
        s->min = fmin(s->min, value);
        s->max = fmax(s->max, fabs(value));
    }
}

condition_set condition_watch(struct condition_watch *watch, struct str metrics, int64_t mono_ms)
{
    double now[CONDITION_COUNT][2];
    condition_set ret = 0;
    for (enum condition c = 0; c < CONDITION_COUNT; c++) {
        const struct condition_info *info = &conditions[c];
        struct samples s = {.min = DBL_MAX}, other = s;
        add(&s, metrics, info->metric, info->with);
        add(info->bound > 0 ? &other : &s, metrics, info->other, NULL);
        now[c][0] = s.sum;
        now[c][1] = other.sum;
        double rose = s.sum - watch->older[c][0];
        double bound = info->bound * (other.sum - watch->older[c][1]);
        bool holds = info->test == CONDITION_ABOVE       ? s.max > info->bound
                     : info->test == CONDITION_BELOW     ? s.min < info->bound
                     : info->test == CONDITION_ROSE      ? rose > bound
                     : info->test == CONDITION_ROSE_LESS ? rose < bound
                                                         : false;
        ret |= (condition_set)holds << c;
    }
    if (watch->newer_ms && mono_ms - watch->newer_ms >= WINDOW_MS) {
        memcpy(watch->older, watch->newer, sizeof now);
        memcpy(watch->newer, now, sizeof now);
    }
    if (!watch->newer_ms || mono_ms - watch->newer_ms >= WINDOW_MS)
        watch->newer_ms = mono_ms;
    return ret;
}

condition_set condition_told(struct str metrics)
{
    condition_set ret = 0;
    struct str line;
    while (next_line(&metrics, &line))
        for (enum condition c = 0; str_starts(line, STR(TOLD)) && c < CONDITION_COUNT; c++)
            if (conditions[c].test && value_of(line) > 0 &&
                str_starts(str_slice(line, sizeof TOLD - 1, line.n), str_from(conditions[c].alert)))
                ret |= (condition_set)1 << c;
    return ret;
}
