/* Writes replies; see reply.h. */
#include "api/reply.h"

#include <string.h>

#include "api/context.h"
#include "base/hash.h"
#include "edge/representation.h"
#include "http/gzip.h"

static void start_error(struct api_call *call, enum error_code error)
{
    call->error = error;
    call->streamer = NULL;
    http_reply_reset(call->x);
    http_status(call->x, error_info(error)->status);
    http_head_raw(call->x, headers_common(MEDIA_JSON));
}

void reply_error(struct api_call *call, enum error_code error, struct str hint)
{
    start_error(call, error);
    if (error == ERROR_METHOD_NOT_ALLOWED)
        http_head(call->x, header_info(HEADER_ALLOW)->name, STR("GET, HEAD, OPTIONS"));
    if (error == ERROR_INVALID_API_KEY)
        http_head(call->x, header_info(HEADER_AUTHENTICATE)->name, STR("Bearer"));
    if (error == ERROR_SERVICE_UNAVAILABLE)
        http_head(call->x, header_info(HEADER_RETRY_AFTER)->name, STR("1"));
    error_body(http_body(call->x), error, hint);
}

void reply_gone(struct api_call *call, int64_t withdrawn_at, struct str reason)
{
    start_error(call, ERROR_GONE);
    error_body_gone(http_body(call->x), withdrawn_at, reason);
}

void reply_rate_limited(struct api_call *call)
{
    char line[64];
    struct buf b = buf_over(line, sizeof line);
    start_error(call, ERROR_RATE_LIMITED);
    buf_str(&b, STR("Retry-After: "));
    buf_i64(&b, call->window.retry_after_s);
    buf_str(&b, STR("\r\n"));
    http_head_raw(call->x, buf_view(&b));
    error_body_rate_limited(http_body(call->x), call->window.retry_after_s);
}

void reply_preflight(struct api_call *call)
{
    http_status(call->x, 204);
    http_head_raw(call->x, headers_common(MEDIA_NONE));
    http_head_raw(
        call->x, STR("Allow: GET, HEAD, OPTIONS\r\n"
                     "Access-Control-Allow-Methods: GET, HEAD, OPTIONS\r\n"
                     "Access-Control-Allow-Headers: authorization, x-api-key, if-none-match, "
                     "last-event-id\r\n"
                     "Access-Control-Max-Age: 86400\r\n"));
}

static void cache_put(struct api_call *call, const struct representation *form)
{
    page_cache_put(call->api->pages, etag_str(&form->etag), buf_view(http_body(call->x)));
}

static bool cache_get(struct api_call *call, const struct representation *form)
{
    return page_cache_get(call->api->pages, etag_str(&form->etag), http_body(call->x));
}

/* The details of a row stand between its head and its tail. */
static const struct str details_key = STR_INIT("\"details\":");
static const struct str details_end = STR_INIT(",");

static struct str details_value(const struct feed_row *row)
{
    return row->details.n ? row->details : STR("null");
}

void reply_row_put(struct buf *b, const struct feed_row *row, bool details)
{
    buf_str(b, row->head);
    if (details) {
        buf_str(b, details_key);
        buf_str(b, details_value(row));
        buf_str(b, details_end);
    }
    buf_str(b, row->tail);
}

static size_t details_size(const struct reply_page *page)
{
    size_t size = page->count * (details_key.n + details_end.n);
    for (size_t i = 0; i < page->count; i++)
        size += details_value(&page->rows[i]).n;
    return size;
}

static size_t page_size(const struct reply_page *page)
{
    size_t size = page->before.n + page->after.n + (page->count ? page->count - 1 : 0);
    for (size_t i = 0; i < page->count; i++)
        size += page->rows[i].head.n + page->rows[i].tail.n;
    return page->details ? size + details_size(page) : size;
}

static uint64_t page_hash(const struct reply_page *page)
{
    MEM_UNFILLED uint64_t tags[FEED_PAGE_MAX + 2];
    size_t n = 0;
    tags[n++] = hash_str(page->before);
    for (size_t i = 0; i < page->count; i++)
        tags[n++] = page->rows[i].tag;
    for (size_t i = 0; page->details && i < page->count; i++)
        tags[i + 1] ^= hash_str(details_value(&page->rows[i]));
    tags[n++] = hash_str(page->after);
    return XXH3_64bits(tags, n * sizeof *tags);
}

static inline char *copy(char *to, struct str text)
{
    memcpy(to, text.p, text.n);
    return to + text.n;
}

static void page_write(struct buf *body, const struct reply_page *page, size_t size)
{
    char *to = buf_reserve(body, size);
    if (!to)
        return;
    to = copy(to, page->before);
    for (size_t i = 0; i < page->count; i++) {
        if (i)
            *to++ = ',';
        to = copy(to, page->rows[i].head);
        if (page->details) {
            to = copy(to, details_key);
            to = copy(to, details_value(&page->rows[i]));
            to = copy(to, details_end);
        }
        to = copy(to, page->rows[i].tail);
    }
    copy(to, page->after);
    buf_commit(body, size);
}

void reply_page(struct api_call *call, const struct reply_page *page)
{
    size_t size = page_size(page);
    struct representation form = representation_begin(call->x, MEDIA_JSON, page_hash(page), size);
    if (form.unchanged || (form.gzip && cache_get(call, &form)))
        return;
    if (!form.gzip) {
        page_write(http_body(call->x), page, size);
        return;
    }
    struct buf plain;
    buf_init(&plain, HTTP_REPLY_MAX);
    page_write(&plain, page, size);
    gzip_put(http_body(call->x), buf_view(&plain), call->api->page_codes);
    buf_finish(&plain);
    cache_put(call, &form);
}

void reply_complete(struct api_call *call, enum media media)
{
    struct buf *body = http_body(call->x);
    struct representation form =
        representation_begin(call->x, media, hash_str(buf_view(body)), body->n);
    if (form.unchanged) {
        buf_reset(body);
    } else if (form.gzip) {
        struct str plain = arena_str(http_arena(call->x), buf_view(body));
        buf_reset(body);
        if (!cache_get(call, &form)) {
            gzip_put(body, plain, NULL);
            cache_put(call, &form);
        }
    }
}
