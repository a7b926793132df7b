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
    size_t left = n % 3, last = left == 0 ? 0 : pad ? 4 : left + 1, size = n / 3 * 4 + last;
    char *to = buf_reserve(b, size);
    if (!to)
        return;
    for (; n >= 3; n -= 3, in += 3) {
        uint32_t v = (uint32_t)in[0] << 16 | (uint32_t)in[1] << 8 | in[2];
        *to++ = digits[v >> 18];
        *to++ = digits[v >> 12 & 63];
        *to++ = digits[v >> 6 & 63];
        *to++ = digits[v & 63];
    }
    if (left) {
        uint32_t v = (uint32_t)in[0] << 16 | (left == 2 ? (uint32_t)in[1] << 8 : 0);
        char out[4] = {
            digits[v >> 18], digits[v >> 12 & 63], left == 2 ? digits[v >> 6 & 63] : '=', '='};
        for (size_t i = 0; i < last; i++)
            *to++ = out[i];
    }
    buf_commit(b, size);
}

void base64_encode(struct buf *b, const void *p, size_t n)
{
    encode(b, p, n, base64_digits, true);
}

void base64url_encode(struct buf *b, const void *p, size_t n)
{
    encode(b, p, n, base64url_digits, false);
}

/* The digits that both alphabets share, as value plus one. */
#define LETTERS_AND_NUMBERS                                                                        \
    ['A'] = 1, ['B'] = 2, ['C'] = 3, ['D'] = 4, ['E'] = 5, ['F'] = 6, ['G'] = 7, ['H'] = 8,        \
    ['I'] = 9, ['J'] = 10, ['K'] = 11, ['L'] = 12, ['M'] = 13, ['N'] = 14, ['O'] = 15, ['P'] = 16, \
    ['Q'] = 17, ['R'] = 18, ['S'] = 19, ['T'] = 20, ['U'] = 21, ['V'] = 22, ['W'] = 23,            \
    ['X'] = 24, ['Y'] = 25, ['Z'] = 26, ['a'] = 27, ['b'] = 28, ['c'] = 29, ['d'] = 30,            \
    ['e'] = 31, ['f'] = 32, ['g'] = 33, ['h'] = 34, ['i'] = 35, ['j'] = 36, ['k'] = 37,            \
    ['l'] = 38, ['m'] = 39, ['n'] = 40, ['o'] = 41, ['p'] = 42, ['q'] = 43, ['r'] = 44,            \
    ['s'] = 45, ['t'] = 46, ['u'] = 47, ['v'] = 48, ['w'] = 49, ['x'] = 50, ['y'] = 51,            \
    ['z'] = 52, ['0'] = 53, ['1'] = 54, ['2'] = 55, ['3'] = 56, ['4'] = 57, ['5'] = 58,            \
    ['6'] = 59, ['7'] = 60, ['8'] = 61, ['9'] = 62

/* The value of a digit plus one; 0: not a digit. A table, because branches on random digits are
 * unpredictable, and every page's cursor is decoded this way. */
static const uint8_t base64_values[256] = {LETTERS_AND_NUMBERS, ['+'] = 63, ['/'] = 64};
static const uint8_t base64url_values[256] = {LETTERS_AND_NUMBERS, ['-'] = 63, ['_'] = 64};

/* The bits of up to four digits, most significant first; sets *bad if one is invalid. */
static uint32_t digit_bits(const uint8_t *values, const char *digits, size_t n, bool *bad)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < n; i++) {
        uint8_t value = values[(uint8_t)digits[i]];
        *bad |= value == 0;
        bits = bits << 6 | ((value - 1u) & 63);
    }
    return bits;
}

/* Inline, so that each alphabet gets its own loop with a constant table. */
static inline bool decode(struct buf *b, struct str text, const uint8_t *values)
{
    size_t tail = text.n % 4, whole = text.n - tail, size = whole / 4 * 3 + (tail ? tail - 1 : 0);
    bool bad = tail == 1;
    char *to = bad ? NULL : buf_reserve(b, size);
    if (!to)
        return !bad; /* buf records an overflow itself */
    for (size_t i = 0; i < whole; i += 4) {
        uint32_t bits = digit_bits(values, text.p + i, 4, &bad);
        *to++ = (char)(bits >> 16);
        *to++ = (char)(bits >> 8);
        *to++ = (char)bits;
    }
    if (tail) {
        uint32_t bits = digit_bits(values, text.p + whole, tail, &bad);
        unsigned unused = tail == 2 ? 4 : 2;
        bad |= (bits & ((1u << unused) - 1)) != 0;
        bits >>= unused;
        for (size_t i = tail - 1; i-- > 0;)
            *to++ = (char)(bits >> (8 * i));
    }
    if (!bad)
        buf_commit(b, size);
    return !bad;
}

bool base64url_decode(struct buf *b, struct str text)
{
    return decode(b, text, base64url_values);
}

bool base64_decode(struct buf *b, struct str text)
{
    if (text.n % 4 != 0)
        return false;
    for (int pad = 0; pad < 2 && text.n > 0 && text.p[text.n - 1] == '='; pad++)
        text.n--;
    return decode(b, text, base64_values);
}
