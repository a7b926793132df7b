/* Metrics, the access log, health and the fixed pages (decision 31). */
#include "unit.h"

#include "api_fixture.h"

#include <string.h>

#include "api/operation.h"

#define PACK "Authorization: Bearer " KEY_PACK "\r\n"

static bool body_has(const struct api_reply *reply, const char *text)
{
    return str_find(reply->body, str_from(text)) >= 0;
}

static void drop(struct api_reply reply)
{
    api_reply_finish(&reply);
}

static void metrics_count_responses_by_route_and_status(void **state)
{
    struct api_fixture *f = *state;
    drop(api_get(f, "/api/v1/trades", PACK));
    drop(api_get(f, "/api/v1/trades", PACK));
    drop(api_get(f, "/api/v1/trades?limit=0", PACK));
    drop(api_get(f, "/api/v1/nothing", PACK));
    struct api_reply reply = api_get(f, "/metrics", "");
    assert_int_equal(reply.status, 200);
    static const char *const lines[] = {
        "\nstockact_requests_total{route=\"/api/v1/trades\",status=\"200\"} 2\n",
        "\nstockact_requests_total{route=\"/api/v1/trades\",status=\"400\"} 1\n",
        "\nstockact_requests_total{route=\"none\",status=\"404\"} 1\n",
        "\nstockact_request_duration_seconds_bucket{route=\"/api/v1/trades\",le=\"+Inf\"} 3\n",
        "\nstockact_request_duration_seconds_count{route=\"/api/v1/trades\"} 3\n",
        "\nstockact_draws_granted_total 4\n",
        "\nstockact_feed_trades 300\n",
        "\nstockact_keys 4\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!body_has(&reply, lines[i]))
            fail_msg("%s is not in\n%.*s", lines[i], STR_ARG(reply.body));
    api_reply_finish(&reply);
}

static void metrics_are_hidden_from_other_addresses(void **state)
{
    struct api_fixture *f = *state;
    struct api_reply stranger = api_get(f, "/metrics", "X-Forwarded-For: 203.0.113.9\r\n");
    struct api_reply nothing = api_get(f, "/nothing", "X-Forwarded-For: 203.0.113.9\r\n");
    assert_int_equal(stranger.status, 404);
    assert_true(str_eq(stranger.body, nothing.body));
    api_reply_finish(&stranger);
    api_reply_finish(&nothing);
}

static void callers_behind_a_trusted_proxy_have_separate_windows(void **state)
{
    struct api_fixture *f = *state;
    drop(api_get(f, "/api/v1/trades", "X-Forwarded-For: 203.0.113.9\r\n"));
    struct api_reply same = api_get(f, "/api/v1/trades", "X-Forwarded-For: 203.0.113.9\r\n");
    struct api_reply other = api_get(f, "/api/v1/trades", "X-Forwarded-For: 203.0.113.10\r\n");
    assert_int_equal(api_number(&same, "X-RateLimit-Remaining"), 8);
    assert_int_equal(api_number(&other, "X-RateLimit-Remaining"), 9);
    api_reply_finish(&same);
    api_reply_finish(&other);
}

/* Sends the request and returns the lines written to standard error. */
static struct str logged(
    struct api_fixture *f, const char *target, const char *headers, char *space)
{
    FILE *file = tmpfile();
    int saved = dup(STDERR_FILENO);
    assert_non_null(file);
    assert_true(dup2(fileno(file), STDERR_FILENO) >= 0);
    drop(api_get(f, target, headers)); /* the line is written before the reply is sent */
    assert_true(dup2(saved, STDERR_FILENO) >= 0);
    close(saved);
    ssize_t n = pread(fileno(file), space, 4096, 0);
    assert_true(n >= 0);
    fclose(file);
    return str_of(space, (size_t)n);
}

static void access_log_has_the_route_and_no_address(void **state)
{
    struct api_fixture *f = *state;
    char space[4096];
    struct str line =
        logged(f, "/api/v1/tickers/none?secret=1", PACK "X-Forwarded-For: 203.0.113.9\r\n", space);
    assert_true(str_starts(
        line, STR("time=2026-11-20T08:12:45.123Z level=info event=request method=GET "
                  "route=/api/v1/tickers/{symbol} status=400 bytes=")));
    assert_true(str_find(line, STR(" key=svc_abcdefgh\n")) > 0);
    static const char *const secret[] = {"secret", "203.0.113", "127.0.0.1", "svc_abcdefghi"};
    for (size_t i = 0; i < sizeof secret / sizeof *secret; i++)
        assert_true(str_find(line, str_from(secret[i])) < 0);

    line = logged(f, "/api/v1/trades", "Authorization: Bearer " KEY_UNKNOWN "\r\n", space);
    assert_true(str_find(line, STR("status=401")) > 0);
    assert_true(str_find(line, STR("svc_")) < 0);
}

static void fixed_texts_have_their_content(void **state)
{
    struct api_fixture *f = *state;
    static const struct {
        const char *target, *type, *text;
    } cases[] = {
        {"/llms.txt", "text/plain; charset=utf-8", "https://api.example.org/llms-full.txt"},
        {"/llms-full.txt", "text/plain; charset=utf-8", "## Errors\n"},
        {"/server.json", "application/json", "\"name\": \"org.example.api/stockact\""},
        {"/healthz", "application/json", "{\"status\":\"ok\"}"},
        {"/readyz", "application/json", "{\"status\":\"ready\"}"},
        {"/api/v1/openapi.json", "application/json", "\"openapi\":\"3.1.0\""},
        {"/metrics", "text/plain; version=0.0.4; charset=utf-8", "# TYPE "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct api_reply reply = api_get(f, cases[i].target, PACK);
        assert_int_equal(reply.status, 200);
        assert_str(api_header(&reply, "Content-Type"), cases[i].type);
        assert_true(body_has(&reply, cases[i].text));
        assert_false(body_has(&reply, "{{"));
        assert_false(body_has(&reply, "{#"));
        api_reply_finish(&reply);
    }
    for (int id = 0; id < OPERATION_COUNT; id++) {
        const struct operation *operation = operation_info((enum operation_id)id);
        bool is_tested = operation->metered;
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            is_tested |= strcmp(cases[i].target, operation->path) == 0;
        if (!is_tested)
            fail_msg("no case for %s", operation->path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        API_TEST(metrics_count_responses_by_route_and_status),
        API_TEST(metrics_are_hidden_from_other_addresses),
        API_TEST(callers_behind_a_trusted_proxy_have_separate_windows),
        cmocka_unit_test_setup_teardown(
            access_log_has_the_route_and_no_address, api_fixture_setup_logging,
            api_fixture_teardown),
        API_TEST(fixed_texts_have_their_content),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
