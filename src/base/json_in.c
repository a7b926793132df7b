/* JSON where it lies; see json_in.h. */
#include "base/json_in.h"

#include <assert.h>
#include <utf8proc.h>

#include "base/codec.h"
#include "base/json_plain.h"
#include "base/utf8.h"

/* What is left of a text. */
struct reader {
    const char *p, *end;
};

static struct reader reader_of(struct str text)
{
    return (struct reader){text.p, text.p + text.n};
}

static char peek(const struct reader *r) /* NUL at the end, which no token has */
{
    return r->p < r->end ? *r->p : '\0';
}

static bool take(struct reader *r, char c)
{
    if (r->p == r->end || *r->p != c)
        return false;
    r->p++;
    return true;
}

static void skip_space(struct reader *r)
{
    while (r->p < r->end && (*r->p == ' ' || *r->p == '\n' || *r->p == '\r' || *r->p == '\t'))
        r->p++;
}

/* --- strings */

enum { UNIT_SIZE = 6 }; /* \u and four digits */

/* What an escape of a UTF-16 unit says; -1: there is none here. */
static int32_t unit_at(const struct reader *r)
{
    int32_t unit = 0;
    if (r->end - r->p < UNIT_SIZE || r->p[0] != '\\' || r->p[1] != 'u')
        return -1;
    for (int i = 2; i < UNIT_SIZE; i++) {
        int digit = hex_value(r->p[i]);
        if (digit < 0)
            return -1;
        unit = unit << 4 | digit;
    }
    return unit;
}

static bool is_high(int32_t unit)
{
    return unit >= 0xd800 && unit < 0xdc00;
}

static bool is_low(int32_t unit)
{
    return unit >= 0xdc00 && unit < 0xe000;
}

/* The code point of an escape, or of two that are a pair; -1: neither. */
static int32_t read_point(struct reader *r)
{
    int32_t unit = unit_at(r);
    if (unit < 0 || is_low(unit))
        return -1;
    r->p += UNIT_SIZE;
    if (!is_high(unit))
        return unit;
    int32_t low = unit_at(r);
    if (!is_low(low))
        return -1;
    r->p += UNIT_SIZE;
    return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
}

static const char short_escapes[] = "\"\\/bfnrt", short_meanings[] = "\"\\/\b\f\n\r\t";

static const char *short_escape(const struct reader *r) /* at the backslash */
{
    return r->end - r->p < 2 ? NULL : memchr(short_escapes, r->p[1], sizeof short_escapes - 1);
}

static bool check_escape(struct reader *r)
{
    if (!short_escape(r))
        return read_point(r) >= 0;
    r->p += 2;
    return true;
}

static bool check_string(struct reader *r)
{
    if (!take(r, '"'))
        return false;
    while (r->p < r->end) {
        if (r->end - r->p >= JSON_PLAIN_STEP) {
            size_t run = json_plain_run((const unsigned char *)r->p);
            r->p += run;
            if (run == JSON_PLAIN_STEP)
                continue;
        }
        unsigned char c = (unsigned char)*r->p;
        size_t length = 1;
        if (c == '"')
            return take(r, '"');
        if (c == '\\') {
            if (!check_escape(r))
                return false;
            continue;
        }
        if (c >= 0x80)
            length = utf8_length((const unsigned char *)r->p, (size_t)(r->end - r->p));
        if (c < ' ' || length == 0)
            return false;
        r->p += length;
    }
    return false;
}

/* --- the check */

static size_t skip_digits(struct reader *r)
{
    const char *first = r->p;
    while (r->p < r->end && ascii_is_digit(*r->p))
        r->p++;
    return (size_t)(r->p - first);
}

static bool check_number(struct reader *r)
{
    take(r, '-');
    char first = peek(r);
    size_t n = skip_digits(r);
    if (n == 0 || (n > 1 && first == '0'))
        return false;
    if (take(r, '.') && skip_digits(r) == 0)
        return false;
    if (!take(r, 'e') && !take(r, 'E'))
        return true;
    if (!take(r, '+'))
        take(r, '-');
    return skip_digits(r) > 0;
}

static bool check_word(struct reader *r, struct str word)
{
    if ((size_t)(r->end - r->p) < word.n || memcmp(r->p, word.p, word.n) != 0)
        return false;
    r->p += word.n;
    return true;
}

static bool check_value(struct reader *r, int depth);

/* The rest of an object or an array, up to its last bracket. */
static bool check_members(struct reader *r, char last, int depth)
{
    if (depth > JSON_IN_DEPTH_MAX)
        return false;
    skip_space(r);
    if (take(r, last))
        return true;
    do {
        skip_space(r);
        if (last == '}') {
            if (!check_string(r))
                return false;
            skip_space(r);
            if (!take(r, ':'))
                return false;
        }
        if (!check_value(r, depth))
            return false;
    } while (take(r, ','));
    return take(r, last);
}

