/* `stockact webhooks add|list|show|change|set-events|enable|disable|remove`: manages endpoints
 * (spec 6, decision 36). */
#include "base/build.h"
#include "base/utf8.h"
#include "cmd/account/webhooks_work.h"
#include "cmd/operate/store_access.h"
#include "cmd/term/mood.h"
#include "cmd/term/out.h"
#include "store/account/delivery.h"
#include "store/account/delivery_stuck.h"
#include "store/account/endpoint.h"
#include "store/account/endpoint_health.h"
#include "store/row/meta.h"
#include "webhook/owner_send.h"
#include "webhook/trial.h"

/* --- add */

static void print_added(const struct webhooks_work *work)
{
    const struct owner_endpoint *is = &work->is;
    struct out *out = work->cmd->out;
    out_begin(out, OUT_BLOCK);
    out_str(out, "id", is->id);
    out_str(out, "url", is->endpoint.url);
    out_secret(
        out, "secret", secret_text(&is->secret),
        "the endpoint %.*s was created, but its secret could not be printed: run `stockact "
        "webhooks reveal --id %.*s`",
        STR_ARG(is->id), STR_ARG(is->id));
    if (!str_is_null(work->warning))
        out_str(out, "warning", work->warning);
    out_end(out);
}

enum err cmd_webhooks_add(struct cmd *cmd, struct fail *fail)
{
    SCOPED(webhooks_work_end) struct webhooks_work *work = webhooks_work_create(cmd, fail);
    TRY(webhooks_check_url(work, work->is.url, fail));
    TRY(webhooks_load_key(work, fail));
    TRY(webhooks_write(work));
    print_added(work);
    return OK;
}

/* --- list */

enum err cmd_webhooks_list(struct store_read *read, struct fail *fail)
{
    struct endpoint_list list;
    enum err err =
        endpoint_list(store_reads(read, fail), options_value(read->cmd->options, "email"), &list);
    for (size_t i = 0; !err && i < list.count; i++) {
        out_begin(read->out, OUT_TABLE);
        webhooks_put_endpoint(read->out, &list.items[i]);
        out_end(read->out);
    }
    return err;
}

/* --- show */

static void put_hours(struct out *out, const struct endpoint_health *health)
{
    BUF_SCOPED(b, 8 * 1024);
    struct json_out j;
    if (!out->json)
        return;
    json_init(&j, &b);
    json_array_begin(&j);
    for (size_t i = 0; i < ENDPOINT_HEALTH_HOURS; i++) {
        json_object_begin(&j);
        JSON_KEY_INSTANT(&j, "from", health->hours[i].from_ms);
        JSON_KEY_I64(&j, "delivered", health->hours[i].delivered);
        JSON_KEY_I64(&j, "failed", health->hours[i].failed);
        json_object_end(&j);
    }
    json_array_end(&j);
    out_raw(out, "hours", buf_view(&b));
}

enum err cmd_webhooks_show(struct store_read *read, struct fail *fail)
{
    struct str id = options_value(read->cmd->options, "id");
    struct out *out = read->out;
    struct endpoint endpoint;
    struct endpoint_health health;
    TRY(endpoint_find(store_reads(read, fail), id, &endpoint));
    TRY(endpoint_health(read->db, endpoint.no, read->now_ms, &read->arena, &health, fail));
    out_begin(out, OUT_BLOCK);
    webhooks_put_endpoint(out, &endpoint);
    out_i64(out, "waiting", health.waiting);
    out_instant(out, "nextAttemptAt", health.next_at);
    out_instant(out, "lastAttemptAt", health.last.at);
    out_str(out, "lastError", health.last.error);
    out_str(out, "lastDetail", health.last.detail);
    out_i64(out, "deliveredInDay", health.delivered);
    out_i64(out, "failedInDay", health.failed);
    put_hours(out, &health);
    out_end(out);
    return OK;
}

/* --- change, enable, disable, remove, set-events, end-overlap */

/* Looks the name up before the transaction. */
static enum err check_stored_url(struct webhooks_work *work, struct fail *fail)
{
    struct act read = work->act;
    struct endpoint endpoint;
    enum err err = store_access_open(work->cmd, STORE_READ, &read.db, fail);
    if (!err)
        err = endpoint_find(&read, work->is.id, &endpoint);
    db_close(read.db);
    return err ? err : webhooks_check_url(work, endpoint.url, fail);
}

