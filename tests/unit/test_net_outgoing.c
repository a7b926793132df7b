/* Results of requests to every kind of receiver, each on the test's own loop. */
#include "net_kit.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"

enum { IN_FLIGHT_MAX = 256 };

static uv_loop_t loop;
static struct outgoing *engine;
static struct receiver receiver;
static char url[64];

static int begin(void **state)
{
    const struct outgoing_config config = {
        .in_flight_max = IN_FLIGHT_MAX, .idle_max = 8, .user_agent = STR("unit/1")};
    struct fail why;
    signal(SIGPIPE, SIG_IGN);
    memset(&receiver, 0, sizeof receiver);
    uv_loop_init(&loop);
    receiver_open(&receiver, &loop, "127.0.0.1");
    snprintf(url, sizeof url, "http://127.0.0.1:%d/hook?x=1", receiver.port);
    if (outgoing_create(&loop, &config, &engine, &why))
        fail_msg("%s", why.text);
    return 0;
}

/* Leaves no handle and no connection behind; with sanitizers, also no memory. */
static int end(void **state)
{
    outgoing_destroy(engine);
    receiver_close(&receiver);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
    return 0;
}

static struct call run(const char *to)
{
    struct call call = {0};
    call_run(engine, &loop, &call, to);
    assert_int_equal(outgoing_in_flight(engine), 0);
    return call;
}

/* Ends at its time limit after the receiver has the request; see call_run_late. */
static struct call run_late(int64_t *ret_ms)
{
    struct call call = {0};
    *ret_ms = call_run_late(engine, &loop, &call, url, &receiver.requests);
    return call;
}

static void assert_late(const struct call *call, int64_t ms, const char *phase)
{
    char expected[96];
    snprintf(expected, sizeof expected, "no response within %lld ms: %s", (long long)ms, phase);
    assert_int_equal(call->status, 0);
    assert_int_equal(call->error, OUTGOING_TIMEOUT);
    assert_string_equal(call->detail, expected);
}

static void every_status_is_reported_and_no_redirect_followed(void **state)
{
    static const int statuses[] = {200, 204, 299, 301, 302, 400, 404, 410, 500, 599};
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        char answer[256];
        bool bare = statuses[i] == 204;
        snprintf(
            answer, sizeof answer,
            "HTTP/1.1 %d Word\r\nLocation: http://127.0.0.1:%d/inner\r\n%s\r\n%s", statuses[i],
            receiver.port, bare ? "" : "Content-Length: 4\r\n", bare ? "" : "said");
        receiver.text = answer;
        struct call call = run(url);
        assert_int_equal(call.status, statuses[i]);
        assert_int_equal(call.answered, statuses[i]);
        assert_int_equal(call.error, OUTGOING_NONE);
        assert_string_equal(call.detail, "");
        assert_string_equal(call.body, bare ? "" : "said");
        assert_false(call.has_retry_after);
        call_finish(&call);
    }
    assert_int_equal(receiver.requests, sizeof statuses / sizeof *statuses);
    assert_int_equal(receiver.accepted, 1); /* all requests share one connection */
}

static void request_contains_only_requested_headers(void **state)
{
    const struct str headers[] = {STR("Content-Type: application/json"), STR("X-SVC-Event: a")};
    struct call call = {0};
    struct outgoing_post post = call_post(&call, url);
    char expected[512];
    post.headers = headers;
    post.header_count = 2;
    receiver.text = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    assert_int_equal(outgoing_post(engine, &post, &call.request, NULL), OK);
    call_wait(&loop, &call);
    snprintf(
        expected, sizeof expected,
        "POST /hook?x=1 HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUser-Agent: unit/1\r\nAccept: */*\r\n"
        "Content-Type: application/json\r\nX-SVC-Event: a\r\nContent-Length: 7\r\n\r\n{\"a\":1}",
        receiver.port);
    assert_string_equal(receiver.last, expected);
    snprintf(expected, sizeof expected, "127.0.0.1:%d", receiver.port);
    assert_string_equal(call.remote, expected);
    assert_true(call.connected);
    assert_true(call.asked >= 2); /* of the name, and of the socket */
    call_finish(&call);
}

