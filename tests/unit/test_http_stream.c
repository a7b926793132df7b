/* Replies without an end: framing, wakes, heartbeats, slow and absent clients, draining. */
#include "unit.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/stream.h"
#include "http_kit.h"

/*
 * The application of these tests. /count writes one line for each number up to `target`, one line a
 * turn. /more never rests. /wait waits after its first line, and the test resumes it. Any other
 * path is an ordinary reply.
 */
struct counting {
    int said;
    bool waits, asked;
};

static _Atomic int target, begun, ended;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct http_exchange *waiting; /* under lock */

static enum http_stream_next turn_count(struct http_exchange *x, struct buf *out)
{
    struct counting *c = http_data(x);
    int until = atomic_load(&target);
    if (c->said >= until)
        return HTTP_STREAM_REST;
    buf_fmt(out, "%d\n", ++c->said);
    if (c->said == 9)
        return HTTP_STREAM_END;
    if (c->waits && !c->asked) {
        c->asked = true;
        pthread_mutex_lock(&lock);
        waiting = x;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
        return HTTP_STREAM_WAIT;
    }
    return c->said < until ? HTTP_STREAM_MORE : HTTP_STREAM_REST;
}

static enum http_stream_next turn_more(struct http_exchange *x, struct buf *out)
{
    memset(buf_reserve(out, 32 * 1024), 'm', 32 * 1024);
    buf_commit(out, 32 * 1024);
    return HTTP_STREAM_MORE;
}

enum { FILE_PIECES = 400, PIECE_SIZE = 32 * 1024 };

static enum http_stream_next turn_file(struct http_exchange *x, struct buf *out)
{
    struct counting *c = http_data(x);
    memset(buf_reserve(out, PIECE_SIZE), 'f', PIECE_SIZE);
    buf_commit(out, PIECE_SIZE);
    return ++c->said < FILE_PIECES ? HTTP_STREAM_MORE : HTTP_STREAM_END;
}

