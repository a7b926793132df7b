/* `stockact accounts create|set-plan|set-role|disable|enable|password|list` (spec 5, decision 39).
 */
#include "account/export.h"
#include "account/sign_up.h"
#include "cmd/account/accounts_work.h"
#include "cmd/operate/store_access.h"
#include "store/account/account_search.h"
#include "store/account/invitation.h"
#include "store/account/key.h"

static void print_endpoints(struct out *out, const char *what, const struct endpoint_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        out_line(
            out, "Webhook endpoint %.*s (%.*s) is %s.", STR_ARG(list->items[i].id),
            STR_ARG(list->items[i].url), what);
}

/* A plan with fewer keys revokes none: it ends minting. */
static void print_keys_above(struct out *out, const struct plan_info *plan, int64_t count)
{
    if (count > plan->active_keys)
        out_line(
            out,
            "The account has %lld active key%s, and its plan allows %lld. Keys stay active, and "
            "none can be minted until enough are revoked (`stockact keys revoke`).",
            (long long)count, count == 1 ? "" : "s", (long long)plan->active_keys);
}

/* The action of the command on one account, which is printed. */
enum err cmd_accounts_act(struct cmd *cmd, struct fail *fail)
{
    SCOPED(accounts_end) struct account_work work;
    struct subject *is = &work.is;
    struct key_list keys = {0};
    enum err err = accounts_begin(&work, cmd, false, fail);
    is->to = options_find(cmd->options, "to");
    if (!err)
        err = accounts_write(&work);
    if (!err && cmd->act == manage_set_plan)
        err = key_list_active(&work.act, is->account.no, KEY_API, &keys);
    if (!err) {
        accounts_show(cmd->out, OUT_BLOCK, &is->account);
        print_endpoints(cmd->out, "paused", &is->effect.paused);
        print_endpoints(cmd->out, "resumed", &is->effect.resumed);
        print_keys_above(cmd->out, plan_info(is->account.plan), (int64_t)keys.count);
    }
    return err;
}

enum err cmd_accounts_list(struct store_read *read, struct fail *fail)
{
    struct account_list list;
    TRY(account_list(store_reads(read, fail), &list));
    for (size_t i = 0; i < list.count; i++)
        accounts_show(read->out, OUT_TABLE, &list.items[i]);
    return OK;
}

/* `stockact accounts invite|reset-password|sessions|end-sessions`: how people get in, by the
 * operator (docs/accounts.md). */

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
    SCOPED(accounts_end) struct account_work work;
    bool invitation = cmd->act == invite_send;
    TRY(accounts_begin(&work, cmd, true, fail));
    TRY(accounts_write(&work));
    print_link(
        &work, invitation ? "invitation" : "link",
        invitation ? TOKEN_INVITATION_DAYS * DAY_MS : TOKEN_LINK_HOURS * HOUR_MS);
    return OK;
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
    SCOPED(accounts_end) struct account_work work;
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
    return err;
}

/* --- `stockact accounts export|delete`: what is stored about an account */

/* Reads everything in one transaction. The row of the log is written later, in another. */
static enum err read_export(struct account_work *work, struct buf *json)
{
    struct act *act = &work->act;
    TRY(store_access_open(work->cmd, STORE_WRITE, &act->db, act->fail));
    TRY(db_begin_read(act->db, act->fail));
    enum err err = subject_find(act, &work->is);
    if (!err)
        err = account_export(act, &work->is.account, json);
    return db_end(act->db, err, act->fail);
}

/* One line of JSON, with and without --json. */
enum err cmd_accounts_export(struct cmd *cmd, struct fail *fail)
{
    SCOPED(accounts_end) struct account_work work;
    BUF_SCOPED(json, EXPORT_SIZE_MAX);
    TRY(accounts_begin(&work, cmd, false, fail));
    TRY(read_export(&work, &json));
    TRY(accounts_write(&work));
    fwrite(json.p, 1, json.n, cmd->out->to);
    fputc('\n', cmd->out->to);
    return OK;
}

