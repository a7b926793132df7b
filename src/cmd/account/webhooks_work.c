/* What commands on one endpoint share; see webhooks_work.h. */
#include "cmd/account/webhooks_work.h"

#include "cmd/term/mood.h"

#include "base/clock.h"
#include "edge/errors.h"
#include "store/account/account.h"

struct webhooks_work *webhooks_work_create(struct cmd *cmd)
{
    struct webhooks_work *work = MEM_NEW(struct webhooks_work);
    work->cmd = cmd;
    work->actor = ACTOR_OPERATOR;
    work->now_ms = clock_wall_ms();
    if (options_knows(cmd->options, "id"))
        work->id = options_value(cmd->options, "id");
    arena_init(&work->arena);
    guard_init(
        &work->guard, &cmd->settings->webhook_allow, &cmd->settings->webhook_refused_ports,
        cmd->settings->listen);
    work->rules = (struct destination_rules){
        .guard = &work->guard, .name_servers = cmd->settings->webhook_name_servers};
    return work;
}

void webhooks_work_destroy(struct webhooks_work *work)
{
    arena_finish(&work->arena);
    seal_key_finish(&work->key);
    secret_finish(&work->secret);
    mem_free(work);
}

enum err webhooks_load_key(struct webhooks_work *work, struct fail *fail)
{
    uint8_t master[SECRET_KEY_SIZE];
    enum err err = store_access_master_key(work->cmd, master, fail);
    if (err)
        return err;
    secret_seal_key(&work->key, str_of((const char *)master, sizeof master));
    work->mark = key_mark_of(master);
    mem_wipe(master, sizeof master);
    return OK;
}

enum err webhooks_check_url(struct webhooks_work *work, struct str url, struct fail *fail)
{
    struct target target;
    struct fail why;
    enum err err = destination_parse(&work->rules, url, &work->arena, &target, fail);
    if (!err && destination_look(&work->rules, &target, &why))
        work->warning = arena_str(&work->arena, str_from(why.text));
    return err;
}

void webhooks_put_endpoint(struct out *out, const struct endpoint *endpoint)
{
    out_str(out, "id", endpoint->id);
    out_str(out, "email", endpoint->account_email);
    out_str(out, "url", endpoint->url);
    out_str(out, "description", endpoint->description);
    out_str(out, "events", endpoint->events);
    struct str state = endpoint_state_name(endpoint->is.state);
    out_state(out, "state", state, mood_of(state));
    if (endpoint->is.state == ENDPOINT_DISABLED)
        out_str(out, "disabledBy", endpoint_reason_name(endpoint_reason(&endpoint->is)));
    out_i64(out, "failures", endpoint->is.failures);
    out_instant(out, "createdAt", endpoint->created_at);
    out_instant(out, "oldSecretUntil", endpoint->old_secret_until);
}

void webhooks_report_limit(struct cmd *cmd, struct db *db, struct str email, struct arena *arena)
{
    struct account account;
    if (account_find(db, email, arena, &account, NULL))
        return;
    cmd->error_code = error_info(ERROR_WEBHOOK_ENDPOINT_LIMIT_REACHED)->code.p;
    cmd->error_limit = plan_info(account.plan)->webhook_endpoints;
}

enum err webhooks_write(struct webhooks_work *work, store_access_write_fn *write, struct fail *fail)
{
    struct out *out = work->cmd->out;
    struct db *db = NULL;
    enum err err = store_access_open(work->cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = store_access_write(db, write, work, fail);
    if (!err) {
        store_access_wait_servers(db);
        out_begin(out, OUT_BLOCK);
        webhooks_put_endpoint(out, &work->endpoint);
        if (!str_is_null(work->warning))
            out_str(out, "warning", work->warning);
        out_end(out);
    } else if (err == ERR_LIMIT) {
        webhooks_report_limit(work->cmd, db, work->endpoint.account_email, &work->arena);
    }
    db_close(db);
    return err;
}
