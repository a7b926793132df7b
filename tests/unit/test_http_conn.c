/* One connection to a running server: replies, their order, and how the connection ends. */
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "corpus.h"
#include "http_kit.h"

static struct kit kit;
static struct corpus cases;

static int start(void **state)
{
    corpus_make(&cases);
    kit_start(&kit, NULL);
    return 0;
}

static int stop(void **state)
{
    kit_stop(&kit);
    corpus_finish(&cases);
    return 0;
}

static void go_through_cases(void (*send_all)(int fd, const char *p, size_t n))
{
    for (size_t i = 0; i < cases.n; i++) {
        const struct http_case *c = &cases.cases[i];
        char outcome[256];
        int fd = kit_connect(&kit);
        send_all(fd, c->bytes.p, c->bytes.n);
        kit_shut(fd);
        kit_outcome(fd, outcome, sizeof outcome);
        close(fd);
        if (strcmp(outcome, c->outcome) != 0)
            fail_msg("%s: got \"%s\", expected \"%s\"", c->name, outcome, c->outcome);
    }
}

static void every_case_has_its_outcome_sent_at_once(void **state)
{
    go_through_cases(kit_send);
}

/* Sends all but the end of a long text at once: one segment per byte would take minutes. */
static void send_bytewise(int fd, const char *p, size_t n)
{
    enum { LONG = 2000, LAST = 200 };
    size_t at_once = n > LONG ? n - LAST : 0;
    kit_send(fd, p, at_once);
    kit_send_bytes(fd, p + at_once, n - at_once);
}

static void every_case_has_its_outcome_sent_byte_by_byte(void **state)
{
    go_through_cases(send_bytewise);
}

static void expect_reply(int fd, int status, const char *body)
{
    struct kit_reply reply;
    assert_true(kit_read_reply(fd, false, &reply));
    assert_int_equal(reply.status, status);
    if (body)
        assert_string_equal(reply.body, body);
    kit_reply_finish(&reply);
}

static void application_sees_the_request_as_it_was_sent(void **state)
{
    int fd = kit_connect(&kit);
    kit_send_text(fd, "POST /a%20b?c=d HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nxyz");
    expect_reply(fd, 200, "POST /a%20b?c=d 2 xyz");
    kit_send_text(fd, "GET http://b?q HTTP/1.1\r\nHost: a\r\n\r\n");
    expect_reply(fd, 200, "GET /?q 1");
    close(fd);
}

static void reply_has_date_length_and_unique_id(void **state)
{
    struct kit_reply first, second;
    int fd = kit_connect(&kit);
    kit_send_text(fd, GET HOST END GET HOST END);
    assert_true(kit_read_reply(fd, false, &first));
    assert_true(kit_read_reply(fd, false, &second));
    const char *names[] = {"\r\nDate: ", "\r\nX-Request-Id: ", "\r\nContent-Length: 7\r\n"};
    for (size_t i = 0; i < 3; i++)
        assert_non_null(strstr(first.head, names[i]));
    assert_null(strstr(first.head, "\r\nConnection:"));
    const char *id = strstr(first.head, "\r\nX-Request-Id: ");
    assert_null(strncmp(id, strstr(second.head, "\r\nX-Request-Id: "), 32) == 0 ? id : NULL);
    kit_reply_finish(&first);
    kit_reply_finish(&second);
    close(fd);
}

static void replies_to_a_thousand_pipelined_requests_keep_their_order(void **state)
{
    enum { REQUESTS = 1000 };
    struct buf all;
    buf_init(&all, 1 << 20);
    for (int i = 0; i < REQUESTS; i++)
        buf_fmt(
            &all, "%s /%d HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%.*s",
            i % 3 ? "GET" : "PUT", i, i % 40, i % 40, "0123456789012345678901234567890123456789");
    int fd = kit_connect(&kit);
    kit_send(fd, all.p, all.n);
    for (int i = 0; i < REQUESTS; i++) {
        char expected[128];
        snprintf(
            expected, sizeof expected, "%s /%d 2%s%.*s", i % 3 ? "GET" : "PUT", i,
            i % 40 ? " " : "", i % 40, "0123456789012345678901234567890123456789");
        expect_reply(fd, 200, expected);
    }
    buf_finish(&all);
    close(fd);
}

