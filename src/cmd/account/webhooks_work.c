/* What commands on one endpoint share; see webhooks_work.h. */
#include "cmd/account/webhooks_work.h"

#include "cmd/term/mood.h"

#include "edge/errors.h"

struct webhooks_work *webhooks_work_create(struct cmd *cmd, struct fail *fail)
{
    struct webhooks_work *work = MEM_NEW(struct webhooks_work);
    work->cmd = cmd;
    arena_init(&work->arena);
    work->act = store_access_operator(&work->arena, fail);
    guard_init(
        &work->guard, &cmd->settings->webhook_allow, &cmd->settings->webhook_refused_ports,
        cmd->settings->listen);
    work->rules = (struct destination_rules){
        .guard = &work->guard, .name_servers = cmd->settings->webhook_name_servers};
    work->is = (struct owner_endpoint){
        .id = options_find(cmd->options, "id"),
        .url = options_find(cmd->options, "url"),
        .events = options_find(cmd->options, "events"),
        .description = options_find(cmd->options, "description"),
        .rules = &work->rules,
        .key = &work->key,
    };
    return work;
}

void webhooks_work_end(struct webhooks_work **work)
{
    struct webhooks_work *w = *work;
    db_close(w->act.db);
    arena_finish(&w->arena);
    seal_key_finish(&w->key);
    secret_finish(&w->is.secret);
    mem_free(w);
}

enum err webhooks_load_key(struct webhooks_work *work, struct fail *fail)
{
    uint8_t master[SECRET_KEY_SIZE];
    TRY(store_access_master_key(work->cmd, master, fail));
    secret_seal_key(&work->key, str_of((const char *)master, sizeof master));
    work->mark = key_mark_of(master);
    mem_wipe(master, sizeof master);
    return OK;
}

enum err webhooks_check_url(struct webhooks_work *work, struct str url, struct fail *fail)
{
    struct target target;
    struct fail why;
    TRY(destination_parse(&work->rules, url, &work->arena, &target, fail));
    if (destination_look(&work->rules, &target, &why))
        work->warning = arena_str(&work->arena, str_from(why.text));
    return OK;
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
    if (endpoint->damaged)
        out_state(out, "damaged", STR("its row does not match its digest"), OUT_BAD);
    out_i64(out, "failures", endpoint->is.failures);
    out_instant(out, "createdAt", endpoint->created_at);
    out_instant(out, "oldSecretUntil", endpoint->old_secret_until);
}

/* Completes the error object for an exceeded cap (spec 7). */
static void report_limit(struct webhooks_work *work, struct str email)
{
    struct account account;
    if (account_find(&work->act, email, &account))
        return;
    work->cmd->error_code = error_info(ERROR_WEBHOOK_ENDPOINT_LIMIT_REACHED)->code.p;
    work->cmd->error_limit = plan_info(account.plan)->webhook_endpoints;
}

/* What seals a secret holds the key that was read. */
static enum err write_held(const struct act *act, void *ctx)
{
    struct webhooks_work *work = ctx;
    bool seals = work->cmd->act == owner_add || work->cmd->act == owner_rotate;
    struct str email = options_find(work->cmd->options, "email");
    struct account account;
    enum err err = seals ? key_mark_hold(act->db, &work->mark, act->fail) : OK;
    if (!err && !str_is_null(email)) {
        err = account_find(act, email, &account);
        work->is.account_no = err ? 0 : account.no;
    }
    return err ? err : work->cmd->act(act, &work->is);
}

enum err webhooks_write(struct webhooks_work *work)
{
    enum err err = store_access_act(work->cmd, &work->act, write_held, work);
    struct str email = options_find(work->cmd->options, "email");
    if (err == ERR_LIMIT)
        report_limit(work, str_is_null(email) ? work->is.endpoint.account_email : email);
    return err;
}
