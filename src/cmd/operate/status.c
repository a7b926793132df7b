/* `stockact status`: what the database holds, what needs attention, and what to do next
 * (docs/operate.md). */
#include "base/build.h"
#include "cmd/operate/database_place.h"
#include "cmd/operate/doctor.h"
#include "cmd/operate/server_ask.h"
#include "cmd/operate/store_access.h"
#include "rule/invented.h"
#include "serve/daily_on.h"
#include "status/summary.h"
#include "status/words.h"

/* Waiting for people, in this order. */
static const struct {
    enum report_state state;
    const char *json;
} waiting[] = {
    {REPORT_NEEDS_MANUAL, "needsManual"},
    {REPORT_DRAFT, "draft"},
    {REPORT_IN_REVIEW, "inReview"},
    {REPORT_ACCEPTED, "accepted"},
};

enum { WAITING_COUNT = sizeof waiting / sizeof *waiting };

struct screen {
    struct store_read *read;
    struct out *out;
    struct summary summary;
    struct overview overview;
    struct overview_items items;
    size_t more; /* items that were added to those judged */
};

static struct str data_words(enum meta_data data)
{
    return data == META_DATA_DEMO   ? STR("demonstration (invented)")
           : data == META_DATA_REAL ? STR("real")
                                    : STR("empty");
}

static struct str when(struct screen *s, int64_t at)
{
    struct arena *arena = &s->read->arena;
    if (at == INSTANT_NONE)
        return STR("never");
    return arena_fmt(
        arena, "%.*s ago",
        STR_ARG(words_duration(arena, at < s->read->now_ms ? s->read->now_ms - at : 0)));
}

/* "12 needs_manual, 3 draft"; only what waits. */
static struct str drafts(struct screen *s)
{
    struct str text = STR_NULL;
    for (size_t i = 0; i < WAITING_COUNT; i++) {
        int64_t n = s->summary.reports[waiting[i].state];
        if (n)
            text = arena_fmt(
                &s->read->arena, "%.*s%s%.*s %.*s", STR_ARG(text), text.n ? ", " : "",
                STR_ARG(words_number(&s->read->arena, n)),
                STR_ARG(report_state_name(waiting[i].state)));
    }
    return text.n ? text : STR("none");
}

static struct str webhooks(struct screen *s)
{
    struct arena *arena = &s->read->arena;
    if (!s->summary.endpoints)
        return STR("none");
    return arena_fmt(
        arena, "%.*s, %.*s failing",
        STR_ARG(words_count(arena, s->summary.endpoints, "endpoint", "endpoints")),
        STR_ARG(words_number(arena, s->summary.endpoints_failing)));
}

static struct str runs(struct screen *s)
{
    int64_t running = 0;
    for (size_t i = 0; i < s->overview.nodes.count; i++)
        running += s->overview.nodes.items[i].running;
    if (!running)
        return s->summary.running ? STR("not known: no heartbeat is written") : STR("not running");
    return words_count(&s->read->arena, running, "server runs", "servers run");
}

static void show_words(struct screen *s, struct str next)
{
    struct arena *arena = &s->read->arena;
    int32_t today = instant_day_utc(s->read->now_ms);
    const struct summary *sum = &s->summary;
    struct str trades = arena_fmt(
        arena, "%s%.*s", sum->trades_estimated ? "about " : "",
        STR_ARG(words_number(arena, sum->trades)));
    out_begin(s->out, OUT_BLOCK);
    out_str(s->out, "database", database_place_name(s->read->cmd->settings, arena));
    out_state(
        s->out, "data", data_words(sum->data),
        sum->data == META_DATA_REAL ? OUT_GOOD : OUT_DOUBTFUL);
    out_str(s->out, "people", words_number(arena, sum->members));
    out_str(s->out, "trades", trades);
    out_str(s->out, "drafts waiting", drafts(s));
    for (enum list_kind kind = 0; kind < LIST_KIND_COUNT; kind++)
        out_state(
            s->out, list_bound_of(kind)->label.p,
            list_age_text(arena, &s->overview.lists, kind, today),
            list_is_old(&s->overview.lists, kind, today) ? OUT_DOUBTFUL : OUT_PLAIN);
    out_str(s->out, "last import", when(s, sum->last[LAST_IMPORT]));
    out_str(s->out, "last ingest", when(s, sum->last[LAST_INGEST]));
    out_str(s->out, "last sync", when(s, sum->last_sync));
    out_str(s->out, "last sweep", when(s, sum->last_sweep));
    out_str(
        s->out, "last backup",
        settings_embedded(s->read->cmd->settings) || sum->last[LAST_BACKUP] != INSTANT_NONE
            ? when(s, sum->last[LAST_BACKUP])
            : STR("made by PostgreSQL's own programs"));
    out_state(
        s->out, "webhooks", webhooks(s),
        sum->endpoints_failing ? OUT_BAD
        : sum->endpoints       ? OUT_GOOD
                               : OUT_PLAIN);
    out_state(s->out, "server", runs(s), sum->running ? OUT_GOOD : OUT_PLAIN);
    out_str(s->out, "version", arena_fmt(arena, "stockact %.*s", STR_ARG(build.version)));
    out_str(s->out, "next", next.n ? next : STR("nothing to do"));
    out_end(s->out);
}

