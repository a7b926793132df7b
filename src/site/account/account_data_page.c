/* /account/settings/export and /account/settings/delete. */
#include "account/delete.h"

#include "account/export.h"
#include "http/http.h"
#include "site/account/account_pages.h"
#include "site/frame/handlers.h"

/* --- the export */

enum err export_page_act(struct page_call *call, struct fail *fail)
{
    struct subject is = {.account = call->visitor.account};
    enum err err =
        account_export(page_reads(call, fail), &call->visitor.account, http_body(call->x));
    if (!err)
        err = page_write(call, account_export_log, &is, fail);
    if (!err)
        page_download(call, STR("application/json; charset=utf-8"), STR("stockact-account.json"));
    else
        buf_reset(http_body(call->x));
    return err;
}

/* --- the deletion */

enum err delete_page_load(struct page_call *call, struct fail *fail)
{
    (void)fail;
    view_str(call->view, "accountEmail", call->visitor.account.email);
    form_show(call->view, call->form, "email", STR(""));
    account_page_proof_fields(call);
    return OK;
}

enum err delete_page_act(struct page_call *call, struct fail *fail)
{
    if (!str_eq_nocase(account_page_value(call, "email"), call->visitor.account.email)) {
        page_fault(call, "email", "this is not the address of the account");
        return OK;
    }
    struct subject is = {.account = call->visitor.account};
    TRY(page_write(call, account_delete, &is, fail));
    page_session_end(call);
    page_redirect(call, STR("/sign-in"), FLASH_DELETED);
    return OK;
}
