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

struct sign_up_job {
    struct page_call *call;
    struct sign_up sign_up;
};

static enum err write_sign_up(const struct act *act, void *ctx)
{
    struct sign_up_job *job = ctx;
    return sign_up_write(act, &job->sign_up);
}

enum err sign_up_page_act(struct page_call *call, struct fail *fail)
{
    struct sign_up_job job = {.call = call};
    struct str email = account_page_value(call, "email");
    struct str password = form_value(call->form, "password");
    const char *field = NULL;
    int64_t retry_s = 0;
    enum err err = sign_up_prepare(
        call->config->account, call->config->attempts, email, password, &call->client, call->now_ms,
        &job.sign_up, &field, &retry_s, fail);
    if (!err)
        err = page_write(call, write_sign_up, &job, fail);
    if (err == ERR_INVALID && field) {
        page_fault(call, field, fail->text);
        return OK;
    }
    if (err)
        return account_page_refuse(call, err, retry_s, fail);
    view_fmt(
        call->view, "sentence", "We sent an e-mail to %.*s. Follow its link to finish.",
        STR_ARG(email));
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

struct confirm_job {
    struct page_call *call;
    struct token token;
    struct sign_in_done done;
};

static enum err write_confirm(const struct act *act, void *ctx)
{
    struct confirm_job *job = ctx;
    struct page_call *call = job->call;
    enum err err = sign_up_confirm(act, &job->token, &call->origin, &job->done);
    return err ? err : account_page_end_old(act, call, &job->done);
}

enum err confirm_page_act(struct page_call *call, struct fail *fail)
{
    struct confirm_job job = {.call = call};
    int64_t retry_s = 0;
    enum err err = sign_up_confirm_check(
        page_reads(call, fail), call->config->attempts, account_page_token(call),
        form_value(call->form, "password"), &call->client, &job.token, &retry_s);
    if (err == ERR_REFUSED) {
        page_fault(call, "password", fail->text);
        return OK;
    }
    if (!err)
        err = page_write(call, write_confirm, &job, fail);
    if (err == ERR_NOT_FOUND)
        return account_page_link_over(call, TOKEN_SIGN_UP);
    if (err)
        return account_page_refuse(call, err, retry_s, fail);
    account_page_enter(call, &job.done, STR_NULL);
    return OK;
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

struct join_job {
    struct page_call *call;
    struct token token;
    char hash[PASSWORD_HASH_SIZE];
    struct sign_in_done done;
};

static enum err write_join(const struct act *act, void *ctx)
{
    struct join_job *job = ctx;
    struct page_call *call = job->call;
    enum err err = join_write(act, &job->token, str_from(job->hash), &call->origin, &job->done);
    return err ? err : account_page_end_old(act, call, &job->done);
}

enum err join_page_act(struct page_call *call, struct fail *fail)
{
    struct join_job job = {.call = call};
    int64_t retry_s = 0;
    enum err err = join_find(page_reads(call, fail), account_page_token(call), &job.token);
    if (!err)
        err = join_prepare(
            call->config->account, call->config->attempts, &job.token,
            form_value(call->form, "password"), &call->client, call->now_ms, job.hash, &retry_s,
            fail);
    if (err == ERR_INVALID) {
        page_fault(call, "password", fail->text);
        return OK;
    }
    if (!err)
        err = page_write(call, write_join, &job, fail);
    if (err == ERR_NOT_FOUND)
        return account_page_link_over(call, TOKEN_INVITATION);
    if (err)
        return account_page_refuse(call, err, retry_s, fail);
    account_page_enter(call, &job.done, STR_NULL);
    return OK;
}
