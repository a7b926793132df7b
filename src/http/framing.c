/* Where a request ends; see framing.h. */
#include "http/framing.h"

#include <assert.h>
#include <llhttp.h>

#include "base/codec.h"
#include "http/text.h"

/* The strict watcher of chunked bodies. */

enum {
    SIZE,         /* hex digits, at least one */
    EXT,          /* after ';': the first byte of a name */
    EXT_NAME,     /* */
    EXT_VALUE,    /* after '=': a quote or the first byte of a token */
    EXT_TOKEN,    /* */
    EXT_QUOTED,   /* to the closing quote */
    EXT_END,      /* the CR after it */
    SIZE_LF,      /* LF that ends the size line */
    DATA,         /* `left` bytes */
    DATA_CR,      /* CRLF after them */
    DATA_LF,      /* */
    TRAILER,      /* start of a line after the last chunk: a trailer or the end */
    TRAILER_NAME, /* */
    TRAILER_TEXT, /* after ':', to CR */
    TRAILER_LF,   /* */
    END_LF,       /* LF of the empty line */
};

enum { DIGITS_MAX = 16 };

static void chunked_init(struct chunked *c)
{
    *c = (struct chunked){.state = SIZE};
}

static enum chunked_result go(struct chunked *c, int state)
{
    c->state = state;
    return CHUNKED_MORE;
}

static enum chunked_result expect(struct chunked *c, char byte, char wanted, int state)
{
    return byte == wanted ? go(c, state) : CHUNKED_BAD;
}

static enum chunked_result take_size(struct chunked *c, char byte)
{
    int digit = hex_value(byte);
    if (digit >= 0) {
        if (++c->digits > DIGITS_MAX)
            return CHUNKED_BAD;
        c->left = c->left * 16 + (uint32_t)digit;
        return c->data + c->left > HTTP_BODY_MAX ? CHUNKED_TOO_LARGE : CHUNKED_MORE;
    }
    if (c->digits == 0)
        return CHUNKED_BAD;
    if (byte == ';')
        return go(c, EXT);
    return expect(c, byte, '\r', SIZE_LF);
}

static enum chunked_result take_extension(struct chunked *c, char byte)
{
    if (c->state == EXT_QUOTED) {
        if (byte == '"')
            return go(c, EXT_END);
        return byte != '\\' && http_is_field_text(&byte, 1) ? CHUNKED_MORE : CHUNKED_BAD;
    }
    if (c->state != EXT_END && http_is_token_char(byte))
        return go(c, c->state == EXT || c->state == EXT_NAME ? EXT_NAME : EXT_TOKEN);
    if (c->state == EXT_NAME && byte == ';')
        return go(c, EXT);
    if (c->state == EXT_NAME && byte == '=')
        return go(c, EXT_VALUE);
    if (c->state == EXT_VALUE && byte == '"')
        return go(c, EXT_QUOTED);
    bool whole = c->state == EXT_NAME || c->state == EXT_TOKEN || c->state == EXT_END;
    return whole ? expect(c, byte, '\r', SIZE_LF) : CHUNKED_BAD;
}

static enum chunked_result take_text(struct chunked *c, char byte, int then)
{
    if (byte == '\r')
        return go(c, then);
    return http_is_field_text(&byte, 1) ? CHUNKED_MORE : CHUNKED_BAD;
}

static enum chunked_result take_size_end(struct chunked *c, char byte)
{
    if (byte != '\n')
        return CHUNKED_BAD;
    c->digits = 0;
    return go(c, c->left > 0 ? DATA : TRAILER);
}

/* Framing fields come too late in a trailer (RFC 9110 6.5.1). */
static bool is_framing_name(const struct chunked *c)
{
    if (c->name_n > sizeof c->name)
        return false;
    struct str name = str_of(c->name, c->name_n);
    return str_eq(name, STR("content-length")) || str_eq(name, STR("transfer-encoding"));
}

static enum chunked_result take_trailer_name(struct chunked *c, char byte)
{
    if (byte == ':')
        return is_framing_name(c) ? CHUNKED_BAD : go(c, TRAILER_TEXT);
    unsigned char lower = http_token_lower[(unsigned char)byte];
    if (c->name_n < sizeof c->name)
        c->name[c->name_n] = (char)lower;
    c->name_n++;
    return lower ? go(c, TRAILER_NAME) : CHUNKED_BAD;
}

static enum chunked_result take_trailer(struct chunked *c, char byte)
{
    if (byte == '\r')
        return go(c, END_LF);
    c->name_n = 0;
    return byte == ':' ? CHUNKED_BAD : take_trailer_name(c, byte);
}

static enum chunked_result take_byte(struct chunked *c, char byte)
{
    switch (c->state) {
    case SIZE:
        return take_size(c, byte);
    case EXT:
    case EXT_NAME:
    case EXT_VALUE:
    case EXT_TOKEN:
    case EXT_QUOTED:
    case EXT_END:
        return take_extension(c, byte);
    case SIZE_LF:
        return take_size_end(c, byte);
    case DATA:
        c->data++;
        return go(c, --c->left > 0 ? DATA : DATA_CR);
    case DATA_CR:
        return expect(c, byte, '\r', DATA_LF);
    case DATA_LF:
        return expect(c, byte, '\n', SIZE);
    case TRAILER:
        return take_trailer(c, byte);
    case TRAILER_NAME:
        return take_trailer_name(c, byte);
    case TRAILER_TEXT:
        return take_text(c, byte, TRAILER_LF);
    case TRAILER_LF:
        return expect(c, byte, '\n', TRAILER);
    default: /* END_LF */
        return byte == '\n' ? CHUNKED_DONE : CHUNKED_BAD;
    }
}

/* Sets *ret_used to the number of bytes of p[0..n) that belong to the body. */
static enum chunked_result chunked_take(
    struct chunked *c, const char *p, size_t n, size_t *ret_used)
{
    for (size_t i = 0; i < n; i++) {
        enum chunked_result result =
            ++c->raw > HTTP_CHUNKED_MAX ? CHUNKED_TOO_LARGE : take_byte(c, p[i]);
        if (result != CHUNKED_MORE) {
            *ret_used = i + 1;
            return result;
        }
    }
    *ret_used = n;
    return CHUNKED_MORE;
}

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
