/* Hex and base64; see codec.h. */
#include "base/codec.h"

static const char base64_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char base64url_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

void hex_encode(const void *p, size_t n, char *ret_text)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *bytes = p;
    for (size_t i = 0; i < n; i++) {
        ret_text[2 * i] = digits[bytes[i] >> 4];
        ret_text[2 * i + 1] = digits[bytes[i] & 15];
    }
}

int hex_value(char c)
{
    if (ascii_is_digit(c))
        return c - '0';
    c = ascii_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool hex_decode(struct str text, uint8_t *ret, size_t size)
{
    if (text.n != 2 * size)
        return false;
    for (size_t i = 0; i < size; i++) {
        int high = hex_value(text.p[2 * i]), low = hex_value(text.p[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        ret[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

static void encode(struct buf *b, const void *p, size_t n, const char *digits, bool pad)
{
    const uint8_t *in = p;
    size_t i = 0;
    for (; i + 3 <= n; i += 3) {
        uint32_t v = (uint32_t)in[i] << 16 | (uint32_t)in[i + 1] << 8 | in[i + 2];
        char out[4] = {digits[v >> 18], digits[v >> 12 & 63], digits[v >> 6 & 63], digits[v & 63]};
        buf_put(b, out, 4);
    }
    size_t left = n - i;
    if (left) {
        uint32_t v = (uint32_t)in[i] << 16 | (left == 2 ? (uint32_t)in[i + 1] << 8 : 0);
        char out[4] = {
            digits[v >> 18], digits[v >> 12 & 63], left == 2 ? digits[v >> 6 & 63] : '=', '='};
        buf_put(b, out, pad ? 4 : left + 1);
    }
}

void base64_encode(struct buf *b, const void *p, size_t n)
{
    encode(b, p, n, base64_digits, true);
}

void base64url_encode(struct buf *b, const void *p, size_t n)
{
    encode(b, p, n, base64url_digits, false);
}

static int base64url_value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (ascii_is_digit(c))
        return c - '0' + 52;
    return c == '-' ? 62 : c == '_' ? 63 : -1;
}

bool base64url_decode(struct buf *b, struct str text)
{
    size_t start = b->n;
    size_t tail = text.n % 4;
    if (tail == 1)
        return false;
    uint32_t v = 0;
    for (size_t i = 0; i < text.n; i++) {
        int digit = base64url_value(text.p[i]);
        if (digit < 0) {
            b->n = start;
            return false;
        }
        v = v << 6 | (uint32_t)digit;
        if (i % 4 == 3) {
            char out[3] = {(char)(v >> 16), (char)(v >> 8), (char)v};
            buf_put(b, out, 3);
            v = 0;
        }
    }
    if (tail) {
        unsigned unused = tail == 2 ? 4 : 2;
        if (v & ((1u << unused) - 1)) {
            b->n = start;
            return false;
        }
        v <<= tail == 2 ? 12 : 6;
        char out[2] = {(char)(v >> 16), (char)(v >> 8)};
        buf_put(b, out, tail - 1);
    }
    return true;
}
