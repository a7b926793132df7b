/* `stockact webhooks add|list|show|change|set-events|enable|disable|remove`: manages endpoints
 * (spec 6, decision 36). */
#include "cmd/account/webhooks_work.h"
#include "store/account/endpoint_health.h"

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
    struct webhooks_work *work = webhooks_work_create(cmd, fail);
    enum err err = webhooks_check_url(work, work->is.url, fail);
    if (!err)
        err = webhooks_load_key(work, fail);
    if (!err)
        err = webhooks_write(work);
    if (!err)
        print_added(work);
    webhooks_work_destroy(work);
    return err;
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
    struct webhooks_work *work = webhooks_work_create(cmd, fail);
    enum err err = check(work, fail);
    if (!err)
        err = webhooks_write(work);
    if (!err)
        print_endpoint(work);
    webhooks_work_destroy(work);
    return err;
}
