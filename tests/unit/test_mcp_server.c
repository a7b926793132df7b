/* The protocol without an API: the response to each line. */
#include "unit.h"

#include <stdlib.h>

#include "mcp/rpc.h"
#include "mcp/server.h"

#define META                                                                                       \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                       \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"
#define CALL(id, method, params)                                                                   \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"" method "\",\"params\":{" params "}}"
#define INITIALIZE(version)                                                                        \
    CALL("0", "initialize", "\"protocolVersion\":\"" version "\",\"capabilities\":{}")

struct peer {
    struct client *client;
    struct server server;
    struct buf out;
};

static void write_line(void *ctx, struct str line)
{
    struct peer *peer = ctx;
    buf_str(&peer->out, line);
}

static int set_up(void **state)
{
    struct peer *peer = calloc(1, sizeof *peer);
    const struct client_config config = {
        .plain_http = true,
        .base_url = STR("http://127.0.0.1:1"),
        .user_agent = STR("test"),
        .connections_max = 1,
        .body_max = 1};
    assert_int_equal(client_create(&config, &peer->client, NULL), OK);
    buf_init(&peer->out, SIZE_MAX);
    server_init(&peer->server, peer->client, true, write_line, peer);
    *state = peer;
    return 0;
}

static int tear_down(void **state)
{
    struct peer *peer = *state;
    server_finish(&peer->server);
    client_destroy(peer->client);
    buf_finish(&peer->out);
    free(peer);
    return 0;
}

/* The output for a line, without the last newline; null: none. */
static struct str said(struct peer *peer, const char *line)
{
    buf_reset(&peer->out);
    server_take_line(&peer->server, str_from(line));
    struct str out = buf_view(&peer->out);
    return out.n > 0 ? str_slice(out, 0, out.n - 1) : STR_NULL;
}

static json_t *answer(struct peer *peer, const char *line)
{
    struct fail fail;
    struct str text = said(peer, line);
    if (str_is_null(text))
        fail_msg("%s: no answer", line);
    assert_int_equal(str_find_char(text, '\n'), -1);
    json_t *value = rpc_message_parse(text, &fail);
    assert_non_null(value);
    return value;
}

static int64_t error_code(const json_t *value)
{
    return json_integer_value(json_object_get(json_object_get(value, "error"), "code"));
}

