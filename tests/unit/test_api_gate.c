/* The order of decision 19, and the headers of every response. */
#include "unit.h"

#include "api_fixture.h"

#define BEARER(key) "Authorization: Bearer " key "\r\n"

/* The response has the header exactly once. */
static void assert_once(const struct api_reply *reply, const char *name)
{
    char space[128];
    struct buf b = buf_over(space, sizeof space);
    buf_text(&b, "\r\n");
    buf_text(&b, name);
    buf_text(&b, ": ");
    ptrdiff_t at = str_find(reply->head, buf_view(&b));
    if (at < 0)
        fail_msg("%s is missing in a %d", name, reply->status);
    struct str rest = str_slice(reply->head, (size_t)at + b.n, reply->head.n);
    assert_true(str_find(rest, buf_view(&b)) < 0);
}

static void assert_error(const struct api_reply *reply, const char *code)
{
    char space[128];
    struct buf b = buf_over(space, sizeof space);
    buf_text(&b, "{\"error\":\"");
    buf_text(&b, code);
    buf_char(&b, '"');
    if (!str_starts(reply->body, buf_view(&b)))
        fail_msg("expected %s, got %.*s", code, STR_ARG(reply->body));
}

static void response_has_window_headers_and_request_id(void **state)
{
    struct api_fixture *f = *state;
    static const char *const names[] = {
        "X-RateLimit-Limit",
        "X-RateLimit-Remaining",
        "X-RateLimit-Reset",
        "RateLimit",
        "RateLimit-Policy",
        "X-Request-Id",
        "Access-Control-Allow-Origin",
        "Access-Control-Expose-Headers",
        "Cache-Control",
        "Vary",
        "Date"};
    static const struct {
        const char *method, *target, *headers;
        int status;
    } cases[] = {
        {"GET", "/api/v1/trades", BEARER(KEY_PACK), 200},
        {"HEAD", "/api/v1/trades", BEARER(KEY_PACK), 200},
        {"OPTIONS", "/api/v1/trades", "", 204},
        {"GET", "/api/v1/trades", BEARER(KEY_PACK) "If-None-Match: *\r\n", 304},
        {"GET", "/api/v1/trades?limit=0", BEARER(KEY_PACK), 400},
        {"GET", "/api/v1/trades?cursor=", BEARER(KEY_PACK), 400},
        {"GET", "/api/v1/trades", "Bad Header: x\r\n", 400},
        {"GET", "/api/v1/trades", BEARER(KEY_UNKNOWN), 401},
        {"GET", "/api/v1/trades", BEARER(KEY_WOLF), 403},
        {"GET", "/api/v1/nothing", BEARER(KEY_PACK), 404},
        {"GET", "/nothing", "", 404},
        {"POST", "/api/v1/trades", BEARER(KEY_PACK), 405},
        {"POST", "/llms.txt", "", 405},
        {"GET", "/api/v1/trades", "Content-Length: 9000\r\n", 413},
        {"BREW", "/api/v1/trades", BEARER(KEY_PACK), 501},
        {"GET", "/llms.txt", "", 200},
        {"GET", "/healthz", "", 200},
        {"GET", "/api/v1/trades?format=csv", BEARER(KEY_PACK), 200},
        {"GET", "/api/v1/openapi.json", BEARER(KEY_PACK), 200},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct api_reply reply = api_ask(f, cases[i].method, cases[i].target, cases[i].headers);
        assert_int_equal(reply.status, cases[i].status);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            assert_once(&reply, names[k]);
        assert_int_equal(api_number(&reply, "X-RateLimit-Reset"), 1795162380);
        api_reply_finish(&reply);
    }
}