static void large_body_is_sent_without_100_continue(void **state)
{
    struct call call = {0};
    struct outgoing_post post = call_post(&call, url);
    enum { SIZE = 200 * 1024 };
    char *body = mem_alloc(SIZE);
    for (size_t i = 0; i < SIZE; i++)
        body[i] = (char)('a' + i % 26);
    post.body = str_of(body, SIZE);
    receiver.text = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    assert_int_equal(outgoing_post(engine, &post, &call.request, NULL), OK);
    call_wait(&loop, &call);
    assert_int_equal(call.status, 200);
    assert_null(strstr(receiver.last, "Expect"));
    const char *head_end = strstr(receiver.last, "\r\n\r\n");
    assert_non_null(head_end);
    assert_int_equal(strlen(head_end + 4), SIZE);
    assert_memory_equal(head_end + 4, body, SIZE);
    mem_free(body);
    call_finish(&call);
}

static void retry_after_is_returned_unchanged(void **state)
{
    receiver.text = "HTTP/1.1 429 Slow Down\r\nretry-AFTER:  120 \r\nContent-Length: 0\r\n\r\n";
    struct call call = run(url);
    assert_int_equal(call.status, 429);
    assert_true(call.has_retry_after);
    assert_string_equal(call.retry_after, "120");
    call_finish(&call);
    receiver.text = "HTTP/1.1 503 No\r\nRetry-After: Fri, 20 Nov 2026 17:00:00 GMT\r\n"
                    "Content-Length: 0\r\n\r\n";
    call = run(url);
    assert_string_equal(call.retry_after, "Fri, 20 Nov 2026 17:00:00 GMT");
    call_finish(&call);
    receiver.text = "HTTP/1.1 503 No\r\nRetry-After: 111111111122222222223333333333444444444455555"
                    "55555666666666677777\r\nContent-Length: 0\r\n\r\n";
    call = run(url);
    assert_false(call.has_retry_after);
    call_finish(&call);
}

static void interim_answers_are_ignored(void **state)
{
    receiver.text = "HTTP/1.1 100 Continue\r\nRetry-After: 1\r\n\r\nHTTP/1.1 103 Early Hints\r\n"
                    "Link: </a>\r\n\r\nHTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nok";
    struct call call = run(url);
    assert_int_equal(call.status, 202);
    assert_string_equal(call.body, "ok");
    assert_false(call.has_retry_after);
    call_finish(&call);
    receiver.text = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n";
    call = run(url);
    assert_int_equal(call.status, 0);
    assert_int_equal(call.error, OUTGOING_PROTOCOL);
    call_finish(&call);
    receiver.text = "HTTP/1.1 100 Continue\r\n\r\n";
    int64_t ms;
    call = run_late(&ms);
    assert_late(&call, ms, "waiting for the status line");
    call_finish(&call);
}

static void other_protocol_is_protocol_error(void **state)
{
    static const char *const answers[] = {
        "SSH-2.0-OpenSSH_9.2\r\n\r\n",
        "HTTP/2 200\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n",
        "HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 600 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/3.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        "ICY 200 OK\r\n\r\n",
        "<html>",
    };
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        receiver.text = answers[i];
        struct call call = run(url);
        if (call.status || call.error != OUTGOING_PROTOCOL)
            fail_msg("%s: status %d, %s", answers[i], call.status, call.detail);
        assert_true(strlen(call.detail) > 0);
        assert_int_equal(call.answered, 0);
        call_finish(&call);
    }
}

static void hang_up(struct receiver_conn *c)
{
    receiver_hang_up(c);
}

static void closing_before_the_status_is_an_error(void **state)
{
    receiver.answer = hang_up;
    struct call call = run(url);
    assert_int_equal(call.status, 0);
    assert_int_equal(call.error, OUTGOING_PROTOCOL);
    assert_int_equal(receiver.requests, 1); /* not retried: the receiver may have processed it */
    call_finish(&call);
}