static void invalid_line_gets_its_error(void **state)
{
    static const struct {
        const char *line;
        int code;
        const char *id; /* as in the response; NULL: absent */
    } cases[] = {
        {"nonsense", RPC_PARSE_ERROR, NULL},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"", RPC_PARSE_ERROR, NULL},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"ping\"}", RPC_PARSE_ERROR, NULL},
        {"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}", RPC_PARSE_ERROR, NULL},
        {"1", RPC_INVALID_REQUEST, NULL},
        {"null", RPC_INVALID_REQUEST, NULL},
        {"{}", RPC_INVALID_REQUEST, NULL},
        {"[]", RPC_INVALID_REQUEST, NULL},
        {"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", RPC_INVALID_REQUEST, NULL},
        {"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", RPC_INVALID_REQUEST, NULL},
        {"{\"jsonrpc\":\"2.0\",\"id\":1.0,\"method\":\"ping\"}", RPC_INVALID_REQUEST, NULL},
        {"{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"ping\"}", RPC_INVALID_REQUEST, NULL},
        {"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}", RPC_INVALID_REQUEST, NULL},
        {"{\"jsonrpc\":\"1.0\",\"id\":3,\"method\":\"ping\"}", RPC_INVALID_REQUEST, "3"},
        {"{\"id\":3,\"method\":\"ping\"}", RPC_INVALID_REQUEST, "3"},
        {"{\"jsonrpc\":\"2.0\",\"id\":\"3\"}", RPC_INVALID_REQUEST, "\"3\""},
        {"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":4}", RPC_INVALID_REQUEST, "3"},
        {"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\",\"params\":[1]}", RPC_INVALID_PARAMS,
         "3"},
        {CALL("3", "no/such", ""), RPC_METHOD_NOT_FOUND, "3"},
        {CALL("\"\"", "no/such", ""), RPC_METHOD_NOT_FOUND, "\"\""},
        {CALL("-9007199254740993", "no/such", ""), RPC_METHOD_NOT_FOUND, "-9007199254740993"},
        {CALL("3", "no/such", META), RPC_METHOD_NOT_FOUND, "3"},
        {CALL("3", "resources/list", META), RPC_METHOD_NOT_FOUND, "3"},
        {CALL("3", "ping", META), RPC_METHOD_NOT_FOUND, "3"},
        {CALL("3", "initialize", META), RPC_METHOD_NOT_FOUND, "3"},
        {CALL("3", "tools/list", ""), RPC_INVALID_PARAMS, "3"},
        {CALL("3", "tools/call", "\"name\":\"get_coverage\""), RPC_INVALID_PARAMS, "3"},
        {CALL("3", "server/discover", ""), RPC_INVALID_PARAMS, "3"},
        {CALL("3", "initialize", ""), RPC_INVALID_PARAMS, "3"},
        {CALL("3", "tools/call", META), RPC_INVALID_PARAMS, "3"},
        {CALL("3", "tools/call", "\"name\":\"no_such\"," META), RPC_INVALID_PARAMS, "3"},
        {CALL("3", "tools/call", "\"name\":\"get_coverage\",\"arguments\":[]," META),
         RPC_INVALID_PARAMS, "3"},
        {CALL("3", "tools/list", "\"cursor\":\"x\"," META), RPC_INVALID_PARAMS, "3"},
        {CALL(
             "3", "tools/list",
             "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}"),
         RPC_INVALID_PARAMS, "3"},
        {CALL("3", "tools/list", "\"_meta\":{\"io.modelcontextprotocol/clientCapabilities\":{}}"),
         RPC_INVALID_PARAMS, "3"},
        {CALL(
             "3", "tools/list",
             "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2025-11-25\","
             "\"io.modelcontextprotocol/clientCapabilities\":{}}"),
         RPC_UNSUPPORTED_VERSION, "3"},
        {CALL(
             "3", "tools/list",
             "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2027-01-01\"}"),
         RPC_UNSUPPORTED_VERSION, "3"},
        {CALL("3", "tools/list", "\"_meta\":{\"io.modelcontextprotocol/clientInfo\":{}}"),
         RPC_INVALID_PARAMS, "3"},
        {CALL("3", "subscriptions/listen", "\"notifications\":{}," META), RPC_METHOD_NOT_FOUND,
         "3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *value = answer(*state, cases[i].line);
        char *id = json_dumps(json_object_get(value, "id"), JSON_ENCODE_ANY);
        if (error_code(value) != cases[i].code || !id != !cases[i].id ||
            (id && strcmp(id, cases[i].id) != 0))
            fail_msg(
                "%s: code %lld, id %s", cases[i].line, (long long)error_code(value),
                id ? id : "none");
        free(id);
        json_decref(value);
    }
}

static void notification_response_or_blank_line_gets_no_response(void **state)
{
    static const char *const lines[] = {
        "",
        "  \t\r",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"no/such\"}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\"}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":9}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"\"}}",
        "{\"error\":{\"code\":-32700,\"message\":\"\"}}",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!str_is_null(said(*state, lines[i])))
            fail_msg("%s was answered", lines[i]);
}

static void line_too_long_or_nested_too_deep_is_refused(void **state)
{
    struct peer *peer = *state;
    char deep[20000];
    server_take_line(&peer->server, STR_NULL);
    assert_true(str_find(buf_view(&peer->out), STR("-32600")) > 0);
    memset(deep, '[', sizeof deep);
    deep[sizeof deep - 1] = '\0';
    json_t *value = answer(peer, deep);
    assert_int_equal(error_code(value), RPC_PARSE_ERROR);
    json_decref(value);
}

