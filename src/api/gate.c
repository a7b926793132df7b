/* The steps of a request; see gate.h. */
#include "api/gate.h"

#include "api/context.h"
#include "api/deferred.h"
#include "api/drawer.h"
#include "edge/traffic.h"
#include "api/reply.h"
#include "api/texts.h"
#include "base/clock.h"
#include "base/log.h"
#include "edge/access_log.h"
#include "edge/caller.h"
#include "edge/headers.h"
#include "rule/credential.h"
#include "rule/invented.h"

enum { CREDENTIAL_LINES_MAX = 2 };

/* --- the caller */

static struct credential credential(const struct http_request *request)
{
    struct str authorization[CREDENTIAL_LINES_MAX], x_api_key[CREDENTIAL_LINES_MAX];
    size_t authorizations = 0, x_api_keys = 0;
    for (size_t i = 0; i < request->header_count; i++) {
        const struct http_header *header = &request->headers[i];
        if (authorizations < CREDENTIAL_LINES_MAX && str_eq(header->name, STR("authorization")))
            authorization[authorizations++] = header->value;
        else if (x_api_keys < CREDENTIAL_LINES_MAX && str_eq(header->name, STR("x-api-key")))
            x_api_key[x_api_keys++] = header->value;
    }
    return credential_from_headers(authorization, authorizations, x_api_key, x_api_keys);
}

/* Determines the caller and the windows to draw from. Runs inside a read. */
static void identify(struct api_call *call)
{
    struct credential given = credential(call->request);
    const struct access_key *key = given.kind == CREDENTIAL_KEY
                                       ? access_find(call->api->config.access, KEY_API, given.key)
                                       : NULL;
    if (key) {
        call->key = key;
        if (!call->operation ||
            !call->operation->about_key) /* asking about a key is no use of it */
            access_touch(
                call->api->config.access, key, http_now_ms(call->x),
                call->operation ? call->operation->path : NULL);
        memcpy(call->key_prefix, key->prefix, sizeof call->key_prefix);
        call->plan = access_key_plan(key);
        call->caller = plan_has_api_access(call->plan) ? CALLER_KEY : CALLER_WITHOUT_API;
    } else {
        call->caller = given.kind == CREDENTIAL_NONE ? CALLER_ANONYMOUS : CALLER_BAD_KEY;
    }
    if (call->caller == CALLER_KEY)
        drawer_of_key(call);
    else
        drawer_of_address(call);
}

/* Whether the call describes the key that it was made with. */
static bool is_about_key(const struct api_call *call)
{
    return call->caller == CALLER_KEY && call->operation && call->operation->about_key;
}

static void draw_answered(void *ctx, const struct limits_answer *answer);

/* False: draw_answered continues the call, perhaps already. */
static bool draw(struct api_call *call)
{
    struct limits *limits = call->api->config.limits;
    int64_t now_ms = http_now_ms(call->x);
    if (!is_about_key(call))
        return limits_draw(limits, &call->drawer, now_ms, &call->window, draw_answered, call);
    call->free = key_usage_may_ask(call->key->usage, now_ms);
    if (call->free)
        return limits_look(limits, &call->drawer, now_ms, &call->window, draw_answered, call);
    limits_peek(limits, &call->drawer, now_ms, &call->window);
    call->window.verdict = LIMITS_DENIED_MINUTE;
    call->window.retry_after_s = 1;
    return true;
}

/* --- the steps after the draw: each returns true to continue, or replies and returns false */

static bool pass_draw(struct api_call *call)
{
    switch (call->window.verdict) {
    case LIMITS_GRANTED:
        call->drawn = !call->free;
        return true;
    case LIMITS_UNAVAILABLE:
        reply_error(call, ERROR_SERVICE_UNAVAILABLE, STR_NULL);
        return false;
    case LIMITS_DENIED_MINUTE:
    case LIMITS_DENIED_MONTH:
        if (call->free)
            return true;
        break;
    }
    reply_rate_limited(call);
    return false;
}

static bool pass_credential(struct api_call *call)
{
    if (call->caller == CALLER_BAD_KEY)
        reply_error(call, ERROR_INVALID_API_KEY, STR_NULL);
    else if (call->caller == CALLER_WITHOUT_API)
        reply_error(call, ERROR_PLAN_HAS_NO_API_ACCESS, STR_NULL);
    else if (call->caller == CALLER_ANONYMOUS && call->operation && call->operation->keyed)
        reply_error(
            call, ERROR_INVALID_API_KEY,
            STR("This endpoint needs an API key: send it as Authorization: Bearer <key>."));
    else
        return true;
    return false;
}