static enum err check(struct webhooks_work *work, struct fail *fail)
{
    const struct cmd *cmd = work->cmd;
    if (cmd->act == owner_enable)
        return check_stored_url(work, fail);
    if (cmd->act != owner_change)
        return OK;
    if (str_is_null(work->is.url) && !options_given(cmd->options, "description"))
        return fail_set(fail, ERR_INVALID, "give --url, --description or both");
    return str_is_null(work->is.url) ? OK : webhooks_check_url(work, work->is.url, fail);
}

static void print_endpoint(struct webhooks_work *work)
{
    struct out *out = work->cmd->out;
    if (work->cmd->act == owner_remove) /* it cannot be read afterwards */
        endpoint_step(&work->is.endpoint.is, ENDPOINT_DELETE);
    out_begin(out, OUT_BLOCK);
    webhooks_put_endpoint(out, &work->is.endpoint);
    if (!str_is_null(work->warning))
        out_str(out, "warning", work->warning);
    out_end(out);
}

/* The action of the command on one endpoint, which is printed. */
enum err cmd_webhooks_act(struct cmd *cmd, struct fail *fail)
{
    SCOPED(webhooks_work_end) struct webhooks_work *work = webhooks_work_create(cmd, fail);
    TRY(check(work, fail));
    TRY(webhooks_write(work));
    print_endpoint(work);
    return OK;
}

/* `stockact webhooks test`: one test request, sent by this command or by a server. `trigger` sends
 * an invented event the same way. */

/* Prints an attempt, for `webhooks deliveries` and `webhooks test`. */

/* `stockact webhooks deliveries`: lists deliveries, the attempts of one, or shows one (spec 6). */

enum {
    LIMIT_DEFAULT = 100,
    ANSWER_LINE_MAX = 200, /* bytes of a response body to print; --json prints all of it */
};

/* Adds to the current record: status, detail, remote address, durations, start of the response. */
static void webhooks_put_outcome(struct out *out, const struct delivery_outcome *o)
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
    TRY(delivery_find(db, id, &arena, &row, &body, fail));
    out_begin(cmd->out, OUT_BLOCK);
    put_delivery(cmd->out, &row);
    out_str(cmd->out, "body", body);
    out_end(cmd->out);
    return OK;
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
    TRY(read_filter(cmd->options, &filter, fail));
    TRY(store_access_open(cmd, STORE_READ, &db, fail));
    if (!str_is_null(of))
        return delivery_each_attempt(db, of, show_attempt, cmd->out, fail);
    if (!str_is_null(body_of))
        return show_body(cmd, db, body_of, fail);
    if (!str_is_null(of_endpoint))
        TRY(endpoint_number(db, of_endpoint, &filter.endpoint_no, fail));
    return delivery_each(db, &filter, limit, show_delivery, cmd->out, fail);
}

static void put_trial(struct out *out, const struct trial *trial)
{
    const struct delivery_outcome *o = &trial->outcome;
    out_begin(out, OUT_BLOCK);
    out_str(out, "delivery", trial->id);
    out_str(out, "class", trial->class);
    webhooks_put_outcome(out, o);
    out_end(out);
}

static enum err judge(struct cmd *cmd, const struct trial *trial, struct fail *fail)
{
    const struct delivery_outcome *o = &trial->outcome;
    if (o->accepted)
        return OK;
    cmd->error_code = "webhook_test_failed";
    if (o->status)
        return fail_set(fail, ERR_REFUSED, "the receiver returned status %d", o->status);
    return fail_set(
        fail, ERR_REFUSED, "no response (%.*s): %.*s", STR_ARG(trial->class), STR_ARG(o->detail));
}

/* --- queued for a server */

static enum err queue_test(struct cmd *cmd, struct fail *fail)
{
    SCOPED(webhooks_work_end) struct webhooks_work *work = webhooks_work_create(cmd, fail);
    TRY(store_access_act(cmd, &work->act, owner_test, &work->is));
    const char *id = work->is.delivery_id;
    out_begin(cmd->out, OUT_BLOCK);
    out_str(cmd->out, "delivery", str_from(id));
    out_end(cmd->out);
    out_line(cmd->out, "For the answer: stockact webhooks deliveries --attempts %s", id);
    return OK;
}