static void hang_up_after_the_first(struct receiver_conn *c)
{
    if (c->receiver->requests == 1)
        receiver_send(c, STR("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
    else
        receiver_hang_up(c);
}

static void request_is_retried_once_if_kept_connection_closes(void **state)
{
    receiver.answer = hang_up_after_the_first;
    struct call call = run(url);
    assert_int_equal(call.status, 200);
    call_finish(&call);
    call = run(url); /* on the kept connection, then once on a new one */
    assert_int_equal(call.error, OUTGOING_PROTOCOL);
    assert_int_equal(receiver.requests, 3);
    assert_int_equal(receiver.accepted, 2);
    call_finish(&call);
}

static void say_nothing(struct receiver_conn *c)
{
}

static void silence_ends_at_the_time_limit(void **state)
{
    int64_t ms;
    receiver.answer = say_nothing;
    struct call call = run_late(&ms);
    assert_late(&call, ms, "waiting for the status line");
    assert_true(call.times.total_ms >= ms - 1);
    call_finish(&call);
}

static void status_then_hang(struct receiver_conn *c)
{
    receiver_send(c, STR("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart"));
}

/* A status line that comes in time; see call_run_late. */
static struct call run_late_after_the_status(void)
{
    for (int64_t ms = KIT_SHORT_MS;; ms *= 2) {
        struct call call = {0};
        struct outgoing_post post = call_post(&call, url);
        post.time_max_ms = ms;
        assert_int_equal(outgoing_post(engine, &post, &call.request, NULL), OK);
        while (!call.answered && !call.done)
            uv_run(&loop, UV_RUN_ONCE);
        bool early = !call.done; /* reported before the body is complete */
        call_wait(&loop, &call);
        if (early)
            return call;
        call_finish(&call);
    }
}

static void status_line_alone_decides(void **state)
{
    receiver.answer = status_then_hang;
    struct call call = run_late_after_the_status();
    assert_int_equal(call.answered, 200);
    assert_int_equal(call.status, 200);
    assert_int_equal(call.error, OUTGOING_NONE);
    assert_string_equal(call.body, "part");
    assert_true(call.times.wait_ms < call.times.total_ms);
    call_finish(&call);
    receiver.answer = NULL;
    receiver.text = "HTTP/1.1 200 OK\r\nX-Unended: "; /* not even the head is complete */
    call = run_late_after_the_status();
    assert_int_equal(call.status, 200);
    call_finish(&call);
}

/* One byte at a time, and never the end of the line. */
static void half_a_status_line(struct receiver_conn *c)
{
    static char line[4096];
    memset(line, '.', sizeof line - 1);
    memcpy(line, "HTTP/1.1 200 ", 13);
    receiver_send_slowly(c, line, KIT_SHORT_MS / 10);
}

static void slow_status_line_times_out(void **state)
{
    int64_t ms;
    receiver.answer = half_a_status_line;
    struct call call = run_late(&ms);
    assert_late(&call, ms, "waiting for the status line");
    call_finish(&call);
}

static void never_ending(struct receiver_conn *c)
{
    receiver_send_for_ever(c, "HTTP/1.1 200 OK\r\n\r\n");
}

static void never_ending_chunks(struct receiver_conn *c)
{
    receiver_send_for_ever(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n");
}

static void a_gigabyte(struct receiver_conn *c)
{
    receiver_send_for_ever(c, "HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n");
}

static void large_answer_is_read_partly(void **state)
{
    void (*const answers[])(struct receiver_conn *) = {
        never_ending, never_ending_chunks, a_gigabyte};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        receiver.answer = answers[i];
        struct call call = run(url);
        assert_int_equal(call.status, 200);
        assert_int_equal(call.body_n, 16 * 1024);
        assert_int_equal(strspn(call.body, "x"), call.body_n);
        call_finish(&call);
    }
}

static void endless_head(struct receiver_conn *c)
{
    receiver_send_for_ever(c, "HTTP/1.1 200 OK\r\nX-Long: ");
}

static void endless_promises(struct receiver_conn *c)
{
    struct str promise = STR("HTTP/1.1 100 Continue\r\n\r\n");
    for (int i = 0; i < OUTGOING_HEAD_MAX / 20; i++)
        receiver_send(c, promise);
}

static void endless_head_is_read_partly(void **state)
{
    void (*const answers[])(struct receiver_conn *) = {endless_head, endless_promises};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        receiver.answer = answers[i];
        struct call call = run(url);
        assert_int_equal(call.status, 0);
        assert_int_equal(call.error, OUTGOING_PROTOCOL);
        call_finish(&call);
    }
}

static void wrong_length_makes_the_response_wrong(void **state)
{
    static const struct {
        const char *lengths;
        int status;
    } cases[] = {
        {"Content-Length: 1\r\nContent-Length: 2\r\n", 0},
        {"Content-Length: 1\r\nContent-Length: 1\r\n", 200},
        {"Content-Length: -1\r\n", 0},
        {"Content-Length: 1, 1\r\n", 0},
        {"Content-Length: 0x1\r\n", 0},
        {"Content-Length: 99999999999999999999999\r\n", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[160];
        snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\n%s\r\nx", cases[i].lengths);
        receiver.text = text;
        struct call call = run(url);
        assert_int_equal(call.status, cases[i].status);
        assert_int_equal(call.error, cases[i].status ? OUTGOING_NONE : OUTGOING_PROTOCOL);
        call_finish(&call);
    }
}

/* gzip of a megabyte of zeros: only its first bytes. */
static const unsigned char packed[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3, 0xed, 0xc1, 1, 1, 0, 0};

static void pack(struct receiver_conn *c)
{
    bool transfer = c->receiver->requests == 2;
    char head[160];
    snprintf(
        head, sizeof head, "HTTP/1.1 200 OK\r\n%s: gzip\r\n%s\r\n",
        transfer ? "Transfer-Encoding" : "Content-Encoding",
        transfer ? "" : "Content-Length: 16\r\n");
    receiver_send(c, str_from(head));
    receiver_send(c, str_of((const char *)packed, sizeof packed));
}

static void response_is_not_decompressed(void **state)
{
    receiver.answer = pack;
    struct call call = run(url);
    assert_int_equal(call.status, 200);
    assert_int_equal(call.body_n, sizeof packed);
    assert_memory_equal(call.body, packed, sizeof packed);
    assert_null(strstr(receiver.last, "Accept-Encoding"));
    call_finish(&call);
    call = run(url);
    assert_int_equal(call.status, 200);
    assert_int_equal(call.body_n, 0);
    call_finish(&call);
}

static void closed_port_is_a_connect_error(void **state)
{
    struct receiver other = {0};
    char to[64], expected[64];
    receiver_open(&other, &loop, "127.0.0.1");
    snprintf(to, sizeof to, "http://127.0.0.1:%d/", other.port);
    snprintf(expected, sizeof expected, "127.0.0.1:%d", other.port);
    receiver_close(&other);
    struct call call = run(to);
    assert_int_equal(call.error, OUTGOING_CONNECT);
    assert_string_equal(call.remote, expected);
    call_finish(&call);
}

/* A listening socket with a full backlog drops new connections. */
static void unanswered_connection_ends_at_time_limit(void **state)
{
    enum { FILLERS = 4 };
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fillers[FILLERS], fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    char to[64];
    assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(fd, 0), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    for (int i = 0; i < FILLERS; i++) {
        fillers[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        int ignored = connect(fillers[i], (struct sockaddr *)&address, size);
        (void)ignored;
    }
    snprintf(to, sizeof to, "http://127.0.0.1:%d/", ntohs(address.sin_port));
    struct call call = {0};
    int64_t ms = call_run_late(engine, &loop, &call, to, &call.asked);
    assert_late(&call, ms, "connecting");
    assert_true(call.times.connect_ms >= ms - 1);
    assert_int_equal(call.times.tls_ms, 0);
    assert_int_equal(call.times.wait_ms, 0);
    call_finish(&call);
    for (int i = 0; i < FILLERS; i++)
        close(fillers[i]);
    close(fd);
}

static void connections_are_reused(void **state)
{
    receiver.text = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    for (int i = 0; i < 20; i++) {
        struct call call = run(url);
        assert_int_equal(call.status, 200);
        assert_int_equal(call.connected, i == 0);
        assert_true(call.asked >= 1); /* checked again each time */
        call_finish(&call);
    }
    assert_int_equal(receiver.accepted, 1);
    receiver_hang_up(receiver.conns); /* closes the idle one: the next request opens another */
    uv_run(&loop, UV_RUN_NOWAIT);
    struct call call = run(url);
    assert_int_equal(call.status, 200);
    assert_int_equal(receiver.accepted, 2);
    assert_int_equal(receiver.requests, 21);
    call_finish(&call);
}

static void idle_connection_to_denied_address_is_not_used(void **state)
{
    receiver.text = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    struct call call = run(url);
    assert_int_equal(call.status, 200);
    call_finish(&call);
    call = (struct call){.may_connect = kit_public};
    call_run(engine, &loop, &call, url);
    assert_int_equal(call.error, OUTGOING_REFUSED_ADDRESS);
    assert_string_equal(call.detail, "127.0.0.1 may not be connected to (loopback)");
    assert_string_equal(call.remote, "");
    assert_int_equal(receiver.requests, 1);
    call_finish(&call);
}

static bool only_once_allowed;

static bool allow_once(const struct sockaddr *address)
{
    bool allowed = only_once_allowed;
    only_once_allowed = false;
    return allowed;
}

static void socket_is_checked_again_for_each_request(void **state)
{
    struct call call = {.may_connect = allow_once};
    only_once_allowed = true;
    call_run(engine, &loop, &call, url);
    assert_int_equal(call.error, OUTGOING_REFUSED_ADDRESS);
    assert_int_equal(call.asked, 2);
    assert_int_equal(receiver.accepted, 0);
    call_finish(&call);
}

static void many_parallel_requests_end_and_keep_connections(void **state)
{
    enum { MANY = 200 };
    static struct call calls[MANY];
    receiver.text = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    for (int round = 1; round <= 2; round++) {
        memset(calls, 0, sizeof calls);
        for (int i = 0; i < MANY; i++)
            call_start(engine, &calls[i], url);
        assert_int_equal(outgoing_in_flight(engine), MANY);
        for (int i = 0; i < MANY; i++) {
            call_wait(&loop, &calls[i]);
            assert_int_equal(calls[i].status, 200);
            call_finish(&calls[i]);
        }
        assert_int_equal(receiver.requests, round * MANY);
        assert_int_equal(outgoing_in_flight(engine), 0);
    }
    assert_true(receiver.accepted <= MANY); /* all were kept for the second round */
}

static void requests_in_flight_have_maximum(void **state)
{
    static struct call calls[IN_FLIGHT_MAX + 1];
    struct outgoing_post post = call_post(&calls[IN_FLIGHT_MAX], url);
    memset(calls, 0, sizeof calls);
    receiver.text = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    for (int i = 0; i < IN_FLIGHT_MAX; i++)
        call_start(engine, &calls[i], url);
    assert_int_equal(outgoing_post(engine, &post, &calls[IN_FLIGHT_MAX].request, NULL), ERR_BUSY);
    for (int i = 0; i < IN_FLIGHT_MAX; i++) {
        call_wait(&loop, &calls[i]);
        call_finish(&calls[i]);
    }
    call_run(engine, &loop, &calls[IN_FLIGHT_MAX], url);
    assert_int_equal(calls[IN_FLIGHT_MAX].status, 200);
    call_finish(&calls[IN_FLIGHT_MAX]);
}

static void cancelling_is_safe_in_every_phase(void **state)
{
    struct call call = {0};
    receiver.answer = say_nothing;
    call_start(engine, &call, url); /* queued */
    outgoing_cancel(call.request);
    uv_run(&loop, UV_RUN_NOWAIT);
    assert_int_equal(receiver.accepted, 0);
    call_start(engine, &call, url); /* connecting */
    uv_run(&loop, UV_RUN_NOWAIT);
    outgoing_cancel(call.request);
    call_start(engine, &call, url); /* waiting for the status line */
    while (receiver.requests < 1)
        uv_run(&loop, UV_RUN_ONCE);
    outgoing_cancel(call.request);
    receiver.answer = status_then_hang;
    call_start(engine, &call, url); /* reading the body */
    while (!call.answered)
        uv_run(&loop, UV_RUN_ONCE);
    outgoing_cancel(call.request);
    assert_false(call.done);
    assert_int_equal(outgoing_in_flight(engine), 0);
    call.answered = 0;
    receiver.answer = NULL;
    receiver.text = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    call_run(engine, &loop, &call, url); /* the engine still works */
    assert_int_equal(call.status, 200);
    call_finish(&call);
}

static void engine_can_end_with_requests_in_flight(void **state)
{
    static struct call calls[16];
    memset(calls, 0, sizeof calls);
    receiver.answer = say_nothing;
    for (int i = 0; i < 8; i++)
        call_start(engine, &calls[i], url);
    while (receiver.requests < 8)
        uv_run(&loop, UV_RUN_ONCE);
    for (int i = 8; i < 16; i++)
        call_start(engine, &calls[i], url);
    end(state);
    for (int i = 0; i < 16; i++)
        assert_false(calls[i].done);
    begin(state);
}

static void unsendable_request_fails_at_once(void **state)
{
    static const struct str headers[] = {STR_INIT("X-A: b\r\nX-C: d"), STR_INIT("X-A: \x7f")};
    struct call call = {0};
    struct fail why;
    for (size_t i = 0; i < 2; i++) {
        struct outgoing_post post = call_post(&call, url);
        post.headers = &headers[i];
        post.header_count = 1;
        assert_int_equal(outgoing_post(engine, &post, &call.request, &why), ERR_INVALID);
    }
    struct outgoing_post post = call_post(&call, "ftp://127.0.0.1/");
    assert_int_equal(outgoing_post(engine, &post, &call.request, &why), ERR_INVALID);
    post = call_post(&call, url);
    post.plain_http = false;
    assert_int_equal(outgoing_post(engine, &post, &call.request, &why), ERR_INVALID);
    assert_non_null(strstr(why.text, "https://"));
    assert_int_equal(outgoing_in_flight(engine), 0);
}

static void proxy_variables_are_ignored(void **state)
{
    setenv("http_proxy", "http://127.0.0.1:1", 1);
    setenv("ALL_PROXY", "http://127.0.0.1:1", 1);
    receiver.text = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    struct call call = run(url);
    assert_int_equal(call.status, 200);
    call_finish(&call);
    unsetenv("http_proxy");
    unsetenv("ALL_PROXY");
}

static void cookies_are_not_kept(void **state)
{
    receiver.text = "HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n";
    struct call call = run(url);
    call_finish(&call);
    call = run(url);
    assert_null(strstr(receiver.last, "Cookie"));
    call_finish(&call);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(every_status_is_reported_and_no_redirect_followed),
        CASE(request_contains_only_requested_headers),
        CASE(large_body_is_sent_without_100_continue),
        CASE(retry_after_is_returned_unchanged),
        CASE(interim_answers_are_ignored),
        CASE(other_protocol_is_protocol_error),
        CASE(closing_before_the_status_is_an_error),
        CASE(request_is_retried_once_if_kept_connection_closes),
        CASE(silence_ends_at_the_time_limit),
        CASE(status_line_alone_decides),
        CASE(slow_status_line_times_out),
        CASE(large_answer_is_read_partly),
        CASE(endless_head_is_read_partly),
        CASE(wrong_length_makes_the_response_wrong),
        CASE(response_is_not_decompressed),
        CASE(closed_port_is_a_connect_error),
        CASE(unanswered_connection_ends_at_time_limit),
        CASE(connections_are_reused),
        CASE(idle_connection_to_denied_address_is_not_used),
        CASE(socket_is_checked_again_for_each_request),
        CASE(many_parallel_requests_end_and_keep_connections),
        CASE(requests_in_flight_have_maximum),
        CASE(cancelling_is_safe_in_every_phase),
        CASE(engine_can_end_with_requests_in_flight),
        CASE(unsendable_request_fails_at_once),
        CASE(proxy_variables_are_ignored),
        CASE(cookies_are_not_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
