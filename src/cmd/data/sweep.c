/*
 * `stockact sweep`: recomputes the conflict signal of every public trade (conflict/sweep.h), or
 * explains how the rule decides one trade. SIGINT and SIGTERM stop a sweep between two batches.
 * Committed batches remain, and the next sweep does the rest.
 */
#include "conflict/sweep.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "base/clock.h"
#include "cmd/data/sweep_explain.h"
#include "cmd/operate/store_access.h"
#include "cmd/term/counts.h"
#include "cmd/term/progress.h"
#include "serve/sweep_pace.h"

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
    enum err err = store_access_open(cmd, explains ? STORE_READ : STORE_WRITE, &db, fail);
    return err        ? err
           : explains ? sweep_explain(cmd->out, db, trade_id, fail)
                      : sweep(cmd, db, fail);
}
