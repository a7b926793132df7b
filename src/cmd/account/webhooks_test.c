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

static enum err queue_test(struct cmd *cmd, struct fail *fail)
{
    struct webhooks_work *work = webhooks_work_create(cmd, fail);
    enum err err = store_access_act(cmd, &work->act, owner_test, &work->is);
    if (!err) {
        const char *id = work->is.delivery_id;
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "delivery", str_from(id));
        out_end(cmd->out);
        out_line(cmd->out, "For the answer: stockact webhooks deliveries --attempts %s", id);
    }
    webhooks_work_destroy(work);
    return err;
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
    struct webhooks_work *work = webhooks_work_create(cmd, fail);
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
    webhooks_work_destroy(work);
    return err;
}

enum err cmd_webhooks_test(struct cmd *cmd, struct fail *fail)
{
    if (options_given(cmd->options, "by-server"))
        return queue_test(cmd, fail);
    return webhooks_send(cmd, options_value(cmd->options, "id"), STR_NULL, STR_NULL, fail);
}
