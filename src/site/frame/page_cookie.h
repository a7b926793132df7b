/*
 * Cookies of the site. All are HttpOnly and SameSite=Lax, have the path / and no domain. With an
 * https base address their names begin with __Host- and they are Secure, so that no other host and
 * no unencrypted page can set them.
 */
#pragma once

#include "http/http.h"

enum page_cookie {
    COOKIE_SESSION, /* who is signed in (store/account/session.h) */
    COOKIE_VISITOR, /* a random number that binds the forms of a visitor without session */
    COOKIE_KNOWN,   /* the browser has signed in before (account/sign_in.h) */
    COOKIE_FLASH,   /* the name of a message (site/frame/flash.h) */
    COOKIE_COUNT
};

enum { COOKIE_VALUE_MAX = 128 };

/* The value of a cookie in the request. Null: absent, empty, longer than COOKIE_VALUE_MAX, with
 * other bytes than A-Z a-z 0-9 - _ , or sent twice: two values mean that somebody else set one. */
struct str page_cookie_get(const struct http_request *request, enum page_cookie cookie, bool https);

/* Adds Set-Cookie. `max_age_s` 0 removes the cookie; negative: until the browser is closed. */
void page_cookie_set(
    struct http_exchange *x, enum page_cookie cookie, bool https, struct str value,
    int64_t max_age_s);
