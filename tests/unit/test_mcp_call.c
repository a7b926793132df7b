/* The timing of calls: the retry and the deadline. The test sets the clock. */
#include "quiet_server.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "mcp/server.h"

enum { BEGINS_MS = 1000000 };

#define CALL(tool, arguments)                                                                      \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"" tool         \
    "\",\"arguments\":" arguments ",\"_meta\":{"                                                   \
    "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                  \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}}}"
#define UNAVAILABLE "HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n"
#define PAGE                                                                                       \
    "HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: 28\r\n\r\n"               \
    "{\"data\":[],\"nextCursor\":\"c\"}"

struct scene {
    struct quiet_server api;
    struct client *client;
    struct server server;
    struct buf out;
    int connection; /* to the fake API; -1: none */
};

static void write_line(void *ctx, struct str line)
{
    buf_str(ctx, line);
}

static int set_up(void **state)
{
    struct scene *s = calloc(1, sizeof *s);
    struct fail fail;
    char url[64];
    signal(SIGPIPE, SIG_IGN);
    quiet_server_open(&s->api);
    snprintf(url, sizeof url, "http://127.0.0.1:%d", s->api.port);
    const struct client_config config = {
        .plain_http = true,
        .base_url = str_from(url),
        .user_agent = STR("test"),
        .connections_max = 2,
        .body_max = 4096};
    if (client_create(&config, &s->client, &fail))
        fail_msg("%s", fail.text);
    buf_init(&s->out, SIZE_MAX);
    server_init(&s->server, s->client, true, write_line, &s->out);
    s->server.calls.now_ms = BEGINS_MS;
    s->connection = -1;
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    struct scene *s = *state;
    server_finish(&s->server);
    client_destroy(s->client);
    quiet_server_close(&s->api);
    buf_finish(&s->out);
    if (s->connection >= 0)
        close(s->connection);
    free(s);
    return 0;
}

/* Runs one turn of the loop at this time. */
static void turn(struct scene *s, int64_t now_ms)
{
    struct fail fail;
    if (client_wait(s->client, NULL, 0, 5, NULL, &fail))
        fail_msg("%s", fail.text);
    s->server.calls.now_ms = now_ms;
    client_tell(s->client);
    calls_run_due(&s->server.calls);
}

#define UNTIL(s, now_ms, what)                                                                     \
    do {                                                                                           \
        while (!(what))                                                                            \
            turn((s), (now_ms));                                                                   \
    } while (0)

static const struct call *only_call(const struct scene *s)
{
    return TAILQ_FIRST(&s->server.calls.list);
}

static bool asked(struct scene *s)
{
    if (s->connection < 0)
        s->connection = quiet_server_accept(&s->api);
    return s->connection >= 0 && quiet_server_asked(s->connection);
}

static bool said(const struct scene *s, const char *text)
{
    return str_find(buf_view(&s->out), str_from(text)) >= 0;
}

static void refused_connection_is_retried_once(void **state)
{
    struct scene *s = *state;
    const int64_t refused_ms = BEGINS_MS + 7000; /* the refusal comes 7 seconds late */
    server_take_line(&s->server, str_from(CALL("list_trades", "{}")));
    UNTIL(s, refused_ms, calls_due_ms(&s->server.calls) != INT64_MAX);
    assert_int_equal(calls_due_ms(&s->server.calls), refused_ms + CALL_RETRY_AFTER_MS);
    turn(s, refused_ms + CALL_RETRY_AFTER_MS - 1);
    assert_null(only_call(s)->get);
    quiet_server_listen(&s->api);
    turn(s, refused_ms + CALL_RETRY_AFTER_MS);
    assert_non_null(only_call(s)->get);
    UNTIL(s, refused_ms + CALL_RETRY_AFTER_MS, asked(s));
    quiet_server_say(s->connection, PAGE);
    UNTIL(s, refused_ms + CALL_RETRY_AFTER_MS, s->out.n > 0);
    assert_true(said(s, "\"isError\":false"));
    assert_null(only_call(s));
}

static void second_refusal_ends_the_call(void **state)
{
    struct scene *s = *state;
    server_take_line(&s->server, str_from(CALL("list_trades", "{}")));
    UNTIL(s, BEGINS_MS, calls_due_ms(&s->server.calls) != INT64_MAX);
    UNTIL(s, BEGINS_MS + CALL_RETRY_AFTER_MS, s->out.n > 0);
    assert_true(said(s, "The API cannot be reached"));
}

static void call_is_not_retried_after_its_deadline(void **state)
{
    struct scene *s = *state;
    quiet_server_listen(&s->api);
    server_take_line(&s->server, str_from(CALL("list_trades", "{}")));
    UNTIL(s, BEGINS_MS, asked(s));
    quiet_server_say(s->connection, UNAVAILABLE);
    UNTIL(s, BEGINS_MS + CALL_TIME_MAX_MS - CALL_RETRY_AFTER_MS, s->out.n > 0);
    assert_true(said(s, "not available at the moment"));
}

/* The first page uses up the time of the whole scan. */
static void deadline_covers_all_pages_of_a_scan(void **state)
{
    struct scene *s = *state;
    quiet_server_listen(&s->api);
    server_take_line(&s->server, str_from(CALL("get_conflicted_trades", "{}")));
    UNTIL(s, BEGINS_MS, asked(s));
    quiet_server_say(s->connection, PAGE);
    UNTIL(s, BEGINS_MS + CALL_TIME_MAX_MS - 1, s->out.n > 0);
    assert_true(said(s, "\"cutShort\":\"The API did not respond in time"));
    assert_true(said(s, "\"nextCursor\":\"c\""));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(refused_connection_is_retried_once),
        TEST(second_refusal_ends_the_call),
        TEST(call_is_not_retried_after_its_deadline),
        TEST(deadline_covers_all_pages_of_a_scan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
