/* Checks a head; see head.h. */
#include "http/head.h"

#include "http/text.h"

void head_init(struct head *h)
{
    size_t fields_at = offsetof(struct head, headers_at);
    memset(h, 0, offsetof(struct head, headers));
    memset((char *)h + fields_at, 0, sizeof *h - fields_at);
    h->request.method = HTTP_UNKNOWN;
    h->request.method_text = STR("");
    h->request.target = STR("");
    h->request.path = STR("");
    h->request.body = STR("");
    h->request.headers = h->headers;
    h->content_length = -1;
}

static bool refuse(struct head *h, int status, const char *why)
{
    h->status = status;
    h->why = why;
    return false;
}

static bool bad(struct head *h, const char *why)
{
    return refuse(h, 400, why);
}

/* Checks a request line that may be incomplete (`n` without its line feed). Gives each prefix of a
 * line the verdict of the line, so that splitting does not matter. */
static bool request_line_fits(struct head *h, const char *p, size_t n)
{
    size_t method_n = n < HTTP_METHOD_MAX + 1 ? n : HTTP_METHOD_MAX + 1;
    const char *space = memchr(p, ' ', method_n);
    if (!space)
        return method_n <= HTTP_METHOD_MAX || bad(h, "The method is too long.");
    const char *target = space + 1;
    size_t rest = n - (size_t)(target - p);
    if (rest <= HTTP_TARGET_MAX)
        return true;
    if (memchr(target, ' ', HTTP_TARGET_MAX + 1))
        return true;
    return refuse(h, 414, "The request target is over 8,192 bytes.");
}

static enum http_method method_of(struct str token)
{
    for (enum http_method m = HTTP_GET; m < HTTP_UNKNOWN; m++) {
        if (str_eq(token, http_method_name(m)))
            return m;
    }
    return HTTP_UNKNOWN;
}

static void split_path(struct http_request *r, struct str rest)
{
    ptrdiff_t mark = str_find_char(rest, '?');
    r->path = rest;
    if (mark >= 0) {
        r->path.n = (size_t)mark;
        r->query = str_slice(rest, (size_t)mark + 1, rest.n);
    }
}

/* http://authority/path?query with one of our schemes. */
static bool take_absolute_form(struct head *h, struct str target)
{
    struct str scheme_http = str_slice(target, 0, 7), scheme_https = str_slice(target, 0, 8);
    size_t at = str_eq_nocase(scheme_http, STR("http://"))     ? 7
                : str_eq_nocase(scheme_https, STR("https://")) ? 8
                                                               : 0;
    if (at == 0)
        return bad(h, "The request target is not a path, an absolute URL, host:port or *.");
    size_t end = at;
    while (end < target.n && target.p[end] != '/' && target.p[end] != '?')
        end++;
    if (!http_is_authority(str_slice(target, at, end)))
        return bad(h, "The request target has no valid host.");
    split_path(&h->request, str_slice(target, end, target.n));
    if (h->request.path.n == 0)
        h->request.path = STR("/");
    return true;
}

static bool take_target(struct head *h, struct str target)
{
    if (target.n == 0)
        return bad(h, "The request line has no target.");
    for (size_t i = 0; i < target.n; i++) {
        unsigned char c = (unsigned char)target.p[i];
        if (c <= 0x20 || c >= 0x7f || c == '#')
            return bad(h, "The request target has a byte that must be percent-encoded.");
    }
    h->request.target = target;
    if (h->request.method == HTTP_CONNECT) {
        h->request.path = target;
        return http_is_authority(target) || bad(h, "The target of CONNECT must be host:port.");
    }
    if (target.p[0] == '/') {
        split_path(&h->request, target);
        return true;
    }
    if (str_eq(target, STR("*"))) {
        h->request.path = target;
        return h->request.method == HTTP_OPTIONS || bad(h, "The target * is for OPTIONS.");
    }
    return take_absolute_form(h, target);
}

static bool take_request_line(struct head *h, struct str line)
{
    ptrdiff_t space = str_find_char(line, ' ');
    if (space < 0)
        return bad(h, "The request line is not a method, a target and a version.");
    struct str method = str_slice(line, 0, (size_t)space);
    if (!http_is_token(method))
        return bad(h, "The method is not a token.");
    h->request.method_text = method;
    h->request.method = method_of(method);

    struct str rest = str_slice(line, (size_t)space + 1, line.n);
    space = str_find_char(rest, ' ');
    if (space < 0)
        return bad(h, "The request line is not a method, a target and a version.");
    struct str version = str_slice(rest, (size_t)space + 1, rest.n);
    if (str_eq(version, STR("HTTP/1.0")))
        h->request.http_1_0 = true;
    else if (!str_eq(version, STR("HTTP/1.1")))
        return bad(h, "The version is neither HTTP/1.0 nor HTTP/1.1.");
    h->began = true;
    return take_target(h, str_slice(rest, 0, (size_t)space));
}

/* Digits only. A value above every limit saturates instead of wrapping. */
static bool take_content_length(struct head *h, struct str value)
{
    if (h->content_lengths++ > 0)
        return bad(h, "Content-Length is given more than once.");
    if (value.n == 0)
        return bad(h, "Content-Length is not a number.");
    int64_t n = 0;
    for (size_t i = 0; i < value.n; i++) {
        if (!ascii_is_digit(value.p[i]))
            return bad(h, "Content-Length is not a number.");
        n = n * 10 + (value.p[i] - '0');
        if (n > INT32_MAX)
            n = INT32_MAX;
    }
    h->content_length = n;
    return true;
}

