/* The table of response headers; see headers.h. */
#include "edge/headers.h"

#include <assert.h>

#include "base/instant.h"
#include "rule/invented.h"

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
        {STR_INIT("RateLimit"), false, true,
         STR_INIT("\"minute\";r=59;t=42, \"month\";r=99941;t=734442"),
         STR_INIT("Both windows in the format of the IETF draft: requests left (r) and seconds "
                  "until the next minute or month (t).")},
    [HEADER_RATE_LIMIT_POLICY] =
        {STR_INIT("RateLimit-Policy"), false, true,
         STR_INIT("\"minute\";q=60;w=60, \"month\";q=100000;w=2592000"),
         STR_INIT("Both limits in the same format: requests (q) per number of seconds (w). The "
                  "month is the present one.")},
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
    [HEADER_WAITING] =
        {STR_INIT("X-Reports-Waiting"), true, false, STR_INIT("56"),
         STR_INIT("How many known reports are not published, of the politician that is asked for, "
                  "or else of all: nothing here does not mean that nothing was traded. On the "
                  "profile of a politician, and on empty lists and symbols; absent if there are "
                  "none. The CSV files and feeds of the pages always have it.")},
    [HEADER_DISPOSITION] =
        {STR_INIT("Content-Disposition"), false, false,
         STR_INIT("attachment; filename=\"trades.csv\""),
         STR_INIT("With CSV: a name for the file.")},
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
#define TYPE_MARKDOWN "text/markdown; charset=utf-8"
#define TYPE_XML "application/xml"
#define TYPE_STYLE "text/css; charset=utf-8"
#define TYPE_SCRIPT "text/javascript; charset=utf-8"
#define TYPE_ICON "image/x-icon"
#define TYPE_PNG "image/png"
#define TYPE_EVENTS "text/event-stream"
#define TYPE_LINES "application/x-ndjson"

#define COMMON "Cache-Control: private, no-cache\r\n" SHARED

#define SHARED                                                                                     \
    "Vary: Accept-Encoding, Authorization, X-Api-Key\r\n"                                          \
    "Access-Control-Allow-Origin: *\r\n"                                                           \
    "Access-Control-Expose-Headers: X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, " \
    "Retry-After, Link, X-Next-Cursor, ETag, X-Request-Id, RateLimit, RateLimit-Policy, Allow, "   \
    "WWW-Authenticate, Content-Disposition, X-Reports-Waiting, " INVENTED_HEADER "\r\n"            \
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
    [MEDIA_MARKDOWN] = WITH_TYPE(TYPE_MARKDOWN),
    [MEDIA_XML] = WITH_TYPE(TYPE_XML),
    [MEDIA_STYLE] = WITH_TYPE(TYPE_STYLE),
    [MEDIA_SCRIPT] = WITH_TYPE(TYPE_SCRIPT),
    [MEDIA_ICON] = WITH_TYPE(TYPE_ICON),
    [MEDIA_PNG] = WITH_TYPE(TYPE_PNG),
    [MEDIA_LINES] = WITH_TYPE(TYPE_LINES),
    /* a proxy must pass on each event at once, and no cache keeps them */
    [MEDIA_EVENTS] =
        {STR_INIT(TYPE_EVENTS), STR_INIT("Content-Type: " TYPE_EVENTS "\r\n"
                                         "Cache-Control: no-store\r\n"
                                         "X-Accel-Buffering: no\r\n" SHARED)},
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

/* Pages load nothing from elsewhere, cannot be framed, and send their forms here only. Without
 * a referrer policy of same-origin, browsers would send forms with "Origin: null". */
static const struct str page_block =
    STR_INIT("Content-Security-Policy: default-src 'none'; style-src 'self'; script-src 'self'; "
             "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; "
             "frame-ancestors 'none'\r\n"
             "Cross-Origin-Opener-Policy: same-origin\r\n"
             "Cross-Origin-Resource-Policy: same-origin\r\n"
             "Cross-Origin-Embedder-Policy: require-corp\r\n"
             "X-Content-Type-Options: nosniff\r\n"
             "X-Frame-Options: DENY\r\n"
             "Permissions-Policy: accelerometer=(), camera=(), display-capture=(), geolocation=(), "
             "gyroscope=(), microphone=(), payment=(), usb=()\r\n");

