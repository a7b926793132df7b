/* The pages of new accounts: /sign-up, /sign-up/confirm and /join. */
#include "account/sign_up.h"

#include "site/account/account_pages.h"
#include "site/frame/handlers.h"

static void put_password_rule(struct page_call *call)
{
    view_int(call->view, "passwordMin", PASSWORD_MIN);
}

/* --- /sign-up */

enum err sign_up_page_load(struct page_call *call, struct fail *fail)
{
    static const char *const modes[] = {
        [SIGNUP_OFF] = "off", [SIGNUP_INVITE] = "invite", [SIGNUP_OPEN] = "open"};
    const struct account_config *config = call->config->account;
    bool no_mail = config->signup == SIGNUP_OPEN && !config->mail;
    (void)fail;
    view_bool(call->view, no_mail ? "noMail" : modes[config->signup], true);
    form_show(call->view, call->form, "email", STR(""));
    form_show_secret(call->view, call->form, "password");
    put_password_rule(call);
    return OK;
}

enum err sign_up_page_act(struct page_call *call, struct fail *fail)
{
    struct arrival is = account_page_arrival(call);
    enum err err = sign_up_prepare(page_reads(call, fail), &is);
    if (!err)
        err = page_write(call, sign_up_write, &is, fail);
    if (err == ERR_INVALID) {
        page_fault(call, is.field, fail->text);
        return OK;
    }
    if (err)
        return account_page_refuse(call, err, is.retry_s, fail);
    view_fmt(
        call->view, "sentence", "We sent an e-mail to %.*s. Follow its link to finish.",
        STR_ARG(is.email));
    view_text(call->view, "again", "/sign-up");
    page_show(call, 200, STR("mail_sent"), STR("Check your e-mail"));
    return OK;
}

/* --- /sign-up/confirm */

enum err confirm_page_load(struct page_call *call, struct fail *fail)
{
    struct str email;
    enum err err = sign_up_find(page_reads(call, fail), account_page_token(call), &email);
    if (err == ERR_NOT_FOUND)
        return account_page_link_over(call, TOKEN_SIGN_UP);
    view_str(call->view, "token", account_page_token(call));
    view_str(call->view, "email", email);
    form_show_secret(call->view, call->form, "password");
    return err;
}

enum err confirm_page_act(struct page_call *call, struct fail *fail)
{
    static const struct account_page_link link = {
        TOKEN_SIGN_UP, sign_up_confirm_check, sign_up_confirm, ERR_REFUSED};
    return account_page_enter_by_link(call, &link, fail);
}

/* --- /join */

static void put_fact(struct view *facts, const char *label, struct str value)
{
    struct view *fact = view_item(facts);
    view_text(fact, "label", label);
    view_str(fact, "value", value);
}

enum err join_page_load(struct page_call *call, struct fail *fail)
{
    struct token token;
    enum err err = join_find(page_reads(call, fail), account_page_token(call), &token);
    if (err == ERR_NOT_FOUND)
        return account_page_link_over(call, TOKEN_INVITATION);
    if (err)
        return err;
    struct view *facts = view_list(call->view, "facts");
    put_fact(facts, "Address", token.email);
    put_fact(facts, "Plan", plan_info(token.plan)->name);
    if (token.role != ROLE_MEMBER)
        put_fact(facts, "Role", role_name(token.role));
    view_str(call->view, "token", account_page_token(call));
    form_show_secret(call->view, call->form, "password");
    put_password_rule(call);
    return OK;
}

enum err join_page_act(struct page_call *call, struct fail *fail)
{
    static const struct account_page_link link = {
        TOKEN_INVITATION, join_prepare, join_write, ERR_INVALID};
    return account_page_enter_by_link(call, &link, fail);
}
