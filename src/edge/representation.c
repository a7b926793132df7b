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
