/* The table of response headers; see headers.h. */
#include "api/headers.h"

#include <assert.h>
#include <string.h>

#include "base/instant.h"
#include "core/invented.h"

static const struct header_info headers[HEADER_COUNT] = {
    [HEADER_LIMIT] =
        {STR_INIT("X-RateLimit-Limit"), true, true, STR_INIT("60"),
         STR_INIT("Requests allowed per minute.")},
    [HEADER_REMAINING] =
        {STR_INIT("X-RateLimit-Remaining"), true, true, STR_INIT("59"),
         STR_INIT("Requests left in the current minute.")},
    [HEADER_RESET] =
        {STR_INIT("X-RateLimit-Reset"), true, true, STR_INIT("1795163700"),
         STR_INIT("Unix time, in seconds, at which the next minute begins.")},
    [HEADER_RATE_LIMIT] =
        {STR_INIT("RateLimit"), false, true, STR_INIT("\"minute\";r=59;t=42"),
         STR_INIT("The same values in the format of the IETF draft: requests left (r) and seconds "
                  "until the next minute (t).")},
    [HEADER_RATE_LIMIT_POLICY] =
        {STR_INIT("RateLimit-Policy"), false, true, STR_INIT("\"minute\";q=60;w=60"),
         STR_INIT("The limit in the same format: requests (q) per number of seconds (w).")},
    [HEADER_REQUEST_ID] =
        {STR_INIT("X-Request-Id"), false, true, STR_INIT("01k0c3v7m9-4f2a"),
         STR_INIT("Identifies the response in the server's log. Include it in problem reports.")},
    [HEADER_RETRY_AFTER] =
        {STR_INIT("Retry-After"), true, false, STR_INIT("42"),
         STR_INIT("Seconds to wait before the next request, at least 1.")},
    [HEADER_ETAG] =
        {STR_INIT("ETag"), false, false, STR_INIT("\"9f86d081884c7d65\""),
         STR_INIT("Strong entity tag of this representation. Send it in If-None-Match to get a 304 "
                  "if nothing has changed.")},
    [HEADER_LINK] =
        {STR_INIT("Link"), false, false,
         STR_INIT("<https://api.example.org/api/v1/trades?limit=50&cursor=AQEAAAGa>; rel=\"next\""),
         STR_INIT("Absolute URL of the next page; absent on the last page.")},
    [HEADER_NEXT_CURSOR] =
        {STR_INIT("X-Next-Cursor"), false, false, STR_INIT("AQEAAAGa"),
         STR_INIT("With CSV: cursor of the next page; absent on the last page.")},
    [HEADER_ALLOW] =
        {STR_INIT("Allow"), false, false, STR_INIT("GET, HEAD, OPTIONS"),
         STR_INIT("The allowed methods.")},
    [HEADER_AUTHENTICATE] =
        {STR_INIT("WWW-Authenticate"), false, false, STR_INIT("Bearer"),
         STR_INIT("The authentication scheme.")},
    [HEADER_DATA] =
        {STR_INIT(INVENTED_HEADER), false, false, STR_INIT(INVENTED_VALUE),
         STR_INIT("On every response of a server whose data is invented.")},
};

const struct header_info *header_info(enum header_id id)
{
    assert(id < HEADER_COUNT);
    return &headers[id];
}

#define TYPE_JSON "application/json"
#define TYPE_CSV "text/csv; charset=utf-8; header=present"
#define TYPE_HTML "text/html; charset=utf-8"
#define TYPE_TEXT "text/plain; charset=utf-8"
#define TYPE_METRICS "text/plain; version=0.0.4; charset=utf-8"

#define COMMON                                                                                     \
    "Cache-Control: private, no-cache\r\n"                                                         \
    "Vary: Accept-Encoding, Authorization, X-Api-Key\r\n"                                          \
    "Access-Control-Allow-Origin: *\r\n"                                                           \
    "Access-Control-Expose-Headers: X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, " \
    "Retry-After, Link, X-Next-Cursor, ETag, X-Request-Id\r\n"                                     \
    "X-Content-Type-Options: nosniff\r\n"

#define WITH_TYPE(type)                                                                            \
    {                                                                                              \
        STR_INIT(type), STR_INIT("Content-Type: " type "\r\n" COMMON)                              \
    }

static const struct {
    struct str type, block;
} medias[MEDIA_COUNT] = {
    [MEDIA_NONE] = {{NULL, 0}, STR_INIT(COMMON)},
    [MEDIA_JSON] = WITH_TYPE(TYPE_JSON),
    [MEDIA_CSV] = WITH_TYPE(TYPE_CSV),
    [MEDIA_HTML] = WITH_TYPE(TYPE_HTML),
    [MEDIA_TEXT] = WITH_TYPE(TYPE_TEXT),
    [MEDIA_METRICS] = WITH_TYPE(TYPE_METRICS),
};

struct str media_type(enum media media)
{
    assert(media < MEDIA_COUNT);
    return medias[media].type;
}

struct str headers_common(enum media media)
{
    assert(media < MEDIA_COUNT);
    return medias[media].block;
}

/* This block is on every response. For speed it is written without a call per piece. */

enum { WINDOW_BLOCK_MAX = 320 };

#define PUT(at, literal) mempcpy((at), "" literal, sizeof(literal) - 1)

void headers_window(struct http_exchange *x, const struct limits_answer *window, int64_t now_ms)
{
    int64_t left_s = window->reset_s - now_ms / SECOND_MS;
    struct buf *lines = http_head_lines(x);
    char *room = buf_reserve(lines, WINDOW_BLOCK_MAX), *at = room;
    if (!room)
        return;
    at = PUT(at, "X-RateLimit-Limit: ");
    at = digits_put(at, window->limit);
    at = PUT(at, "\r\nX-RateLimit-Remaining: ");
    at = digits_put(at, window->remaining);
    at = PUT(at, "\r\nX-RateLimit-Reset: ");
    at = digits_put(at, (uint64_t)window->reset_s);
    at = PUT(at, "\r\nRateLimit: \"minute\";r=");
    at = digits_put(at, window->remaining);
    at = PUT(at, ";t=");
    at = digits_put(at, left_s > 0 ? (uint64_t)left_s : 0);
    at = PUT(at, "\r\nRateLimit-Policy: \"minute\";q=");
    at = digits_put(at, window->limit);
    at = PUT(at, ";w=60\r\n");
    buf_commit(lines, (size_t)(at - room));
}