static bool pass_route(struct api_call *call)
{
    if (call->request->method == HTTP_UNKNOWN)
        reply_error(call, ERROR_NOT_IMPLEMENTED, STR_NULL);
    else if (!call->operation)
        reply_error(call, ERROR_NOT_FOUND, STR_NULL);
    else if (!(operation_methods(call->operation) & ROUTE_METHOD(call->request->method)))
        reply_error(call, ERROR_METHOD_NOT_ALLOWED, STR_NULL);
    else
        return true;
    return false;
}

static bool pass_query(struct api_call *call)
{
    const struct operation *operation = call->operation;
    struct query_pairs pairs;
    struct param_refusal refusal;
    struct arena *arena = http_arena(call->x);
    enum query_verdict verdict = query_read(call->request->query, arena, &pairs);

    if ((operation->params.exported || (operation->params.csv && params_want_csv(&pairs))) &&
        !(call->caller == CALLER_KEY && plan_info(call->plan)->csv_export)) {
        reply_error(call, ERROR_CSV_EXPORT_NOT_AVAILABLE, STR_NULL);
        return false;
    }
    if (!params_read(
            &operation->params, operation->resource, &pairs, verdict, arena, &call->params,
            &refusal)) {
        reply_error(call, refusal.error, refusal.hint);
        return false;
    }
    return true;
}

static void fetched(struct http_exchange *x);
static void text_made(struct http_exchange *x);

/* False: a worker owns the call now. */
static bool answer(struct api_call *call)
{
    const struct operation *operation = call->operation;
    if (operation->is_text && texts_ready(call))
        texts_answer(call);
    else if (operation->answer)
        operation->answer(call);
    else if (operation->is_text ? texts_later(call, text_made) : deferred_start(call, fetched))
        return false;
    else
        reply_error(call, ERROR_SERVICE_UNAVAILABLE, STR_NULL);
    return true;
}

/* As answer. */
static bool run_metered(struct api_call *call)
{
    static bool (*const steps[])(struct api_call *) = {
        pass_draw, pass_credential, pass_route, pass_query};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (!steps[i](call))
            return true;
    return answer(call);
}

/* As answer. */
static bool run_unmetered(struct api_call *call)
{
    drawer_of_address(call);
    limits_peek(call->api->config.limits, &call->drawer, http_now_ms(call->x), &call->window);
    if (call->request->method == HTTP_OPTIONS)
        reply_preflight(call);
    else if (call->metered) /* while starting only */
        reply_error(call, ERROR_SERVICE_UNAVAILABLE, STR_NULL);
    else if (pass_route(call))
        return answer(call);
    return true;
}

/* Counts the response for its key. The call about the key is not counted. */
static void count_for_key(const struct api_call *call)
{
    const char *path = call->operation ? call->operation->path : NULL;
    const char *error = call->error == ERROR_COUNT ? NULL : error_info(call->error)->code.p;
    if (call->key && !is_about_key(call))
        usage_note(
            access_usage(call->api->config.access), call->key->usage, http_now_ms(call->x),
            http_reply_status(call->x), error, path);
}

static void put_common(const struct api_call *call)
{
    headers_window(call->x, &call->window, http_now_ms(call->x));
    if (api_is_demo(call->api))
        http_head_raw(call->x, STR(INVENTED_HEADER ": " INVENTED_VALUE "\r\n"));
}

/* Ends every request. */
static void finish(struct api_call *call)
{
    if (call->drawn && http_reply_status(call->x) == error_info(ERROR_SERVICE_UNAVAILABLE)->status)
        limits_refund(call->api->config.limits, &call->drawer, &call->window);
    if (call->window.clock_back_ms)
        log_line(
            LOG_WARN, "wall clock set back", LOG_I("ms", call->window.clock_back_ms),
            LOG_S("id", http_id(call->x)));
    count_for_key(call);
    put_common(call);
    int64_t took_ns = clock_mono_ns() - http_began_ns(call->x);
    size_t route = call->operation ? operation_id_of(call->operation) : OPERATION_COUNT;
    traffic_note(call->api->traffic, route, http_reply_status(call->x), took_ns);
    if (call->streamer) { /* it logs its end */
        http_stream_begin(call->x, call->streamer);
        return;
    }
    bool usual = call->operation && call->operation->watched && http_reply_status(call->x) == 200;
    if (call->api->config.access_log && !usual)
        access_log_note(
            call->x, call->operation ? call->operation->path : "none", call->key_prefix, took_ns);
    http_reply_end(call->x);
}

