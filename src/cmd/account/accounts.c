/* `stockact accounts create|set-plan|set-role|disable|enable|password|list` (spec 5, decision 39).
 */
#include "account/password_change.h"
#include "cmd/account/accounts_work.h"
#include "store/account/key.h"

static void print_endpoints(struct out *out, const char *what, const struct endpoint_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        out_line(
            out, "Webhook endpoint %.*s (%.*s) is %s.", STR_ARG(list->items[i].id),
            STR_ARG(list->items[i].url), what);
}

/* A plan with fewer keys revokes none: it ends minting. */
static void print_keys_above(struct out *out, const struct account_work *work)
{
    const struct plan_info *plan = plan_info(work->account.plan);
    if (work->count > plan->active_keys)
        out_line(
            out,
            "The account has %lld active key%s, and its plan allows %lld. Keys stay active, and "
            "none can be minted until enough are revoked (`stockact keys revoke`).",
            (long long)work->count, work->count == 1 ? "" : "s", (long long)plan->active_keys);
}

/* Runs `fn` and prints the account. */
static enum err write_account(
    struct cmd *cmd, enum store_mode mode, store_access_write_fn *fn, struct fail *fail)
{
    struct account_work work;
    enum err err = accounts_begin(&work, cmd, false, fail);
    if (!err)
        err = accounts_write(&work, mode, fn, fail);
    if (!err) {
        accounts_show(cmd->out, OUT_BLOCK, &work.account);
        print_endpoints(cmd->out, "paused", &work.effect.paused);
        print_endpoints(cmd->out, "resumed", &work.effect.resumed);
        print_keys_above(cmd->out, &work);
    }
    accounts_end(&work);
    return err;
}

static enum err create(struct db *db, void *ctx, struct fail *fail)
{
    struct account_work *work = ctx;
    return manage_create(
        db, &work->actor, work->email, work->plan, work->role, str_from(work->password_hash),
        work->now_ms, &work->arena, &work->account, fail);
}

static enum err set_plan(struct db *db, void *ctx, struct fail *fail)
{
    struct account_work *work = ctx;
    enum err err = account_find(db, work->email, &work->arena, &work->account, fail);
    if (!err)
        err = manage_set_plan(
            db, &work->config, &work->actor, work->account.no, work->plan, work->now_ms,
            &work->arena, &work->effect, &work->account, fail);
    struct key_list keys = {0};
    if (!err)
        err = key_list_active(db, work->account.no, &work->arena, &keys, fail);
    work->count = (int64_t)keys.count;
    return err;
}

static enum err set_role(struct db *db, void *ctx, struct fail *fail)
{
    struct account_work *work = ctx;
    enum err err = account_find(db, work->email, &work->arena, &work->account, fail);
    return err ? err
               : manage_set_role(
                     db, &work->config, &work->actor, work->account.no, work->role, work->now_ms,
                     &work->arena, &work->account, fail);
}

static enum err disable(struct db *db, void *ctx, struct fail *fail)
{
    struct account_work *work = ctx;
    enum err err = account_find(db, work->email, &work->arena, &work->account, fail);
    return err ? err
               : manage_disable(
                     db, &work->config, &work->actor, work->account.no, work->now_ms, &work->arena,
                     &work->account, fail);
}

static enum err enable(struct db *db, void *ctx, struct fail *fail)
{
    struct account_work *work = ctx;
    enum err err = account_find(db, work->email, &work->arena, &work->account, fail);
    return err ? err
               : manage_enable(
                     db, &work->config, &work->actor, work->account.no, work->now_ms, &work->arena,
                     &work->account, fail);
}

static enum err set_password(struct db *db, void *ctx, struct fail *fail)
{
    struct account_work *work = ctx;
    enum err err = account_find(db, work->email, &work->arena, &work->account, fail);
    if (!err)
        err = password_change(
            db, &work->config, &work->actor, work->account.no, work->account.password_hash,
            str_from(work->password_hash), work->now_ms, fail);
    return err ? err : account_find(db, work->email, &work->arena, &work->account, fail);
}

enum err cmd_accounts_create(struct cmd *cmd, struct fail *fail)
{
    return write_account(cmd, STORE_WRITE, create, fail);
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

static enum err show_accounts(struct store_read *read, struct fail *fail)
{
    struct account_list list;
    enum err err = account_list(read->db, &read->arena, &list, fail);
    for (size_t i = 0; !err && i < list.count; i++)
        accounts_show(read->out, OUT_TABLE, &list.items[i]);
    return err;
}

enum err cmd_accounts_list(struct cmd *cmd, struct fail *fail)
{
    return store_access_read(cmd, show_accounts, fail);
}