static struct str agreed_version(struct peer *peer, const char *line)
{
    static char text[32];
    json_t *value = answer(peer, line);
    struct buf b = buf_over(text, sizeof text);
    buf_str(&b, json_text(json_object_get(json_object_get(value, "result"), "protocolVersion")));
    json_decref(value);
    return buf_view(&b);
}

static void session_gets_requested_or_newest_version(void **state)
{
    assert_str(agreed_version(*state, INITIALIZE("2024-11-05")), "2024-11-05");
    assert_str(agreed_version(*state, INITIALIZE("2025-03-26")), "2025-03-26");
    assert_str(agreed_version(*state, INITIALIZE("2025-06-18")), "2025-06-18");
    assert_str(agreed_version(*state, INITIALIZE("2025-11-25")), "2025-11-25");
    assert_str(agreed_version(*state, INITIALIZE("2026-07-28")), "2025-11-25");
    assert_str(agreed_version(*state, INITIALIZE("1999-01-01")), "2025-11-25");
}

static void ping_works_before_and_in_a_session(void **state)
{
    const char *pong = "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"result\":{}}";
    assert_str(said(*state, "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}"), pong);
    said(*state, INITIALIZE("2025-11-25"));
    assert_str(said(*state, "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}"), pong);
}

/* JavaScript ends lines at U+2028. A dash begins with the same bytes. */
static void line_separators_are_escaped(void **state)
{
    assert_str(
        said(
            *state, "{\"jsonrpc\":\"2.0\",\"id\":\"\xe2\x80\xa8 \xe2\x80\x93 \xe2\x80\xa9\","
                    "\"method\":\"ping\"}"),
        "{\"jsonrpc\":\"2.0\",\"id\":\"\\u2028 \xe2\x80\x93 \\u2029\",\"result\":{}}");
}

static void unsupported_version_error_lists_supported_versions(void **state)
{
    json_t *refused = answer(
        *state, CALL(
                    "1", "server/discover",
                    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"1900-01-01\","
                    "\"io.modelcontextprotocol/clientCapabilities\":{}}"));
    json_t *discovered = answer(*state, CALL("2", "server/discover", META));
    json_t *data = json_object_get(json_object_get(refused, "error"), "data");
    json_t *result = json_object_get(discovered, "result");
    assert_int_equal(error_code(refused), RPC_UNSUPPORTED_VERSION);
    assert_str(json_text(json_object_get(data, "requested")), "1900-01-01");
    assert_true(json_array_size(json_object_get(data, "supported")) > 0);
    assert_true(json_equal(
        json_object_get(data, "supported"), json_object_get(result, "supportedVersions")));
    assert_str(json_text(json_object_get(result, "resultType")), "complete");
    assert_true(json_integer_value(json_object_get(result, "ttlMs")) > 0);
    json_decref(refused);
    json_decref(discovered);
}

/* The results of the two eras differ only in their metadata. */
static void tools_list_is_the_same_in_both_eras(void **state)
{
    json_t *stateless = answer(*state, CALL("1", "tools/list", META));
    said(*state, INITIALIZE("2025-11-25"));
    json_t *session = answer(*state, CALL("1", "tools/list", ""));
    json_t *one = json_object_get(stateless, "result"), *other = json_object_get(session, "result");
    assert_int_equal(json_array_size(json_object_get(one, "tools")), 12);
    assert_true(json_equal(json_object_get(one, "tools"), json_object_get(other, "tools")));
    assert_str(json_text(json_object_get(one, "cacheScope")), "public");
    assert_null(json_object_get(other, "cacheScope"));
    assert_null(json_object_get(other, "resultType"));
    json_decref(stateless);
    json_decref(session);
}

/* Tokens at 3.5 bytes each. */
static void tools_list_has_6000_tokens_at_most(void **state)
{
    struct peer *peer = *state;
    assert_in_range(said(peer, CALL("1", "tools/list", META)).n, 1000, 6000 * 7 / 2);
}

