/* Writes replies; see reply.h. */
#include "api/reply.h"

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

static struct str allowed(const struct api_call *call)
{
    return call->operation && call->operation->run ? STR("POST, OPTIONS")
                                                   : STR("GET, HEAD, OPTIONS");
}

void reply_error(struct api_call *call, enum error_code error, struct str hint)
{
    start_error(call, error);
    if (error == ERROR_METHOD_NOT_ALLOWED)
        http_head(call->x, header_info(HEADER_ALLOW)->name, allowed(call));
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
    if (call->operation && call->operation->run) { /* pages of other sites may not post */
        http_head(call->x, header_info(HEADER_ALLOW)->name, allowed(call));
        return;
    }
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

void reply_row_put(struct buf *b, const struct feed_row *row, int64_t fields)
{
    const struct shape_extra extra = feed_row_extra(row, fields);
    buf_str(b, row->head);
    shape_extra_json(b, &extra);
    buf_str(b, row->tail);
}

/* The optional members of the rows, which stand between head and tail of each. */
struct row_extras {
    struct buf text;
    size_t ends[FEED_PAGE_MAX];
};

static void extras_make(const struct reply_page *page, struct row_extras *ret)
{
    buf_init(&ret->text, HTTP_REPLY_MAX);
    for (size_t i = 0; i < page->count; i++) {
        const struct shape_extra extra = feed_row_extra(&page->rows[i], page->fields);
        shape_extra_json(&ret->text, &extra);
        ret->ends[i] = ret->text.n;
    }
}

static struct str extras_of(const struct row_extras *extras, size_t i)
{
    return str_slice(buf_view(&extras->text), i ? extras->ends[i - 1] : 0, extras->ends[i]);
}

static size_t page_size(const struct reply_page *page)
{
    size_t size = page->before.n + page->after.n + (page->count ? page->count - 1 : 0);
    for (size_t i = 0; i < page->count; i++)
        size += page->rows[i].head.n + page->rows[i].tail.n;
    return size;
}

/* `extras`: NULL if none are asked for. */
static uint64_t page_hash(const struct reply_page *page, const struct row_extras *extras)
{
    MEM_UNFILLED uint64_t tags[FEED_PAGE_MAX + 2];
    size_t n = 0;
    tags[n++] = hash_str(page->before);
    for (size_t i = 0; i < page->count; i++)
        tags[n++] = page->rows[i].tag;
    for (size_t i = 0; extras && i < page->count; i++)
        tags[i + 1] ^= hash_str(extras_of(extras, i));
    tags[n++] = hash_str(page->after);
    return XXH3_64bits(tags, n * sizeof *tags);
}

static inline char *copy(char *to, struct str text)
{
    memcpy(to, text.p, text.n);
    return to + text.n;
}

static void page_write(
    struct buf *body, const struct reply_page *page, const struct row_extras *extras, size_t size)
{
    char *to = buf_reserve(body, size);
    if (!to)
        return;
    to = copy(to, page->before);
    for (size_t i = 0; i < page->count; i++) {
        if (i)
            *to++ = ',';
        to = copy(to, page->rows[i].head);
        if (extras)
            to = copy(to, extras_of(extras, i));
        to = copy(to, page->rows[i].tail);
    }
    copy(to, page->after);
    buf_commit(body, size);
}

static void page_put(
    struct api_call *call, const struct reply_page *page, const struct row_extras *extras)
{
    size_t size = page_size(page) + (extras ? extras->text.n : 0);
    if (call->inner) {
        page_write(http_body(call->x), page, extras, size);
        return;
    }
    struct representation form =
        representation_begin(call->x, MEDIA_JSON, page_hash(page, extras), size);
    if (form.unchanged || (form.gzip && cache_get(call, &form)))
        return;
    if (!form.gzip) {
        page_write(http_body(call->x), page, extras, size);
        return;
    }
    BUF_SCOPED(plain, HTTP_REPLY_MAX);
    page_write(&plain, page, extras, size);
    gzip_put(http_body(call->x), buf_view(&plain), call->api->page_codes);
    cache_put(call, &form);
}

void reply_page(struct api_call *call, const struct reply_page *page)
{
    MEM_UNFILLED struct row_extras extras;
    if (!page->fields) {
        page_put(call, page, NULL);
        return;
    }
    extras_make(page, &extras);
    page_put(call, page, &extras);
    buf_finish(&extras.text);
}

void reply_complete(struct api_call *call, enum media media)
{
    struct buf *body = http_body(call->x);
    if (call->inner)
        return;
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

void reply_object(struct api_call *call, const struct shape_object *object, const void *value)
{
    struct buf *body = http_body(call->x);
    buf_text(body, "{\"data\":");
    shape_object_json(body, object, value);
    buf_char(body, '}');
}
