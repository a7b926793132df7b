/* `stockact webhooks test`: one test request, sent by this command or by a server. `trigger` sends
 * an invented event the same way. */
#include "base/build.h"
#include "cmd/account/webhooks_log.h"
#include "cmd/account/webhooks_work.h"
#include "store/row/meta.h"
#include "webhook/owner_send.h"
#include "webhook/trial.h"

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

struct queueing {
    struct webhooks_work *work;
    char id[DELIVERY_ID_MAX];
};

static enum err queue(struct db *db, void *ctx, struct fail *fail)
{
    struct queueing *q = ctx;
    return owner_test(db, &q->work->actor, q->work->id, q->work->now_ms, q->id, fail);
}

static enum err queue_test(struct cmd *cmd, struct fail *fail)
{
    struct webhooks_work *work = webhooks_work_create(cmd);
    struct queueing queueing = {.work = work};
    struct db *db = NULL;
    enum err err = store_access_open(cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = store_access_write(db, queue, &queueing, fail);
    if (!err) {
        store_access_wait_servers(db);
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "delivery", str_from(queueing.id));
        out_end(cmd->out);
        out_line(
            cmd->out, "For the answer: stockact webhooks deliveries --attempts %s", queueing.id);
    }
    db_close(db);
    webhooks_work_destroy(work);
    return err;
}

/* --- sent by this command */

/* Logged before it is sent: a command that is interrupted may have sent it. */
static enum err note(struct db *db, void *ctx, struct fail *fail)
{
    struct webhooks_work *work = ctx;
    return owner_test_note(db, &work->actor, work->id, work->now_ms, fail);
}

enum err webhooks_send(
    struct cmd *cmd, struct str endpoint_id, struct str type, struct str body, struct fail *fail)
{
    struct webhooks_work *work = webhooks_work_create(cmd);
    struct db *db = NULL;
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
    work->id = endpoint_id;
    enum err err = webhooks_load_key(work, fail);
    if (!err)
        err = store_access_open(cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = endpoint_find(db, work->id, &work->arena, &work->endpoint, fail);
    if (!err)
        err = meta_data_get(db, &data, fail);
    if (!err)
        err = store_access_write(db, note, work, fail);
    config.invented = data == META_DATA_DEMO || !str_is_null(body);
    db_close(db); /* do not keep the database open during the request */
    if (!err)
        err = trial_send(&config, &work->endpoint, &work->arena, &trial, fail);
    if (!err) {
        put_trial(cmd->out, &trial);
        err = judge(cmd, &trial, fail);
    }
    webhooks_work_destroy(work);
    return err;
}

enum err cmd_webhooks_test(struct cmd *cmd, struct fail *fail)
{
    if (options_given(cmd->options, "by-server"))
        return queue_test(cmd, fail);
    return webhooks_send(cmd, options_value(cmd->options, "id"), STR_NULL, STR_NULL, fail);
}
