/* Checks the text first, then parses it with libcurl's parser, which also sends; see target.h. */
#include "net/target.h"

#include <curl/curl.h>

#include "base/mem.h"

enum { SCHEME_SHOWN_MAX = 20 };

/* SCHEME://HOST PORT REST; the port includes its colon. */
struct split {
    bool tls;
    struct str host;
    struct str port;
    struct str rest;
};

/* --- the text */

static bool byte_allowed(char c)
{
    return c > ' ' && c < 0x7f && !memchr("\"<>\\^`{|}", c, 9);
}

static bool is_hex(char c)
{
    char lower = ascii_lower(c);
    return ascii_is_digit(c) || (lower >= 'a' && lower <= 'f');
}

static bool percent_is_encoding(struct str url, size_t at)
{
    return at + 2 < url.n && is_hex(url.p[at + 1]) && is_hex(url.p[at + 2]);
}

static enum err check_bytes(struct str url, struct fail *fail)
{
    if (!url.n)
        return fail_set(fail, ERR_INVALID, "the URL is empty");
    if (url.n > TARGET_URL_MAX)
        return fail_set(
            fail, ERR_INVALID, "the URL has %zu bytes; the maximum is %d", url.n, TARGET_URL_MAX);
    for (size_t i = 0; i < url.n; i++) {
        if ((unsigned char)url.p[i] >= 0x80)
            return fail_set(
                fail, ERR_INVALID,
                "the URL has a character outside ASCII: write the host name in its xn-- form and "
                "percent-encode the rest");
        if (!byte_allowed(url.p[i]))
            return fail_set(
                fail, ERR_INVALID,
                "the URL has a space, a control character or one of \" < > \\ ^ ` { | }: "
                "percent-encode it");
        if (url.p[i] == '#')
            return fail_set(
                fail, ERR_INVALID, "the URL has a fragment (#), which is never sent: remove it");
        if (url.p[i] == '%' && !percent_is_encoding(url, i))
            return fail_set(
                fail, ERR_INVALID, "the URL has a %% that two hexadecimal digits do not follow");
    }
    return OK;
}

static bool starts_nocase(struct str s, struct str prefix)
{
    return s.n >= prefix.n && str_eq_nocase(str_slice(s, 0, prefix.n), prefix);
}

/* A final dot names the same host: remove it. */
static void split_authority(struct str authority, struct split *split)
{
    ptrdiff_t colon = str_starts(authority, STR("[")) ? str_find(authority, STR("]:"))
                                                      : str_find_char(authority, ':');
    size_t host_n = colon < 0 ? authority.n : (size_t)colon;
    if (colon >= 0 && authority.p[colon] == ']')
        host_n++;
    split->port = str_slice(authority, host_n, authority.n);
    if (host_n && authority.p[host_n - 1] == '.')
        host_n--;
    split->host = str_slice(authority, 0, host_n);
}

/* Errors quote the scheme and the host at most: the rest can be a secret. */
static enum err not_https(struct str url, bool plain_http, struct fail *fail)
{
    ptrdiff_t end = str_find(url, STR("://"));
    const char *other = plain_http ? " or http://" : "";
    if (end < 0 || end > SCHEME_SHOWN_MAX)
        return fail_set(fail, ERR_INVALID, "the URL does not begin with https://%s", other);
    return fail_set(
        fail, ERR_INVALID, "the URL begins with \"%.*s://\": it must begin with https://%s",
        (int)end, url.p, other);
}

static enum err split_url(struct str url, bool plain_http, struct split *ret, struct fail *fail)
{
    static const struct str https = STR_INIT("https://"), http = STR_INIT("http://");
    ret->tls = starts_nocase(url, https);
    if (!ret->tls && !(plain_http && starts_nocase(url, http)))
        return not_https(url, plain_http, fail);
    size_t from = ret->tls ? https.n : http.n, to = from;
    while (to < url.n && url.p[to] != '/' && url.p[to] != '?')
        to++;
    struct str authority = str_slice(url, from, to);
    if (str_find_char(authority, '@') >= 0)
        return fail_set(fail, ERR_INVALID, "the URL has a user name or a password: remove it");
    if (str_find_char(authority, '%') >= 0)
        return fail_set(
            fail, ERR_INVALID,
            "the host in the URL has a %%: it must not be percent-encoded or have a zone");
    split_authority(authority, ret);
    ret->rest = str_slice(url, to, url.n);
    if (!ret->host.n) /* libcurl would look for the host after the next slash */
        return fail_set(fail, ERR_INVALID, "the URL has no host");
    return OK;
}

static struct str lower(struct str text, struct arena *arena)
{
    char *copy = arena_alloc(arena, text.n + 1);
    for (size_t i = 0; i < text.n; i++)
        copy[i] = ascii_lower(text.p[i]);
    return str_of(copy, text.n);
}

