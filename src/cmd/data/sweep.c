/*
 * `stockact sweep`: recomputes the conflict signal of every public trade (conflict/sweep.h), or
 * explains how the rule decides one trade. SIGINT and SIGTERM stop a sweep between two batches.
 * Committed batches remain, and the next sweep does the rest.
 */

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "base/clock.h"
#include "cmd/operate/store_access.h"
#include "cmd/term/counts.h"
#include "cmd/term/out.h"
#include "cmd/term/progress.h"
#include "conflict/explain.h"
#include "conflict/sweep.h"
#include "db/db.h"
#include "serve/sweep_pace.h"

/* ERR_NOT_FOUND: no public trade has that id. */
enum err sweep_explain(struct out *out, struct db *db, struct str trade_id, struct fail *fail);

/* Prints an explanation (conflict/explain.h). */

enum { TEXT_SIZE_MAX = 16 * 1024 * 1024 };

static struct str industry_name(int industry)
{
    return industry ? industry_get(industry)->name : STR_NULL;
}

static struct str judged_name(enum conflict_class judged)
{
    switch (judged) {
    case CONFLICT_NEVER:
        return STR("never");
    case CONFLICT_COMPANY:
        return STR("by its company");
    case CONFLICT_FUND:
        return STR("by what it holds");
    case CONFLICT_ITSELF:
        return STR("as itself");
    case CONFLICT_NAMED:
        return STR("by its name");
    }
    return STR_NULL;
}

static void out_day(struct out *out, const char *name, int32_t day)
{
    char text[DAY_TEXT_SIZE];
    if (day == DAY_NONE) {
        out_str(out, name, STR_NULL);
        return;
    }
    day_print(day, text);
    out_str(out, name, str_of(text, sizeof text));
}

static void show_asset(struct out *out, const struct explanation *e)
{
    out_str(out, "assetType", asset_type_name(e->is.asset_type));
    out_str(out, "judged", judged_name(e->class.judged));
    out_str(out, "because", e->class.why);
    out_str(out, "symbol", e->is.ticker);
    out_str(out, "company", e->asset.company);
    out_str(out, "industry", industry_name(e->asset.industry));
    out_str(out, "industrySource", e->asset.source);
}

static void show_answer(struct out *out, const struct explanation *e)
{
    bool signal = e->step == EXPLAIN_SIGNAL;
    out_bool(out, "signal", signal);
    out_str(out, "endedAt", explain_step_name(e->step));
    out_str(out, "reason", signal ? e->reason : explain_why_not(e));
    out_bool(out, "storedSignal", e->is_stored);
    out_str(out, "storedReason", e->stored_reason);
    out_instant(out, "storedSince", e->is_stored ? e->stored.since : INSTANT_NONE);
    out_str(out, "storedRuleVersion", e->is_stored ? e->stored.rule_version : STR_NULL);
    out_str(out, "ruleVersion", industry_rule_version());
}

static void show_head(struct out *out, struct str trade_id, const struct explanation *e)
{
    out_str(out, "trade", trade_id);
    out_str(out, "member", e->member);
    out_str(out, "chamber", chamber_name(e->is.chamber));
    out_day(out, "day", e->is.day);
    show_asset(out, e);
    out_i64(out, "congress", e->congress);
    out_i64(out, "seatLists", (int64_t)e->list_count);
    out_day(out, "seatsAsOf", e->as_of);
    out_str(out, "basis", conflict_basis_name(e->basis));
    show_answer(out, e);
}

/* --- seats */

static void put_seat(struct json_out *j, const struct explain_seat *s)
{
    json_object_begin(j);
    JSON_KEY_STR(j, "id", s->seat->id);
    JSON_KEY_STR(j, "name", s->seat->title);
    JSON_KEY_STR(j, "chamber", chamber_name(s->seat->chamber));
    JSON_KEY_STR(j, "role", seat_role_name(s->seat->role));
    JSON_KEY_BOOL(j, "inMap", s->mapped);
    JSON_KEY_ARRAY(j, "oversees");
    for (size_t i = 0; i < s->oversees_count; i++)
        json_str(j, industry_name(s->oversees[i]->industry));
    json_array_end(j);
    JSON_KEY_STR(j, "strength", conflict_strength_name(conflict_strength_of(s->seat->id)));
    JSON_KEY_DAY(j, "from", s->from);
    JSON_KEY_DAY(j, "to", s->to);
    JSON_KEY_BOOL(j, "counts", s->overlaps);
    json_object_end(j);
}