static void pipelined_heads_of_16_kib_fit(void **state)
{
    struct buf all;
    buf_init(&all, 1 << 20);
    for (int i = 0; i < 6; i++) {
        buf_text(&all, "GET /small HTTP/1.1\r\nHost: a\r\n\r\n");
        size_t begin = all.n;
        buf_text(&all, "PUT /large HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nX: ");
        while (all.n - begin < HTTP_HEAD_MAX - 4)
            buf_char(&all, 'v');
        buf_text(&all, "\r\n\r\nabcde");
    }
    int fd = kit_connect(&kit);
    kit_send(fd, all.p, all.n);
    for (int i = 0; i < 6; i++) {
        expect_reply(fd, 200, "GET /small 1");
        expect_reply(fd, 200, "PUT /large 3 abcde");
    }
    buf_finish(&all);
    close(fd);
}

static void head_equals_get_without_body(void **state)
{
    struct kit_reply get, head;
    int fd = kit_connect(&kit);
    kit_send_text(
        fd, "GET /size/3000 HTTP/1.1\r\n" HOST END "HEAD /size/3000 HTTP/1.1\r\n" HOST END NEXT);
    assert_true(kit_read_reply(fd, false, &get));
    assert_true(kit_read_reply(fd, true, &head));
    assert_int_equal(get.body_n, 3000);
    assert_non_null(strstr(head.head, "\r\nContent-Length: 3000\r\n"));
    expect_reply(fd, 200, "GET /next 1");
    kit_reply_finish(&get);
    kit_reply_finish(&head);
    close(fd);
}

static void body_is_requested_with_100_continue(void **state)
{
    int fd = kit_connect(&kit);
    kit_send_text(fd, POST HOST "Content-Length: 3\r\nExpect: 100-continue\r\n" END);
    expect_reply(fd, 100, NULL);
    kit_send_text(fd, "abc");
    expect_reply(fd, 200, "POST / 3 abc");
    close(fd);
}

static void oversized_body_is_not_requested(void **state)
{
    int fd = kit_connect(&kit);
    kit_send_text(fd, POST HOST "Content-Length: 8193\r\nExpect: 100-continue\r\n" END);
    expect_reply(fd, 413, NULL);
    close(fd);
}

static void slow_reader_receives_the_whole_reply(void **state)
{
    enum { SIZE = 9000000 };
    int small = 65536;
    int fd = kit_connect(&kit);
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    kit_send_text(fd, "GET /size/9000000 HTTP/1.1\r\n" HOST END NEXT);
    struct kit_reply reply;
    assert_true(kit_read_reply(fd, false, &reply));
    assert_int_equal(reply.body_n, SIZE);
    for (size_t i = 0; i < SIZE; i++)
        assert_int_equal(reply.body[i], 'x');
    kit_reply_finish(&reply);
    expect_reply(fd, 200, "GET /next 1");
    close(fd);
}

static size_t dots(const char *head)
{
    const char *fill = strstr(head, "\r\nX-Fill: ");
    assert_non_null(fill);
    return strspn(fill + 10, ".");
}

/* Up to some size the head is copied in front of the body; above it, it is sent separately. */
static void head_of_any_size_precedes_body(void **state)
{
    int fd = kit_connect(&kit);
    for (size_t n = 1800; n <= 2200; n++) {
        char request[64];
        struct kit_reply reply;
        snprintf(request, sizeof request, "GET /lines/%zu HTTP/1.1\r\n" HOST END, n);
        kit_send_text(fd, request);
        assert_true(kit_read_reply(fd, false, &reply));
        assert_int_equal(reply.status, 200);
        assert_int_equal(dots(reply.head), n - 10);
        assert_string_equal(reply.body, "ok");
        kit_reply_finish(&reply);
    }
    close(fd);
}

static void reply_over_the_limit_becomes_500_and_closes(void **state)
{
    char outcome[64];
    int fd = kit_connect(&kit);
    kit_send_text(fd, "GET /huge HTTP/1.1\r\n" HOST END NEXT);
    kit_outcome(fd, outcome, sizeof outcome);
    assert_string_equal(outcome, "500!");
    close(fd);
}

static void header_with_line_break_becomes_500_and_closes(void **state)
{
    struct kit_reply reply;
    int fd = kit_connect(&kit);
    kit_send_text(fd, "GET /split HTTP/1.1\r\n" HOST END);
    assert_true(kit_read_reply(fd, false, &reply));
    assert_int_equal(reply.status, 500);
    assert_null(strstr(reply.head, "Injected"));
    kit_reply_finish(&reply);
    assert_true(kit_read_end(fd));
    close(fd);
}

