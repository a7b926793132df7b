/* Looks at where a form comes from; see page_origin.h. */
#include "site/frame/page_origin.h"

static const struct str scheme_end = STR_INIT("://");

/* "host:port" of "scheme://host:port/..." */
static struct str authority_of(struct str url)
{
    ptrdiff_t at = str_find(url, scheme_end);
    struct str rest = at < 0 ? url : str_slice(url, (size_t)at + scheme_end.n, url.n);
    ptrdiff_t end = str_find_char(rest, '/');
    return end < 0 ? rest : str_slice(rest, 0, (size_t)end);
}

static struct str scheme_of(struct str url)
{
    ptrdiff_t at = str_find(url, scheme_end);
    return at < 0 ? STR_NULL : str_slice(url, 0, (size_t)at);
}

/* Also the name by which the browser reached us: a server on one's own machine has several. */
static bool is_our_origin(
    const struct http_request *request, struct str origin, struct str base_url)
{
    if (str_is_null(scheme_of(origin)) || !str_eq(scheme_of(origin), scheme_of(base_url)))
        return false;
    return str_eq_nocase(authority_of(origin), authority_of(base_url)) ||
           str_eq_nocase(authority_of(origin), http_header(request, STR("host")));
}

bool page_origin_is_ours(const struct http_request *request, struct str base_url)
{
    struct str site = http_header(request, STR("sec-fetch-site"));
    if (!str_is_null(site))
        return str_eq(site, STR("same-origin"));
    struct str origin = http_header(request, STR("origin"));
    return str_is_null(origin) || is_our_origin(request, origin, base_url);
}

bool page_origin_is_named(const struct http_request *request)
{
    return !str_is_null(http_header(request, STR("sec-fetch-site"))) ||
           !str_is_null(http_header(request, STR("origin")));
}
