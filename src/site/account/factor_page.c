/* The pages of the second factor: /account/settings/second-factor, where it is set up and turned
 * off, and /account/settings/second-factor/recovery-codes. */
#include "account/second_factor.h"

#include <string.h>

#include "account/qr.h"
#include "site/account/account_pages.h"
#include "site/frame/handlers.h"

enum { QR_SVG_MAX = 64 * 1024 };

static const char page_path[] = "/account/settings/second-factor";

static enum err show_setup(
    struct page_call *call, const struct second_factor_setup *setup, struct fail *fail)
{
    BUF_SCOPED(svg, QR_SVG_MAX);
    struct view *view = view_object(call->view, "setup");
    enum err err =
        qr_put_svg(&svg, setup->address, STR("QR code of the secret that is below"), fail);
    view_html(view, "qr", buf_view(&svg));
    view_str(view, "secretText", setup->secret_text);
    view_str(view, "address", setup->address);
    form_show_secret(call->view, call->form, "code");
    return err;
}

enum err factor_page_load(struct page_call *call, struct fail *fail)
{
    const struct account *account = &call->visitor.account;
    struct second_factor_setup setup;
    view_bool(call->view, "demanded", account_demands_factor(call->config->account, account->role));
    account_page_proof_fields(call);
    if (account->totp_at != INSTANT_NONE) {
        view_bool(call->view, "on", true);
        view_instant(call->view, "since", account->totp_at);
        return account_page_put_codes_left(call, call->view, fail);
    }
    /* the secret is for somebody who gave the password: a cookie alone does not show it */
    if (call->visitor.proved && second_factor_show(
                                    call->config->account, account, call->visitor.session.id,
                                    call->now_ms, call->arena, &setup, NULL) == OK)
        return show_setup(call, &setup, fail);
    view_bool(call->view, "off", true);
    return OK;
}

/* --- actions */

struct factor_job {
    struct page_call *call;
    struct second_factor_setup setup;
    struct recovery_codes codes;
};

static enum err write_begin(const struct act *act, void *ctx)
{
    struct factor_job *job = ctx;
    struct page_call *call = job->call;
    return second_factor_begin(
        act, call->visitor.account.no, call->visitor.session.id, &job->setup);
}

static enum err write_on(const struct act *act, void *ctx)
{
    struct factor_job *job = ctx;
    struct page_call *call = job->call;
    return second_factor_on(
        act, call->visitor.account.no, account_page_value(call, "code"), &job->codes);
}

static enum err write_codes(const struct act *act, void *ctx)
{
    struct factor_job *job = ctx;
    struct page_call *call = job->call;
    return second_factor_new_codes(act, call->visitor.account.no, &job->codes);
}

/* Shown in the response to the POST only. */
static void show_codes(struct page_call *call, struct recovery_codes *codes)
{
    struct view *list = view_list(call->view, "codes");
    for (int i = 0; i < RECOVERY_COUNT; i++)
        view_item_str(list, str_from(codes->text[i]));
    recovery_finish(codes);
    page_show(call, 200, STR("recovery_codes"), STR("Your recovery codes"));
}

static enum err act_on(struct page_call *call, struct fail *fail)
{
    struct factor_job job = {.call = call};
    enum err err = page_write(call, write_on, &job, fail);
    if (err == ERR_INVALID) {
        page_fault(call, "code", fail->text);
        return OK;
    }
    if (!err)
        show_codes(call, &job.codes);
    return err;
}

enum err factor_page_act(struct page_call *call, struct fail *fail)
{
    struct factor_job job = {.call = call};
    struct str what = form_value(call->form, "do");
    if (str_eq(what, STR("on")))
        return act_on(call, fail);
    bool begin = str_eq(what, STR("begin"));
    if (!begin && !str_eq(what, STR("off")))
        return fail_set(fail, ERR_INVALID, "do is \"begin\", \"on\" or \"off\"");
    struct subject is = {.account = call->visitor.account};
    TRY(begin ? page_write(call, write_begin, &job, fail)
              : page_write(call, second_factor_off, &is, fail));
    page_redirect(
        call, begin ? str_from(page_path) : STR("/account/settings"),
        begin ? FLASH_NONE : FLASH_FACTOR_OFF);
    return OK;
}

enum err recovery_codes_page_act(struct page_call *call, struct fail *fail)
{
    struct factor_job job = {.call = call};
    TRY(page_write(call, write_codes, &job, fail));
    show_codes(call, &job.codes);
    return OK;
}
