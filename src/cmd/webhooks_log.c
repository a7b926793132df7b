/* `stockact webhooks deliveries|replay`: lists deliveries and sends them again (spec 6). */
#include "cmd/webhooks_log.h"

#include "base/clock.h"
#include "base/utf8.h"
#include "cmd/session.h"
#include "config/values.h"
#include "store/endpoint.h"

enum {
    LIMIT_DEFAULT = 100,
    ANSWER_LINE_MAX = 200, /* bytes of a response body to print; --json prints all of it */
};

static void put_opt(struct out *out, const char *name, int64_t value, int64_t none)
{
    if (value == none)
        out_str(out, name, STR_NULL);
    else
        out_i64(out, name, value);
}

void webhooks_put_outcome(struct out *out, const struct delivery_outcome *o)
{
    put_opt(out, "status", o->status, 0);
    out_str(out, "detail", o->detail);
    out_str(out, "remote", o->remote);
    out_instant(out, "startedAt", o->started_at);
    out_i64(out, "durationMs", o->ended_at - o->started_at);
    put_opt(out, "resolveMs", o->resolve_ms, -1);
    put_opt(out, "connectMs", o->connect_ms, -1);
    put_opt(out, "tlsMs", o->tls_ms, -1);
    put_opt(out, "waitMs", o->wait_ms, -1);
    out_str(out, "retryAfter", o->retry_after);
    out_str(out, "answer", out->json ? o->answer : str_trim(utf8_cut(o->answer, ANSWER_LINE_MAX)));
}

/* --- deliveries */

static void show_delivery(void *ctx, const struct delivery_row *row)
{
    struct out *out = ctx;
    bool waits = row->state == DELIVERY_PENDING;
    out_begin(out, OUT_TABLE);
    out_str(out, "id", row->id);
    out_str(out, "endpoint", row->endpoint_id);
    out_str(out, "event", row->event_id);
    out_str(out, "type", row->event_type);
    out_str(out, "filing", row->filing_id);
    out_str(out, "state", delivery_state_name(row->state));
    out_i64(out, "tries", row->tries);
    out_i64(out, "attempts", row->attempts);
    out_instant(out, "createdAt", row->created_at);
    out_instant(out, "dueAt", waits ? row->due_at : INSTANT_NONE);
    out_instant(out, "endedAt", row->ended_at);
    out_end(out);
}

static void show_attempt(void *ctx, const struct delivery_outcome *attempt)
{
    struct out *out = ctx;
    out_begin(out, OUT_TABLE);
    out_i64(out, "number", attempt->attempt);
    out_str(out, "error", attempt->error);
    webhooks_put_outcome(out, attempt);
    out_end(out);
}

enum err cmd_webhooks_deliveries(struct cmd *cmd, struct fail *fail)
{
    struct db *db = NULL;
    struct str of = options_value(cmd->options, "attempts");
    int64_t limit = LIMIT_DEFAULT;
    if (options_given(cmd->options, "limit"))
        value_i64_between(options_value(cmd->options, "limit"), 0, INT32_MAX, &limit);
    enum err err = session_open(cmd, STORE_READ, &db, fail);
    if (!err && !str_is_null(of))
        err = delivery_each_attempt(db, of, show_attempt, cmd->out, fail);
    else if (!err)
        err = delivery_each(
            db, options_value(cmd->options, "endpoint"), INT64_MAX, limit, show_delivery, cmd->out,
            fail);
    db_close(db);
    return err;
}

/* --- replay */

struct replay_work {
    struct str delivery; /* null: all deliveries in `state` since `since` */
    enum delivery_state state;
    int64_t since;
    struct str endpoint;
    int64_t now_ms;
    int64_t count;
};

static enum err replay(struct db *db, void *ctx, struct fail *fail)
{
    struct replay_work *work = ctx;
    struct arena arena;
    struct endpoint endpoint;
    work->count = 1;
    if (!str_is_null(work->delivery))
        return delivery_replay(db, work->delivery, work->now_ms, fail);
    arena_init(&arena);
    enum err err = OK;
    if (!str_is_null(work->endpoint))
        err = endpoint_find(db, work->endpoint, &arena, &endpoint, fail);
    if (!err)
        err = delivery_replay_since(
            db, work->state, work->endpoint, work->since, work->now_ms, &work->count, fail);
    arena_finish(&arena);
    return err;
}

/* The deliveries to replay: exactly one of the three ways to name them. */
static enum err read_work(struct cmd *cmd, struct replay_work *work, struct fail *fail)
{
    const struct options *options = cmd->options;
    bool failed = options_given(options, "failed-since");
    bool expired = options_given(options, "expired-since");
    if (options->operand_count + failed + expired != 1)
        return fail_set(
            fail, ERR_INVALID, "give exactly one of DELIVERY, --failed-since and --expired-since");
    work->endpoint = options_value(options, "endpoint");
    if (!failed && !expired && !str_is_null(work->endpoint))
        return fail_set(fail, ERR_INVALID, "--endpoint needs --failed-since or --expired-since");
    if (failed || expired)
        instant_parse(
            options_value(options, failed ? "failed-since" : "expired-since"), &work->since);
    else
        work->delivery = options->operands[0];
    work->state = failed ? DELIVERY_FAILED : DELIVERY_EXPIRED;
    work->now_ms = clock_wall_ms();
    return OK;
}

enum err cmd_webhooks_replay(struct cmd *cmd, struct fail *fail)
{
    struct replay_work work = {.count = 0};
    struct db *db = NULL;
    enum err err = read_work(cmd, &work, fail);
    if (!err)
        err = session_open(cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = session_write(db, replay, &work, fail);
    if (!err) {
        session_wait_servers(db);
        out_begin(cmd->out, OUT_BLOCK);
        out_i64(cmd->out, "replayed", work.count);
        out_end(cmd->out);
    }
    db_close(db);
    return err;
}
