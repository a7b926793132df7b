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
    int64_t retry_s = 0;
    if (is.email.n == 0) {
        page_fault(call, "email", "enter your e-mail address");
        return OK;
    }
    enum err err = reset_ask_check(
        call->config->account, call->config->attempts, &call->client, call->now_ms, &retry_s, fail);
    if (!err)
        err = page_write(call, reset_ask, &is, fail);
    if (err)
        return account_page_refuse(call, err, retry_s, fail);
    view_fmt(
        call->view, "sentence", "If %.*s has an account here, we sent it a link.",
        STR_ARG(is.email));
    view_text(call->view, "again", "/reset");
    page_show(call, 200, STR("mail_sent"), STR("Check your e-mail"));
    return OK;
}

/* --- the new password */

struct reset_job {
    struct page_call *call;
    struct reset reset;
    struct sign_in_done done;
};

static enum err write_reset(const struct act *act, void *ctx)
{
    struct reset_job *job = ctx;
    struct page_call *call = job->call;
    enum err err = reset_write(act, &job->reset, &call->origin, &job->done);
    return err ? err : account_page_end_old(act, call, &job->done);
}

static enum err act_link(struct page_call *call, struct str token, struct fail *fail)
{
    struct reset_job job = {.call = call};
    int64_t retry_s = 0;
    struct str password = form_value(call->form, "password");
    enum err err = reset_prepare(
        page_reads(call, fail), call->config->attempts, token, password, &call->client, &job.reset,
        &retry_s);
    if (err == ERR_INVALID) {
        page_fault(call, "password", fail->text);
        return OK;
    }
    if (!err)
        err = page_write(call, write_reset, &job, fail);
    if (err == ERR_NOT_FOUND)
        return account_page_link_over(call, TOKEN_RESET);
    if (err)
        return account_page_refuse(call, err, retry_s, fail);
    account_page_enter(call, &job.done, STR_NULL);
    return OK;
}

enum err reset_page_act(struct page_call *call, struct fail *fail)
{
    struct str token = account_page_token(call);
    return str_is_null(token) ? act_ask(call, fail) : act_link(call, token, fail);
}