static void batch_needs_the_version_that_has_batches(void **state)
{
    const char *batch = "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},"
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"},"
                        "5,{\"jsonrpc\":\"2.0\",\"id\":\"2\",\"method\":\"ping\"}]";
    said(*state, INITIALIZE("2025-06-18"));
    json_t *refused = answer(*state, batch);
    assert_int_equal(error_code(refused), RPC_INVALID_REQUEST);
    said(*state, INITIALIZE("2025-03-26"));
    json_t *answered = answer(*state, batch);
    assert_int_equal(json_array_size(answered), 3);
    assert_int_equal(error_code(json_array_get(answered, 1)), RPC_INVALID_REQUEST);
    assert_null(said(*state, "[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}]").p);
    json_decref(refused);
    json_decref(answered);
}

static void batch_that_is_too_large_or_has_initialize_is_refused(void **state)
{
    struct buf line;
    said(*state, INITIALIZE("2025-03-26"));
    buf_init(&line, SIZE_MAX);
    for (int i = 0; i < 1001; i++)
        buf_text(&line, i == 0 ? "[0" : ",0");
    buf_text(&line, "]");
    buf_char(&line, '\0');
    json_t *refused = answer(*state, line.p);
    assert_int_equal(error_code(refused), RPC_INVALID_REQUEST);
    buf_finish(&line);
    json_t *answered = answer(*state, "[" INITIALIZE("2025-11-25") "]");
    assert_int_equal(error_code(json_array_get(answered, 0)), RPC_INVALID_REQUEST);
    json_decref(refused);
    json_decref(answered);
}

static void cancelled_call_gets_no_response_and_frees_its_id(void **state)
{
    struct peer *peer = *state;
    const char *call = CALL("7", "tools/call", "\"name\":\"get_coverage\"," META);
    assert_null(said(peer, call).p);
    json_t *doubled = answer(peer, call);
    assert_int_equal(error_code(doubled), RPC_INVALID_REQUEST);
    json_decref(doubled);
    said(
        peer, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
              "\"params\":{\"requestId\":\"7\"}}");
    assert_int_equal(peer->server.calls.count, 1); /* the string "1" is a different id */
    said(
        peer, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
              "\"params\":{\"requestId\":7}}");
    assert_int_equal(peer->server.calls.count, 0);
    assert_null(said(peer, call).p);
}

/* Members of extensions, of tasks and of elicitation. */
static void unknown_members_are_ignored(void **state)
{
    struct peer *peer = *state;
    const char *call = CALL(
        "7", "tools/call",
        "\"name\":\"get_coverage\",\"requestState\":\"x\",\"inputResponses\":{\"a\":{}},"
        "\"task\":{\"ttl\":1},\"_meta\":{\"org.example/key\":[1],\"traceparent\":\"00\","
        "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
        "\"io.modelcontextprotocol/logLevel\":\"debug\","
        "\"io.modelcontextprotocol/clientCapabilities\":{\"extensions\":{}}}");
    assert_null(said(peer, call).p);
    assert_int_equal(peer->server.calls.count, 1);
}

static void call_beyond_the_maximum_is_refused(void **state)
{
    struct peer *peer = *state;
    char line[512];
    for (int i = 0; i < CALLS_MAX; i++) {
        snprintf(
            line, sizeof line,
            "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\","
            "\"params\":{\"name\":\"get_coverage\"," META "}}",
            i);
        assert_null(said(peer, line).p);
    }
    json_t *refused = answer(peer, CALL("999", "tools/call", "\"name\":\"get_coverage\"," META));
    assert_true(json_is_true(json_object_get(json_object_get(refused, "result"), "isError")));
    assert_int_equal(peer->server.calls.count, CALLS_MAX);
    json_decref(refused);
}

/* --- Streamable HTTP */

#define TODAY STR("2026-07-28")
#define LIST CALL("1", "tools/list", META)

