/* The state of a command; see accounts_work.h. */
#include "cmd/account/accounts_work.h"

#include "base/clock.h"
#include "cmd/term/password_input.h"

static bool given(const struct cmd *cmd, const char *option)
{
    return options_knows(cmd->options, option) && options_given(cmd->options, option);
}

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
        .cmd = cmd, .now_ms = clock_wall_ms(), .actor = ACTOR_OPERATOR, .plan = PLAN_SCOUT};
    arena_init(&work->arena);
    work->config = (struct account_config){
        .base_url = store_access_base_url(cmd, &work->arena),
        .mail = !str_is_null(cmd->settings->smtp_url) && !given(cmd, "link"),
        .signup = cmd->settings->signup,
        .second_factor = cmd->settings->second_factor,
    };
    if (options_knows(cmd->options, "email"))
        work->email = options_value(cmd->options, "email");
    if (given(cmd, "plan"))
        plan_from_key(options_value(cmd->options, "plan"), &work->plan);
    if (given(cmd, "role"))
        role_from_name(options_value(cmd->options, "role"), &work->role);
    enum err err = OK;
    if (given(cmd, "password-stdin")) {
        cmd->content_invalid = true; /* of standard input */
        err = password_input(work->email, work->password_hash, fail);
        cmd->content_invalid = err != OK;
    }
    if (!err && links && work->config.mail)
        err = read_key(work, fail);
    return err;
}

void accounts_end(struct account_work *work)
{
    account_config_finish(&work->config);
    arena_finish(&work->arena);
}

struct writing {
    struct account_work *work;
    store_access_write_fn *fn;
};

/* E-mails are sealed with the key that was read. */
static enum err write_held(struct db *db, void *ctx, struct fail *fail)
{
    const struct writing *writing = ctx;
    enum err err = writing->work->mark.text[0] ? key_mark_hold(db, &writing->work->mark, fail) : OK;
    return err ? err : writing->fn(db, writing->work, fail);
}

enum err accounts_write(
    struct account_work *work, enum store_mode mode, store_access_write_fn *fn, struct fail *fail)
{
    struct db *db = NULL;
    struct writing writing = {work, fn};
    enum err err = store_access_open(work->cmd, mode, &db, fail);
    if (!err)
        err = store_access_write(db, write_held, &writing, fail);
    if (!err)
        store_access_wait_servers(db);
    db_close(db);
    return err;
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
