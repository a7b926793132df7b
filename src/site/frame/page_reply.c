/* Prints replies; see page_reply.h. */
#include "site/frame/page_reply.h"

#include <assert.h>

#include "base/hash.h"
#include "html/mustache.h"
#include "http/accept_encoding.h"
#include "http/bounds.h"
#include "http/gzip.h"
#include "site/frame/page_cookie.h"
#include "site/frame/page_frame.h"
#include "site/frame/page_kept.h"
#include "site/frame/page_rules.h"

enum { FLASH_S = 60, LARGE_MIN = 32 * 1024 };

static void put_retry_after(struct page_call *call, int64_t seconds)
{
    http_head(call->x, STR("Retry-After"), arena_fmt(call->arena, "%lld", (long long)seconds));
}

/* GET and HEAD of pages that can be opened, POST of those that act. */
void page_reply_allow(struct page_call *call, unsigned methods)
{
    BUF_SCOPED(b, HTTP_REPLY_HEAD_MAX);
    for (int m = 0; m < HTTP_UNKNOWN; m++)
        if (methods & ROUTE_METHOD(m)) {
            buf_text(&b, b.n ? ", " : "");
            buf_str(&b, http_method_name((enum http_method)m));
        }
    http_head(call->x, STR("Allow"), buf_view(&b));
}

/* A page of data for a visitor without cookies is the same for everybody. */
static bool is_shared(const struct page_call *call)
{
    const struct page_reply *reply = call->reply;
    return call->x && reply->anonymous && reply->surrogate_count && !reply->surrogates_full &&
           !reply->lacking && http_reply_status(call->x) == 200;
}

/* By these names a cache in front of the server drops the page when its data changes. */
static void put_surrogates(struct page_call *call)
{
    const struct page_reply *reply = call->reply;
    BUF_SCOPED(b, HTTP_REPLY_HEAD_MAX);
    buf_text(&b, "all");
    for (size_t i = 0; i < reply->surrogate_count; i++) {
        buf_char(&b, ' ');
        buf_str(&b, reply->surrogates[i]);
    }
    http_head(call->x, STR("Surrogate-Key"), buf_view(&b));
}

/* A large page takes milliseconds to make, so that some tenths of one for a smaller body are well
 * spent: without them a member with many trades loads more than 20 KB.
 * False: it does not get smaller, and stays as it is. */
static bool compress(struct page_call *call)
{
    struct buf *body = http_body(call->x);
    struct str plain = arena_str(call->arena, buf_view(body));
    buf_reset(body);
    bool done = plain.n >= LARGE_MIN ? gzip_put_small(body, plain, GZIP_LARGE_PAGE)
                                     : gzip_put(body, plain, NULL);
    if (done)
        return true;
    buf_reset(body);
    buf_str(body, plain);
    return false;
}

static enum page_keep shared_cache(const struct page_call *call)
{
    const struct site_config *config = call->config;
    bool purged =
        !call->reply->brief && config->is_purged && config->is_purged(config->is_purged_ctx);
    return purged ? CACHE_PURGED : CACHE_SHARED;
}

static void put_headers(struct page_call *call, enum media media, enum page_keep keep)
{
    if (!str_is_null(call->reply->link))
        keep = CACHE_PRIVATE_LINK;
    call->reply->keep = keep;
    headers_page(call->x, media, keep);
}

static void finish_shared(struct page_call *call, enum media media)
{
    struct buf *body = http_body(call->x);
    struct representation r =
        representation_choose(call->x, media, hash_str(buf_view(body)), body->n);
    put_headers(call, r.unchanged ? MEDIA_NONE : media, shared_cache(call));
    put_surrogates(call);
    if (r.unchanged)
        buf_reset(body);
    else if (r.gzip)
        r.gzip = compress(call);
    representation_put(call->x, &r);
}

