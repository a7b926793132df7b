/* `stockact accounts ...`: creates, changes and lists accounts (spec 5, decision 39). */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/password.h"
#include "cmd/session.h"
#include "store/account.h"
#include "webhook/notice.h"

/* The arguments of a write, and the account after it. */
struct account_work {
    struct str email;
    enum plan plan;
    enum role role;
    int64_t now_ms;
    char password_hash[PASSWORD_HASH_SIZE]; /* empty: not given */
    struct arena arena;
    struct account account;
    bool mail;                       /* a mail server is set: send notices to owners */
    struct owner_plan_effect effect; /* endpoints paused or resumed by a new plan */
};

static void show(struct out *out, enum out_style style, const struct account *account)
{
    out_begin(out, style);
    out_str(out, "id", account->id);
    out_str(out, "email", account->email);
    out_str(out, "plan", plan_info(account->plan)->key);
    out_str(out, "role", role_name(account->role));
    out_instant(out, "createdAt", account->created_at);
    out_instant(out, "disabledAt", account->disabled_at);
    out_bool(out, "hasPassword", !str_is_null(account->password_hash));
    out_end(out);
}

static void print_endpoints(struct out *out, const char *what, const struct endpoint_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        out_line(
            out, "Webhook endpoint %.*s (%.*s) is %s.", STR_ARG(list->items[i].id),
            STR_ARG(list->items[i].url), what);
}

/* Reads the first line of standard input and hashes it. */
static enum err read_password(char ret[static PASSWORD_HASH_SIZE], struct fail *fail)
{
    char text[PASSWORD_MAX + 2];
    size_t n = 0;
    ssize_t got = 0;
    while (n < sizeof text && (got = read(STDIN_FILENO, text + n, sizeof text - n)) > 0)
        n += (size_t)got;
    if (got < 0)
        return fail_set(fail, ERR_IO, "cannot read the password from standard input");
    struct str password = str_of(text, n), line;
    if (str_split(&password, '\n', &line) && str_ends(line, STR("\r")))
        line.n--;
    enum err err = password_hash(line, ret, fail);
    mem_wipe(text, sizeof text);
    return err;
}

/* Reads the options of the command, opens the store, runs `fn`, prints the account. */
static enum err write_account(
    struct cmd *cmd, enum store_mode mode, session_write_fn *fn, struct fail *fail)
{
    struct account_work work = {
        .email = options_value(cmd->options, "email"),
        .now_ms = clock_wall_ms(),
        .mail = !str_is_null(cmd->settings->smtp_url)};
    struct db *db = NULL;
    enum err err = OK;
    if (options_knows(cmd->options, "plan"))
        plan_from_key(options_value(cmd->options, "plan"), &work.plan);
    if (options_knows(cmd->options, "role"))
        role_from_name(options_value(cmd->options, "role"), &work.role);
    if (options_knows(cmd->options, "password-stdin") &&
        options_given(cmd->options, "password-stdin"))
        err = read_password(work.password_hash, fail);
    arena_init(&work.arena);
    if (!err)
        err = session_open(cmd, mode, &db, fail);
    if (!err)
        err = session_write(db, fn, &work, fail);
    if (!err) {
        session_wait_servers(db);
        show(cmd->out, OUT_BLOCK, &work.account);
        print_endpoints(cmd->out, "paused", &work.effect.paused);
        print_endpoints(cmd->out, "resumed", &work.effect.resumed);
    }
    db_close(db);
    arena_finish(&work.arena);
    return err;
}

static enum err reload(struct db *db, struct account_work *work, struct fail *fail)
{
    return account_find(db, work->email, &work->arena, &work->account, fail);
}

static enum err create(struct db *db, void *ctx, struct fail *fail)
{
    struct account_work *work = ctx;
    enum err err = account_create(
        db, work->email, work->plan, work->role, work->now_ms, &work->arena, &work->account, fail);
    if (!err && work->password_hash[0])
        err = account_set_password(db, work->email, str_from(work->password_hash), fail);
    return err ? err : reload(db, work, fail);
}

static enum err set_plan(struct db *db, void *ctx, struct fail *fail)
{
    struct account_work *work = ctx;
    enum err err = owner_set_plan(
        db, work->email, work->plan, work->now_ms, &work->arena, &work->effect, fail);
    if (!err)
        err = reload(db, work, fail);
    if (!err && work->mail)
        err = notice_plan(db, &work->account, &work->effect, work->now_ms, fail);
    return err;
}

static enum err set_role(struct db *db, void *ctx, struct fail *fail)
{
    struct account_work *work = ctx;
    enum err err = account_set_role(db, work->email, work->role, fail);
    return err ? err : reload(db, work, fail);
}

static enum err disable(struct db *db, void *ctx, struct fail *fail)
{
    struct account_work *work = ctx;
    enum err err = account_disable(db, work->email, work->now_ms, fail);
    return err ? err : reload(db, work, fail);
}

static enum err enable(struct db *db, void *ctx, struct fail *fail)
{
    struct account_work *work = ctx;
    enum err err = account_enable(db, work->email, fail);
    return err ? err : reload(db, work, fail);
}

static enum err set_password(struct db *db, void *ctx, struct fail *fail)
{
    struct account_work *work = ctx;
    enum err err = account_set_password(db, work->email, str_from(work->password_hash), fail);
    return err ? err : reload(db, work, fail);
}

enum err cmd_accounts_create(struct cmd *cmd, struct fail *fail)
{
    return write_account(cmd, STORE_MIGRATE, create, fail);
}

enum err cmd_accounts_set_plan(struct cmd *cmd, struct fail *fail)
{
    return write_account(cmd, STORE_WRITE, set_plan, fail);
}

enum err cmd_accounts_set_role(struct cmd *cmd, struct fail *fail)
{
    return write_account(cmd, STORE_WRITE, set_role, fail);
}

enum err cmd_accounts_disable(struct cmd *cmd, struct fail *fail)
{
    return write_account(cmd, STORE_WRITE, disable, fail);
}

enum err cmd_accounts_enable(struct cmd *cmd, struct fail *fail)
{
    return write_account(cmd, STORE_WRITE, enable, fail);
}

enum err cmd_accounts_password(struct cmd *cmd, struct fail *fail)
{
    return write_account(cmd, STORE_WRITE, set_password, fail);
}

enum err cmd_accounts_list(struct cmd *cmd, struct fail *fail)
{
    struct db *db = NULL;
    struct arena arena;
    struct account_list list;
    arena_init(&arena);
    enum err err = session_open(cmd, STORE_READ, &db, fail);
    if (!err)
        err = account_list(db, &arena, &list, fail);
    for (size_t i = 0; !err && i < list.count; i++)
        show(cmd->out, OUT_TABLE, &list.items[i]);
    db_close(db);
    arena_finish(&arena);
    return err;
}