static void on_ended(struct http_exchange *x)
{
    pthread_mutex_lock(&lock);
    atomic_fetch_add(&ended, 1);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void handle(void *ctx, struct http_exchange *x)
{
    static struct http_streamer streamers[3];
    struct str path = http_request(x)->path;
    bool more = str_eq(path, STR("/more")), file = str_eq(path, STR("/file"));
    if (!more && !file && !str_eq(path, STR("/count")) && !str_eq(path, STR("/wait"))) {
        http_reply_end(x);
        return;
    }
    struct counting *c = ARENA_NEW(http_arena(x), struct counting);
    c->waits = str_eq(path, STR("/wait"));
    http_set_data(x, c);
    int kind = file ? 2 : more;
    streamers[kind] = (struct http_streamer){
        .turn = file   ? turn_file
                : more ? turn_more
                       : turn_count,
        .ended = on_ended,
        .heartbeat = STR(":\n\n"),
        .heartbeat_ms = KIT_HOUR_MS,
        .finite = file,
    };
    http_head(x, STR("X-Test"), STR("yes"));
    atomic_fetch_add(&begun, 1);
    http_stream_begin(x, &streamers[kind]);
}

static void refuse(void *ctx, struct http_exchange *x, int status, const char *why)
{
    http_status(x, status);
    http_reply_end(x);
}

static const struct http_app app = {.handle = handle, .refuse = refuse};

static void start(struct kit *kit, struct http_limits limits)
{
    atomic_store(&target, 0);
    atomic_store(&begun, 0);
    atomic_store(&ended, 0);
    kit_start_config(
        kit,
        (struct http_config){.listen = "127.0.0.1:0", .threads = 1, .app = &app, .limits = limits});
}

static void say_up_to(struct kit *kit, int number)
{
    atomic_store(&target, number);
    http_server_wake_streams(kit->server);
}

static void wait_ended(int n)
{
    pthread_mutex_lock(&lock);
    while (atomic_load(&ended) < n)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static int open_stream(struct kit *kit, const char *path, const char *version)
{
    char request[128];
    struct kit_reply reply;
    int fd = kit_connect(kit);
    snprintf(request, sizeof request, "GET %s HTTP/%s\r\nHost: x\r\n\r\n", path, version);
    kit_send_text(fd, request);
    assert_true(kit_read_reply(fd, true, &reply));
    assert_int_equal(reply.status, 200);
    assert_true(reply.close);
    assert_null(strstr(reply.head, "Content-Length"));
    assert_int_equal(
        strstr(reply.head, "\r\nTransfer-Encoding: chunked\r\n") != NULL,
        strcmp(version, "1.1") == 0);
    kit_reply_finish(&reply);
    return fd;
}

static void expect_bytes(int fd, const char *expected)
{
    char got[256];
    size_t n = strlen(expected);
    assert_int_equal(recv(fd, got, n, MSG_WAITALL), n);
    got[n] = 0;
    assert_string_equal(got, expected);
}

static void expect_nothing(int fd)
{
    char byte;
    assert_int_equal(recv(fd, &byte, 1, MSG_DONTWAIT), -1);
}

static void stream_sends_a_chunk_a_turn_when_woken(void **state)
{
    struct kit kit;
    start(&kit, (struct http_limits){0});
    int fd = open_stream(&kit, "/count", "1.1");
    say_up_to(&kit, 2);
    expect_bytes(fd, "2\r\n1\n\r\n2\r\n2\n\r\n");
    say_up_to(&kit, 3);
    expect_bytes(fd, "2\r\n3\n\r\n");
    say_up_to(&kit, 9);
    expect_bytes(
        fd, "2\r\n4\n\r\n2\r\n5\n\r\n2\r\n6\n\r\n2\r\n7\n\r\n2\r\n8\n\r\n2\r\n9\n\r\n0\r\n\r\n");
    assert_true(kit_read_end(fd));
    assert_int_equal(atomic_load(&ended), 1);
    close(fd);
    kit_stop(&kit);
}

static void http_1_0_client_gets_pieces_without_chunks(void **state)
{
    struct kit kit;
    start(&kit, (struct http_limits){0});
    int fd = kit_connect(&kit);
    kit_send_text(fd, "GET /count HTTP/1.0\r\nHost: x\r\n\r\n");
    say_up_to(&kit, 9);
    char text[1024];
    ssize_t n = recv(fd, text, sizeof text - 1, MSG_WAITALL);
    assert_true(n > 0);
    text[n] = 0;
    assert_null(strstr(text, "Transfer-Encoding"));
    assert_string_equal(strstr(text, "\r\n\r\n"), "\r\n\r\n1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    close(fd);
    kit_stop(&kit);
}

static void head_of_a_stream_has_no_body_and_keeps_the_connection(void **state)
{
    struct kit kit;
    struct kit_reply reply;
    start(&kit, (struct http_limits){0});
    int fd = kit_connect(&kit);
    atomic_store(&target, 9);
    kit_send_text(fd, "HEAD /count HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n");
    assert_true(kit_read_reply(fd, true, &reply));
    assert_non_null(strstr(reply.head, "X-Test: yes"));
    assert_null(strstr(reply.head, "Content-Length"));
    assert_false(reply.close);
    kit_reply_finish(&reply);
    assert_true(kit_read_reply(fd, false, &reply));
    assert_int_equal(reply.status, 200);
    kit_reply_finish(&reply);
    assert_int_equal(atomic_load(&ended), 1);
    close(fd);
    kit_stop(&kit);
}

static struct http_exchange *take_waiting(void)
{
    pthread_mutex_lock(&lock);
    while (!waiting)
        pthread_cond_wait(&changed, &lock);
    struct http_exchange *x = waiting;
    waiting = NULL;
    pthread_mutex_unlock(&lock);
    return x;
}

static void waiting_stream_takes_no_turn_until_it_is_resumed(void **state)
{
    struct kit kit;
    start(&kit, (struct http_limits){0});
    int fd = open_stream(&kit, "/wait", "1.1");
    say_up_to(&kit, 2);
    expect_bytes(fd, "2\r\n1\n\r\n");
    struct http_exchange *x = take_waiting();
    say_up_to(&kit, 3);
    /* a second stream shows that the loop has taken its turns */
    int other = open_stream(&kit, "/count", "1.1");
    expect_bytes(other, "2\r\n1\n\r\n2\r\n2\n\r\n2\r\n3\n\r\n");
    expect_nothing(fd);
    http_stream_resume(x);
    expect_bytes(fd, "2\r\n2\n\r\n2\r\n3\n\r\n");
    close(fd);
    close(other);
    wait_ended(2);
    kit_stop(&kit);
}

static void client_that_leaves_a_waiting_stream_ends_it_once_resumed(void **state)
{
    struct kit kit;
    start(&kit, (struct http_limits){0});
    int fd = open_stream(&kit, "/wait", "1.1");
    say_up_to(&kit, 1);
    expect_bytes(fd, "2\r\n1\n\r\n");
    close(fd);
    while (kit_stats(&kit).connections_open > 0)
        sched_yield();
    assert_int_equal(atomic_load(&ended), 0);
    http_stream_resume(take_waiting());
    wait_ended(1);
    kit_stop(&kit);
    assert_int_equal(atomic_load(&ended), 1);
}

static void client_that_closes_or_half_closes_ends_its_stream(void **state)
{
    struct kit kit;
    start(&kit, (struct http_limits){0});
    close(open_stream(&kit, "/count", "1.1"));
    wait_ended(1);
    int fd = open_stream(&kit, "/count", "1.1");
    kit_shut(fd);
    wait_ended(2);
    assert_true(kit_read_end(fd));
    close(fd);
    kit_stop(&kit);
}

static void bytes_behind_the_request_are_dropped_up_to_a_limit(void **state)
{
    static char bytes[HTTP_LINGER_MAX + 1];
    struct kit kit;
    start(&kit, (struct http_limits){0});
    int fd = open_stream(&kit, "/count", "1.1");
    kit_send_text(fd, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    say_up_to(&kit, 1);
    expect_bytes(fd, "2\r\n1\n\r\n");
    memset(bytes, 'b', sizeof bytes);
    kit_send(fd, bytes, sizeof bytes);
    wait_ended(1);
    close(fd);
    kit_stop(&kit);
}

/* Until the socket of a client has not taken all. */
static void wait_for_parked(const struct kit *kit)
{
    while (kit_stats(kit).reply_bytes_waiting == 0)
        sched_yield();
}

static void client_that_takes_nothing_is_reset(void **state)
{
    struct kit kit;
    start(&kit, (struct http_limits){.write_grace_ms = KIT_HOUR_MS, KIT_LOOKS_OFTEN});
    int fd = open_stream(&kit, "/more", "1.1");
    wait_for_parked(&kit);
    int looks = 0; /* the first owes nothing, and the client's kernel may take more after it */
    for (; looks < 20 && kit_stats(&kit).closed_slow_reader == 0; looks++)
        kit_advance(&kit, KIT_HOUR_MS / 2);
    assert_in_range(looks, 3, 19);
    wait_ended(1);
    while (kit_stats(&kit).reply_bytes_waiting > 0)
        sched_yield();
    close(fd);
    kit_stop(&kit);
}

static void slow_client_holds_one_piece_of_memory(void **state)
{
    struct kit kit;
    start(&kit, (struct http_limits){0});
    int fd = open_stream(&kit, "/more", "1.1");
    wait_for_parked(&kit);
    assert_true(kit_stats(&kit).reply_bytes_waiting <= 40 * 1024);
    close(fd);
    wait_ended(1);
    kit_stop(&kit);
}

static void quiet_stream_gets_heartbeats(void **state)
{
    struct kit kit;
    start(&kit, (struct http_limits){KIT_LOOKS_OFTEN});
    int fd = open_stream(&kit, "/count", "1.1");
    for (int i = 0; i < 2; i++) {
        kit_advance(&kit, KIT_HOUR_MS / 2);
        expect_nothing(fd);
        kit_advance(&kit, KIT_HOUR_MS / 2);
        expect_bytes(fd, "3\r\n:\n\n\r\n");
    }
    close(fd);
    wait_ended(1);
    kit_stop(&kit);
}

static void other_requests_are_answered_while_streams_have_more(void **state)
{
    struct kit kit;
    struct kit_reply reply;
    int fds[40];
    start(&kit, (struct http_limits){0});
    atomic_store(&target, 8);
    for (int i = 0; i < 40; i++)
        fds[i] = open_stream(&kit, i % 2 ? "/count" : "/more", "1.1");
    int fd = kit_connect(&kit);
    for (int i = 0; i < 20; i++) {
        kit_send_text(fd, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        assert_true(kit_read_reply(fd, false, &reply));
        kit_reply_finish(&reply);
    }
    for (int i = 0; i < 40; i++)
        close(fds[i]);
    close(fd);
    wait_ended(40);
    kit_stop(&kit);
}

/* Each leaves at another point: before its head, inside a piece, while it waits, at its end. */
static void streams_of_clients_that_come_and_go_all_end(void **state)
{
    enum { CLIENTS = 300 };
    static const char *const requests[] = {
        "GET /more HTTP/1.1\r\nHost: x\r\n\r\n", "GET /count HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /count HTTP/1.0\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /more HTTP/1.1\r\nHost: x\r\n\r\n"};
    struct kit kit;
    char bytes[100000];
    start(&kit, (struct http_limits){0});
    for (size_t i = 0; i < CLIENTS; i++) {
        int fd = kit_connect(&kit);
        kit_send_text(fd, requests[i % 4]);
        if (i % 3 == 0)
            say_up_to(&kit, (int)(i % 10));
        if (i % 5)
            assert_true(recv(fd, bytes, 1 + i * 331 % sizeof bytes, 0) > 0);
        if (i % 7 == 0)
            kit_shut(fd);
        close(fd);
    }
    while (kit_stats(&kit).connections_open > 0)
        sched_yield();
    assert_true(http_server_drain(kit.server, KIT_HOUR_MS));
    kit_stop(&kit);
    assert_true(atomic_load(&ended) > 0);
    assert_true(atomic_load(&ended) <= CLIENTS);
    assert_int_equal(atomic_load(&ended), atomic_load(&begun));
}

static void draining_ends_streams_with_their_last_chunk(void **state)
{
    struct kit kit;
    start(&kit, (struct http_limits){0});
    int fd = open_stream(&kit, "/count", "1.1");
    say_up_to(&kit, 1);
    expect_bytes(fd, "2\r\n1\n\r\n");
    assert_true(http_server_drain(kit.server, KIT_HOUR_MS));
    expect_bytes(fd, "0\r\n\r\n");
    assert_true(kit_read_end(fd));
    assert_int_equal(atomic_load(&ended), 1);
    close(fd);
    kit_stop(&kit);
}

static void *drain(void *kit)
{
    return http_server_drain(((struct kit *)kit)->server, KIT_HOUR_MS) ? kit : NULL;
}

static void draining_waits_for_a_stream_that_waits(void **state)
{
    struct kit kit;
    pthread_t thread;
    void *drained;
    start(&kit, (struct http_limits){.linger_ms = 20});
    int fd = open_stream(&kit, "/wait", "1.1"), other = open_stream(&kit, "/count", "1.1");
    say_up_to(&kit, 1);
    expect_bytes(fd, "2\r\n1\n\r\n");
    struct http_exchange *x = take_waiting();
    expect_bytes(other, "2\r\n1\n\r\n");
    assert_int_equal(pthread_create(&thread, NULL, drain, &kit), 0);
    expect_bytes(other, "0\r\n\r\n"); /* the loop drains */
    assert_true(kit_read_end(other));
    expect_nothing(fd);
    http_stream_resume(x);
    expect_bytes(fd, "0\r\n\r\n");
    pthread_join(thread, &drained);
    assert_non_null(drained);
    close(fd);
    close(other);
    kit_stop(&kit);
}

/* Also of a client that takes longer than the last bytes of a connection have. */
static void finite_stream_is_whole_although_the_server_drains(void **state)
{
    enum { CHUNK_SIZE = 6 + PIECE_SIZE + 2 }; /* "8000", and two ends of lines */
    static char bytes[FILE_PIECES * CHUNK_SIZE + 5];
    struct kit kit;
    pthread_t thread;
    void *drained;
    size_t n = 0;
    ssize_t got;
    start(&kit, (struct http_limits){.write_grace_ms = KIT_HOUR_MS, KIT_LOOKS_OFTEN});
    int fd = open_stream(&kit, "/file", "1.1"), other = open_stream(&kit, "/count", "1.1");
    assert_int_equal(pthread_create(&thread, NULL, drain, &kit), 0);
    expect_bytes(other, "0\r\n\r\n"); /* the loop drains */
    kit_advance(&kit, KIT_HOUR_MS / 2);
    while (n < sizeof bytes && (got = recv(fd, bytes + n, sizeof bytes - n, 0)) > 0)
        n += (size_t)got;
    assert_int_equal(n, sizeof bytes);
    assert_memory_equal(bytes + sizeof bytes - 5, "0\r\n\r\n", 5);
    pthread_join(thread, &drained);
    assert_non_null(drained);
    close(fd);
    close(other);
    kit_stop(&kit);
}

static void draining_does_not_wait_for_a_client_that_takes_nothing(void **state)
{
    struct kit kit;
    start(&kit, (struct http_limits){.linger_ms = 100});
    int fd = open_stream(&kit, "/more", "1.1");
    wait_for_parked(&kit);
    assert_true(http_server_drain(kit.server, KIT_HOUR_MS));
    assert_int_equal(atomic_load(&ended), 1);
    close(fd);
    kit_stop(&kit);
}

static void server_can_be_destroyed_with_open_streams(void **state)
{
    struct kit kit;
    start(&kit, (struct http_limits){0});
    int count = open_stream(&kit, "/count", "1.1"), more = open_stream(&kit, "/more", "1.1");
    kit_stop(&kit);
    assert_int_equal(atomic_load(&ended), 2);
    close(count);
    close(more);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stream_sends_a_chunk_a_turn_when_woken),
        cmocka_unit_test(http_1_0_client_gets_pieces_without_chunks),
        cmocka_unit_test(head_of_a_stream_has_no_body_and_keeps_the_connection),
        cmocka_unit_test(waiting_stream_takes_no_turn_until_it_is_resumed),
        cmocka_unit_test(client_that_leaves_a_waiting_stream_ends_it_once_resumed),
        cmocka_unit_test(client_that_closes_or_half_closes_ends_its_stream),
        cmocka_unit_test(bytes_behind_the_request_are_dropped_up_to_a_limit),
        cmocka_unit_test(client_that_takes_nothing_is_reset),
        cmocka_unit_test(slow_client_holds_one_piece_of_memory),
        cmocka_unit_test(quiet_stream_gets_heartbeats),
        cmocka_unit_test(other_requests_are_answered_while_streams_have_more),
        cmocka_unit_test(streams_of_clients_that_come_and_go_all_end),
        cmocka_unit_test(draining_ends_streams_with_their_last_chunk),
        cmocka_unit_test(draining_waits_for_a_stream_that_waits),
        cmocka_unit_test(finite_stream_is_whole_although_the_server_drains),
        cmocka_unit_test(draining_does_not_wait_for_a_client_that_takes_nothing),
        cmocka_unit_test(server_can_be_destroyed_with_open_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
