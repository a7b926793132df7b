/* `stockact accounts invite|reset-password|set-address|sessions|end-sessions|second-factor-off`:
 * how people get in, by the operator (docs/accounts.md). */
#include "account/address_change.h"
#include "account/reset.h"
#include "account/second_factor.h"
#include "account/sign_up.h"
#include "base/clock.h"
#include "cmd/account/accounts_work.h"

/* --- links */

/* A link is printed only if it is not sent: it is as good as a password. */
static void print_link(struct account_work *work, const char *what, int64_t life_ms)
{
    struct out *out = work->cmd->out;
    out_begin(out, OUT_BLOCK);
    out_str(out, "email", work->email);
    out_bool(out, "sent", work->config.mail);
    if (!work->config.mail)
        out_secret(
            out, "link", work->link, "the %s was made but could not be printed: run this again",
            what);
    out_instant(out, "expiresAt", work->now_ms + life_ms);
    out_end(out);
    if (work->config.mail)
        out_line(out, "The %s is sent by the next running server.", what);
    else
        out_line(out, "Pass the %s on to its owner only: it works once.", what);
}

static enum err invite(struct db *db, void *ctx, struct fail *fail)
{
    struct account_work *work = ctx;
    return invite_send(
        db, &work->config, &work->actor, work->email, work->plan, work->role, work->now_ms,
        &work->arena, &work->link, fail);
}

enum err cmd_accounts_invite(struct cmd *cmd, struct fail *fail)
{
    struct account_work work;
    enum err err = accounts_begin(&work, cmd, true, fail);
    if (!err)
        err = accounts_write(&work, STORE_WRITE, invite, fail);
    if (!err)
        print_link(&work, "invitation", TOKEN_INVITATION_DAYS * DAY_MS);
    accounts_end(&work);
    return err;
}

static enum err reset(struct db *db, void *ctx, struct fail *fail)
{
    struct account_work *work = ctx;
    return reset_ask(
        db, &work->config, &work->actor, work->email, work->now_ms, &work->arena, &work->link,
        fail);
}

enum err cmd_accounts_reset_password(struct cmd *cmd, struct fail *fail)
{
    struct account_work work;
    enum err err = accounts_begin(&work, cmd, true, fail);
    if (!err)
        err = accounts_write(&work, STORE_WRITE, reset, fail);
    if (!err)
        print_link(&work, "link", TOKEN_LINK_HOURS * HOUR_MS);
    accounts_end(&work);
    return err;
}

/* --- changes of one account */

static enum err find(struct db *db, struct account_work *work, struct fail *fail)
{
    return account_find(db, work->email, &work->arena, &work->account, fail);
}

static enum err write_and_show(struct cmd *cmd, store_access_write_fn *fn, struct fail *fail)
{
    struct account_work work;
    enum err err = accounts_begin(&work, cmd, false, fail);
    if (!err)
        err = accounts_write(&work, STORE_WRITE, fn, fail);
    if (!err)
        accounts_show(cmd->out, OUT_BLOCK, &work.account);
    accounts_end(&work);
    return err;
}

static enum err set_address(struct db *db, void *ctx, struct fail *fail)
{
    struct account_work *work = ctx;
    enum err err = find(db, work, fail);
    if (!err)
        err = address_set(
            db, &work->config, &work->actor, work->account.no,
            options_value(work->cmd->options, "to"), work->now_ms, fail);
    return err ? err : account_find_no(db, work->account.no, &work->arena, &work->account, fail);
}

enum err cmd_accounts_set_address(struct cmd *cmd, struct fail *fail)
{
    return write_and_show(cmd, set_address, fail);
}

static enum err turn_factor_off(struct db *db, void *ctx, struct fail *fail)
{
    struct account_work *work = ctx;
    enum err err = find(db, work, fail);
    if (!err)
        err = second_factor_off(
            db, &work->config, &work->actor, work->account.no, work->now_ms, fail);
    return err ? err : find(db, work, fail);
}

enum err cmd_accounts_second_factor_off(struct cmd *cmd, struct fail *fail)
{
    return write_and_show(cmd, turn_factor_off, fail);
}

/* --- sessions */

static void show_session(struct out *out, const struct session *session)
{
    out_begin(out, OUT_TABLE);
    out_str(out, "id", session->id);
    out_instant(out, "createdAt", session->created_at);
    out_instant(out, "lastUsedAt", session->seen_at);
    out_instant(out, "expiresAt", session->expires_at);
    out_str(out, "place", session->origin.place);
    out_str(out, "browser", session->origin.browser);
    out_end(out);
}

static enum err show_sessions(struct store_read *read, struct fail *fail)
{
    struct account account;
    struct session_list list;
    struct str email = options_value(read->cmd->options, "email");
    enum err err = account_find(read->db, email, &read->arena, &account, fail);
    if (!err)
        err = session_list(read->db, account.no, read->now_ms, &read->arena, &list, fail);
    for (size_t i = 0; !err && i < list.count; i++)
        show_session(read->out, &list.items[i]);
    return err;
}

enum err cmd_accounts_sessions(struct cmd *cmd, struct fail *fail)
{
    return store_access_read(cmd, show_sessions, fail);
}

static enum err end_sessions(struct db *db, void *ctx, struct fail *fail)
{
    struct account_work *work = ctx;
    const struct options *options = work->cmd->options;
    enum err err = find(db, work, fail);
    if (err)
        return err;
    if (!options_given(options, "id"))
        return sign_out_everywhere(
            db, &work->actor, &work->account, STR_NULL, work->now_ms, &work->count, fail);
    work->count = 1;
    return sign_out(
        db, &work->actor, &work->account, options_value(options, "id"), work->now_ms, fail);
}

enum err cmd_accounts_end_sessions(struct cmd *cmd, struct fail *fail)
{
    struct account_work work;
    enum err err = accounts_begin(&work, cmd, false, fail);
    if (!err)
        err = accounts_write(&work, STORE_WRITE, end_sessions, fail);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "email", work.account.email);
        out_i64(cmd->out, "ended", work.count);
        out_end(cmd->out);
    }
    accounts_end(&work);
    return err;
}
