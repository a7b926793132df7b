/* `stockact webhooks deliveries`: lists deliveries, the attempts of one, or shows one (spec 6). */
#include "cmd/account/webhooks_log.h"

#include "base/utf8.h"
#include "cmd/operate/store_access.h"
#include "cmd/term/mood.h"
#include "store/account/delivery.h"
#include "store/account/endpoint.h"

enum {
    LIMIT_DEFAULT = 100,
    ANSWER_LINE_MAX = 200, /* bytes of a response body to print; --json prints all of it */
};

void webhooks_put_outcome(struct out *out, const struct delivery_outcome *o)
{
    out_mood(out, o->accepted ? OUT_GOOD : OUT_BAD);
    out_i64_unless(out, "status", o->status, 0);
    out_str(out, "detail", o->detail);
    out_str(out, "remote", o->remote);
    out_instant(out, "startedAt", o->started_at);
    out_i64(out, "durationMs", o->ended_at - o->started_at);
    out_i64_unless(out, "resolveMs", o->resolve_ms, -1);
    out_i64_unless(out, "connectMs", o->connect_ms, -1);
    out_i64_unless(out, "tlsMs", o->tls_ms, -1);
    out_i64_unless(out, "waitMs", o->wait_ms, -1);
    out_str(out, "retryAfter", o->retry_after);
    out_str(out, "url", o->url);
    if (out->json)
        out_str(out, "request", o->request);
    out_str(out, "answer", out->json ? o->answer : str_trim(utf8_cut(o->answer, ANSWER_LINE_MAX)));
}

/* --- deliveries */

static void put_delivery(struct out *out, const struct delivery_row *row)
{
    bool waits = row->state == DELIVERY_PENDING;
    out_str(out, "id", row->id);
    out_str(out, "endpointId", row->endpoint_id);
    out_str(out, "eventId", row->event_id);
    out_str(out, "type", row->event_type);
    out_str(out, "filingId", row->filing_id);
    struct str state = delivery_state_name(row->state);
    out_state(out, "state", state, mood_of(state));
    out_i64(out, "tries", row->tries);
    out_i64(out, "attempts", row->attempts);
    out_instant(out, "createdAt", row->created_at);
    out_instant(out, "dueAt", waits ? row->due_at : INSTANT_NONE);
    out_instant(out, "endedAt", row->ended_at);
    out_str(out, "cause", delivery_cause_name(row->cause));
    out_instant(out, "replayedAt", row->replayed_at);
}

/* The columns that fit on a line of a terminal. */
static void put_short(struct out *out, const struct delivery_row *row)
{
    bool waits = row->state == DELIVERY_PENDING;
    struct str state = delivery_state_name(row->state);
    out_str(out, "id", row->id);
    out_str(out, "type", row->event_type);
    out_str(out, "filingId", row->filing_id);
    out_state(out, "state", state, mood_of(state));
    out_i64(out, "attempts", row->attempts);
    out_instant(out, "createdAt", row->created_at);
    out_instant(out, "dueOrEndedAt", waits ? row->due_at : row->ended_at);
}

static void show_delivery(void *ctx, const struct delivery_row *row)
{
    struct out *out = ctx;
    out_begin(out, OUT_TABLE);
    if (out_is_page(out))
        put_short(out, row);
    else
        put_delivery(out, row);
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

static enum err show_body(struct cmd *cmd, struct db *db, struct str id, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct delivery_row row;
    struct str body;
    enum err err = delivery_find(db, id, &arena, &row, &body, fail);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        put_delivery(cmd->out, &row);
        out_str(cmd->out, "body", body);
        out_end(cmd->out);
    }
    return err;
}

static enum err read_filter(
    const struct options *options, struct delivery_filter *ret, struct fail *fail)
{
    *ret = DELIVERY_FILTER_ALL;
    if (options_given(options, "since"))
        instant_parse(options_value(options, "since"), &ret->since);
    if (options_given(options, "until"))
        instant_parse(options_value(options, "until"), &ret->until);
    if (!options_given(options, "state"))
        return OK;
    struct str state = options_value(options, "state");
    ret->state = delivery_state_from_name(state);
    if (ret->state == DELIVERY_STATE_COUNT)
        return fail_set(
            fail, ERR_INVALID,
            "\"%.*s\" is not a state: give pending, delivered, failed or expired", STR_ARG(state));
    return OK;
}

enum err cmd_webhooks_deliveries(struct cmd *cmd, struct fail *fail)
{
    DB_SCOPED(db);
    struct str of = options_value(cmd->options, "attempts");
    struct str body_of = options_value(cmd->options, "body");
    struct str of_endpoint = options_value(cmd->options, "endpoint");
    struct delivery_filter filter;
    int64_t limit = options_i64(cmd->options, "limit", LIMIT_DEFAULT);
    enum err err = read_filter(cmd->options, &filter, fail);
    if (!err)
        err = store_access_open(cmd, STORE_READ, &db, fail);
    if (!err && !str_is_null(of))
        err = delivery_each_attempt(db, of, show_attempt, cmd->out, fail);
    else if (!err && !str_is_null(body_of))
        err = show_body(cmd, db, body_of, fail);
    else if (!err && !str_is_null(of_endpoint))
        err = endpoint_number(db, of_endpoint, &filter.endpoint_no, fail);
    if (!err && str_is_null(of) && str_is_null(body_of))
        err = delivery_each(db, &filter, limit, show_delivery, cmd->out, fail);
    return err;
}
