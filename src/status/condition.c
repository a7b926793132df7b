/* The table of conditions, and what metrics show; see condition.h. */
#include "status/condition.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

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

#define ROW(condition, ...) [condition] = {__VA_ARGS__},

static const struct condition_info conditions[CONDITION_COUNT] = {CONDITIONS(ROW)};

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
