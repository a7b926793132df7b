/* GET requests of the client of one service: their ends, and the separation of waiting from
 * reporting. */
#include "quiet_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/sockios.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "net/client.h"

enum { GETS_MAX = 8, LONG_MS = 3600000, SHORT_MS = 40 };

struct scene {
    struct quiet_server server;
    struct client *client;
    size_t reported;
    enum err errs[GETS_MAX];
    int status;
    char body[64], header[64];
};

static void open_client(struct scene *s, unsigned connections_max)
{
    char url[64];
    struct fail fail;
    snprintf(url, sizeof url, "http://127.0.0.1:%d/under/", s->server.port);
    const struct client_config config = {
        .base_url = str_from(url),
        .user_agent = STR("test"),
        .plain_http = true,
        .connections_max = connections_max,
        .connect_time_max_ms = LONG_MS,
        .body_max = sizeof s->body,
    };
    client_destroy(s->client);
    if (client_create(&config, &s->client, &fail))
        fail_msg("%s", fail.text);
}

static int set_up(void **state)
{
    struct scene *s = calloc(1, sizeof *s);
    signal(SIGPIPE, SIG_IGN);
    quiet_server_open(&s->server);
    open_client(s, 2);
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    struct scene *s = *state;
    client_destroy(s->client);
    quiet_server_close(&s->server);
    free(s);
    return 0;
}

static void copy(char *to, size_t room, struct str from)
{
    snprintf(to, room, "%.*s", STR_ARG(from));
}

static void take(void *ctx, const struct client_answer *answer)
{
    struct scene *s = ctx;
    assert_true(s->reported < GETS_MAX);
    s->errs[s->reported++] = answer->err;
    s->status = answer->status;
    copy(s->body, sizeof s->body, answer->body);
    copy(s->header, sizeof s->header, client_header(answer, "x-told"));
    assert_int_equal(answer->err != OK, answer->reason[0] != '\0');
}

static struct client_exchange *begin(struct scene *s, int64_t time_max_ms)
{
    const struct client_request request = {.target = STR("/x"), .time_max_ms = time_max_ms};
    return client_begin(s->client, &request, take, s);
}

static void wait_a_little(struct scene *s)
{
    struct fail fail;
    if (client_wait(s->client, NULL, 0, 5, NULL, &fail))
        fail_msg("%s", fail.text);
}

static void until_told(struct scene *s, size_t count)
{
    while (s->reported < count) {
        wait_a_little(s);
        client_tell(s->client);
    }
}

/* Accepts the connection with the next request. */
static int until_asked(struct scene *s)
{
    int connection = -1;
    while (connection < 0 || !quiet_server_asked(connection)) {
        wait_a_little(s);
        client_tell(s->client);
        if (connection < 0)
            connection = quiet_server_accept(&s->server);
    }
    return connection;
}

static void answer_is_reported_when_owner_asks(void **state)
{
    struct scene *s = *state;
    quiet_server_listen(&s->server);
    begin(s, LONG_MS);
    int connection = until_asked(s);
    quiet_server_say(connection, "HTTP/1.1 404 X\r\nX-Told: yes\r\nContent-Length: 4\r\n\r\nbody");
    while (s->reported == 0) {
        for (int i = 0; i < 10; i++)
            wait_a_little(s);
        assert_int_equal(s->reported, 0);
        client_tell(s->client);
    }
    assert_int_equal(s->reported, 1);
    assert_int_equal(s->errs[0], OK);
    assert_int_equal(s->status, 404);
    assert_string_equal(s->body, "body");
    assert_string_equal(s->header, "yes");
    close(connection);
}

/* A machine can be too slow to send the request in that time: then again with twice the time. */
static void unanswered_get_ends_at_time_limit(void **state)
{
    struct scene *s = *state;
    int connection = -1;
    quiet_server_listen(&s->server);
    for (int64_t ms = SHORT_MS; connection < 0 || !quiet_server_asked(connection); ms *= 2) {
        int64_t begun = clock_mono_ms();
        s->reported = 0;
        close(connection);
        begin(s, ms);
        until_told(s, 1);
        assert_true(clock_mono_ms() - begun >= ms - 1);
        connection = quiet_server_accept(&s->server);
    }
    assert_int_equal(s->errs[0], ERR_TIMEOUT);
    close(connection);
}

/* They have no time left when the only connection is free, and do not use it. */
static void waiting_gets_end_at_time_limit(void **state)
{
    struct scene *s = *state;
    quiet_server_listen(&s->server);
    open_client(s, 1);
    struct client_exchange *first = begin(s, LONG_MS);
    int connection = until_asked(s);
    for (int i = 1; i < GETS_MAX; i++)
        begin(s, SHORT_MS);
    wait_a_little(s); /* their time begins */
    for (int64_t begun = clock_mono_ms(); clock_mono_ms() <= begun + SHORT_MS;)
        wait_a_little(s);
    client_cancel(first);
    until_told(s, GETS_MAX - 1);
    for (int i = 1; i < GETS_MAX; i++)
        assert_int_equal(s->errs[i - 1], ERR_TIMEOUT);
    assert_int_equal(quiet_server_accept(&s->server), -1);
    assert_false(quiet_server_asked(connection));
    close(connection);
}

