/* Reads and writes cookies; see page_cookie.h. */
#include "site/frame/page_cookie.h"

#include <assert.h>

enum { HEADER_SIZE_MAX = 320 };

static const struct {
    struct str plain, host; /* names over http and https */
} names[COOKIE_COUNT] = {
    [COOKIE_SESSION] = {STR_INIT("session"), STR_INIT("__Host-session")},
    [COOKIE_VISITOR] = {STR_INIT("visitor"), STR_INIT("__Host-visitor")},
    [COOKIE_KNOWN] = {STR_INIT("known"), STR_INIT("__Host-known")},
    [COOKIE_FLASH] = {STR_INIT("flash"), STR_INIT("__Host-flash")},
};

static struct str name_of(enum page_cookie cookie, bool https)
{
    assert(cookie < COOKIE_COUNT);
    return https ? names[cookie].host : names[cookie].plain;
}

static bool is_value(struct str value)
{
    if (value.n == 0 || value.n > COOKIE_VALUE_MAX)
        return false;
    for (size_t i = 0; i < value.n; i++)
        if (!ascii_is_alnum(value.p[i]) && value.p[i] != '-' && value.p[i] != '_')
            return false;
    return true;
}

struct str page_cookie_get(const struct http_request *request, enum page_cookie cookie, bool https)
{
    struct str name = name_of(cookie, https), found = STR_NULL;
    bool twice = false;
    for (size_t i = 0; i < request->header_count; i++) {
        if (!str_eq(request->headers[i].name, STR("cookie")))
            continue;
        struct str rest = request->headers[i].value, pair;
        while (str_split(&rest, ';', &pair)) {
            struct str value = str_trim(pair), key;
            if (!str_split(&value, '=', &key) || str_is_null(value) || !str_eq(key, name))
                continue;
            twice |= !str_is_null(found);
            found = value;
        }
    }
    return !twice && is_value(found) ? found : STR_NULL;
}

void page_cookie_set(
    struct http_exchange *x, enum page_cookie cookie, bool https, struct str value,
    int64_t max_age_s)
{
    char space[HEADER_SIZE_MAX];
    struct buf b = buf_over(space, sizeof space);
    assert(value.n == 0 || is_value(value));
    buf_text(&b, "Set-Cookie: ");
    buf_str(&b, name_of(cookie, https));
    buf_char(&b, '=');
    buf_str(&b, value);
    if (max_age_s >= 0)
        buf_fmt(&b, "; Max-Age=%lld", (long long)max_age_s);
    buf_text(&b, "; Path=/; HttpOnly; SameSite=Lax");
    if (https)
        buf_text(&b, "; Secure");
    buf_text(&b, "\r\n");
    assert(!b.overflow);
    http_head_raw(x, buf_view(&b));
    mem_wipe(space, sizeof space);
}
