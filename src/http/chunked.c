/* The strict watcher of chunked bodies; see chunked.h. */
#include "http/chunked.h"

#include "base/codec.h"
#include "http/text.h"

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

void chunked_init(struct chunked *c)
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

enum chunked_result chunked_take(struct chunked *c, const char *p, size_t n, size_t *ret_used)
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