/* --- sent by this command */

/* Logged before it is sent: a command that is interrupted may have sent it. */
static enum err note(struct webhooks_work *work, enum meta_data *ret)
{
    struct act *act = &work->act;
    enum err err = store_access_act(work->cmd, act, owner_test_note, &work->is);
    if (!err)
        err = meta_data_get(act->db, ret, act->fail);
    db_close(act->db); /* do not keep the database open during the request */
    act->db = NULL;
    return err;
}

enum err webhooks_send(
    struct cmd *cmd, struct str endpoint_id, struct str type, struct str body, struct fail *fail)
{
    SCOPED(webhooks_work_end) struct webhooks_work *work = webhooks_work_create(cmd, fail);
    struct trial trial;
    enum meta_data data = META_DATA_NONE;
    struct trial_config config = {
        .key = &work->key,
        .allow = &cmd->settings->webhook_allow,
        .refused_ports = &cmd->settings->webhook_refused_ports,
        .listening = cmd->settings->listen,
        .user_agent = build.agent,
        .ca_file = cmd->settings->webhook_ca_file,
        .name_servers = cmd->settings->webhook_name_servers,
        .type = type,
        .body = body,
    };
    work->is.id = endpoint_id;
    enum err err = webhooks_load_key(work, fail);
    if (!err)
        err = note(work, &data);
    config.invented = data == META_DATA_DEMO || !str_is_null(body);
    if (!err)
        err = trial_send(&config, &work->is.endpoint, &work->arena, &trial, fail);
    if (!err) {
        put_trial(cmd->out, &trial);
        err = judge(cmd, &trial, fail);
    }
    return err;
}

enum err cmd_webhooks_test(struct cmd *cmd, struct fail *fail)
{
    if (options_given(cmd->options, "by-server"))
        return queue_test(cmd, fail);
    return webhooks_send(cmd, options_value(cmd->options, "id"), STR_NULL, STR_NULL, fail);
}

/* --- `stockact webhooks rotate|reveal`: secrets of endpoints (decision 36) */

/* Rotates or reveals, and prints the secret. */
enum err cmd_webhooks_secret(struct cmd *cmd, struct fail *fail)
{
    SCOPED(webhooks_work_end) struct webhooks_work *work = webhooks_work_create(cmd, fail);
    struct owner_endpoint *is = &work->is;
    bool rotates = cmd->act == owner_rotate;
    is->grace_hours = OWNER_GRACE_HOURS;
    if (rotates && options_given(cmd->options, "grace"))
        value_grace(options_value(cmd->options, "grace"), &is->grace_hours);
    is->force = !str_is_null(options_find(cmd->options, "force"));
    TRY(webhooks_load_key(work, fail));
    TRY(webhooks_write(work));
    out_begin(cmd->out, OUT_BLOCK);
    out_str(cmd->out, "id", is->id);
    out_str(cmd->out, "url", is->endpoint.url);
    out_secret(
        cmd->out, "secret", secret_text(&is->secret),
        "the endpoint %.*s has %s, but it could not be printed: run `stockact webhooks reveal "
        "--id %.*s`",
        STR_ARG(is->id), rotates ? "a new secret" : "a secret", STR_ARG(is->id));
    out_instant(cmd->out, "oldSecretUntil", is->endpoint.old_secret_until);
    out_end(cmd->out);
    return OK;
}

/* --- `stockact webhooks stuck`: endpoints whose deliveries do not get on */

enum { PAGE = 100 };