/* Compresses what is in the body. Pages of a session differ each time: they get no entity tag. */
static void finish_body(struct page_call *call, enum media media)
{
    struct buf *body = http_body(call->x);
    if (is_shared(call) && call->reply->kind == PAGE_REPLY_STREAM) {
        put_headers(call, media, shared_cache(call));
        put_surrogates(call);
        return;
    }
    if (is_shared(call)) {
        finish_shared(call, media);
        return;
    }
    put_headers(call, media, CACHE_NO_STORE);
    if (body->n >= GZIP_BODY_MIN &&
        accept_encoding_gzip(http_header_joined(call->x, STR("accept-encoding"))) && compress(call))
        http_head_raw(call->x, STR("Content-Encoding: gzip\r\n"));
}

void page_reply_print(const struct page_call *call, struct str template, struct buf *b)
{
    const struct mustache *found = mustache_find(call->reply->site->templates, template);
    assert(found);
    if (mustache_print(b, found, call->view) != OK)
        b->overflow = true; /* the server answers 500 */
}

static void write_page(struct page_call *call, struct str template, struct str title)
{
    page_frame_put(call, title);
    page_reply_print(call, template, http_body(call->x));
    if (page_kept_wants(call)) {
        BUF_SCOPED(b, SIZE_MAX);
        view_instant(view_object(call->view, "asOf"), "at", call->now_ms);
        page_reply_print(call, template, &b);
        page_kept_put(call, buf_view(&b));
    }
    page_kept_get(call);
    finish_body(call, MEDIA_HTML);
}

static void write_json_view(struct page_call *call)
{
    page_frame_put(call, STR_NULL);
    view_json(http_body(call->x), call->view);
    finish_body(call, MEDIA_JSON);
}

/* {"error": code, "hint": text, "fields": {name: text}} */
static void write_faults(struct page_call *call)
{
    const struct page_problem_info *info = page_problem_info(PROBLEM_INVALID);
    struct json_out j;
    json_init(&j, http_body(call->x));
    json_object_begin(&j);
    JSON_KEY_STR(&j, "error", info->code);
    struct str whole = info->sentence;
    for (const struct form_complaint *c = call->form->complaints; c; c = c->next)
        if (str_is_null(c->name))
            whole = c->text;
    JSON_KEY_STR(&j, "hint", whole);
    JSON_KEY_OBJECT(&j, "fields");
    for (const struct form_complaint *c = call->form->complaints; c; c = c->next)
        if (!str_is_null(c->name)) {
            json_key(&j, c->name);
            json_str(&j, c->text);
        }
    json_object_end(&j);
    json_object_end(&j);
    http_status(call->x, info->status);
    finish_body(call, MEDIA_JSON);
}

static void write_view(struct page_call *call)
{
    const struct page_reply *reply = call->reply;
    const struct form *form = call->form ? call->form : call->query_form;
    bool faulty = form && form_is_faulty(form);
    if (call->json && call->form && faulty) {
        write_faults(call);
        return;
    }
    bool invalid = faulty && reply->status == 200;
    enum page_problem problem = call->form ? PROBLEM_INVALID : PROBLEM_BAD_REQUEST;
    http_status(call->x, invalid ? page_problem_info(problem)->status : reply->status);
    if (call->json) {
        write_json_view(call);
        return;
    }
    form_show_faults(call->view, form);
    write_page(call, reply->template, reply->title);
}

static void write_redirect(struct page_call *call)
{
    const struct page_reply *reply = call->reply;
    const struct flash_info *flash = flash_info(reply->flash);
    if (call->json) {
        struct view *view = view_create(call->arena);
        view_str(view, "location", reply->location);
        view_str(view, "message", flash->sentence);
        http_status(call->x, 200);
        view_json(http_body(call->x), view);
        finish_body(call, MEDIA_JSON);
        return;
    }
    http_status(call->x, 303);
    http_head(call->x, STR("Location"), reply->location);
    if (reply->flash) {
        struct str value = flash_join(reply->flash, reply->flash_filing, call->arena);
        page_cookie_set(call->x, COOKIE_FLASH, reply->site->https, value, FLASH_S);
    }
    finish_body(call, MEDIA_NONE);
}

