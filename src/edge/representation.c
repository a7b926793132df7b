/* Chooses representations; see representation.h. */
#include "edge/representation.h"

#include "base/hash.h"
#include "http/accept_encoding.h"
#include "http/gzip.h"

static struct str joined(struct http_exchange *x, struct str name)
{
    size_t n = http_header_count(http_request(x), name);
    return n <= 1 ? http_header(http_request(x), name) : http_header_joined(x, name);
}

struct representation representation_choose(
    struct http_exchange *x, enum media media, uint64_t hash, size_t size)
{
    struct representation r = {
        .gzip = size >= GZIP_BODY_MIN && accept_encoding_gzip(joined(x, STR("accept-encoding"))),
    };
    uint64_t seed = (uint64_t)media << 1 | r.gzip;
    r.etag = etag_from_hash(XXH3_64bits_withSeed(&hash, sizeof hash, seed));
    r.unchanged = etag_list_has(joined(x, STR("if-none-match")), etag_str(&r.etag));
    http_status(x, r.unchanged ? 304 : 200);
    return r;
}

bool range_read(struct str text, uint64_t size, uint64_t *ret_at, uint64_t *ret_end)
{
    static const struct str unit = STR_INIT("bytes=");
    ptrdiff_t dash = str_find_char(text, '-');
    int64_t from = 0, to = 0;
    if (dash < 0 || !str_starts(text, unit))
        return false;
    text = str_slice(text, unit.n, text.n);
    dash -= (ptrdiff_t)unit.n;
    struct str first = str_slice(text, 0, (size_t)dash);
    struct str last = str_slice(text, (size_t)dash + 1, text.n);
    if ((first.n && !str_to_i64(first, &from)) || (last.n && !str_to_i64(last, &to)) ||
        (!first.n && !last.n) || from < 0 || to < 0 || (first.n && last.n && to < from))
        return false;
    uint64_t end = last.n ? (uint64_t)to + 1 : size;
    *ret_at = first.n ? (uint64_t)from : (uint64_t)to < size ? size - (uint64_t)to : 0;
    *ret_end = first.n && end < size ? end : size;
    return true;
}

bool representation_range(
    struct http_exchange *x, const struct representation *r, uint64_t size, uint64_t *ret_at,
    uint64_t *ret_end)
{
    struct str range = joined(x, STR("range")), only_of = joined(x, STR("if-range"));
    *ret_at = 0;
    *ret_end = size;
    if (http_request(x)->method != HTTP_GET ||
        (!str_is_null(only_of) && !str_eq(only_of, etag_str(&r->etag))) ||
        !range_read(range, size, ret_at, ret_end))
        return true;
    bool any = *ret_at < *ret_end;
    struct buf *lines = http_head_lines(x);
    http_status(x, any ? 206 : 416);
    buf_text(lines, "Content-Range: bytes ");
    if (any)
        buf_fmt(
            lines, "%llu-%llu", (unsigned long long)*ret_at, (unsigned long long)(*ret_end - 1));
    buf_fmt(lines, "%s/%llu\r\n", any ? "" : "*", (unsigned long long)size);
    return any;
}

void representation_put(struct http_exchange *x, const struct representation *r)
{
    struct buf *lines = http_head_lines(x);
    buf_str(lines, STR("ETag: "));
    buf_str(lines, etag_str(&r->etag));
    buf_str(lines, STR("\r\n"));
    if (r->gzip && !r->unchanged)
        http_head_raw(x, STR("Content-Encoding: gzip\r\n"));
}

struct representation representation_begin(
    struct http_exchange *x, enum media media, uint64_t hash, size_t size)
{
    struct representation r = representation_choose(x, media, hash, size);
    http_head_raw(x, headers_common(r.unchanged ? MEDIA_NONE : media));
    representation_put(x, &r);
    return r;
}
