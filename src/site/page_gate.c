/* The steps of a request for a page; see page_gate.h. */
#include "site/page_gate.h"

#include "account/attempts.h"
#include "base/clock.h"
#include "base/log.h"
#include "db/db_reader.h"
#include "edge/access_log.h"
#include "edge/caller.h"
#include "edge/headers.h"
#include "http/bounds.h"
#include "limits/limits_wait.h"
#include "rule/invented.h"
#include "site/desk/upload_permit.h"
#include "site/docs.h"
#include "site/frame/page_carry.h"
#include "site/frame/page_cookie.h"
#include "site/frame/page_origin.h"
#include "site/frame/page_proof.h"
#include "site/frame/page_reply.h"
#include "site/frame/page_rules.h"
#include "site/frame/page_visitor.h"
#include "site/pages.h"

/* --- what is not ours */

/* Addresses for programs: the API answers them as before there were pages. */
static bool is_for_api(struct str path)
{
    static const struct str texts[] = {
        STR_INIT("/healthz"),       STR_INIT("/readyz"),
        STR_INIT("/metrics"),       STR_INIT("/llms.txt"),
        STR_INIT("/llms-full.txt"), STR_INIT("/mcp"),
        STR_INIT("/server.json"),   STR_INIT("*"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (str_eq(path, texts[i]))
            return true;
    return route_is_under(path, STR("/api"));
}

static bool accepts(const struct http_request *request, struct str type)
{
    for (size_t i = 0; i < request->header_count; i++)
        if (str_eq(request->headers[i].name, STR("accept")) &&
            str_find(request->headers[i].value, type) >= 0)
            return true;
    return false;
}

/* --- the call */

static struct page_call *call_create(struct site *site, struct http_exchange *x)
{
    struct page_call *call = ARENA_NEW(http_arena(x), struct page_call);
    struct page_reply *reply = ARENA_NEW(http_arena(x), struct page_reply);
    const struct http_request *request = http_request(x);
    call->config = &site->config;
    call->x = x;
    call->arena = http_arena(x);
    call->now_ms = http_now_ms(x);
    call->actor = ACTOR_VISITOR;
    call->view = view_create(call->arena);
    call->reply = reply;
    call->json = page_is_json(request->path) ||
                 (page_has_json(request->path) && accepts(request, STR("application/json")));
    reply->site = site;
    reply->demo = site_is_demo(site);
    reply->html = accepts(request, STR("text/html"));
    reply->path = request->path;
    reply->limit = -1;
    reply->no_write = PROBLEM_COUNT;
    reply->anonymous = str_is_null(page_cookie_get(request, COOKIE_SESSION, site->https)) &&
                       str_is_null(page_cookie_get(request, COOKIE_FLASH, site->https));
    http_set_data(x, call);
    return call;
}

static const char *route_name(const struct page_call *call)
{
    if (call->page)
        return call->page->path;
    return call->reply->fixed_path ? call->reply->fixed_path : "none";
}

/* The window of the private link, or of the address that asks: nothing for others. */
static void put_window(struct page_call *call)
{
    const struct site_config *config = &call->reply->site->config;
    struct limits_answer window;
    if (call->reply->window.limit) {
        headers_window(call->x, &call->reply->window, call->now_ms);
        return;
    }
    if (page_keep_is_shared(call->reply->keep))
        return;
    struct limits_caller caller =
        caller_anonymous(caller_address(call->x, config->trusted_proxies), config->limits_factor);
    limits_peek(config->limits, &caller, call->now_ms, &window);
    headers_window(call->x, &window, call->now_ms);
}

/* A use of a private link, as the API counts that of a key. */
static void count_link(struct page_call *call)
{
    const struct site_config *config = call->config;
    struct page_reply *reply = call->reply;
    int status = http_reply_status(call->x);
    const char *error = status < 400 ? NULL : page_problem_info(reply->problem)->code.p;
    if (!call->key)
        return;
    if (status == 503 && reply->window.limit && reply->window.verdict == LIMITS_GRANTED)
        limits_refund(config->limits, &reply->caller, &reply->window);
    usage_note(
        access_usage(config->access), call->key->usage, call->now_ms, status, error,
        call->page->path);
}

/* Ends every request, on the loop. */
static void finish(struct page_call *call)
{
    struct site *site = call->reply->site;
    count_link(call);
    put_window(call);
    if (site_is_demo(site))
        http_head_raw(call->x, STR(INVENTED_HEADER ": " INVENTED_VALUE "\r\n"));
    int64_t took_ns = clock_mono_ns() - http_began_ns(call->x);
    size_t route = call->page ? (size_t)(call->page - site->pages) : site->page_count;
    traffic_note(site->traffic, route, http_reply_status(call->x), took_ns);
    if (site->config.access_log)
        access_log_note(call->x, route_name(call), call->key ? call->key->prefix : "", took_ns);
    if (call->reply->streamer)
        http_stream_begin(call->x, call->reply->streamer);
    else
        http_reply_end(call->x);
}

static void finish_problem(struct page_call *call, enum page_problem problem)
{
    page_problem(call, problem, STR_NULL);
    page_reply_write(call);
    finish(call);
}

/* --- steps on a worker: each returns true to continue, or decides the reply and returns false */

/* What went wrong in a handler or in the store, without its inside. */
static void fail_reply(struct page_call *call, enum err err, const struct fail *fail)
{
    bool later = err == ERR_UNAVAILABLE || err == ERR_BUSY || err == ERR_FULL || err == ERR_TIMEOUT;
    if (err == ERR_NOT_FOUND) {
        page_problem(call, PROBLEM_NOT_FOUND, STR_NULL);
        return;
    }
    log_line(
        later ? LOG_WARN : LOG_ERROR, "a page failed", LOG_S("reason", str_from(fail->text)),
        LOG_S("route", str_from(call->page->path)), LOG_S("id", http_id(call->x)));
    page_problem(call, later ? PROBLEM_UNAVAILABLE : PROBLEM_INTERNAL, STR_NULL);
}

static bool pass_session(struct page_call *call, struct fail *fail)
{
    enum err err = page_visitor_find(call, fail);
    if (err)
        fail_reply(call, err, fail);
    return !err;
}

/* A form of another site reaches neither the sign-in page, which carries it along, nor a handler.
 */
static bool pass_origin(struct page_call *call, struct fail *fail)
{
    if (!call->form || call->page->one_click ||
        page_origin_is_ours(http_request(call->x), call->reply->site->config.base_url))
        return true;
    page_problem(call, PROBLEM_OTHER_SITE, STR_NULL);
    return false;
}

static bool is_type(const struct http_request *request, struct str type)
{
    struct str value = http_header(request, STR("content-type")), first;
    return str_split(&value, ';', &first) && str_eq_nocase(str_trim(first), type);
}

static bool pass_form(struct page_call *call, struct fail *fail)
{
    const struct http_request *request = http_request(call->x);
    enum err err;
    if (!call->form || call->page->one_click)
        return true;
    if (call->page->upload && is_type(request, STR("multipart/form-data")))
        err = form_read_multipart(
            call->form, call->arena, http_header(request, STR("content-type")), request->body,
            call->page->lists, fail);
    else if (is_type(request, STR("application/x-www-form-urlencoded")))
        err = form_read_urlencoded(call->form, call->arena, request->body, call->page->lists, fail);
    else if (call->json && is_type(request, STR("application/json")))
        err = form_read_json(call->form, call->arena, request->body, call->page->lists, fail);
    else
        err = fail_set(fail, ERR_INVALID, "Content-Type is not that of a form");
    if (!err)
        return true;
    /* Browsers never send such a form, so only programs get the reason; of uploads everybody. */
    struct str hint = call->json || call->page->upload
                          ? arena_fmt(call->arena, "Nothing was changed: %s.", fail->text)
                          : STR_NULL;
    enum page_problem large = call->page->upload ? PROBLEM_UPLOAD : PROBLEM_TOO_LARGE;
    page_problem(call, err == ERR_LIMIT ? large : PROBLEM_BAD_REQUEST, hint);
    return false;
}

/* A person whose form is of another session (two tabs, a sign-in in between) sends it again from a
 * page that shows it. A program gets an error. */
static bool pass_token(struct page_call *call, struct fail *fail)
{
    const struct page_reply *reply = call->reply;
    const struct http_request *request = http_request(call->x);
    if (!call->form || call->page->one_click)
        return true;
    struct str token =
        call->json ? http_header(request, STR("x-csrf-token")) : form_value(call->form, "csrf");
    if (!str_is_null(reply->cookie) && csrf_token_valid(&reply->site->csrf, reply->cookie, token))
        return true;
    if (call->json || call->page->upload || !page_origin_is_named(http_request(call->x)))
        page_problem(call, PROBLEM_STALE, STR_NULL);
    else
        page_carry_again(call);
    return false;
}

/* Each form of an account costs one of a minute's, so that what forms store is bounded. What the
 * script keeps while somebody types has a count of its own: it must not use up the forms. Pages for
 * anyone, such as the reset of a password, count their own attempts. Uploads are done one after the
 * other, and a folder of files may be many. */
static bool pass_pace(struct page_call *call, struct fail *fail)
{
    int64_t retry_s;
    bool keeps =
        call->form && call->page->keeps && str_eq(form_value(call->form, "do"), STR("keep"));
    if (!call->form || call->page->access == PAGE_ANYONE || call->page->upload ||
        call->config->limits_factor > 1)
        return true;
    enum err err = attempts_draw_form(
        call->config->attempts, call->visitor.account.id, keeps, call->now_ms, &retry_s, fail);
    if (!err)
        return true;
    page_too_many(call, retry_s);
    call->reply->hint = arena_fmt(
        call->arena,
        "Your account sent %d forms in a minute. Nothing was changed. Go back and send this one"
        " again in %lld seconds.",
        keeps ? ATTEMPTS_KEEPS : ATTEMPTS_FORMS, (long long)retry_s);
    return false;
}

/* A private link has the limits of a key. */
static bool pass_link(struct page_call *call, struct fail *fail)
{
    struct page_reply *reply = call->reply;
    if (!call->key)
        return true;
    access_touch(call->config->access, call->key, call->now_ms, call->page->path);
    reply->caller =
        caller_keyed(call->key->key_no, KEY_LINK, call->visitor.plan, call->config->limits_factor);
    reply->window = limits_draw_wait(call->config->limits, &reply->caller, call->now_ms);
    if (reply->window.verdict == LIMITS_GRANTED)
        return true;
    if (reply->window.verdict == LIMITS_UNAVAILABLE)
        page_problem(call, PROBLEM_UNAVAILABLE, STR_NULL);
    else
        page_too_many(call, reply->window.retry_after_s);
    return false;
}

static bool pass_proof(struct page_call *call, struct fail *fail)
{
    return !call->form || !call->page->reauth || page_proof_pass(call, fail);
}

/* --- the handlers */

static void run_load(struct page_call *call, struct fail *fail)
{
    enum err err = call->page->load ? call->page->load(call, fail) : OK;
    if (err)
        fail_reply(call, err, fail);
}

static bool is_reason_for_people(enum err err)
{
    return err == ERR_INVALID || err == ERR_EXISTS || err == ERR_REFUSED || err == ERR_LIMIT;
}

/* A page that only acts has no place to show a fault: it becomes a page of its own. */
static void run_faulty(struct page_call *call, struct fail *fail)
{
    const struct form_complaint *first = call->form->complaints;
    if (call->page->load)
        run_load(call, fail);
    else if (!call->json)
        page_problem(call, PROBLEM_INVALID, first->text);
}

/* page_write found that the form was sent before, or that the session or the role is over. */
static void run_unwritten(struct page_call *call, struct fail *fail)
{
    if (call->reply->no_write != PROBLEM_SIGN_IN) {
        page_problem(call, call->reply->no_write, STR_NULL);
        return;
    }
    page_visitor_forget(call);
    call->view = view_create(call->arena);
    page_visitor_ask(call, fail);
}

static void run_act(struct page_call *call, struct fail *fail)
{
    struct page_reply *reply = call->reply;
    enum err err = call->page->act(call, fail);
    if (err && reply->no_write != PROBLEM_COUNT) {
        run_unwritten(call, fail);
        return;
    }
    if (is_reason_for_people(err))
        form_fault(call->form, NULL, fail);
    else if (err)
        fail_reply(call, err, fail);
    if (reply->kind == PAGE_REPLY_VIEW && form_is_faulty(call->form))
        run_faulty(call, fail);
    /* A sign-in takes several steps, which all carry the form that waits for it. */
    if (reply->kind == PAGE_REPLY_VIEW && !call->json && !view_member(call->view, "carried"))
        page_carry_show(call);
}

static void run(struct page_call *call)
{
    static bool (*const steps[])(struct page_call * call, struct fail * fail) = {
        pass_session, pass_origin, pass_form, page_visitor_may,
        pass_link,    pass_token,  pass_pace, pass_proof};
    struct fail fail = {0};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (!steps[i](call, &fail))
            return;
    if (call->form)
        run_act(call, &fail);
    else
        run_load(call, &fail);
}

static enum http_lane lane_of(const struct page_call *call)
{
    if (call->page->drawn)
        return HTTP_LANE_PICTURES;
    return call->page->upload && call->form ? HTTP_LANE_UPLOADS : HTTP_LANE_PAGES;
}

enum { STATUS_LEFT = 499 }; /* in the log and the counts: the client left first */

static void work(struct http_exchange *x, void *worker)
{
    struct page_call *call = http_data(x);
    struct fail fail = {0};
    if (http_client_left(x) && lane_of(call) == HTTP_LANE_PICTURES) {
        http_status(x, STATUS_LEFT);
        return;
    }
    enum err err = page_visitor_begin(call, worker, &fail);
    if (!err)
        run(call);
    else
        fail_reply(call, err, &fail);
    if (call->db)
        db_reader_end(worker);
    page_reply_write(call);
}

static void worked(struct http_exchange *x)
{
    finish(http_data(x));
}

/* --- steps on the loop */

static const struct site_fixed *find_fixed(const struct site *site, struct str path)
{
    for (size_t i = 0; i < site->fixed_count; i++)
        if (str_eq(site->fixed[i].path, path))
            return &site->fixed[i];
    return NULL;
}

static void make_docs(struct http_exchange *x, void *worker)
{
    struct page_call *call = http_data(x);
    docs_make(call->reply->site);
}

static void made_docs(struct http_exchange *x);

static void answer_fixed(struct page_call *call, const struct site_fixed *fixed)
{
    call->page = fixed->page;
    call->reply->fixed_path = fixed->path.p;
    if (fixed->doc && !docs_ready(call->reply->site)) {
        if (!http_defer_to(call->x, HTTP_LANE_PAGES, make_docs, made_docs))
            finish_problem(call, PROBLEM_UNAVAILABLE);
        return;
    }
    const struct fixed_text *text = &fixed->texts[call->reply->demo];
    call->reply->keep = text->page ? text->cache : CACHE_CHECKED;
    fixed_text_reply(call->x, text);
    finish(call);
}

static void made_docs(struct http_exchange *x)
{
    struct page_call *call = http_data(x);
    answer_fixed(call, find_fixed(call->reply->site, http_request(x)->path));
}

static void answer_options(struct page_call *call, unsigned methods)
{
    call->reply->allowed = methods;
    http_status(call->x, 204);
    page_reply_allow(call, methods | ROUTE_METHOD(HTTP_OPTIONS));
    headers_page(call->x, MEDIA_NONE, CACHE_NO_STORE);
    finish(call);
}

/* Opens, or acts on, the page of the route. */
static void start_page(struct page_call *call, const struct route_match *match)
{
    memcpy(call->segments, match->segments, sizeof call->segments);
    bool good = true;
    if (http_request(call->x)->method == HTTP_POST) {
        call->form = ARENA_NEW(call->arena, struct form);
        form_init(call->form, call->arena);
    }
    if (!call->form || call->page->one_click)
        good = query_read(http_request(call->x)->query, call->arena, &call->query) == QUERY_OK;
    if (!good || !page_call_has_texts(call)) {
        finish_problem(call, PROBLEM_BAD_REQUEST);
        return;
    }
    page_template(call, 200, call->page->template, call->page->title);
    enum http_lane lane = lane_of(call);
    if (lane == HTTP_LANE_UPLOADS || call->page->patient)
        http_be_patient(call->x);
    if (lane == HTTP_LANE_PICTURES)
        http_watch_client(call->x);
    page_visitor_share_lane(call);
    if (!http_defer_to(call->x, lane, work, worked))
        finish_problem(call, PROBLEM_UNAVAILABLE);
}

/* --- private links: /link/TOKEN and the path of a feed or of a list as CSV */

static const struct str links = STR_INIT("/link/");

/* False: nobody has this link, or private links do not lead there. The reply of both is the same,
 * and no address in it has the token. */
static bool find_link(struct page_call *call, struct route_match *match)
{
    struct site *site = call->reply->site;
    struct str rest = str_slice(call->reply->path, links.n, call->reply->path.n);
    ptrdiff_t end = str_find_char(rest, '/');
    size_t size = end < 0 ? rest.n : (size_t)end;
    call->reply->link = str_slice(call->reply->path, 0, links.n + size);
    call->reply->path = str_slice(rest, size, rest.n);
    call->reply->anonymous = call->reply->html = false;
    router_find(site->router, HTTP_GET, call->reply->path, call->arena, match);
    const struct page *page = match->route ? match->route->target : NULL;
    rcu_read_begin();
    const struct access_key *key =
        access_find(site->config.access, KEY_LINK, str_slice(rest, 0, size));
    if (key)
        call->visitor.plan = access_key_plan(key);
    rcu_read_end();
    if (!key || !page || !page->linked)
        return false;
    call->key = key;
    call->page = page;
    return true;
}

static void answer_link(struct page_call *call)
{
    enum http_method method = http_request(call->x)->method;
    struct route_match match;
    if (method != HTTP_GET && method != HTTP_HEAD) {
        call->reply->allowed = ROUTE_METHOD(HTTP_GET) | ROUTE_METHOD(HTTP_HEAD);
        call->reply->link = links;
        finish_problem(call, PROBLEM_METHOD);
    } else if (find_link(call, &match)) {
        start_page(call, &match);
    } else {
        finish_problem(call, PROBLEM_NOT_FOUND);
    }
}

void page_gate_handle(void *ctx, struct http_exchange *x)
{
    struct site *site = ctx;
    const struct http_request *request = http_request(x);
    struct route_match match;
    if (is_for_api(request->path)) {
        site->config.api->handle(site->config.api->ctx, x);
        return;
    }
    if (str_starts(request->path, links)) {
        answer_link(call_create(site, x));
        return;
    }
    router_find(site->router, request->method, request->path, http_arena(x), &match);
    const struct site_fixed *fixed = find_fixed(site, request->path);
    if (fixed)
        match.allowed |= ROUTE_METHOD(HTTP_GET) | ROUTE_METHOD(HTTP_HEAD);
    if (!match.allowed && !accepts(request, STR("text/html"))) { /* 404 for a program */
        site->config.api->handle(site->config.api->ctx, x);
        return;
    }
    struct page_call *call = call_create(site, x);
    bool reads = request->method == HTTP_GET || request->method == HTTP_HEAD;
    if (match.allowed)
        call->page = match.route ? match.route->target : NULL;
    /* The path may have escapes: what it leads to decides. */
    if (call->page && page_is_json(str_from(call->page->path)))
        call->json = true;
    if (fixed && reads && (!fixed->page_only || call->reply->anonymous)) {
        answer_fixed(call, fixed);
    } else if (!match.allowed) {
        finish_problem(call, PROBLEM_NOT_FOUND);
    } else if (request->method == HTTP_OPTIONS) {
        answer_options(call, match.allowed);
    } else if (request->method == HTTP_UNKNOWN) {
        finish_problem(call, PROBLEM_NOT_IMPLEMENTED);
    } else if (!match.route) {
        call->reply->allowed = match.allowed | ROUTE_METHOD(HTTP_OPTIONS);
        finish_problem(call, PROBLEM_METHOD);
    } else {
        start_page(call, &match);
    }
}

/* The page that takes the form of this request; NULL: none. */
static const struct page *posted_page(const struct site *site, const struct http_request *request)
{
    struct route_match match;
    ARENA_SCOPED(arena);
    router_find(site->router, HTTP_POST, request->path, &arena, &match);
    const struct page *page =
        request->method == HTTP_POST && match.route ? match.route->target : NULL;
    return page;
}

void page_gate_refuse(void *ctx, struct http_exchange *x, int status, const char *why)
{
    struct site *site = ctx;
    const struct http_request *request = http_request(x);
    const struct page *page = posted_page(site, request);
    bool upload = page && page->upload;
    if (is_for_api(request->path) || (!upload && !accepts(request, STR("text/html")))) {
        site->config.api->refuse(site->config.api->ctx, x, status, why);
        return;
    }
    struct page_call *call = call_create(site, x);
    if (upload)
        upload_refused(call, status);
    else
        page_problem(
            call, http_is_late(x) ? PROBLEM_WORKING : page_problem_from_status(status), STR_NULL);
    page_reply_write(call);
    finish(call);
}

struct http_body_rule page_gate_body_rule(void *ctx, const struct http_request *request)
{
    struct site *site = ctx;
    const struct page *page = posted_page(site, request);
    if (page && page->upload)
        return upload_body_rule(site, request);
    return (struct http_body_rule){.max = page ? HTTP_LARGE_BODY_MAX : HTTP_BODY_MAX};
}

bool page_gate_unbounded_peer(void *ctx, const struct http_peer *peer)
{
    struct site *site = ctx;
    const struct http_app *api = site->config.api;
    return api->unbounded_peer && api->unbounded_peer(api->ctx, peer);
}
