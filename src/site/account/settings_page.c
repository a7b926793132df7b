/* /account/settings, the overview, and /account/settings/sessions. */
#include "account/address_change.h"
#include "account/delete.h"
#include "account/export.h"
#include "http/http.h"
#include "site/account/account_pages.h"
#include "site/frame/handlers.h"
#include "store/account/session.h"

static enum err put_sessions(struct page_call *call, struct fail *fail)
{
    struct session_list sessions;
    struct view *list = view_list(call->view, "sessions");
    TRY(session_list(page_reads(call, fail), call->visitor.account.no, &sessions));
    for (size_t i = 0; i < sessions.count; i++) {
        const struct session *session = &sessions.items[i];
        struct view *item = view_item(list);
        view_str(item, "id", session->id);
        view_str(item, "browser", session->origin.browser);
        view_str(item, "place", session->origin.place);
        view_instant(item, "createdAt", session->created_at);
        view_ago(item, "seenAt", session->seen_at, call->now_ms);
        view_instant(item, "expiresAt", session->expires_at);
        view_bool(item, "current", str_eq(session->id, call->visitor.session.id));
    }
    return OK;
}

static enum err put_factor(struct page_call *call, struct fail *fail)
{
    const struct account *account = &call->visitor.account;
    struct view *factor = view_object(call->view, "secondFactor");
    bool on = account->totp_at != INSTANT_NONE;
    view_bool(factor, "on", on);
    view_bool(factor, "demanded", account_demands_factor(call->config->account, account->role));
    return on ? account_page_put_codes_left(call, factor, fail) : OK;
}

/* change: a change of the address that waits. */
static enum err put_change(struct page_call *call, struct fail *fail)
{
    struct address_change change;
    enum err err =
        address_change_pending(page_reads(call, fail), call->visitor.account.no, &change);
    if (err)
        return err == ERR_NOT_FOUND ? OK : err;
    struct view *view = view_object(call->view, "change");
    view_str(view, "newEmail", change.email);
    view_instant(view, "expiresAt", change.expires_at);
    view_bool(view, "oldConfirmed", change.old_confirmed);
    view_bool(view, "newConfirmed", change.new_confirmed);
    view_bool(view, "confirmed", change.old_confirmed || change.new_confirmed);
    return OK;
}

enum err settings_page_load(struct page_call *call, struct fail *fail)
{
    const struct account *account = &call->visitor.account;
    view_str(call->view, "email", account->email);
    view_instant(call->view, "passwordAt", account->password_at);
    account_page_proof_fields(call);
    TRY(put_change(call, fail));
    TRY(put_factor(call, fail));
    return put_sessions(call, fail);
}

/* --- sessions */

enum err sessions_page_act(struct page_call *call, struct fail *fail)
{
    struct str session = form_value(call->form, "session");
    bool all = form_checked(call->form, "all");
    bool own = str_eq(session, call->visitor.session.id);
    struct subject is = {.account = call->visitor.account, .session = all ? STR_NULL : session};
    if (!all && str_is_null(session))
        is.session = STR("");
    TRY(page_write(call, sign_out, &is, fail));
    if (all || own) {
        page_session_end(call);
        page_redirect(call, STR("/sign-in"), all ? FLASH_SIGNED_OUT_EVERYWHERE : FLASH_SIGNED_OUT);
    } else {
        page_redirect(call, STR("/account/settings"), FLASH_SESSION_ENDED);
    }
    return OK;
}

/* The change of the address: /account/settings/address asks for it, /confirm-address is where the
 * links of both e-mails lead. */

/* --- /account/settings/address */

enum err address_page_load(struct page_call *call, struct fail *fail)
{
    (void)fail;
    view_str(call->view, "email", call->visitor.account.email);
    form_show(call->view, call->form, "newEmail", STR(""));
    account_page_proof_fields(call);
    return OK;
}

enum err address_page_act(struct page_call *call, struct fail *fail)
{
    struct subject is = {
        .account = call->visitor.account, .to = account_page_value(call, "newEmail")};
    if (is.to.n == 0) {
        page_fault(call, "newEmail", "enter the new address");
        return OK;
    }
    struct attempt_draw draw;
    int64_t retry_s = 0;
    /* each sends an e-mail to an address that need not be the owner's */
    enum err err = attempts_draw(
        call->config->attempts, STR("address"), call->visitor.account.email, NULL, call->now_ms,
        &draw, &retry_s, fail);
    if (err)
        return account_page_refuse(call, err, retry_s, fail);
    err = page_write(call, address_change_ask, &is, fail);
    if (err == ERR_INVALID || err == ERR_LIMIT) {
        page_fault(call, "newEmail", fail->text);
        return OK;
    }
    if (!err)
        page_redirect(call, STR("/account/settings"), FLASH_ADDRESS_LINKS);
    return err;
}

/* --- /confirm-address */

enum err confirm_address_page_load(struct page_call *call, struct fail *fail)
{
    struct str email, token = account_page_token(call);
    bool is_new = false;
    enum err err = address_change_find(page_reads(call, fail), token, &email, &is_new);
    if (err == ERR_NOT_FOUND)
        return account_page_link_over(call, TOKEN_ADDRESS_NEW);
    if (err)
        return err;
    view_str(call->view, "token", token);
    view_str(call->view, "newEmail", email);
    view_bool(call->view, "isNew", is_new);
    return OK;
}

struct address_confirm_job {
    struct page_call *call;
    bool done;
};

static enum err write_confirm(const struct act *act, void *ctx)
{
    struct address_confirm_job *job = ctx;
    struct page_call *call = job->call;
    return address_change_confirm(act, account_page_token(call), &job->done);
}

enum err confirm_address_page_act(struct page_call *call, struct fail *fail)
{
    struct address_confirm_job job = {.call = call};
    enum err err = page_write(call, write_confirm, &job, fail);
    if (err == ERR_NOT_FOUND)
        return account_page_link_over(call, TOKEN_ADDRESS_NEW);
    if (!err)
        page_redirect(
            call, call->visitor.signed_in ? STR("/account/settings") : STR("/sign-in"),
            job.done ? FLASH_ADDRESS_CHANGED : FLASH_ADDRESS_HALF);
    return err;
}

/* --- /account/settings/export and /account/settings/delete */

/* --- the export */

enum err export_page_act(struct page_call *call, struct fail *fail)
{
    struct subject is = {.account = call->visitor.account};
    enum err err =
        account_export(page_reads(call, fail), &call->visitor.account, http_body(call->x));
    if (!err)
        err = page_write(call, account_export_log, &is, fail);
    if (!err)
        page_download(call, STR("application/json; charset=utf-8"), STR("stockact-account.json"));
    else
        buf_reset(http_body(call->x));
    return err;
}

/* --- the deletion */

enum err delete_page_load(struct page_call *call, struct fail *fail)
{
    (void)fail;
    view_str(call->view, "accountEmail", call->visitor.account.email);
    form_show(call->view, call->form, "email", STR(""));
    account_page_proof_fields(call);
    return OK;
}

enum err delete_page_act(struct page_call *call, struct fail *fail)
{
    if (!str_eq_nocase(account_page_value(call, "email"), call->visitor.account.email)) {
        page_fault(call, "email", "this is not the address of the account");
        return OK;
    }
    struct subject is = {.account = call->visitor.account};
    TRY(page_write(call, account_delete, &is, fail));
    page_session_end(call);
    page_redirect(call, STR("/sign-in"), FLASH_DELETED);
    return OK;
}
