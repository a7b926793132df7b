/* The strict watcher of chunked bodies; see chunked.h. */
#include "http/chunked.h"

#include "base/codec.h"
#include "http/text.h"

enum {
    SIZE,         /* hex digits, at least one */
    EXTENSION,    /* after ';', to CR */
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
        return go(c, EXTENSION);
    return expect(c, byte, '\r', SIZE_LF);
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

static enum chunked_result take_trailer(struct chunked *c, char byte)
{
    if (byte == '\r')
        return go(c, END_LF);
    return http_is_token_char(byte) ? go(c, TRAILER_NAME) : CHUNKED_BAD;
}

static enum chunked_result take_trailer_name(struct chunked *c, char byte)
{
    if (byte == ':')
        return go(c, TRAILER_TEXT);
    return http_is_token_char(byte) ? CHUNKED_MORE : CHUNKED_BAD;
}

static enum chunked_result take_byte(struct chunked *c, char byte)
{
    switch (c->state) {
    case SIZE:
        return take_size(c, byte);
    case EXTENSION:
        return take_text(c, byte, SIZE_LF);
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
