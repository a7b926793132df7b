/* What the gate of pages reads of a request. Lines are Cookie headers; the last one is also an
 * Origin, a path to return to, and the token of a form. A cookie's value is one that was sent under
 * its name, once; an origin is ours only if it is the base address or the Host; a local path begins
 * with one slash; no token is valid that was not made. */
#include "fuzz.h"

#include <string.h>

#include "site/frame/page_call.h"
#include "site/frame/page_cookie.h"
#include "site/frame/page_csrf.h"
#include "site/frame/page_origin.h"

enum { LINES_MAX = 8 };

static void check_cookie(const struct http_request *request, enum page_cookie cookie, bool https)
{
    struct str value = page_cookie_get(request, cookie, https);
    if (str_is_null(value))
        return;
    assert(value.n > 0 && value.n <= COOKIE_VALUE_MAX);
    size_t found = 0;
    for (size_t i = 0; i < value.n; i++)
        assert(ascii_is_alnum(value.p[i]) || value.p[i] == '-' || value.p[i] == '_');
    for (size_t i = 0; i < request->header_count; i++)
        found += value.p >= request->headers[i].value.p &&
                 value.p + value.n <= request->headers[i].value.p + request->headers[i].value.n;
    assert(found == 1);
    assert(value.p[-1] == '=');
}

static void check_origin(struct str origin)
{
    const struct str base = STR("https://stockact.example.net");
    struct http_header headers[] = {
        {STR_INIT("host"), STR_INIT("localhost:8080")}, {STR_INIT("origin"), origin}};
    const struct http_request request = {.headers = headers, .header_count = 2};
    if (page_origin_is_ours(&request, base) && !str_is_null(origin))
        assert(
            str_find(origin, STR("https://")) == 0 &&
            (str_eq_nocase(str_slice(origin, 8, 8 + base.n - 8), str_slice(base, 8, base.n)) ||
             str_eq_nocase(str_slice(origin, 8, 22), STR("localhost:8080"))));
}

static void check_local(struct str path)
{
    struct str local = page_local(path);
    if (str_is_null(local))
        return;
    assert(str_eq(local, path) && local.p[0] == '/');
    assert(local.n == 1 || (local.p[1] != '/' && local.p[1] != '\\'));
    assert(str_find_char(local, '\n') < 0 && str_find_char(local, '\r') < 0);
}

static void check_token(struct str token)
{
    struct csrf_key key;
    char made[CSRF_TOKEN_SIZE];
    csrf_key_init(&key, STR("0123456789abcdef0123456789abcdef"));
    assert(!csrf_token_valid(&key, STR("seed"), token));
    csrf_token_make(&key, STR("seed"), made);
    assert(csrf_token_valid(&key, STR("seed"), str_of(made, sizeof made)));
    assert(!csrf_token_valid(&key, token, str_of(made, sizeof made)) || str_eq(token, STR("seed")));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct http_header headers[LINES_MAX];
    struct http_request request = {.headers = headers};
    char *copy = mem_strdup(str_of((const char *)data, size));
    struct str rest = str_of(copy, size), line = STR_NULL;
    while (request.header_count < LINES_MAX && str_split(&rest, '\n', &line))
        headers[request.header_count++] = (struct http_header){STR("cookie"), line};
    for (int cookie = 0; cookie < COOKIE_COUNT; cookie++) {
        check_cookie(&request, (enum page_cookie)cookie, false);
        check_cookie(&request, (enum page_cookie)cookie, true);
    }
    check_origin(line);
    check_local(line);
    check_token(line);
    mem_free(copy);
    return 0;
}