enum err cmd_webhooks_stuck(struct store_read *read, struct fail *fail)
{
    struct delivery_stuck_list list = {.more = true};
    int64_t after = 0;
    enum err err = OK;
    while (list.more && !err) {
        err = delivery_stuck_list(read->db, after, PAGE, read->now_ms, &read->arena, &list, fail);
        for (size_t i = 0; i < list.count && !err; i++) {
            const struct delivery_stuck *stuck = &list.items[i];
            out_begin(read->out, OUT_TABLE);
            out_str(read->out, "endpoint", stuck->endpoint_id);
            out_str(read->out, "url", stuck->url);
            out_str(read->out, "email", stuck->email);
            out_str(read->out, "reason", stuck_reason_name(stuck->reason));
            out_i64(read->out, "queued", stuck->queued);
            out_bool(read->out, "more", stuck->more);
            out_instant(read->out, "oldestDueAt", stuck->oldest_due);
            out_i64(read->out, "failures", stuck->failures);
            out_str(read->out, "error", stuck->error);
            out_end(read->out);
            after = stuck->endpoint_no;
        }
    }
    return err;
}

/* --- `stockact webhooks replay`: sends deliveries again, one or many (spec 6, decision 45) */

struct replay_work {
    struct str delivery;        /* null: all deliveries of `which` */
    struct owner_replays which; /* a null endpoint: of all endpoints */
    bool count_only;
    int64_t count;
};

static enum err replay_of(const struct act *act, struct replay_work *work, struct str endpoint_id)
{
    struct owner_replays which = work->which;
    which.endpoint_id = endpoint_id;
    which.count = 0;
    enum err err =
        work->count_only ? owner_replays_count(act, &which) : owner_replay_many(act, &which);
    work->count += which.count;
    return err;
}

/* Skips endpoints to which nothing can be sent, unless one is named. */
static enum err replay_of_all(const struct act *act, struct replay_work *work)
{
    struct endpoint_list list;
    enum err err = endpoint_list(act, STR_NULL, &list);
    for (size_t i = 0; i < list.count && !err; i++) {
        err = replay_of(act, work, list.items[i].id);
        if (err == ERR_REFUSED)
            err = OK;
    }
    return err;
}

static enum err replay(const struct act *act, void *ctx)
{
    struct replay_work *work = ctx;
    work->count = !str_is_null(work->delivery);
    if (!str_is_null(work->delivery))
        return owner_replay(act, &work->delivery);
    return str_is_null(work->which.endpoint_id) ? replay_of_all(act, work)
                                                : replay_of(act, work, work->which.endpoint_id);
}

/* The deliveries to replay: exactly one of the three ways to name them. */
static enum err read_work(struct cmd *cmd, struct replay_work *work, struct fail *fail)
{
    const struct options *options = cmd->options;
    bool failed = options_given(options, "failed-since");
    bool expired = options_given(options, "expired-since");
    bool many = failed || expired;
    if (options->operand_count + failed + expired != 1)
        return fail_set(
            fail, ERR_INVALID, "give exactly one of DELIVERY, --failed-since and --expired-since");
    struct str endpoint = options_value(options, "endpoint");
    work->count_only = options_given(options, "count");
    bool narrowed = !str_is_null(endpoint) || options_given(options, "until");
    if (!many && (narrowed || work->count_only))
        return fail_set(
            fail, ERR_INVALID,
            "--endpoint, --until and --count need --failed-since or --expired-since");
    work->which = (struct owner_replays){
        .endpoint_id = endpoint,
        .state = failed ? DELIVERY_FAILED : DELIVERY_EXPIRED,
        .until = INT64_MAX};
    if (many)
        instant_parse(
            options_value(options, failed ? "failed-since" : "expired-since"), &work->which.since);
    else
        work->delivery = options->operands[0];
    if (options_given(options, "until"))
        instant_parse(options_value(options, "until"), &work->which.until);
    return OK;
}

/* Only reads. */
static enum err count(struct cmd *cmd, struct act *act, struct replay_work *work)
{
    TRY(store_access_open(cmd, STORE_READ, &act->db, act->fail));
    return replay(act, work);
}

enum err cmd_webhooks_replay(struct cmd *cmd, struct fail *fail)
{
    struct replay_work work = {.count = 0};
    ARENA_SCOPED(arena);
    struct act act = store_access_operator(&arena, fail);
    enum err err = read_work(cmd, &work, fail);
    if (!err)
        err =
            work.count_only ? count(cmd, &act, &work) : store_access_act(cmd, &act, replay, &work);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_i64(cmd->out, work.count_only ? "matching" : "replayed", work.count);
        out_end(cmd->out);
    }
    db_close(act.db);
    return err;
}
