/* Accept-Encoding and If-None-Match: the result does not depend on letter case or on optional
 * spaces, is never true for a coding or a tag that is absent, and follows the grammar when values
 * are added before or after. The first byte selects the header. */
#include "fuzz.h"

#include "base/buf.h"
#include "http/accept_encoding.h"
#include "http/etag.h"

enum { TEXT_MAX = 1000 };

/* The value in capital letters, with spaces around every comma and semicolon. */
static struct str spaced(struct str value, char *room)
{
    size_t n = 0;
    for (size_t i = 0; i < value.n; i++) {
        bool mark = value.p[i] == ',' || value.p[i] == ';';
        if (mark)
            room[n++] = ' ';
        room[n++] = ascii_upper(value.p[i]);
        if (mark)
            room[n++] = '\t';
    }
    return str_of(room, n);
}

static struct str joined(struct buf *b, struct str first, struct str second)
{
    buf_reset(b);
    buf_str(b, first);
    buf_str(b, second);
    return buf_view(b);
}

static void check_accept_encoding(struct str value)
{
    char room[3 * TEXT_MAX], lower[TEXT_MAX], more[TEXT_MAX + 64];
    struct buf b = buf_over(more, sizeof more);
    bool gzip = accept_encoding_gzip(value);
    assert(gzip == accept_encoding_gzip(spaced(value, room)));
    for (size_t i = 0; i < value.n; i++)
        lower[i] = ascii_lower(value.p[i]);
    bool named = str_find(str_of(lower, value.n), STR("gzip")) >= 0;
    assert(!gzip || named || str_find_char(value, '*') >= 0);

    bool refused = accept_encoding_gzip(joined(&b, value, STR(",gzip;q=0")));
    assert(!refused);
    bool wanted = accept_encoding_gzip(joined(&b, value, STR(",gzip;q=1.000,identity;q=0.999")));
    assert(wanted || !gzip);
    bool malformed = accept_encoding_gzip(joined(&b, value, STR(",br;q=2")));
    assert(!malformed);
}

static void check_if_none_match(struct str value)
{
    const struct etag tag = etag_from_hash(0x0123456789abcdef);
    char more[TEXT_MAX + 64];
    struct buf b = buf_over(more, sizeof more);
    bool any = str_eq(str_trim(value), STR("*"));
    bool has = etag_list_has(value, etag_str(&tag));
    assert(!has || any || str_find(value, etag_str(&tag)) >= 0);
    assert(!any || has);
    if (any)
        return;
    assert(etag_list_has(joined(&b, STR("\"other\" , W/\"\",,"), value), etag_str(&tag)) == has);
    assert(!has || etag_list_has(joined(&b, value, STR(", \"open")), etag_str(&tag)));
    assert(etag_list_has(joined(&b, STR("W/\"0123456789abcdef\" ,"), value), etag_str(&tag)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str value = fuzz_text(data, size);
    if (size == 0 || size > TEXT_MAX)
        return 0;
    if (fuzz_byte(&value) & 1)
        check_accept_encoding(value);
    else
        check_if_none_match(value);
    return 0;
}
