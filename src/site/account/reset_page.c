/* /reset: asks for a link by e-mail, and, with the link's token, for the new password. */
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
