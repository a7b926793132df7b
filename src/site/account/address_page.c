/* The change of the address: /account/settings/address asks for it, /confirm-address is where the
 * links of both e-mails lead. */
#include "account/address_change.h"

#include "site/account/account_pages.h"
#include "site/frame/handlers.h"

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