enum err cmd_accounts_delete(struct cmd *cmd, struct fail *fail)
{
    SCOPED(accounts_end) struct account_work work;
    TRY(accounts_begin(&work, cmd, false, fail));
    TRY(accounts_write(&work));
    out_begin(cmd->out, OUT_BLOCK);
    out_str(cmd->out, "id", work.is.account.id);
    out_instant(cmd->out, "deletedAt", work.act.now_ms);
    out_end(cmd->out);
    return OK;
}

/* `stockact accounts invitations|withdraw-invitation`: invitations that were not accepted yet. */

enum { LIST_MAX = 100000 };

enum err cmd_accounts_invitations(struct store_read *read, struct fail *fail)
{
    struct invitation_list list = {.count = 0};
    enum err err = invitation_list(store_reads(read, fail), LIST_MAX, &list);
    for (size_t i = 0; i < list.count && !err; i++) {
        const struct invitation *invitation = &list.items[i];
        out_begin(read->out, OUT_TABLE);
        out_i64(read->out, "id", invitation->no);
        out_str(read->out, "email", invitation->email);
        out_str(read->out, "plan", plan_info(invitation->plan)->key);
        out_str(read->out, "role", role_name(invitation->role));
        out_str(read->out, "by", invitation->by_id);
        out_bool(read->out, "works", invitation->works);
        out_instant(read->out, "createdAt", invitation->created_at);
        out_instant(read->out, "expiresAt", invitation->expires_at);
        out_end(read->out);
    }
    return err;
}

enum err cmd_accounts_withdraw_invitation(struct cmd *cmd, struct fail *fail)
{
    struct str operand = cmd->options->operands[0];
    struct act act = store_access_operator(NULL, fail);
    int64_t no;
    if (!str_to_i64(operand, &no))
        return fail_set(
            fail, ERR_INVALID,
            "\"%.*s\" is not the number of an invitation: see `stockact accounts invitations`",
            STR_ARG(operand));
    enum err err = store_access_act(cmd, &act, cmd->act, &no);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_i64(cmd->out, "withdrawn", no);
        out_end(cmd->out);
    }
    db_close(act.db);
    return err;
}

/* --- `stockact accounts search` (store/account/account_search.h) */

enum { LIMIT_DEFAULT = 100 };

static void show_account(struct out *out, const struct account_found *found)
{
    out_begin(out, OUT_TABLE);
    out_str(out, "id", found->id);
    out_str(out, "email", found->email.n ? found->email : STR_NULL);
    out_str(out, "plan", plan_info(found->plan)->key);
    out_str(out, "role", role_name(found->role));
    out_i64(out, "keys", found->keys);
    out_i64(out, "endpoints", found->endpoints);
    out_instant(out, "signedInAt", found->signed_in_at);
    out_bool(out, "hasPassword", found->has_password);
    out_bool(out, "hasSecondFactor", found->has_second_factor);
    out_instant(out, "createdAt", found->created_at);
    out_instant(out, "disabledAt", found->disabled_at);
    out_instant(out, "deletedAt", found->deleted_at);
    out_i64(out, "no", found->no);
    out_end(out);
}

enum err cmd_accounts_search(struct store_read *read, struct fail *fail)
{
    const struct options *options = read->cmd->options;
    struct account_found_list list;
    struct account_search search = {
        .text = options->operand_count ? options->operands[0] : STR_NULL,
        .plan = options_value(options, "plan"),
        .role = options_value(options, "role"),
        .before = options_i64(options, "before", 0),
    };
    struct str state = options_value(options, "state");
    if (!str_is_null(state) && !account_search_state_from_name(state, &search.state))
        return fail_set(
            fail, ERR_INVALID,
            "invalid value \"%.*s\" for --state: expected any, enabled, disabled or deleted",
            STR_ARG(state));
    if (options->operand_count > 1)
        return fail_set(fail, ERR_INVALID, "name one text: a part of the address or of the id");
    TRY(account_search(
        store_reads(read, fail), &search, (size_t)options_i64(options, "limit", LIMIT_DEFAULT),
        &list));
    for (size_t i = 0; i < list.count; i++)
        show_account(read->out, &list.items[i]);
    return OK;
}