static void put_error_json(struct buf *b, struct str code, struct str hint, int64_t limit)
{
    struct json_out j;
    json_init(&j, b);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "error", code);
    JSON_KEY_STR(&j, "hint", hint);
    if (limit >= 0) {
        JSON_KEY_I64(&j, "limit", limit);
    }
    json_object_end(&j);
}

/* A page with a title, a sentence and the request's id. */
static void write_error_page(struct page_call *call, int status, struct str title, struct str text)
{
    call->view = view_create(call->arena);
    struct view *problem = view_object(call->view, "problem");
    view_int(problem, "status", status);
    view_str(problem, "title", title);
    view_str(problem, "text", text);
    view_bool(problem, "ours", status >= 500);
    view_str(problem, "requestId", http_id(call->x));
    view_str(problem, "place", call->form ? page_back(call) : STR_NULL);
    write_page(call, STR("problem"), title);
}

static void write_problem(struct page_call *call)
{
    const struct page_reply *reply = call->reply;
    const struct page_problem_info *info = page_problem_info(reply->problem);
    struct str text = str_is_null(reply->hint) ? info->sentence : reply->hint;
    if (reply->problem == PROBLEM_NOT_FOUND && page_has_json(reply->path))
        text = call->form
                   ? STR("Nothing was changed: it was removed, or it belongs to another account.")
                   : STR("It does not exist, or it belongs to another account. Check the address.");
    int64_t wait_s = reply->retry_after_s > 0 ? reply->retry_after_s : 1;
    http_status(call->x, info->status);
    if (info->status == 503 || info->status == 429)
        put_retry_after(call, wait_s);
    if (info->status == 405)
        page_reply_allow(call, reply->allowed);
    if (info->status == 401)
        http_head(call->x, STR("WWW-Authenticate"), STR("Cookie"));
    if (reply->html && !call->json) {
        write_error_page(call, info->status, info->title, text);
        return;
    }
    if (info->status == 429)
        error_body_rate_limited(http_body(call->x), wait_s);
    else
        put_error_json(http_body(call->x), info->code, text, -1);
    finish_body(call, MEDIA_JSON);
}

static void write_error(struct page_call *call)
{
    const struct page_reply *reply = call->reply;
    const struct error_info *info = error_info(reply->error);
    struct str text = str_is_null(reply->hint) ? info->hint : reply->hint;
    http_status(call->x, info->status);
    if (reply->html && !call->json) {
        const struct page_problem_info *problem =
            page_problem_info(page_problem_from_status(info->status));
        write_error_page(call, info->status, problem->title, text);
        return;
    }
    put_error_json(http_body(call->x), info->code, text, reply->limit);
    finish_body(call, MEDIA_JSON);
}

/* It is as small as it gets. */
static void write_file(struct page_call *call)
{
    const struct page_reply *reply = call->reply;
    bool shared = reply->anonymous && !reply->personal;
    put_headers(
        call, reply->file.unchanged ? MEDIA_NONE : reply->media,
        reply->lasting ? CACHE_IMMUTABLE
        : shared       ? shared_cache(call)
                       : CACHE_CHECKED);
    if (shared)
        put_surrogates(call);
    representation_put(call->x, &reply->file);
}

void page_reply_write(struct page_call *call)
{
    static void (*const writers[])(struct page_call * call) = {
        [PAGE_REPLY_VIEW] = write_view,
        [PAGE_REPLY_REDIRECT] = write_redirect,
        [PAGE_REPLY_PROBLEM] = write_problem,
        [PAGE_REPLY_ERROR] = write_error,
        [PAGE_REPLY_BODY] = NULL,
        [PAGE_REPLY_FILE] = write_file,
        [PAGE_REPLY_STREAM] = NULL,
    };
    if (writers[call->reply->kind]) {
        writers[call->reply->kind](call);
        return;
    }
    if (call->reply->kind == PAGE_REPLY_BODY && page_kept_wants(call))
        page_kept_put(call, buf_view(http_body(call->x)));
    else if (call->reply->kind == PAGE_REPLY_BODY)
        page_kept_get(call);
    finish_body(call, MEDIA_NONE);
}