/* With the white space around it. depth: how many containers it is in. */
static bool check_value(struct reader *r, int depth)
{
    bool right;
    skip_space(r);
    switch (peek(r)) {
    case '{':
        r->p++;
        right = check_members(r, '}', depth + 1);
        break;
    case '[':
        r->p++;
        right = check_members(r, ']', depth + 1);
        break;
    case '"':
        right = check_string(r);
        break;
    case 't':
        right = check_word(r, STR("true"));
        break;
    case 'f':
        right = check_word(r, STR("false"));
        break;
    case 'n':
        right = check_word(r, STR("null"));
        break;
    default:
        right = check_number(r);
    }
    skip_space(r);
    return right;
}

bool json_in_check(struct str text)
{
    struct reader r = reader_of(text);
    return check_value(&r, 0) && r.p == r.end;
}

/* --- what was found right */

/* Quotes end a string unless an odd number of backslashes stands before them. */
static void skip_string(struct reader *r)
{
    const char *first = r->p + 1;
    for (const char *quote = r->p;;) {
        quote = memchr(quote + 1, '"', (size_t)(r->end - quote - 1));
        if (!quote)
            break;
        const char *escape = quote;
        while (escape > first && escape[-1] == '\\')
            escape--;
        if ((quote - escape) % 2 == 0) {
            r->p = quote + 1;
            return;
        }
    }
    r->p = r->end;
}

static void skip_container(struct reader *r)
{
    int depth = 0;
    while (r->p < r->end) {
        char c = *r->p;
        if (c == '"') {
            skip_string(r);
            continue;
        }
        r->p++;
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        if (depth == 0)
            return;
    }
}

static bool ends_scalar(char c)
{
    return c == ',' || c == ']' || c == '}' || c <= ' ';
}

static struct str take_value(struct reader *r)
{
    const char *first = r->p;
    char c = peek(r);
    if (c == '{' || c == '[')
        skip_container(r);
    else if (c == '"')
        skip_string(r);
    else
        while (r->p < r->end && !ends_scalar(*r->p))
            r->p++;
    return str_of(first, (size_t)(r->p - first));
}

/* The next member; false behind the last. */
static bool take_member(struct reader *r, struct str *ret_name, struct str *ret_value)
{
    skip_space(r);
    if (peek(r) != '"')
        return false;
    struct str name = take_value(r);
    skip_space(r);
    take(r, ':');
    skip_space(r);
    *ret_name = str_slice(name, 1, name.n - 1);
    *ret_value = take_value(r);
    skip_space(r);
    take(r, ',');
    return true;
}

void json_in_members(
    struct str object, const struct str *names, size_t count, struct str *ret_values)
{
    struct reader r = reader_of(object);
    struct str name, value;
    uint32_t seen = 0; /* bit i: names[i] */
    assert(count <= 32);
    for (size_t i = 0; i < count; i++)
        ret_values[i] = STR_NULL;
    skip_space(&r);
    if (!take(&r, '{'))
        return;
    while (take_member(&r, &name, &value)) {
        for (size_t i = 0; i < count; i++) {
            if (!str_eq(names[i], name))
                continue;
            ret_values[i] = seen & 1u << i ? STR_NULL : value;
            seen |= 1u << i;
        }
    }
}

struct str json_in_member(struct str object, struct str name)
{
    struct str value;
    json_in_members(object, &name, 1, &value);
    return value;
}

/* What is left of an array begins with its bracket before the first element, and with a comma
 * before every other. */
bool json_in_next(struct str *array, struct str *ret_element)
{
    struct reader r = reader_of(*array);
    skip_space(&r);
    if (!take(&r, '[') && !take(&r, ','))
        return false;
    skip_space(&r);
    if (r.p == r.end || *r.p == ']')
        return false;
    *ret_element = take_value(&r);
    skip_space(&r);
    *array = str_of(r.p, (size_t)(r.end - r.p));
    return true;
}

static void put_escape(struct reader *r, struct buf *to)
{
    unsigned char bytes[4];
    const char *hit = short_escape(r);
    if (hit) {
        buf_char(to, short_meanings[hit - short_escapes]);
        r->p += 2;
        return;
    }
    int32_t point = read_point(r);
    assert(point >= 0);
    buf_put(to, bytes, (size_t)utf8proc_encode_char(point, bytes));
}

bool json_in_text(struct str value, struct buf *to)
{
    if (!json_in_is(value, '"'))
        return false;
    struct reader r = reader_of(str_slice(value, 1, value.n - 1));
    while (r.p < r.end) {
        const char *escape = memchr(r.p, '\\', (size_t)(r.end - r.p));
        const char *plain_end = escape ? escape : r.end;
        buf_put(to, r.p, (size_t)(plain_end - r.p));
        r.p = plain_end;
        if (escape)
            put_escape(&r, to);
    }
    return true;
}