/* The status and the error of a POST to a server without a client; 0: no error. */
static void post_gets(const struct post *post, int status, int64_t code)
{
    struct peer peer = {0};
    struct fail fail;
    buf_init(&peer.out, SIZE_MAX);
    server_init(&peer.server, NULL, true, write_line, &peer);
    server_take_post(&peer.server, post);
    struct str out = buf_view(&peer.out);
    json_t *value = out.n > 0 ? rpc_message_parse(str_slice(out, 0, out.n - 1), &fail) : NULL;
    assert_int_equal(out.n > 0 ? peer.server.rpc.status : 202, status);
    assert_int_equal(error_code(value), code);
    assert_null(calls_next_asked(&peer.server.calls));
    json_decref(value);
    server_finish(&peer.server);
    buf_finish(&peer.out);
}

static void post_gets_the_status_of_its_error(void **state)
{
    const struct {
        struct post post;
        int status;
        int64_t code;
    } cases[] = {
        {{.body = STR(LIST), .version = TODAY, .method = STR("tools/list")}, 200, 0},
        {{.body = STR(LIST), .method = STR("tools/list")}, 400, RPC_HEADER_MISMATCH},
        {{.body = STR(LIST), .version = TODAY}, 400, RPC_HEADER_MISMATCH},
        {{.body = STR(LIST), .version = TODAY, .method = STR("tools/list"), .session = STR("s")},
         200,
         0},
        {{.body = STR(CALL("1", "ping", "")), .session = STR("s")}, 404, RPC_SESSION_UNKNOWN},
        {{.body = STR(CALL("1", "ping", "")), .version = STR("0")}, 400, RPC_UNSUPPORTED_VERSION},
        {{.body = STR(CALL("1", "ping", "")), .version = TODAY}, 400, RPC_INVALID_PARAMS},
        {{.body = STR(CALL("1", "none", "")), .version = STR("2025-11-25")},
         200,
         RPC_METHOD_NOT_FOUND},
        {{.body = STR("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}")}, 202, 0},
        {{.body = STR("[")}, 400, RPC_PARSE_ERROR},
        {{.body = STR("[]"), .version = STR("2025-11-25")}, 400, RPC_INVALID_REQUEST},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        post_gets(&cases[i].post, cases[i].status, cases[i].code);
}

static void owner_without_a_client_answers_its_calls(void **state)
{
    struct peer peer = {0};
    const struct post post = {
        .body = STR(CALL("1", "tools/call", "\"name\":\"get_coverage\"")),
        .version = STR("2025-11-25")};
    const struct client_answer from = {
        .reason = "",
        .status = 200,
        .body = STR("{\"data\":{}}"),
        .content_type = STR("application/json"),
        .head = STR("X-Other: 1\r\nX-RateLimit-Remaining: 2\r\nX-RateLimit-Limit: 10\r\n"),
    };
    buf_init(&peer.out, SIZE_MAX);
    server_init(&peer.server, NULL, true, write_line, &peer);
    server_take_post(&peer.server, &post);
    struct call *asked = calls_next_asked(&peer.server.calls);
    assert_non_null(asked);
    assert_true(str_eq(buf_view(&asked->target), STR("/api/v1/coverage")));
    calls_answer(asked, &from);
    assert_null(calls_next_asked(&peer.server.calls));
    assert_true(str_find(buf_view(&peer.out), STR("minute: 2 of 10")) > 0);
    server_finish(&peer.server);
    buf_finish(&peer.out);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(invalid_line_gets_its_error),
        TEST(notification_response_or_blank_line_gets_no_response),
        TEST(line_too_long_or_nested_too_deep_is_refused),
        TEST(session_gets_requested_or_newest_version),
        TEST(ping_works_before_and_in_a_session),
        TEST(line_separators_are_escaped),
        TEST(unsupported_version_error_lists_supported_versions),
        TEST(tools_list_is_the_same_in_both_eras),
        TEST(tools_list_has_6000_tokens_at_most),
        TEST(batch_needs_the_version_that_has_batches),
        TEST(batch_that_is_too_large_or_has_initialize_is_refused),
        TEST(cancelled_call_gets_no_response_and_frees_its_id),
        TEST(unknown_members_are_ignored),
        TEST(call_beyond_the_maximum_is_refused),
        TEST(post_gets_the_status_of_its_error),
        TEST(owner_without_a_client_answers_its_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
