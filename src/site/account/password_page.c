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

struct password_job {
    struct page_call *call;
    char hash[PASSWORD_HASH_SIZE];
};

static enum err write_password(struct db *db, void *ctx, struct fail *fail)
{
    struct password_job *job = ctx;
    struct page_call *call = job->call;
    const struct account *account = &call->visitor.account;
    return password_change(
        db, call->config->account, &call->actor, account->no, account->password_hash,
        str_from(job->hash), call->now_ms, fail);
}

enum err password_page_act(struct page_call *call, struct fail *fail)
{
    struct password_job job = {.call = call};
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
        err = password_make(password, email, true, job.hash, fail);
    if (err == ERR_INVALID) {
        page_fault(call, "newPassword", fail->text);
        return OK;
    }
    if (!err)
        err = page_write(call, write_password, &job, fail);
    if (!err) {
        call->visitor.account.password_hash = arena_str(call->arena, str_from(job.hash));
        page_known_browser(call);
        page_redirect(call, STR("/account/settings"), FLASH_PASSWORD_CHANGED);
    }
    return err ? account_page_refuse(call, err, retry_s, fail) : OK;
}
