/* Addresses that tools look for (RFC 9116, https://www.w3.org/TR/change-password-url/). */
#include "site/frame/handlers.h"
#include "site/frame/page_call.h"

enum { EXPIRES_DAYS = 180 };

/* Whom to tell about a vulnerability: an address or a URL, as the operator set it. */
enum err security_txt_load(struct page_call *call, struct fail *fail)
{
    struct str contact = call->config->contact;
    char expires[INSTANT_TEXT_SIZE];
    if (str_is_null(contact))
        return fail_set(fail, ERR_NOT_FOUND, "STOCKACT_CONTACT is not set");
    instant_print(call->now_ms + (int64_t)EXPIRES_DAYS * DAY_MS, expires);
    bool is_url = str_find(contact, STR("://")) > 0;
    struct str canonical = page_url(call, STR("/.well-known/security.txt"));
    buf_fmt(
        http_body(call->x),
        "Contact: %s%.*s\nExpires: %.*s\nPreferred-Languages: en\nCanonical: %.*s\n",
        is_url ? "" : "mailto:", STR_ARG(contact), INSTANT_TEXT_SIZE, expires, STR_ARG(canonical));
    page_download(call, STR("text/plain; charset=utf-8"), STR_NULL);
    return OK;
}

enum err change_password_load(struct page_call *call, struct fail *fail)
{
    page_redirect(call, STR("/account/settings"), FLASH_NONE);
    return OK;
}
