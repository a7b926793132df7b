/* Shared by the pages around sign-in and the settings; see account_pages.h. */
#include "site/account/account_pages.h"

#include "site/frame/page_call_parts.h"
#include "site/frame/page_carry.h"

enum err account_page_refuse(
    struct page_call *call, enum err err, int64_t retry_s, const struct fail *fail)
{
    if (err != ERR_LIMIT || retry_s <= 0)
        return err;
    page_fault(call, NULL, fail->text);
    http_head(call->x, STR("Retry-After"), arena_fmt(call->arena, "%lld", (long long)retry_s));
    page_show(call, 429, call->page->template, call->page->title);
    return OK;
}

struct str account_page_token(const struct page_call *call)
{
    return call->form ? form_value(call->form, "token") : page_query(call, STR("token"));
}

_Static_assert(TOKEN_LINK_HOURS == 1 && TOKEN_INVITATION_DAYS == 7, "as the sentences say");

enum err account_page_link_over(struct page_call *call, enum token_purpose purpose)
{
    static const struct str sentences[TOKEN_PURPOSE_COUNT] = {
        [TOKEN_SIGN_UP] = STR_INIT(
            "The link was used, or it is older than an hour. Sign up again to get another."),
        [TOKEN_RESET] = STR_INIT("The link was used, replaced by a newer one, or is older than an "
                                 "hour. Ask for another at /reset."),
        [TOKEN_ADDRESS_NEW] = STR_INIT("The link was used, or it is older than an hour. Change the "
                                       "address again in the settings."),
        [TOKEN_INVITATION] =
            STR_INIT("The invitation was used, replaced or is older than a week. Ask for another."),
    };
    page_problem(call, PROBLEM_LINK, sentences[purpose]);
    return OK;
}

/* The page of the code. `call->form` is that of the step before, or the wrong code. */
static void ask_code(struct page_call *call, struct str token, struct str next)
{
    view_str(call->view, "step", token);
    view_str(call->view, "next", next);
    form_show_secret(call->view, NULL, "code");
    page_carry_show(call);
    page_show(call, 200, STR("sign_in_code"), STR("Enter your code"));
}

struct arrival account_page_arrival(const struct page_call *call)
{
    return (struct arrival){
        .email = account_page_value(call, "email"),
        .password = form_value(call->form, "password"),
        .code = account_page_value(call, "code"),
        .text = account_page_token(call),
        .client = &call->client,
        .origin = &call->origin,
        .attempts = call->config->attempts,
    };
}

struct entering {
    const struct page_call *call;
    act_run *write;
    struct arrival *is;
};

static enum err enter(const struct act *act, void *ctx)
{
    const struct entering *e = ctx;
    const struct visitor *visitor = &e->call->visitor;
    enum err err = e->write(act, e->is);
    if (err || !visitor->signed_in || e->is->done.code_needed || e->is->done.wrong_code)
        return err;
    struct subject old = {.account = visitor->account, .session = visitor->session.id};
    return sign_out_own(act, &old);
}

enum err account_page_enter_by(
    struct page_call *call, act_run *write, struct arrival *is, struct fail *fail)
{
    struct entering entering = {call, write, is};
    return page_write(call, enter, &entering, fail);
}

enum err account_page_enter_by_link(
    struct page_call *call, const struct account_page_link *link, struct fail *fail)
{
    struct arrival is = account_page_arrival(call);
    enum err err = link->prepare(page_reads(call, fail), &is);
    if (err == link->fault) {
        page_fault(call, "password", fail->text);
        return OK;
    }
    if (!err)
        err = account_page_enter_by(call, link->write, &is, fail);
    if (err == ERR_NOT_FOUND)
        return account_page_link_over(call, link->purpose);
    if (err)
        return account_page_refuse(call, err, is.retry_s, fail);
    account_page_enter(call, &is.done, STR_NULL);
    return OK;
}

void account_page_enter(struct page_call *call, struct sign_in_done *done, struct str next)
{
    struct str token = str_of(done->token, sizeof done->token);
    if (done->code_needed) {
        ask_code(call, token, next);
    } else {
        page_session_start(call, token, &done->account);
        if (done->must_set_up)
            page_redirect(call, STR("/account/settings/second-factor"), FLASH_NONE);
        else
            page_carry_return(call, next);
    }
    explicit_bzero(done->token, sizeof done->token);
}

void account_page_proof_fields(struct page_call *call)
{
    if (!call->visitor.proved)
        view_bool(
            view_object(call->view, "proof"), "code",
            call->visitor.account.totp_at != INSTANT_NONE);
}

struct str account_page_value(const struct page_call *call, const char *name)
{
    struct str value = form_value(call->form, name);
    return str_is_null(value) ? STR("") : str_trim(value);
}

enum err account_page_put_codes_left(struct page_call *call, struct view *v, struct fail *fail)
{
    int64_t left = 0;
    TRY(recovery_code_count(page_reads(call, fail), call->visitor.account.no, &left));
    view_int(v, "codesLeft", left);
    view_fmt(
        v, "codesLeftText", "%lld recovery %s left.", (long long)left,
        left == 1 ? "code is" : "codes are");
    return OK;
}
