/* The front page. */
#include "site/handlers.h"
#include "site/page_call.h"

enum err home_load(struct page_call *call, struct fail *fail)
{
    view_str(call->view, "baseUrl", call->config->base_url);
    view_text(
        call->view, "description",
        "Stock trades disclosed by members of the U.S. Congress, as a read-only JSON API.");
    return OK;
}
