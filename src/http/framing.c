/* Where a request ends; see framing.h. */
#include "http/framing.h"

#include <assert.h>
#include <llhttp.h>
#include <pthread.h>
#include <string.h>

static_assert(sizeof(llhttp_t) <= FRAMING_PARSER_SIZE, "an llhttp_t fits");

static llhttp_settings_t settings;
static llhttp_t after_line[2]; /* parsers after a request line, by minor version */

static struct framing *owner(llhttp_t *parser)
{
    return parser->data;
}

static int on_headers_complete(llhttp_t *parser)
{
    struct framing *f = owner(parser);
    parser->upgrade = 0; /* no other protocol is offered: ignore the field (RFC 9110 7.8) */
    bool chunked = (parser->flags & F_CHUNKED) != 0;
    bool length = (parser->flags & F_CONTENT_LENGTH) != 0;
    if (chunked != f->is_chunked || (chunked && length))
        return -1;
    return !length || parser->content_length == f->expected ? 0 : -1;
}

static int on_body(llhttp_t *parser, const char *p, size_t n)
{
    struct framing *f = owner(parser);
    if (n > f->body_max - f->body_n)
        return -1;
    if (f->spool)
        spool_put(f->spool, p, n);
    else
        memcpy(f->body + f->body_n, p, n);
    f->body_n += n;
    return 0;
}

static int on_message_complete(llhttp_t *parser)
{
    owner(parser)->whole = true;
    return 0;
}

static void prepare(void)
{
    llhttp_settings_init(&settings);
    settings.on_headers_complete = on_headers_complete;
    settings.on_body = on_body;
    settings.on_message_complete = on_message_complete;
    for (int minor = 0; minor < 2; minor++) {
        const char *line = minor ? "POST / HTTP/1.1\r\n" : "POST / HTTP/1.0\r\n";
        llhttp_init(&after_line[minor], HTTP_REQUEST, &settings);
        enum llhttp_errno error = llhttp_execute(&after_line[minor], line, strlen(line));
        assert(error == HPE_OK);
    }
}

static llhttp_t *parser_of(struct framing *f)
{
    return (llhttp_t *)f->parser;
}

enum framing_result framing_begin(
    struct framing *f, struct str headers, bool http_1_0, int64_t content_length, bool chunked)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, prepare);

    llhttp_t *parser = parser_of(f);
    memcpy(parser, &after_line[!http_1_0], sizeof *parser);
    parser->data = f;
    f->is_chunked = chunked;
    f->whole = false;
    f->expected = content_length > 0 ? (uint32_t)content_length : 0;
    f->body = NULL;
    f->body_n = 0;
    f->spool = NULL;
    f->body_max = chunked ? HTTP_BODY_MAX : f->expected;
    if (chunked)
        chunked_init(&f->chunked);

    if (llhttp_execute(parser, headers.p, headers.n) != HPE_OK)
        return FRAMING_BAD;
    bool has_body = chunked || f->expected > 0;
    if (f->whole == has_body)
        return FRAMING_BAD;
    return has_body ? FRAMING_MORE : FRAMING_DONE;
}

static enum framing_result measure(struct framing *f, struct str bytes, size_t *ret_used)
{
    if (!f->is_chunked) {
        *ret_used = bytes.n < f->expected ? bytes.n : f->expected;
        f->expected -= (uint32_t)*ret_used;
        return f->expected > 0 ? FRAMING_MORE : FRAMING_DONE;
    }
    switch (chunked_take(&f->chunked, bytes.p, bytes.n, ret_used)) {
    case CHUNKED_MORE:
        return FRAMING_MORE;
    case CHUNKED_DONE:
        return FRAMING_DONE;
    case CHUNKED_TOO_LARGE:
        return FRAMING_TOO_LARGE;
    default:
        return FRAMING_BAD;
    }
}

/* llhttp gets the bytes before a failure too: the check that rejects the earlier byte decides, so
 * the result does not depend on how the bytes were split. */
enum framing_result framing_take(
    struct framing *f, struct arena *arena, struct str bytes, size_t *ret_used)
{
    enum framing_result result = measure(f, bytes, ret_used);
    bool failed = result == FRAMING_BAD || result == FRAMING_TOO_LARGE;
    if (!f->body && !f->spool)
        f->body = arena_alloc(arena, f->body_max);
    if (llhttp_execute(parser_of(f), bytes.p, *ret_used - failed) != HPE_OK)
        return FRAMING_BAD;
    if (!failed && f->whole != (result == FRAMING_DONE))
        return FRAMING_BAD;
    return result;
}
