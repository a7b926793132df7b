/* /account/settings, the overview, and /account/settings/sessions. */
#include "account/address_change.h"
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