/* A stylesheet or script is no document: the rest of page_block means nothing for it. */
static const struct str file_block = STR_INIT("Cross-Origin-Resource-Policy: same-origin\r\n"
                                              "X-Content-Type-Options: nosniff\r\n");

static const struct str page_caches[CACHE_COUNT] = {
    [CACHE_CHECKED] =
        STR_INIT("Cache-Control: private, no-cache\r\nVary: Accept, Accept-Encoding, Cookie\r\n"),
    [CACHE_NO_STORE] =
        STR_INIT("Cache-Control: no-store\r\nVary: Accept, Accept-Encoding, Cookie\r\n"),
    [CACHE_PRIVATE_LINK] =
        STR_INIT("Cache-Control: no-store\r\nVary: Accept, Accept-Encoding, Cookie\r\n"
                 "X-Robots-Tag: noindex, nofollow\r\n"),
    [CACHE_IMMUTABLE] =
        STR_INIT("Cache-Control: public, max-age=31536000, immutable\r\nVary: Accept-Encoding\r\n"),
    [CACHE_SHARED] =
        STR_INIT("Cache-Control: public, max-age=0, s-maxage=60, stale-while-revalidate=60\r\n"
                 "Vary: Accept-Encoding, Cookie\r\n"),
    [CACHE_PURGED] =
        STR_INIT("Cache-Control: public, max-age=0, s-maxage=86400, stale-while-revalidate=60\r\n"
                 "Vary: Accept-Encoding, Cookie\r\n"),
};

void headers_page(struct http_exchange *x, enum media media, enum page_keep cache)
{
    assert(media < MEDIA_COUNT && cache < CACHE_COUNT);
    if (media != MEDIA_NONE)
        http_head(x, STR("Content-Type"), medias[media].type);
    http_head_raw(x, page_caches[cache]);
    if (media == MEDIA_STYLE || media == MEDIA_SCRIPT) {
        http_head_raw(x, file_block);
        return;
    }
    http_head_raw(x, page_block);
    http_head(
        x, STR("Referrer-Policy"),
        cache == CACHE_PRIVATE_LINK ? STR("no-referrer") : STR("same-origin"));
}

/* This block is on every response. For speed it is written without a call per piece. */

enum { WINDOW_BLOCK_MAX = 480 };

#define PUT(at, literal) mempcpy((at), "" literal, sizeof(literal) - 1)

/* Appends the seconds from now until then. */
static char *put_left(char *at, int64_t then_s, int64_t now_ms)
{
    int64_t left_s = then_s - now_ms / SECOND_MS;
    return digits_put(at, left_s > 0 ? (uint64_t)left_s : 0);
}

static uint64_t month_seconds(const struct limits_answer *window)
{
    return (uint64_t)(window->month_reset_s - month_start_ms(window->month) / SECOND_MS);
}

void headers_window(struct http_exchange *x, const struct limits_answer *window, int64_t now_ms)
{
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
    at = put_left(at, window->reset_s, now_ms);
    at = PUT(at, ", \"month\";r=");
    at = digits_put(at, window->month_remaining);
    at = PUT(at, ";t=");
    at = put_left(at, window->month_reset_s, now_ms);
    at = PUT(at, "\r\nRateLimit-Policy: \"minute\";q=");
    at = digits_put(at, window->limit);
    at = PUT(at, ";w=60, \"month\";q=");
    at = digits_put(at, window->month_limit);
    at = PUT(at, ";w=");
    at = digits_put(at, month_seconds(window));
    at = PUT(at, "\r\n");
    buf_commit(lines, (size_t)(at - room));
}
