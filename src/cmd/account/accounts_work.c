/* The state of a command; see accounts_work.h. */
#include "cmd/account/accounts_work.h"

#include "cmd/term/password_input.h"

static enum err read_key(struct account_work *work, struct fail *fail)
{
    uint8_t master[SECRET_KEY_SIZE];
    enum err err = store_access_master_key(work->cmd, master, fail);
    if (!err)
        account_config_keys(&work->config, str_of((const char *)master, sizeof master));
    if (!err)
        work->mark = key_mark_of(master);
    mem_wipe(master, sizeof master);
    return err;
}

enum err accounts_begin(struct account_work *work, struct cmd *cmd, bool links, struct fail *fail)
{
    *work = (struct account_work){
        .cmd = cmd, .is = {.email = options_find(cmd->options, "email"), .plan = PLAN_SCOUT}};
    arena_init(&work->arena);
    work->act = store_access_operator(&work->arena, fail);
    work->act.config = &work->config;
    work->config = (struct account_config){
        .base_url = store_access_base_url(cmd, &work->arena),
        .mail = !str_is_null(cmd->settings->smtp_url) &&
                str_is_null(options_find(cmd->options, "link")),
        .signup = cmd->settings->signup,
        .second_factor = cmd->settings->second_factor,
    };
    plan_from_key(options_find(cmd->options, "plan"), &work->is.plan);
    role_from_name(options_find(cmd->options, "role"), &work->is.role);
    enum err err = OK;
    if (!str_is_null(options_find(cmd->options, "password-stdin"))) {
        cmd->content_invalid = true; /* of standard input */
        err = password_input(work->is.email, work->password_hash, fail);
        cmd->content_invalid = err != OK;
        work->is.hash = str_from(work->password_hash);
    }
    if (!err && links && work->config.mail)
        err = read_key(work, fail);
    return err;
}

void accounts_end(struct account_work *work)
{
    db_close(work->act.db);
    account_config_finish(&work->config);
    arena_finish(&work->arena);
}

/* E-mails are sealed with the key that was read. */
static enum err write_held(const struct act *act, void *ctx)
{
    struct account_work *work = ctx;
    TRY(work->mark.text[0] ? key_mark_hold(act->db, &work->mark, act->fail) : OK);
    return work->run(act, work->about);
}

enum err accounts_run(struct account_work *work, act_run *run, void *about)
{
    work->run = run;
    work->about = about;
    return store_access_act(work->cmd, &work->act, write_held, work);
}

enum err accounts_write(struct account_work *work)
{
    return accounts_run(work, work->cmd->act, &work->is);
}

void accounts_show(struct out *out, enum out_style style, const struct account *account)
{
    out_begin(out, style);
    out_str(out, "id", account->id);
    out_str(out, "email", account->email);
    out_str(out, "plan", plan_info(account->plan)->key);
    out_str(out, "role", role_name(account->role));
    out_instant(out, "createdAt", account->created_at);
    out_instant(out, "disabledAt", account->disabled_at);
    out_bool(out, "hasPassword", !str_is_null(account->password_hash));
    out_bool(out, "secondFactor", account->totp_at != INSTANT_NONE);
    out_end(out);
}