static void show_record(struct screen *s, struct str next)
{
    struct out *out = s->out;
    const struct summary *sum = &s->summary;
    out_begin(out, OUT_BLOCK);
    out_str(out, "database", database_place_name(s->read->cmd->settings, &s->read->arena));
    out_str(
        out, "data",
        sum->data == META_DATA_DEMO   ? STR(INVENTED_VALUE)
        : sum->data == META_DATA_REAL ? STR("real")
                                      : STR_NULL);
    out_i64(out, "members", sum->members);
    out_i64(out, "trades", sum->trades);
    for (size_t i = 0; i < WAITING_COUNT; i++)
        out_i64(out, waiting[i].json, sum->reports[waiting[i].state]);
    for (enum list_kind kind = 0; kind < LIST_KIND_COUNT; kind++)
        out_str(
            out, list_bound_of(kind)->json.p,
            day_str(&s->read->arena, s->overview.lists.days[kind]));
    out_instant(out, "lastImport", sum->last[LAST_IMPORT]);
    out_instant(out, "lastIngest", sum->last[LAST_INGEST]);
    out_instant(out, "lastSync", sum->last_sync);
    out_instant(out, "lastSweep", sum->last_sweep);
    out_instant(out, "lastBackup", sum->last[LAST_BACKUP]);
    out_i64(out, "endpoints", sum->endpoints);
    out_i64(out, "endpointsFailing", sum->endpoints_failing);
    out_bool(out, "running", sum->running);
    out_str(out, "version", build.version);
    out_str(out, "next", next);
    out_end(out);
}

static void show_items(struct screen *s)
{
    const struct overview_items *items = &s->items;
    for (size_t i = 0; i < items->count; i++) {
        const struct overview_item *item = &items->items[i];
        out_begin(s->out, OUT_TABLE);
        out_state(
            s->out, "level", condition_level_name(item->level),
            item->level == CONDITION_URGENT ? OUT_BAD : OUT_DOUBTFUL);
        out_str(s->out, "topic", item->topic);
        out_str(s->out, "text", item->text);
        out_str(
            s->out, "more", arena_fmt(&s->read->arena, "stockact %.*s", STR_ARG(item->command)));
        out_end(s->out);
    }
    if (!items->count)
        out_line(s->out, "Nothing needs attention.");
}

/* What `doctor` found and the table of conditions did not. */
static void take_finding(void *ctx, const struct doctor_finding *f)
{
    struct screen *s = ctx;
    if (f->mood != OUT_BAD && f->mood != OUT_DOUBTFUL)
        return;
    for (size_t i = 0; i < s->items.count; i++) {
        const char *check = condition_info(s->items.items[i].condition)->check;
        if (check && str_starts(f->check, str_from(check)))
            return;
    }
    if (s->more++ >= OVERVIEW_MORE_MAX)
        return;
    struct arena *arena = &s->read->arena;
    enum condition_level level = f->mood == OUT_BAD ? CONDITION_URGENT : CONDITION_NOTICE;
    struct overview_item *at = &s->items.items[s->items.count++];
    while (at > s->items.items && at[-1].level > level) {
        *at = at[-1];
        at--;
    }
    *at = (struct overview_item){
        .condition = CONDITION_MACHINE,
        .level = level,
        .topic = arena_str(arena, f->check),
        .text = arena_fmt(arena, "%.*s. To fix: %.*s.", STR_ARG(f->found), STR_ARG(f->fix)),
        .command = condition_info(CONDITION_MACHINE)->topic->command,
    };
}

/* The conditions that the server of this machine finds in its metrics. */
static condition_set told(struct screen *s)
{
    BUF_SCOPED(metrics, SERVER_RESPONSE_SIZE_MAX);
    const char *reason;
    bool ready = server_ask(s->read->cmd->settings, "/metrics", &metrics, &reason) == SERVER_READY;
    condition_set ret = ready ? condition_told(buf_view(&metrics)) : 0;
    return ret;
}

enum err cmd_status(struct store_read *read, struct fail *fail)
{
    const struct settings *settings = read->cmd->settings;
    struct screen s = {.read = read, .out = read->out};
    const struct overview_config config = {
        .told = told(&s),
        .now_ms = read->now_ms,
        .mail = !str_is_null(settings->smtp_url),
        .daily = daily_on(settings),
    };
    TRY(overview_read(read->db, read->now_ms, &read->arena, &s.overview, fail));
    TRY(summary_read(read->db, &s.overview, &s.summary, fail));
    s.items = overview_judge(&s.overview, &config, &read->arena);
    doctor_each(read->cmd, false, take_finding, &s);
    struct str next = summary_next(
        &s.summary, settings_embedded(settings) ? settings_database_path(settings) : STR_NULL,
        &read->arena);
    if (s.out->json) {
        show_items(&s);
        show_record(&s, next);
    } else {
        show_words(&s, next);
        if (!out_is_page(s.out) || !s.items.count) /* a terminal separates tables itself */
            out_line(s.out, "%s", "");
        show_items(&s);
    }
    return OK;
}
