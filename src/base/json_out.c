/* The streaming JSON writer; see json_out.h. */
#include "base/json_out.h"

#include <assert.h>

#include "base/hidden.h"
#include "base/instant.h"
#include "base/utf8.h"

enum { JSON_DEPTH_MAX = 32 };

void json_init(struct json_out *j, struct buf *buf)
{
    *j = (struct json_out){.buf = buf};
}

static void before_value(struct json_out *j)
{
    if (j->after_key) {
        j->after_key = false;
        return;
    }
    uint32_t bit = 1u << j->depth;
    if (j->depth && (j->filled & bit))
        buf_char(j->buf, ',');
    j->filled |= bit;
}

static void begin(struct json_out *j, char bracket)
{
    before_value(j);
    buf_char(j->buf, bracket);
    j->depth++;
    assert(j->depth < JSON_DEPTH_MAX);
    j->filled &= ~(1u << j->depth);
}

static void end(struct json_out *j, char bracket)
{
    assert(j->depth > 0 && !j->after_key);
    j->depth--;
    buf_char(j->buf, bracket);
}

void json_object_begin(struct json_out *j)
{
    begin(j, '{');
}

void json_object_end(struct json_out *j)
{
    end(j, '}');
}

void json_array_begin(struct json_out *j)
{
    begin(j, '[');
}

void json_array_end(struct json_out *j)
{
    end(j, ']');
}

void json_key(struct json_out *j, struct str name)
{
    before_value(j);
    json_quote(j->buf, name);
    buf_char(j->buf, ':');
    j->after_key = true;
}

void json_str(struct json_out *j, struct str value)
{
    before_value(j);
    if (str_is_null(value))
        buf_text(j->buf, "null");
    else
        json_quote(j->buf, value);
}

void json_i64(struct json_out *j, int64_t value)
{
    before_value(j);
    buf_i64(j->buf, value);
}

void json_bool(struct json_out *j, bool value)
{
    before_value(j);
    buf_text(j->buf, value ? "true" : "false");
}

void json_no_value(struct json_out *j)
{
    before_value(j);
    buf_text(j->buf, "null");
}

void json_instant(struct json_out *j, int64_t ms)
{
    char text[INSTANT_TEXT_SIZE];
    if (ms == INSTANT_NONE) {
        json_no_value(j);
        return;
    }
    instant_print(ms, text);
    json_str(j, str_of(text, sizeof text));
}

void json_day(struct json_out *j, int32_t day)
{
    char text[DAY_TEXT_SIZE];
    if (day == DAY_NONE) {
        json_no_value(j);
        return;
    }
    day_print(day, text);
    json_str(j, str_of(text, sizeof text));
}

void json_raw(struct json_out *j, struct str json)
{
    before_value(j);
    hidden_json(j->buf, json);
}

static void escape_char(struct buf *b, unsigned char c)
{
    static const char shorts[] = "\"\\\b\f\n\r\t";
    static const char letters[] = "\"\\bfnrt";
    const char *hit = c ? strchr(shorts, c) : NULL;
    if (hit) {
        char pair[2] = {'\\', letters[hit - shorts]};
        buf_put(b, pair, 2);
    } else {
        hidden_put_json(b, c);
    }
}

enum { PLAIN_STEP = 8 };

/* The number of leading bytes of the 8 at s that are 0x20 to 0x7e without quote and backslash. Each
 * test sets the high bit of a byte that fails it. A carry or a borrow comes only from a failed
 * byte, so the lowest set bit is right. */
static size_t plain_run(const unsigned char *s)
{
    const uint64_t ones = 0x0101010101010101, high = 0x8080808080808080;
    uint64_t v, bad;
    memcpy(&v, s, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    bad = v | (v + ones);   /* 0x80 and above; 0x7f */
    bad |= v - 0x20 * ones; /* below 0x20 */
    uint64_t quote = v ^ '"' * ones, backslash = v ^ '\\' * ones;
    bad |= (quote - ones) & ~quote;
    bad |= (backslash - ones) & ~backslash;
    bad &= high;
    return bad ? (size_t)__builtin_ctzll(bad) / 8 : PLAIN_STEP;
}

/* Returns true if a text of at least 8 bytes needs no escaping. */
static bool plain_whole(const unsigned char *s, size_t n)
{
    for (size_t i = 0; i + PLAIN_STEP <= n; i += PLAIN_STEP)
        if (plain_run(s + i) < PLAIN_STEP)
            return false;
    return plain_run(s + n - PLAIN_STEP) == PLAIN_STEP;
}

void json_quote(struct buf *b, struct str value)
{
    const unsigned char *s = (const unsigned char *)value.p;
    size_t i = 0, plain = 0; /* [plain, i) is copied unchanged */
    buf_char(b, '"');
    if (value.n >= PLAIN_STEP && plain_whole(s, value.n))
        i = value.n;
    while (i < value.n) {
        size_t run = value.n - i >= PLAIN_STEP ? plain_run(s + i) : 0;
        i += run;
        if (run == PLAIN_STEP)
            continue;
        size_t length = 1;
        uint32_t code = s[i];
        bool is_plain = s[i] >= 0x20 && s[i] < 0x7f && s[i] != '"' && s[i] != '\\';
        if (s[i] >= 0x80) {
            length = utf8_length(s + i, value.n - i);
            code = length ? utf8_decode(s + i, length) : 0;
            is_plain = length && !hidden_is(code);
        }
        if (is_plain) {
            i += length;
            continue;
        }
        buf_put(b, value.p + plain, i - plain);
        if (length == 0)
            buf_text(b, "\xef\xbf\xbd");
        else if (length > 1)
            hidden_put_json(b, code);
        else
            escape_char(b, s[i]);
        i += length ? length : 1;
        plain = i;
    }
    buf_put(b, value.p + plain, i - plain);
    buf_char(b, '"');
}
