/* /account/settings/password. */
#include "account/password_change.h"

#include "site/account/account_pages.h"
#include "site/frame/handlers.h"

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
