/* `stockact accounts invite|reset-password|sessions|end-sessions`: how people get in, by the
 * operator (docs/accounts.md). */
#include "account/sign_up.h"
#include "cmd/account/accounts_work.h"

/* --- links */

/* A link is printed only if it is not sent: it is as good as a password. */
static void print_link(struct account_work *work, const char *what, int64_t life_ms)
{
    struct out *out = work->cmd->out;
    out_begin(out, OUT_BLOCK);
    out_str(out, "email", work->is.email);
    out_bool(out, "sent", work->config.mail);
    if (!work->config.mail)
        out_secret(
            out, "link", work->is.link, "the %s was made but could not be printed: run this again",
            what);
    out_instant(out, "expiresAt", work->act.now_ms + life_ms);
    out_end(out);
    if (work->config.mail)
        out_line(out, "The %s is sent by the next running server.", what);
    else
        out_line(out, "Pass the %s on to its owner only: it works once.", what);
}

enum err cmd_accounts_link(struct cmd *cmd, struct fail *fail)
{
    struct account_work work;
    bool invitation = cmd->act == invite_send;
    enum err err = accounts_begin(&work, cmd, true, fail);
    if (!err)
        err = accounts_write(&work);
    if (!err)
        print_link(
            &work, invitation ? "invitation" : "link",
            invitation ? TOKEN_INVITATION_DAYS * DAY_MS : TOKEN_LINK_HOURS * HOUR_MS);
    accounts_end(&work);
    return err;
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

enum err cmd_accounts_sessions(struct store_read *read, struct fail *fail)
{
    struct account account;
    struct session_list list;
    struct str email = options_value(read->cmd->options, "email");
    TRY(account_find(store_reads(read, fail), email, &account));
    TRY(session_list(store_reads(read, fail), account.no, &list));
    for (size_t i = 0; i < list.count; i++)
        show_session(read->out, &list.items[i]);
    return OK;
}

enum err cmd_accounts_end_sessions(struct cmd *cmd, struct fail *fail)
{
    struct account_work work;
    enum err err = accounts_begin(&work, cmd, false, fail);
    work.is.session = options_value(cmd->options, "id");
    if (!err)
        err = accounts_write(&work);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "email", work.is.account.email);
        out_i64(cmd->out, "ended", work.is.count);
        out_end(cmd->out);
    }
    accounts_end(&work);
    return err;
}
