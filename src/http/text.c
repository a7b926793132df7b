/* Tables of bytes; see text.h. */
#include "http/text.h"

#include <arpa/inet.h>

#include "base/codec.h"

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

/* True if one of the eight bytes may be below 0x20 or equal to 0x7f. Never misses one, but reports
 * tab and some others too; then the bytes are checked one by one. */
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
    return ascii_is_alnum(c) || (c && strchr("-._~!$&'()*+,;=", c));
}

/* The length of the registered name or IPv4 address at the start of s. */
static size_t name_length(struct str s)
{
    size_t i = 0;
    while (i < s.n) {
        if (is_host_char(s.p[i]))
            i++;
        else if (
            s.p[i] == '%' && s.n - i > 2 && hex_value(s.p[i + 1]) >= 0 &&
            hex_value(s.p[i + 2]) >= 0)
            i += 3;
        else
            break;
    }
    return i;
}

/* The length of the IPv6 address in brackets at the start of s; no IPvFuture. */
static size_t bracketed_length(struct str s)
{
    char text[INET6_ADDRSTRLEN];
    struct in6_addr address;
    ptrdiff_t end = str_find_char(s, ']');
    if (end < 2 || (size_t)end > sizeof text)
        return 0;
    size_t n = (size_t)end - 1;
    memcpy(text, s.p + 1, n);
    text[n] = 0;
    return strlen(text) == n && inet_pton(AF_INET6, text, &address) == 1 ? n + 2 : 0;
}

bool http_is_authority(struct str s)
{
    size_t i = s.n > 0 && s.p[0] == '[' ? bracketed_length(s) : name_length(s);
    if (i == 0 || i == s.n)
        return i > 0;
    return s.p[i] == ':' && is_port(str_slice(s, i + 1, s.n));
}