/* One endpoint has one spelling. */
static struct str joined(const struct split *split, struct arena *arena)
{
    return arena_fmt(
        arena, "%s://%.*s%.*s%.*s", split->tls ? "https" : "http",
        STR_ARG(lower(split->host, arena)), STR_ARG(split->port), STR_ARG(split->rest));
}

/* --- the host */

/* True if a resolver or URL parser may read the label as part of an IPv4 address. */
static bool label_is_number(struct str label)
{
    bool hex = starts_nocase(label, STR("0x"));
    for (size_t i = hex ? 2 : 0; i < label.n; i++)
        if (hex ? !is_hex(label.p[i]) : !ascii_is_digit(label.p[i]))
            return false;
    return true;
}

static bool label_valid(struct str label)
{
    for (size_t i = 0; i < label.n; i++)
        if (!ascii_is_alpha(label.p[i]) && !ascii_is_digit(label.p[i]) && label.p[i] != '-' &&
            label.p[i] != '_')
            return false;
    return label.n > 0 && label.n <= TARGET_LABEL_MAX;
}

static enum err check_name(struct str host, struct fail *fail)
{
    struct str rest = host, label = STR_NULL;
    if (host.n > TARGET_HOST_MAX)
        return fail_set(
            fail, ERR_INVALID, "the host name in the URL has %zu characters; the maximum is %d",
            host.n, TARGET_HOST_MAX);
    while (str_split(&rest, '.', &label))
        if (!label_valid(label))
            return fail_set(
                fail, ERR_INVALID,
                "\"%.*s\" is not a host name: each part between dots must be 1 to %d letters, "
                "digits, - or _",
                STR_ARG(host), TARGET_LABEL_MAX);
    if (label_is_number(label))
        return fail_set(
            fail, ERR_INVALID, "\"%.*s\" ends in a number, but is not an IPv4 address",
            STR_ARG(host));
    return OK;
}

static enum err take_host(
    struct str host, struct arena *arena, struct target *target, struct fail *fail)
{
    if (str_starts(host, STR("[")))
        host = str_slice(host, 1, host.n - 1);
    target->is_address = address_parse(host, &target->address);
    target->host = arena_str(arena, host);
    return target->is_address ? OK : check_name(host, fail);
}

/* --- the whole */

static struct str part_of(CURLU *parsed, CURLUPart what, unsigned flags, struct arena *arena)
{
    char *text = NULL;
    if (curl_url_get(parsed, what, &text, flags) != CURLUE_OK)
        return STR_NULL;
    struct str part = arena_str(arena, str_from(text));
    curl_free(text);
    return part;
}

static struct str path_of(struct str url)
{
    struct str after = str_slice(url, (size_t)str_find(url, STR("://")) + 3, url.n);
    return str_slice(after, (size_t)str_find_char(after, '/'), after.n);
}

static enum err take_parts(
    CURLU *parsed, struct arena *arena, struct target *target, struct fail *fail)
{
    int64_t port;
    struct str host = part_of(parsed, CURLUPART_HOST, 0, arena);
    if (!str_is_null(part_of(parsed, CURLUPART_ZONEID, 0, arena)))
        return fail_set(fail, ERR_INVALID, "the host in the URL has a zone: remove it");
    if (!str_to_i64(part_of(parsed, CURLUPART_PORT, CURLU_DEFAULT_PORT, arena), &port) ||
        port < 1 || port > UINT16_MAX)
        return fail_set(fail, ERR_INVALID, "the port in the URL is not between 1 and 65535");
    target->port = (uint16_t)port;
    target->url = part_of(parsed, CURLUPART_URL, CURLU_NO_DEFAULT_PORT, arena);
    target->path = path_of(target->url);
    return take_host(host, arena, target, fail);
}

static enum err parse_failed(struct str host, CURLUcode code, struct fail *fail)
{
    if (code == CURLUE_BAD_PORT_NUMBER)
        return fail_set(fail, ERR_INVALID, "the port in the URL is not between 1 and 65535");
    if (code == CURLUE_NO_HOST)
        return fail_set(fail, ERR_INVALID, "the URL has no host");
    return fail_set(
        fail, ERR_INVALID, "\"%.*s\" is not a host: %s", STR_ARG(host), curl_url_strerror(code));
}

enum err target_parse(
    struct str url, bool plain_http, struct arena *arena, struct target *ret, struct fail *fail)
{
    struct split split;
    TRY(check_bytes(url, fail));
    TRY(split_url(url, plain_http, &split, fail));
    struct target target = {.tls = split.tls};
    CURLU *parsed = curl_url();
    if (!parsed)
        no_memory(0);
    CURLUcode code = curl_url_set(parsed, CURLUPART_URL, joined(&split, arena).p, CURLU_PATH_AS_IS);
    enum err err = code == CURLUE_OK ? take_parts(parsed, arena, &target, fail)
                                     : parse_failed(split.host, code, fail);
    curl_url_cleanup(parsed);
    if (!err)
        *ret = target;
    return err;
}