static void first_failing_step_decides_the_error(void **state)
{
    struct api_fixture *f = *state;
    static const struct {
        const char *method, *target, *headers;
        int status;
        const char *code;
    } cases[] = {
        /* credential before route, route before query */
        {"POST", "/api/v1/nothing?x=%zz", BEARER(KEY_UNKNOWN), 401, "invalid_api_key"},
        {"POST", "/api/v1/nothing?x=%zz", BEARER(KEY_REVOKED), 401, "invalid_api_key"},
        {"POST", "/api/v1/nothing", "Authorization: Basic eDp5\r\nX-Api-Key: " KEY_PACK "\r\n", 401,
         "invalid_api_key"},
        {"POST", "/api/v1/nothing", BEARER(KEY_WOLF), 403, "plan_has_no_api_access"},
        {"POST", "/api/v1/nothing", BEARER(KEY_PACK), 404, "not_found"},
        {"POST", "/api/v1/trades?limit=0", BEARER(KEY_PACK), 405, "method_not_allowed"},
        /* entitlement before parameters */
        {"GET", "/api/v1/trades?limit=0&format=csv", "", 403, "csv_export_not_available"},
        {"GET", "/api/v1/trades?limit=0&format=csv", BEARER(KEY_PACK), 400, "invalid_parameter"},
        {"GET", "/api/v1/trades?limit=1&cursor=x", BEARER(KEY_PACK), 400, "invalid_cursor"},
        /* parameters before the resource, and before 304 */
        {"GET", "/api/v1/tickers/%00?x=1", BEARER(KEY_PACK), 404, "not_found"},
        {"GET", "/api/v1/tickers/NONE?x=1", BEARER(KEY_PACK), 400, "invalid_parameter"},
        {"GET", "/api/v1/trades?x=1", BEARER(KEY_PACK) "If-None-Match: *\r\n", 400,
         "invalid_parameter"},
        {"GET", "/api/v1/tickers/NONE", BEARER(KEY_PACK), 404, "not_found"},
        {"GET", "/api/v1/trades/", BEARER(KEY_PACK), 404, "not_found"},
        {"GET", "/metrics/", "", 404, "not_found"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct api_reply reply = api_ask(f, cases[i].method, cases[i].target, cases[i].headers);
        assert_error(&reply, cases[i].code);
        assert_int_equal(reply.status, cases[i].status);
        if (reply.status == 401)
            assert_str(api_header(&reply, "WWW-Authenticate"), "Bearer");
        if (reply.status == 405)
            assert_str(api_header(&reply, "Allow"), "GET, HEAD, OPTIONS");
        api_reply_finish(&reply);
    }
}

/* Draws once with these headers and returns the remaining requests. */
static int64_t remaining(struct api_fixture *f, const char *headers)
{
    struct api_reply reply = api_get(f, "/api/v1/trades?limit=1", headers);
    int64_t n = api_number(&reply, "X-RateLimit-Remaining");
    assert_int_equal(reply.status, 200);
    api_reply_finish(&reply);
    return n;
}

/* Waits until the server has read the new clock. /healthz draws nothing. */
static void wait_for_minute(struct api_fixture *f, size_t minute)
{
    int64_t reset = 1795165200 + ((int64_t)minute + 1) * 60, seen;
    do {
        struct api_reply reply = api_get(f, "/healthz", "");
        seen = api_number(&reply, "X-RateLimit-Reset");
        api_reply_finish(&reply);
    } while (seen != reset);
}

static void api_request_draws_one_and_others_draw_none(void **state)
{
    struct api_fixture *f = *state;
    static const struct {
        const char *method, *target, *headers;
        int key_draws, address_draws;
    } cases[] = {
        {"GET", "/api/v1/trades", BEARER(KEY_DEN), 1, 0},
        {"HEAD", "/api/v1/trades", BEARER(KEY_DEN), 1, 0},
        {"GET", "/api/v1/trades", BEARER(KEY_DEN) "If-None-Match: *\r\n", 1, 0},
        {"GET", "/api/v1/trades?limit=0", BEARER(KEY_DEN), 1, 0},
        {"GET", "/api/v1/nothing", BEARER(KEY_DEN), 1, 0},
        {"POST", "/api/v1/trades", BEARER(KEY_DEN), 1, 0},
        {"BREW", "/api/v1/trades", BEARER(KEY_DEN), 1, 0},
        {"OPTIONS", "/api/v1/trades", BEARER(KEY_DEN), 0, 0},
        {"GET", "/api/v1/trades", BEARER(KEY_UNKNOWN), 0, 1},
        {"GET", "/api/v1/trades", BEARER(KEY_WOLF), 0, 1},
        {"GET", "/llms.txt", BEARER(KEY_DEN), 0, 0},
        {"GET", "/api/v1/trades", "Bad Header: x\r\n", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char instant[32];
        snprintf(instant, sizeof instant, "2026-11-20T09:%02zu:00Z", i);
        api_set_clock(f, instant);
        wait_for_minute(f, i);
        assert_int_equal(remaining(f, BEARER(KEY_DEN)), 299);
        assert_int_equal(remaining(f, ""), 9);
        struct api_reply reply = api_ask(f, cases[i].method, cases[i].target, cases[i].headers);
        api_reply_finish(&reply);
        assert_int_equal(remaining(f, BEARER(KEY_DEN)), 298 - cases[i].key_draws);
        assert_int_equal(remaining(f, ""), 8 - cases[i].address_draws);
    }
}

static void eleventh_anonymous_request_gets_429_with_the_wait(void **state)
{
    struct api_fixture *f = *state;
    for (int i = 9; i >= 0; i--)
        assert_int_equal(remaining(f, ""), i);
    static const char *const headers[] = {"", BEARER(KEY_UNKNOWN), BEARER(KEY_WOLF)};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        struct api_reply reply = api_get(f, "/api/v1/nothing?x=%", headers[i]);
        assert_int_equal(reply.status, 429);
        assert_str(reply.body, "{\"error\":\"rate_limited\",\"retryAfterSeconds\":15}");
        assert_str(api_header(&reply, "Retry-After"), "15");
        assert_int_equal(api_number(&reply, "X-RateLimit-Remaining"), 0);
        api_reply_finish(&reply);
    }
    assert_int_equal(remaining(f, BEARER(KEY_PACK)), 59);
}

static void readyz_follows_the_state(void **state)
{
    struct api_fixture *f = *state;
    static const struct {
        enum api_state state;
        int ready, feed;
    } cases[] = {{API_STARTING, 503, 503}, {API_DRAINING, 503, 200}, {API_READY, 200, 200}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        api_set_state(f->api, cases[i].state);
        struct api_reply ready = api_get(f, "/readyz", ""), feed = api_get(f, "/api/v1/trades", "");
        assert_int_equal(ready.status, cases[i].ready);
        assert_int_equal(feed.status, cases[i].feed);
        if (feed.status == 503)
            assert_str(api_header(&feed, "Retry-After"), "1");
        api_reply_finish(&ready);
        api_reply_finish(&feed);
    }
    assert_int_equal(remaining(f, ""), 7); /* the 503 drew nothing */
}

static void preflight_allows_credentials_and_entity_tags(void **state)
{
    struct api_fixture *f = *state;
    struct api_reply reply = api_ask(
        f, "OPTIONS", "/api/v1/trades",
        "Origin: https://app.example.org\r\nAccess-Control-Request-Method: GET\r\n"
        "Access-Control-Request-Headers: authorization, x-api-key\r\n");
    assert_int_equal(reply.status, 204);
    assert_str(
        api_header(&reply, "Access-Control-Allow-Headers"),
        "authorization, x-api-key, if-none-match, last-event-id");
    assert_str(api_header(&reply, "Access-Control-Max-Age"), "86400");
    assert_int_equal(reply.body.n, 0);
    api_reply_finish(&reply);
}

static const char *const deferred[] = {
    "/api/v1/coverage", "/api/v1/corrections", "/api/v1/trades/none-0001"};

static void deferred_request_draws_like_others(void **state)
{
    struct api_fixture *f = *state;
    static const int statuses[] = {200, 200, 404};
    for (size_t i = 0; i < sizeof deferred / sizeof *deferred; i++) {
        struct api_reply reply = api_get(f, deferred[i], "");
        assert_int_equal(reply.status, statuses[i]);
        assert_int_equal(api_number(&reply, "X-RateLimit-Remaining"), 9 - (int64_t)i);
        api_reply_finish(&reply);
    }
}

static void deferred_request_without_worker_is_503_and_draws_nothing(void **state)
{
    struct api_fixture *f = *state;
    for (size_t i = 0; i < sizeof deferred / sizeof *deferred; i++) {
        struct api_reply reply = api_get(f, deferred[i], "");
        assert_int_equal(reply.status, 503);
        assert_error(&reply, "service_unavailable");
        assert_str(api_header(&reply, "Retry-After"), "1");
        api_reply_finish(&reply);
    }
    struct api_reply reply = api_get(f, "/api/v1/trades", "");
    assert_int_equal(api_number(&reply, "X-RateLimit-Remaining"), 9);
    api_reply_finish(&reply);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        API_TEST(response_has_window_headers_and_request_id),
        API_TEST(first_failing_step_decides_the_error),
        API_TEST(api_request_draws_one_and_others_draw_none),
        API_TEST(eleventh_anonymous_request_gets_429_with_the_wait),
        API_TEST(readyz_follows_the_state),
        API_TEST(deferred_request_draws_like_others),
        cmocka_unit_test_setup_teardown(
            deferred_request_without_worker_is_503_and_draws_nothing,
            api_fixture_setup_without_workers, api_fixture_teardown),
        API_TEST(preflight_allows_credentials_and_entity_tags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