static void put_seats(struct buf *b, const struct explanation *e)
{
    struct json_out j;
    json_init(&j, b);
    json_array_begin(&j);
    for (size_t i = 0; i < e->seat_count; i++)
        put_seat(&j, &e->seats[i]);
    json_array_end(&j);
}

static void print_seat(struct out *out, const struct explain_seat *s)
{
    BUF_SCOPED(b, TEXT_SIZE_MAX);
    for (size_t i = 0; i < s->oversees_count; i++) {
        buf_text(&b, i ? ", " : "");
        buf_str(&b, industry_name(s->oversees[i]->industry));
    }
    if (s->oversees_count == 0)
        buf_text(&b, s->mapped ? "no industry" : "not in the map");
    out_line(
        out, "%s seat  %.*s %.*s (%.*s, %.*s): %.*s", s->overlaps ? "*" : " ", STR_ARG(s->seat->id),
        STR_ARG(s->seat->title), STR_ARG(seat_role_name(s->seat->role)),
        STR_ARG(chamber_name(s->seat->chamber)), STR_ARG(buf_view(&b)));
}

static void print_industry(struct out *out, const struct business *item)
{
    char share[32] = "";
    if (item->share)
        snprintf(share, sizeof share, "%d %% of revenue, ", item->share);
    out_line(
        out, "  industry  %.*s (%s%.*s): %.*s", STR_ARG(industry_name(item->industry)), share,
        STR_ARG(business_kind_name(item->kind)), STR_ARG(item->source));
}

/* --- history */

static void put_line(void *ctx, const struct finding_line *line)
{
    struct json_out *j = ctx;
    json_object_begin(j);
    JSON_KEY_INSTANT(j, "at", line->at);
    JSON_KEY_STR(j, "from", line->old_reason);
    JSON_KEY_STR(j, "to", line->new_reason);
    json_object_end(j);
}

static void print_line(void *ctx, const struct finding_line *line)
{
    struct str to = str_is_null(line->new_reason) ? STR("no signal") : line->new_reason;
    char at[INSTANT_TEXT_SIZE];
    instant_print(line->at, at);
    out_line(ctx, "  %.*s  %.*s", (int)sizeof at, at, STR_ARG(to));
}

static enum err put_history(struct buf *b, struct db *db, struct str trade_id, struct fail *fail)
{
    struct json_out j;
    json_init(&j, b);
    json_array_begin(&j);
    enum err err = finding_each_line(db, trade_id, put_line, &j, fail);
    json_array_end(&j);
    return err;
}

static enum err show_json(
    struct out *out, struct db *db, struct str trade_id, const struct explanation *e,
    struct fail *fail)
{
    BUF_SCOPED(history, TEXT_SIZE_MAX);
    BUF_SCOPED(seats, TEXT_SIZE_MAX);
    BUF_SCOPED(industries, TEXT_SIZE_MAX);
    struct json_out j;
    put_seats(&seats, e);
    json_init(&j, &industries);
    conflict_put_industries(&j, &e->asset, NULL);
    TRY(put_history(&history, db, trade_id, fail));
    out_begin(out, OUT_BLOCK);
    show_head(out, trade_id, e);
    out_raw(out, "industries", buf_view(&industries));
    out_raw(out, "seats", buf_view(&seats));
    out_raw(out, "history", buf_view(&history));
    out_end(out);
    return OK;
}

static enum err show_text(
    struct out *out, struct db *db, struct str trade_id, const struct explanation *e,
    struct fail *fail)
{
    out_begin(out, OUT_BLOCK);
    show_head(out, trade_id, e);
    out_end(out);
    for (size_t i = 0; i < e->asset.item_count; i++)
        print_industry(out, &e->asset.items[i]);
    for (size_t i = 0; i < e->seat_count; i++)
        print_seat(out, &e->seats[i]);
    return finding_each_line(db, trade_id, print_line, out, fail);
}

enum err sweep_explain(struct out *out, struct db *db, struct str trade_id, struct fail *fail)
{
    struct explanation e;
    ARENA_SCOPED(arena);
    TRY(db_begin_read(db, fail));
    enum err err = explain_trade(db, trade_id, &arena, &e, fail);
    if (!err)
        err = out->json ? show_json(out, db, trade_id, &e, fail)
                        : show_text(out, db, trade_id, &e, fail);
    db_rollback(db);
    return err;
}

enum { MS_NS = 1000000 };

