/* The pages of signing in and out: /sign-in, with the step for the second factor, and /sign-out. */
#include "site/account/account_pages.h"
#include "site/frame/handlers.h"
#include "site/frame/page_carry.h"

static const char step_field[] = "step";

/* Where the visitor wanted to go. */
static struct str next_of(const struct page_call *call)
{
    return page_local(call->form ? form_value(call->form, "next") : page_query(call, STR("next")));
}

enum err sign_in_page_load(struct page_call *call, struct fail *fail)
{
    const struct form *form = call->form;
    struct str step = form ? form_value(form, step_field) : STR_NULL;
    (void)fail;
    if (!form && call->visitor.signed_in) {
        page_carry_return(call, next_of(call));
        return OK;
    }
    view_str(call->view, "next", next_of(call));
    const struct account_config *config = call->config->account;
    view_bool(call->view, "signUpOpen", config->signup == SIGNUP_OPEN && config->mail);
    if (str_is_null(step)) {
        form_show(call->view, form, "email", STR(""));
        form_show_secret(call->view, form, "password");
    } else {
        view_str(call->view, step_field, step);
        form_show_secret(call->view, form, "code");
    }
    return OK;
}

/* --- the password */

static bool has_both(struct page_call *call, struct str email, struct str password)
{
    if (email.n == 0)
        page_fault(call, "email", "enter your e-mail address");
    if (password.n == 0)
        page_fault(call, "password", "enter your password");
    return !form_is_faulty(call->form);
}

static enum err act_password(struct page_call *call, struct fail *fail)
{
    struct arrival is = account_page_arrival(call);
    is.mark = page_known_mark(call);
    if (!has_both(call, is.email, is.password))
        return OK;
    enum err err = sign_in_check(page_reads(call, fail), &is);
    if (!err) {
        err = account_page_enter_by(call, sign_in_write, &is, fail);
        if (err && err != ERR_REFUSED)
            attempts_untried(is.attempts, &is.draw);
    }
    if (err == ERR_REFUSED) {
        page_fault(call, "password", fail->text);
        return OK;
    }
    if (err)
        return account_page_refuse(call, err, is.retry_s, fail);
    account_page_enter(call, &is.done, next_of(call));
    return OK;
}

/* --- the code */

static enum err act_code(struct page_call *call, struct fail *fail)
{
    struct arrival is = account_page_arrival(call);
    is.text = form_value(call->form, step_field);
    enum err err = account_page_enter_by(call, sign_in_code, &is, fail);
    if (err == ERR_NOT_FOUND) {
        page_redirect(call, STR("/sign-in"), FLASH_SIGN_IN_AGAIN);
        return OK;
    }
    if (err)
        return err;
    if (is.done.wrong_code) {
        page_fault(call, "code", is.done.why);
        page_show(call, 422, STR("sign_in_code"), STR("Enter your code"));
        return OK;
    }
    account_page_enter(call, &is.done, next_of(call));
    return OK;
}

enum err sign_in_page_act(struct page_call *call, struct fail *fail)
{
    return str_is_null(form_value(call->form, step_field)) ? act_password(call, fail)
                                                           : act_code(call, fail);
}

/* --- sign-out */

enum err sign_out_page_act(struct page_call *call, struct fail *fail)
{
    const struct visitor *visitor = &call->visitor;
    struct subject is = {.account = visitor->account, .session = visitor->session.id};
    TRY(visitor->signed_in ? page_write(call, sign_out_own, &is, fail) : OK);
    page_session_end(call);
    page_redirect(call, STR("/sign-in"), FLASH_SIGNED_OUT);
    return OK;
}
