/* The page of all parts that pages are made of, on servers with invented data only. */
#include "html/style_page.h"

#include "site/frame/handlers.h"
#include "site/frame/page_call.h"

enum err style_load(struct page_call *call, struct fail *fail)
{
    if (!atomic_load(call->config->demo))
        return fail_set(fail, ERR_NOT_FOUND, "only a server with demonstration data has this page");
    style_page_show(call->view, call->now_ms);
    return OK;
}

/* The sample forms do nothing. */
enum err style_act(struct page_call *call, struct fail *fail)
{
    TRY(style_load(call, fail));
    page_redirect(call, STR("/style"), FLASH_SAMPLE);
    return OK;
}