/* 60 KB follow the refused request: without a lingering close, the reset would destroy the
 * answer. */
static void early_refusal_arrives_while_client_still_sends(void **state)
{
    static const char *const starts[] = {
        POST HOST "Content-Length: 61000\r\n" END,
        CHUNKED "ffff\r\n",
        "GET /",
        GET HOST "X-Long: ",
        "GET / HTTP/9.9\r\n",
    };
    static const char *const outcomes[] = {"413!", "413!", "414!", "431!", "400!"};
    static char rest[60000];
    memset(rest, 'r', sizeof rest);
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        char outcome[64];
        int fd = kit_connect(&kit);
        kit_send_text(fd, starts[i]);
        kit_send(fd, rest, sizeof rest);
        kit_outcome(fd, outcome, sizeof outcome);
        assert_string_equal(outcome, outcomes[i]);
        close(fd);
    }
}

static void half_closed_client_gets_all_replies(void **state)
{
    char outcome[64];
    int fd = kit_connect(&kit);
    kit_send_text(fd, "GET /defer HTTP/1.1\r\n" HOST END NEXT "GET /defer HTTP/1.1\r\n" HOST END);
    kit_shut(fd);
    kit_outcome(fd, outcome, sizeof outcome);
    assert_string_equal(outcome, "200 200 200");
    close(fd);
}

static void deferred_reply_keeps_its_place(void **state)
{
    int fd = kit_connect(&kit);
    kit_send_text(fd, "GET /defer HTTP/1.1\r\n" HOST END NEXT "GET /defer HTTP/1.1\r\n" HOST END);
    struct kit_reply reply;
    assert_true(kit_read_reply(fd, false, &reply));
    assert_string_equal(reply.body, "worked");
    assert_non_null(strstr(reply.head, "\r\nX-Done: yes\r\n"));
    kit_reply_finish(&reply);
    expect_reply(fd, 200, "GET /next 1");
    expect_reply(fd, 200, "worked");
    close(fd);
}

static void deferred_reply_may_come_from_another_thread(void **state)
{
    int fd = kit_connect(&kit);
    kit_send_text(fd, "GET /later HTTP/1.1\r\n" HOST END NEXT);
    kit_resume(kit_wait_later());
    expect_reply(fd, 200, "later");
    expect_reply(fd, 200, "GET /next 1");
    close(fd);
}

static void disconnected_client_loses_only_its_reply(void **state)
{
    struct http_stats stats;
    struct linger reset = {.l_onoff = 1, .l_linger = 0};
    int fd = kit_connect(&kit);
    kit_send_text(fd, "GET /later HTTP/1.1\r\n" HOST END);
    struct http_exchange *x = kit_wait_later();
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    close(fd);
    kit_resume(x);
    do
        http_server_stats(kit.server, &stats);
    while (stats.replies_dropped == 0);
    assert_int_equal(stats.replies_dropped, 1);
    fd = kit_connect(&kit);
    kit_send_text(fd, NEXT);
    expect_reply(fd, 200, "GET /next 1");
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_case_has_its_outcome_sent_at_once),
        cmocka_unit_test(every_case_has_its_outcome_sent_byte_by_byte),
        cmocka_unit_test(application_sees_the_request_as_it_was_sent),
        cmocka_unit_test(reply_has_date_length_and_unique_id),
        cmocka_unit_test(replies_to_a_thousand_pipelined_requests_keep_their_order),
        cmocka_unit_test(pipelined_heads_of_16_kib_fit),
        cmocka_unit_test(head_equals_get_without_body),
        cmocka_unit_test(body_is_requested_with_100_continue),
        cmocka_unit_test(oversized_body_is_not_requested),
        cmocka_unit_test(slow_reader_receives_the_whole_reply),
        cmocka_unit_test(head_of_any_size_precedes_body),
        cmocka_unit_test(reply_over_the_limit_becomes_500_and_closes),
        cmocka_unit_test(header_with_line_break_becomes_500_and_closes),
        cmocka_unit_test(early_refusal_arrives_while_client_still_sends),
        cmocka_unit_test(half_closed_client_gets_all_replies),
        cmocka_unit_test(deferred_reply_keeps_its_place),
        cmocka_unit_test(deferred_reply_may_come_from_another_thread),
        cmocka_unit_test(disconnected_client_loses_only_its_reply),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