static bool take_transfer_encoding(struct head *h, struct str value)
{
    if (h->transfer_encodings++ > 0)
        return bad(h, "Transfer-Encoding is given more than once.");
    if (!str_eq_nocase(value, STR("chunked")))
        return bad(h, "Transfer-Encoding must be chunked.");
    h->chunked = true;
    return true;
}

static bool take_host(struct head *h, struct str value)
{
    if (h->hosts++ > 0)
        return bad(h, "Host is given more than once.");
    return http_is_authority(value) || bad(h, "Host is not host:port.");
}

static bool take_expect(struct head *h, struct str value)
{
    if (!str_eq_nocase(value, STR("100-continue")))
        return bad(h, "Expect must be 100-continue.");
    h->expects_continue = !h->request.http_1_0;
    return true;
}

/* Parses all Connection lines together (RFC 9110 7.6.1). */
static void take_connection(struct head *h, struct str value)
{
    struct str option;
    while (str_split(&value, ',', &option)) {
        option = str_trim(option);
        if (str_eq_nocase(option, STR("close")))
            h->wants_close = true;
        else if (str_eq_nocase(option, STR("keep-alive")))
            h->wants_kept = true;
    }
}

/* The headers that the edge itself uses; all others belong to the application. */
static bool take_framing_header(struct head *h, struct str name, struct str value)
{
    switch (name.n) {
    case 4:
        return memcmp(name.p, "host", 4) != 0 || take_host(h, value);
    case 6:
        return memcmp(name.p, "expect", 6) != 0 || take_expect(h, value);
    case 10:
        if (memcmp(name.p, "connection", 10) == 0)
            take_connection(h, value);
        return true;
    case 14:
        return memcmp(name.p, "content-length", 14) != 0 || take_content_length(h, value);
    case 17:
        return memcmp(name.p, "transfer-encoding", 17) != 0 || take_transfer_encoding(h, value);
    default:
        return true;
    }
}

static bool take_header(struct head *h, char *p, size_t n)
{
    size_t name_n = 0;
    unsigned char lower;
    while (name_n < n && (lower = http_token_lower[(unsigned char)p[name_n]]) != 0)
        p[name_n++] = (char)lower;
    if (name_n == n || p[name_n] != ':' || name_n == 0)
        return bad(h, "A header line is not a name, a colon and a value.");
    const char *value = p + name_n + 1;
    const char *end = p + n;
    if (!http_is_field_text(value, (size_t)(end - value)))
        return bad(h, "A header value has a control character.");
    while (value < end && (*value == ' ' || *value == '\t'))
        value++;
    while (value < end && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    if (h->request.header_count == HTTP_HEADERS_MAX)
        return refuse(h, 431, "There are more than 100 headers.");
    struct http_header *header = &h->headers[h->request.header_count++];
    header->name = str_of(p, name_n);
    header->value = str_of(value, (size_t)(end - value));
    return take_framing_header(h, header->name, header->value);
}

static bool finish(struct head *h)
{
    if (h->hosts == 0 && !h->request.http_1_0)
        return bad(h, "The Host header is missing.");
    if (h->chunked && h->content_length >= 0)
        return bad(h, "Content-Length and Transfer-Encoding are both given.");
    if (h->chunked && h->request.http_1_0)
        return bad(h, "Transfer-Encoding is not part of HTTP/1.0.");
    if (h->content_length > HTTP_DROP_MAX)
        return refuse(h, 413, "The body is over 1 GiB.");
    h->request.keep_alive = !h->wants_close && (h->wants_kept || !h->request.http_1_0);
    return true;
}

/* One complete line; p[n] is its line feed. */
static bool take_line(struct head *h, char *p, size_t n)
{
    if (!h->began && !request_line_fits(h, p, n))
        return false;
    if (n == 0 || p[n - 1] != '\r')
        return bad(h, "A line ends in LF without CR.");
    n--;
    if (h->began)
        return n == 0 ? finish(h) : take_header(h, p, n);
    if (n == 0) {
        if (h->skipped)
            return bad(h, "There are too many empty lines before the request line.");
        h->skipped = true;
        return true;
    }
    if (!take_request_line(h, str_of(p, n)))
        return false;
    h->headers_at = h->scanned;
    return true;
}

enum head_result head_take(struct head *h, char *p, size_t n)
{
    size_t limit = n < HTTP_HEAD_MAX ? n : HTTP_HEAD_MAX;
    if (h->scanned == 0 && n > 0 && p[0] != '\r' && !http_is_token_char(p[0])) {
        bad(h, "The first byte does not begin a request.");
        return HEAD_REFUSED;
    }
    while (h->scanned < limit) {
        char *line = p + h->line;
        char *feed = memchr(p + h->scanned, '\n', limit - h->scanned);
        if (!feed) {
            h->scanned = limit;
            break;
        }
        h->scanned = (size_t)(feed - p) + 1;
        bool empty = feed - line == 1 && *line == '\r';
        bool last = empty && h->began;
        if (!take_line(h, line, (size_t)(feed - line)))
            return HEAD_REFUSED;
        h->line = h->scanned;
        if (last) {
            h->size = h->scanned;
            return HEAD_WHOLE;
        }
    }
    if (!h->began && !request_line_fits(h, p + h->line, limit - h->line))
        return HEAD_REFUSED;
    if (limit == HTTP_HEAD_MAX) {
        refuse(h, 431, "The head is over 16 KiB.");
        return HEAD_REFUSED;
    }
    return HEAD_MORE;
}
