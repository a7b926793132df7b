/* /reset: asks for a link by e-mail, and, with the link's token, for the new password. */
#include "account/password_change.h"
#include "account/reset.h"
#include "site/account/account_pages.h"
#include "site/frame/handlers.h"

#define TITLE STR("Set a new password")

/* Fills the page of the link. */
static void show_link(struct page_call *call, struct str token)
{
    view_str(call->view, "token", token);
    view_int(call->view, "passwordMin", PASSWORD_MIN);
    form_show_secret(call->view, call->form, "password");
    page_show(call, 200, STR("reset_password"), TITLE);
}

enum err reset_page_load(struct page_call *call, struct fail *fail)
{
    struct str email, token = account_page_token(call);
    view_bool(call->view, "mail", call->config->account->mail);
    form_show(call->view, call->form, "email", STR(""));
    if (str_is_null(token))
        return OK;
    enum err err = reset_find(page_reads(call, fail), token, &email);
    if (!err)
        show_link(call, token);
    return err == ERR_NOT_FOUND ? account_page_link_over(call, TOKEN_RESET) : err;
}

/* --- asking */

static enum err act_ask(struct page_call *call, struct fail *fail)
{
    struct subject is = {.email = account_page_value(call, "email")};
    struct arrival from = account_page_arrival(call);
    if (is.email.n == 0) {
        page_fault(call, "email", "enter your e-mail address");
        return OK;
    }
    enum err err = reset_ask_check(page_reads(call, fail), &from);
    if (!err)
        err = page_write(call, reset_ask, &is, fail);
    if (err)
        return account_page_refuse(call, err, from.retry_s, fail);
    view_fmt(
        call->view, "sentence", "If %.*s has an account here, we sent it a link.",
        STR_ARG(is.email));
    view_text(call->view, "again", "/reset");
    page_show(call, 200, STR("mail_sent"), STR("Check your e-mail"));
    return OK;
}

/* --- the new password */

static const struct account_page_link reset_link = {
    TOKEN_RESET, reset_prepare, reset_write, ERR_INVALID};

enum err reset_page_act(struct page_call *call, struct fail *fail)
{
    struct str token = account_page_token(call);
    return str_is_null(token) ? act_ask(call, fail)
                              : account_page_enter_by_link(call, &reset_link, fail);
}

/* --- /account/settings/password */

enum err password_page_load(struct page_call *call, struct fail *fail)
{
    (void)fail;
    view_int(call->view, "passwordMin", PASSWORD_MIN);
    form_show_secret(call->view, call->form, "newPassword");
    account_page_proof_fields(call);
    return OK;
}

enum err password_page_act(struct page_call *call, struct fail *fail)
{
    struct subject is = {.account = call->visitor.account};
    char hash[PASSWORD_HASH_SIZE];
    struct str password = form_value(call->form, "newPassword");
    struct str email = call->visitor.account.email;
    struct attempt_draw draw;
    int64_t retry_s = 0;
    enum err err = password_check_rules(password, email, fail);
    if (!err) /* a hash costs a worker 0.1 s */
        err = attempts_draw(
            call->config->attempts, STR("password"), email, NULL, call->now_ms, &draw, &retry_s,
            fail);
    if (!err)
        err = password_make(password, email, true, hash, fail);
    if (err == ERR_INVALID) {
        page_fault(call, "newPassword", fail->text);
        return OK;
    }
    is.hash = err ? STR_NULL : str_from(hash);
    if (!err)
        err = page_write(call, password_change, &is, fail);
    if (!err) {
        call->visitor.account.password_hash = is.account.password_hash;
        page_known_browser(call);
        page_redirect(call, STR("/account/settings"), FLASH_PASSWORD_CHANGED);
    }
    return err ? account_page_refuse(call, err, retry_s, fail) : OK;
}
