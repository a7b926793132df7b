/* Clients that are watched while the application works for them: http_watch_client. */
#include "unit.h"

#include <sched.h>
#include <unistd.h>

#include "http_kit.h"

#define WATCHED "GET /watched HTTP/1.1\r\nHost: a\r\n\r\n"
#define PLAIN "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

/* A server with one worker, which holds the request of the client that is returned. */
static int start_held(struct kit *kit)
{
    kit_start_config(
        kit,
        (struct http_config){.listen = "127.0.0.1:0", .threads = 1, .lanes = {{.threads = 1}}});
    kit_hold_again();
    int fd = kit_connect(kit);
    kit_send_text(fd, WATCHED);
    kit_wait_held(1);
    return fd;
}

static int ask(const struct kit *kit, const char *text)
{
    size_t before = kit_stats(kit).deferred_waiting;
    int fd = kit_connect(kit);
    kit_send_text(fd, text);
    while (kit_stats(kit).deferred_waiting == before)
        sched_yield();
    return fd;
}

static void wait_until_open(const struct kit *kit, size_t connections)
{
    while (kit_stats(kit).connections_open != connections)
        sched_yield();
}

static void expect(int fd, int status)
{
    struct kit_reply reply;
    assert_true(kit_read_reply(fd, false, &reply));
    assert_int_equal(reply.status, status);
    kit_reply_finish(&reply);
}

static void client_that_left_is_noticed_before_its_turn(void **state)
{
    struct kit kit;
    int skipped = kit_skipped();
    int first = start_held(&kit), second = ask(&kit, WATCHED);
    int closed = ask(&kit, WATCHED), shut = ask(&kit, WATCHED);
    close(closed);
    kit_shut(shut);
    wait_until_open(&kit, 2);
    assert_true(kit_read_end(shut));
    close(shut);
    close(first); /* the worker is at it */
    wait_until_open(&kit, 1);
    kit_release();
    expect(second, 200);
    close(second);
    while (kit_stats(&kit).replies_dropped < 3)
        sched_yield();
    assert_int_equal(kit_skipped() - skipped, 2);
    kit_stop(&kit);
}

static void server_that_drains_does_not_wait_for_them(void **state)
{
    struct kit kit;
    int skipped = kit_skipped();
    int first = start_held(&kit);
    for (int i = 0; i < 30; i++)
        close(ask(&kit, WATCHED));
    close(first);
    assert_true(http_server_drain(kit.server, KIT_HOUR_MS)); /* the worker still holds the first */
    kit_release();
    kit_stop(&kit);
    assert_int_equal(kit_skipped() - skipped, 30);
}

/* Not the end of the client: the next request, in one piece or in two. */
static void requests_behind_are_answered(void **state)
{
    struct kit kit;
    int first = start_held(&kit);
    int whole = ask(&kit, WATCHED PLAIN), begun = ask(&kit, WATCHED "GET / HT");
    kit_send_text(first, WATCHED "GET /");
    kit_release();
    kit_send_text(begun, "TP/1.1\r\nHost: a\r\n\r\n");
    kit_send_text(first, " HTTP/1.1\r\nHost: a\r\n\r\n");
    int fds[] = {whole, begun, first};
    for (int i = 0; i < 3; i++) {
        expect(fds[i], 200);
        expect(fds[i], 200);
    }
    expect(first, 200);
    for (int i = 0; i < 3; i++)
        close(fds[i]);
    kit_stop(&kit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(client_that_left_is_noticed_before_its_turn),
        cmocka_unit_test(server_that_drains_does_not_wait_for_them),
        cmocka_unit_test(requests_behind_are_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
