/* Tables of bytes; see text.h. */
#include "http/text.h"

#define SAME(c) [c] = c
#define UPPER(c) [c] = (c) + 32, [(c) + 32] = (c) + 32

const unsigned char http_token_lower[256] = {
    SAME('!'),  SAME('#'),  SAME('$'),  SAME('%'),  SAME('&'),  SAME('\''), SAME('*'),  SAME('+'),
    SAME('-'),  SAME('.'),  SAME('^'),  SAME('_'),  SAME('`'),  SAME('|'),  SAME('~'),  SAME('0'),
    SAME('1'),  SAME('2'),  SAME('3'),  SAME('4'),  SAME('5'),  SAME('6'),  SAME('7'),  SAME('8'),
    SAME('9'),  UPPER('A'), UPPER('B'), UPPER('C'), UPPER('D'), UPPER('E'), UPPER('F'), UPPER('G'),
    UPPER('H'), UPPER('I'), UPPER('J'), UPPER('K'), UPPER('L'), UPPER('M'), UPPER('N'), UPPER('O'),
    UPPER('P'), UPPER('Q'), UPPER('R'), UPPER('S'), UPPER('T'), UPPER('U'), UPPER('V'), UPPER('W'),
    UPPER('X'), UPPER('Y'), UPPER('Z'),
};

bool http_is_token(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (!http_is_token_char(s.p[i]))
            return false;
    }
    return s.n > 0;
}

static bool is_field_byte(unsigned char c)
{
    return (c >= 0x20 && c != 0x7f) || c == '\t';
}

#define EVERY_BYTE(x) (UINT64_C(0x0101010101010101) * (x))

/* Is any of the eight bytes below 0x20 or equal to 0x7f? May also say so wrongly (never the other
 * way round), and does for tab: then the bytes are looked at singly. */
static bool may_have_control(uint64_t word)
{
    uint64_t del = word ^ EVERY_BYTE(0x7f);
    uint64_t below = (word - EVERY_BYTE(0x20)) & ~word;
    uint64_t zero = (del - EVERY_BYTE(0x01)) & ~del;
    return ((below | zero) & EVERY_BYTE(0x80)) != 0;
}

bool http_is_field_text(const char *p, size_t n)
{
    while (n >= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        if (may_have_control(word)) {
            for (size_t i = 0; i < 8; i++) {
                if (!is_field_byte((unsigned char)p[i]))
                    return false;
            }
        }
        p += 8;
        n -= 8;
    }
    for (size_t i = 0; i < n; i++) {
        if (!is_field_byte((unsigned char)p[i]))
            return false;
    }
    return true;
}

static bool is_port(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (!ascii_is_digit(s.p[i]))
            return false;
    }
    return s.n <= 5;
}

static bool is_host_char(char c)
{
    return ascii_is_alpha(c) || ascii_is_digit(c) || (c && strchr("-._~!$&'()*+,;=%", c));
}

static bool is_bracketed_char(char c)
{
    return ascii_is_alpha(c) || ascii_is_digit(c) || c == ':' || c == '.';
}

bool http_is_authority(struct str s)
{
    size_t i = 0;
    if (s.n > 0 && s.p[0] == '[') {
        for (i = 1; i < s.n && is_bracketed_char(s.p[i]); i++) {
        }
        if (i == 1 || i == s.n || s.p[i] != ']')
            return false;
        i++;
    } else {
        while (i < s.n && is_host_char(s.p[i]))
            i++;
        if (i == 0)
            return false;
    }
    if (i == s.n)
        return true;
    return s.p[i] == ':' && is_port(str_slice(s, i + 1, s.n));
}