struct sweep_command {
    struct db *db;
    sigset_t signals;  /* SIGINT and SIGTERM: blocked, received in pauses only */
    int signal_number; /* the signal received; 0: none */
};

static void block_signals(struct sweep_command *s)
{
    sigemptyset(&s->signals);
    sigaddset(&s->signals, SIGINT);
    sigaddset(&s->signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &s->signals, NULL);
}

static void wait_signal(struct sweep_command *s, int ms)
{
    const struct timespec time = {ms / SECOND_MS, (long)(ms % SECOND_MS) * MS_NS};
    int signal_number = s->signal_number ? 0 : sigtimedwait(&s->signals, NULL, &time);
    if (signal_number > 0)
        s->signal_number = signal_number;
}

static bool stop_requested(void *ctx)
{
    struct sweep_command *s = ctx;
    wait_signal(s, 0);
    return s->signal_number != 0;
}

static enum err write_and_pause(void *ctx, writer_run *run, void *run_ctx, struct fail *fail)
{
    struct sweep_command *s = ctx;
    int64_t began_ns = clock_mono_ns();
    enum err err = store_access_write(s->db, run, run_ctx, fail);
    wait_signal(s, sweep_pace_ms(clock_mono_ns() - began_ns));
    return err;
}

static void show_result(struct out *out, const struct sweep_result *result, int64_t took_ms)
{
    char space[32];
    struct buf seconds = buf_over(space, sizeof space);
    buf_fmt(&seconds, "%lld.%03d", (long long)(took_ms / SECOND_MS), (int)(took_ms % SECOND_MS));
    const struct count_line counts[] = {
        {"trades", result->trades, "public trade judged", "public trades judged", OUT_PLAIN},
        {"signals", result->signals, "of them has a signal", "of them have a signal", OUT_PLAIN},
        {"set", result->set, "signal set", "signals set", OUT_GOOD},
        {"changed", result->changed, "signal changed", "signals changed", OUT_GOOD},
        {"cleared", result->cleared, "signal cleared", "signals cleared", OUT_GOOD},
    };
    enum { COUNT = sizeof counts / sizeof *counts };
    const struct counts_words words = {
        .title = "Conflict signals",
        .unchanged =
            result->set || result->changed || result->cleared ? NULL : "no signal has changed",
    };
    if (counts_page(out, &words, counts, COUNT))
        return;
    out_begin(out, OUT_BLOCK);
    counts_fields(out, counts, COUNT);
    out_raw(out, "seconds", buf_view(&seconds));
    out_end(out);
}

static enum err fail_stopped(
    struct cmd *cmd, const struct sweep_command *s, const struct sweep_result *result,
    struct fail *fail)
{
    cmd->error_code = "stopped";
    return fail_set(
        fail, ERR_REFUSED,
        "stopped by %s after %lld trades; their signals are stored, the next sweep does the rest",
        s->signal_number == SIGINT ? "SIGINT" : "SIGTERM", (long long)result->trades);
}

static const struct progress_label sweeping = {"Sweeping", "trade", "trades"};

static enum err sweep(struct cmd *cmd, struct db *db, struct fail *fail)
{
    struct sweep_command s = {.db = db};
    struct sweep_result result;
    struct progress *progress = progress_start(cmd->out, &sweeping);
    const struct progress_hook hook = progress_hook_of(progress);
    const struct sweep_config config = {
        .db = db,
        .now_ms = clock_wall_ms(),
        .write = write_and_pause,
        .stop = stop_requested,
        .ctx = &s,
        .progress = progress ? &hook : NULL, /* the total costs a query */
    };
    int64_t began_ms = clock_mono_ms();
    block_signals(&s);
    enum err err = sweep_run(&config, &result, fail);
    progress_stop(progress);
    if (result.change_seq)
        store_access_wait_servers(db);
    if (err)
        return err;
    show_result(cmd->out, &result, clock_mono_ms() - began_ms);
    return result.stopped ? fail_stopped(cmd, &s, &result, fail) : OK;
}

enum err cmd_sweep(struct cmd *cmd, struct fail *fail)
{
    struct str trade_id = options_value(cmd->options, "explain");
    bool explains = !str_is_null(trade_id);
    DB_SCOPED(db);
    TRY(store_access_open(cmd, explains ? STORE_READ : STORE_WRITE, &db, fail));
    return explains ? sweep_explain(cmd->out, db, trade_id, fail) : sweep(cmd, db, fail);
}