static void fetched(struct http_exchange *x)
{
    struct api_call *call = http_data(x);
    deferred_answer(call);
    finish(call);
}

static void text_made(struct http_exchange *x)
{
    struct api_call *call = http_data(x);
    texts_answer(call);
    finish(call);
}

static void drawn_later(struct http_exchange *x)
{
    struct api_call *call = http_data(x);
    rcu_read_begin();
    bool answered = run_metered(call);
    rcu_read_end();
    if (answered)
        finish(call);
}

static void draw_answered(void *ctx, const struct limits_answer *answer)
{
    struct api_call *call = ctx;
    call->window = *answer;
    http_resume(call->x, drawn_later);
}

static struct api_call *call_create(struct api *api, struct http_exchange *x)
{
    struct api_call *call = ARENA_NEW(http_arena(x), struct api_call);
    call->api = api;
    call->x = x;
    call->request = http_request(x);
    call->error = ERROR_COUNT;
    http_set_data(x, call);
    return call;
}

static void route(struct api_call *call)
{
    struct route_match match;
    router_find(call->api->router, HTTP_GET, call->request->path, http_arena(call->x), &match);
    call->operation = match.route ? match.route->target : NULL;
    call->segment = match.segment_count ? match.segments[0] : STR_NULL;
    call->metered = call->operation ? call->operation->metered
                                    : route_is_under(call->request->path, STR("/api/v1"));
}

void gate_ask(const struct api_call *outer, struct str target, void *worker)
{
    struct arena *arena = http_arena(outer->x);
    struct http_request *get = ARENA_NEW(arena, struct http_request);
    struct api_call *call = ARENA_NEW(arena, struct api_call);
    struct str path = arena_str(arena, target);
    ptrdiff_t at = str_find_char(path, '?');
    *get = (struct http_request){.method = HTTP_GET, .path = path, .query = STR_NULL};
    if (at >= 0) {
        get->path = str_slice(path, 0, (size_t)at);
        get->query = str_slice(path, (size_t)at + 1, path.n);
    }
    *call = *outer;
    call->request = get;
    call->inner = true;
    route(call);
    if (call->operation && operation_is_streamed(call->operation))
        call->operation = NULL; /* it has no end, or a far one */
    if (pass_route(call) && pass_query(call)) {
        if (call->operation->answer) {
            rcu_read_begin();
            call->operation->answer(call);
            rcu_read_end();
        } else {
            deferred_run(call, worker);
        }
    }
    put_common(call);
}

void gate_handle(void *ctx, struct http_exchange *x)
{
    struct api_call *call = call_create(ctx, x);
    struct api *api = call->api;
    bool answered = true;
    route(call);

    rcu_read_begin();
    if (call->metered && call->request->method != HTTP_OPTIONS &&
        atomic_load_explicit(&api->state, memory_order_acquire) != API_STARTING) {
        identify(call);
        if (!draw(call)) {
            rcu_read_end();
            return;
        }
        answered = run_metered(call);
    } else {
        answered = run_unmetered(call);
    }
    rcu_read_end();
    if (answered)
        finish(call);
}

void gate_refuse(void *ctx, struct http_exchange *x, int status, const char *why)
{
    struct api_call *call = call_create(ctx, x);
    enum error_code error = error_from_status(status);
    drawer_of_address(call);
    limits_peek(call->api->config.limits, &call->drawer, http_now_ms(x), &call->window);
    reply_error(call, error, error == ERROR_BAD_REQUEST ? str_from(why) : STR_NULL);
    finish(call);
}

bool gate_unbounded_peer(void *ctx, const struct http_peer *peer)
{
    const struct api *api = ctx;
    struct address address = caller_of_peer(peer);
    return api->config.trusted_proxies && cidr_list_has(api->config.trusted_proxies, &address);
}