static void closed_port_is_unavailable(void **state)
{
    struct scene *s = *state;
    begin(s, LONG_MS);
    until_told(s, 1);
    assert_int_equal(s->errs[0], ERR_UNAVAILABLE);
}

/* The backlog of the listening socket is full: a connection is neither accepted nor refused. */
static void failed_connection_is_unavailable(void **state)
{
    struct scene *s = *state;
    int queued[8];
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    assert_int_equal(listen(s->server.fd, 0), 0);
    assert_int_equal(getsockname(s->server.fd, (struct sockaddr *)&address, &size), 0);
    for (size_t i = 0; i < 8; i++) {
        queued[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (connect(queued[i], (const struct sockaddr *)&address, size) != 0)
            assert_int_equal(errno, EINPROGRESS);
    }
    struct pollfd first = {.fd = queued[0], .events = POLLOUT};
    assert_int_equal(poll(&first, 1, -1), 1); /* it fills the queue */
    begin(s, SHORT_MS);
    until_told(s, 1);
    assert_int_equal(s->errs[0], ERR_UNAVAILABLE);
    for (size_t i = 0; i < 8; i++)
        close(queued[i]);
}

static void oversized_body_returns_limit(void **state)
{
    struct scene *s = *state;
    quiet_server_listen(&s->server);
    begin(s, LONG_MS);
    int connection = until_asked(s);
    quiet_server_say(
        connection, "HTTP/1.1 200 X\r\nContent-Length: 99999\r\n\r\n"
                    "0123456789012345678901234567890123456789012345678901234567890123456789");
    until_told(s, 1);
    assert_int_equal(s->errs[0], ERR_LIMIT);
    close(connection);
}

/* Until the other kernel has all that was said. */
static void until_arrived(int connection)
{
    int queued;
    do
        assert_int_equal(ioctl(connection, SIOCOUTQ, &queued), 0);
    while (queued > 0);
}

static void bytes_without_request_are_not_answer(void **state)
{
    struct scene *s = *state;
    quiet_server_listen(&s->server);
    begin(s, LONG_MS);
    int first = until_asked(s);
    quiet_server_say(first, "HTTP/1.1 200 X\r\nContent-Length: 3\r\n\r\none");
    until_told(s, 1);
    quiet_server_say(first, "HTTP/1.1 408 X\r\nContent-Length: 0\r\n\r\n");
    until_arrived(first);
    begin(s, LONG_MS);
    int second = until_asked(s);
    quiet_server_say(second, "HTTP/1.1 200 X\r\nContent-Length: 3\r\n\r\ntwo");
    until_told(s, 2);
    assert_int_equal(s->status, 200);
    assert_string_equal(s->body, "two");
    assert_false(quiet_server_asked(first));
    close(first);
    close(second);
}

static void cancelled_get_is_not_reported_and_closes_connection(void **state)
{
    struct scene *s = *state;
    char byte;
    ssize_t n;
    quiet_server_listen(&s->server);
    struct client_exchange *get = begin(s, LONG_MS);
    int connection = until_asked(s);
    client_cancel(get);
    do
        n = recv(connection, &byte, 1, 0);
    while (n < 0 && errno == EAGAIN);
    assert_int_equal(n, 0);
    wait_a_little(s);
    client_tell(s->client);
    assert_int_equal(s->reported, 0);
    close(connection);
}

static void readable_or_closed_descriptor_ends_wait(void **state)
{
    struct scene *s = *state;
    struct fail fail;
    int ends[2];
    bool readable = false;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "x", 1), 1);
    assert_int_equal(client_wait(s->client, ends, 1, LONG_MS, &readable, &fail), OK);
    assert_true(readable);
    char byte;
    assert_int_equal(read(ends[0], &byte, 1), 1);
    assert_int_equal(client_wait(s->client, ends, 1, 0, &readable, &fail), OK);
    assert_false(readable);
    close(ends[1]);
    assert_int_equal(client_wait(s->client, ends, 1, LONG_MS, &readable, &fail), OK);
    assert_true(readable);
    close(ends[0]);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(answer_is_reported_when_owner_asks),
        TEST(unanswered_get_ends_at_time_limit),
        TEST(waiting_gets_end_at_time_limit),
        TEST(closed_port_is_unavailable),
        TEST(failed_connection_is_unavailable),
        TEST(oversized_body_returns_limit),
        TEST(bytes_without_request_are_not_answer),
        TEST(cancelled_get_is_not_reported_and_closes_connection),
        TEST(readable_or_closed_descriptor_ends_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
