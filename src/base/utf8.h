/*
 * UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF. All stored text is
 * checked on input, so that it can be written as JSON anywhere.
 */
#pragma once

#include "base/str.h"

/* Length of the well-formed sequence of two bytes or more at p, or 0. */
static inline size_t utf8_length(const unsigned char *p, size_t n)
{
    if (n == 0 || p[0] < 0xc2 || p[0] > 0xf4)
        return 0;
    size_t length = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    if (n < length)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool bad = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
               (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f);
    return bad ? 0 : length;
}

/* The character of the well-formed sequence of `length` bytes, 2 to 4, at p. */
static inline uint32_t utf8_decode(const unsigned char *p, size_t length)
{
    uint32_t code = p[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++)
        code = code << 6 | (p[i] & 0x3fu);
    return code;
}

/* The first `size` bytes of the text, or less: no character is cut. */
static inline struct str utf8_cut(struct str text, size_t size)
{
    size_t n = text.n < size ? text.n : size;
    while (n > 0 && n < text.n && ((unsigned char)text.p[n] & 0xc0) == 0x80)
        n--;
    return str_slice(text, 0, n);
}

/* Skips the byte order mark that some programs write before a text. */
static inline struct str utf8_without_mark(struct str text)
{
    const struct str mark = STR("\xef\xbb\xbf");
    return str_starts(text, mark) ? str_slice(text, mark.n, text.n) : text;
}

/* Well-formed, with any characters. */
static inline bool utf8_is_valid(struct str s)
{
    for (size_t i = 0; i < s.n;) {
        const unsigned char *p = (const unsigned char *)s.p + i;
        size_t length = p[0] < 0x80 ? 1 : utf8_length(p, s.n - i);
        if (length == 0)
            return false;
        i += length;
    }
    return true;
}
