/* The whole server: deadlines, limits, workers, descriptors, draining. */
#include "unit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <linux/tcp.h>
#include <net/if.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "corpus.h"
#include "http_kit.h"

static void expect_reply(int fd, int status, bool close_after)
{
    struct kit_reply reply;
    assert_true(kit_read_reply(fd, false, &reply));
    assert_int_equal(reply.status, status);
    assert_int_equal(reply.close, close_after);
    kit_reply_finish(&reply);
}

static void assert_outcome(int fd, const char *expected)
{
    char outcome[256];
    kit_outcome(fd, outcome, sizeof outcome);
    assert_string_equal(outcome, expected);
    close(fd);
}

/* ---- deadlines ---- */

static void incomplete_head_gets_408(void **state)
{
    struct kit kit;
    kit_start(&kit, &(struct http_limits){.head_ms = 40});
    int one = kit_connect(&kit), after = kit_connect(&kit);
    kit_send_text(one, "G");
    kit_send_text(after, NEXT "GET / HTTP/1.1\r\nHost");
    assert_outcome(one, "408!");
    assert_outcome(after, "200 408!");
    assert_int_equal(kit_stats(&kit).refused_timeout, 2);
    kit_stop(&kit);
}

/* Each byte arrives in time, but the head does not: the deadline is absolute. */
static void trickled_bytes_do_not_extend_deadline(void **state)
{
    enum { BYTES = 6 };
    struct kit kit;
    kit_start_one(&kit, (struct http_limits){.head_ms = KIT_HOUR_MS, KIT_LOOKS_OFTEN});
    int fd = kit_connect(&kit);
    kit_send_text(fd, GET "X-Slow: ");
    for (int i = 0; i < BYTES; i++) {
        assert_int_equal(kit_stats(&kit).refused_timeout, 0);
        kit_send_text(fd, "x");
        kit_advance(&kit, KIT_HOUR_MS / BYTES);
    }
    assert_outcome(fd, "408!");
    assert_int_equal(kit_stats(&kit).refused_timeout, 1);
    kit_stop(&kit);
}

static void incomplete_body_gets_408(void **state)
{
    struct kit kit;
    kit_start(&kit, &(struct http_limits){.body_ms = 40});
    int by_length = kit_connect(&kit), chunked = kit_connect(&kit);
    kit_send_text(by_length, POST HOST "Content-Length: 3\r\n" END "ab");
    kit_send_text(chunked, CHUNKED "3\r\nabc\r\n");
    assert_outcome(by_length, "408!");
    assert_outcome(chunked, "408!");
    kit_stop(&kit);
}

/* As after a pause of the machine: the loop finds the rest of both requests when it goes on, later
 * than their deadlines. The loop's timer is due by then, and runs before it looks at sockets. */
static void request_that_arrived_during_a_pause_is_answered(void **state)
{
    struct kit kit;
    kit_start_one(
        &kit,
        (struct http_limits){.head_ms = KIT_HOUR_MS, .body_ms = KIT_HOUR_MS, KIT_LOOKS_OFTEN});
    int head = kit_connect(&kit), body = kit_connect(&kit), half = kit_connect(&kit),
        stall = kit_connect(&kit);
    kit_send_text(head, GET HOST "X-Slow: ");
    kit_send_text(body, POST HOST "Connection: close\r\nContent-Length: 4\r\n" END "ab");
    kit_send_text(half, POST HOST "Content-Length: 5\r\n" END "ab");
    kit_wait_read(&kit);
    kit_hold_again();
    kit_send_text(stall, "GET /stall HTTP/1.1\r\n" HOST END);
    kit_wait_held(1);
    kit_send_text(head, "x\r\nConnection: close\r\n" END);
    kit_send_text(body, "cd");
    kit_send_text(half, "cd");
    clock_mono_advance(KIT_HOUR_MS);
    struct timespec began, now;
    clock_gettime(CLOCK_MONOTONIC, &began);
    do /* until the timer is due; too early, the test would pass for another reason */
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - began.tv_sec) * 1000 + (now.tv_nsec - began.tv_nsec) / 1000000 < 20);
    kit_release();
    assert_outcome(head, "200!");
    assert_outcome(body, "200!");
    assert_outcome(half, "408!");
    kit_stop(&kit);
}

/* 200 connections of one address on a costly page: others have a thread at once. */
static void key_has_half_of_the_threads_and_others_pass_it(void **state)
{
    enum { MANY = 20, THREADS = 4 };
    struct kit kit;
    int many[MANY], others[2];
    kit_start_config(
        &kit, (struct http_config){
                  .listen = "127.0.0.1:0", .threads = 1, .lanes = {{.threads = THREADS}}});
    kit_hold_again();
    for (int i = 0; i < MANY; i++) {
        many[i] = kit_connect(&kit);
        kit_send_text(many[i], "GET /hold/1 HTTP/1.1\r\n" HOST "Connection: close\r\n" END);
    }
    kit_wait_held(THREADS / 2);
    while (kit_stats(&kit).deferred_waiting < MANY - THREADS / 2)
        sched_yield();
    for (int i = 0; i < 2; i++) { /* one of another key, and one without */
        others[i] = kit_connect(&kit);
        kit_send_text(
            others[i], i ? "GET /hold HTTP/1.1\r\n" HOST "Connection: close\r\n" END
                         : "GET /hold/2 HTTP/1.1\r\n" HOST "Connection: close\r\n" END);
    }
    kit_wait_held(THREADS / 2 + 2);
    assert_int_equal(kit_stats(&kit).deferred_waiting, MANY - THREADS / 2);
    kit_release();
    for (int i = 0; i < MANY; i++)
        assert_outcome(many[i], "200!");
    for (int i = 0; i < 2; i++)
        assert_outcome(others[i], "200!");
    kit_stop(&kit);
}

static void wait_for_accepted(const struct kit *kit, uint64_t n)
{
    while (kit_stats(kit).connections_accepted < n)
        sched_yield();
}

static void idle_connection_is_closed_silently(void **state)
{
    struct kit kit;
    kit_start_one(&kit, (struct http_limits){.idle_ms = KIT_HOUR_MS, KIT_LOOKS_OFTEN});
    int fresh = kit_connect(&kit), used = kit_connect(&kit);
    kit_send_text(used, NEXT);
    wait_for_accepted(&kit, 2);
    kit_advance(&kit, KIT_HOUR_MS);
    assert_outcome(fresh, "");
    assert_outcome(used, "200");
    assert_int_equal(kit_stats(&kit).closed_idle, 2);
    kit_stop(&kit);
}

static void reader_below_minimum_rate_is_reset(void **state)
{
    struct kit kit;
    kit_start(&kit, &(struct http_limits){.write_grace_ms = 40, .write_floor = 100u << 20});
    int fd = kit_connect(&kit);
    int small = 4096;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    kit_send_text(fd, "GET /size/16000000 HTTP/1.1\r\n" HOST END);
    while (kit_stats(&kit).closed_slow_reader == 0)
        sched_yield();
    char bytes[4096];
    ssize_t n;
    do /* only bytes that have arrived */
        n = recv(fd, bytes, sizeof bytes, 0);
    while (n > 0);
    assert_int_equal(n, -1);
    assert_int_equal(errno, ECONNRESET);
    close(fd);
    kit_stop(&kit);
}

/* A client whose kernel takes about so much. */
static int connect_with_buffer(const struct kit *kit, int size)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size), 0);
    kit_connect_fd(kit, fd);
    return fd;
}

/* One that takes hardly anything: the rest stays in the server's. */
static int connect_small(const struct kit *kit)
{
    return connect_with_buffer(kit, 1);
}

static void wait_until_cut(const struct kit *kit)
{
    while (kit_stats(kit).closed_slow_reader == 0 || kit_stats(kit).connections_open > 0)
        sched_yield();
    assert_int_equal(kit_stats(kit).closed_slow_reader, 1);
    assert_int_equal(kit_stats(kit).closed_idle, 0);
}

/* The answers fit into the sockets, so the server does not wait for them; the kernel would, for
 * minutes. The other deadlines are those of a server. */
static void reply_in_the_kernel_is_cut_at_the_write_deadline(void **state)
{
    static const char *const requests[] = {
        "GET /size/60000 HTTP/1.1\r\n" HOST END,
        "GET /size/60000 HTTP/1.1\r\n" HOST END "GET /size/1 HTTP/1.1\r\n" HOST END,
        "GET /size/60000 HTTP/1.1\r\n" HOST END "GET /inc",              /* an incomplete head */
        "GET /size/60000 HTTP/1.1\r\n" HOST "Connection: close\r\n" END, /* lingers */
        "GET /size/60000 HTTP/1.1\r\n" HOST END "GET /later HTTP/1.1\r\n" HOST END,
    };
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        struct kit kit;
        kit_start(
            &kit,
            &(struct http_limits){.write_grace_ms = 100, .write_floor = 1 << 20, .linger_ms = 20});
        int fd = connect_small(&kit);
        int64_t began_ms = clock_mono_ms();
        kit_send_text(fd, requests[i]);
        struct http_exchange *x = i == 4 ? kit_wait_later() : NULL;
        wait_until_cut(&kit);
        assert_true(clock_mono_ms() - began_ms >= 100);
        if (x)
            kit_resume(x);
        close(fd);
        kit_stop(&kit);
    }
}

static void half_closed_client_that_reads_nothing_is_reset(void **state)
{
    struct kit kit;
    kit_start(
        &kit,
        &(struct http_limits){.write_grace_ms = 100, .write_floor = 1 << 20, .linger_ms = 20});
    int fd = connect_small(&kit);
    kit_send_text(fd, "GET /size/60000 HTTP/1.1\r\n" HOST END "GET /inc");
    kit_shut(fd);
    wait_until_cut(&kit);
    close(fd);
    kit_stop(&kit);
}

static void requests_do_not_extend_the_write_deadline(void **state)
{
    enum { REQUESTS = 20, STEP_MS = KIT_HOUR_MS / 4 };
    struct kit kit;
    kit_start_one(
        &kit, (struct http_limits){
                  .write_grace_ms = KIT_HOUR_MS, .idle_ms = KIT_HOUR_MS, KIT_LOOKS_OFTEN});
    int fd = connect_small(&kit);
    kit_send_text(fd, "GET /size/60000 HTTP/1.1\r\n" HOST END);
    for (int i = 0; i < REQUESTS && kit_stats(&kit).closed_slow_reader == 0; i++) {
        kit_send_text(fd, "HEAD / HTTP/1.1\r\n" HOST END);
        kit_advance(&kit, STEP_MS);
    }
    assert_int_equal(kit_stats(&kit).closed_slow_reader, 1);
    close(fd);
    kit_stop(&kit);
}

/* Reads n bytes. */
static void read_some(int fd, size_t n)
{
    static char bytes[1 << 16];
    while (n > 0) {
        ssize_t got = recv(fd, bytes, n < sizeof bytes ? n : sizeof bytes, 0);
        assert_true(got > 0);
        n -= (size_t)got;
    }
}

/* Twice the minimum rate, for longer than all deadlines: with a reply in libuv, in the kernel
 * alone, behind other replies, and as the last one of its connection, on either side's request. A
 * client may be late by what its own kernel holds back, so the grace is worth more. */
static void reader_at_promised_rate_is_kept(void **state)
{
    static const char *const requests[] = {
        "GET /size/900000 HTTP/1.1\r\n" HOST END NEXT,
        "GET /size/60000 HTTP/1.1\r\n" HOST END NEXT,
        "GET /size/60000 HTTP/1.1\r\n" HOST "Connection: close\r\n" END,
        "GET /size/30000 HTTP/1.1\r\n" HOST END "GET /size/30000 HTTP/1.1\r\n" HOST END
        "GET /size/900000 HTTP/1.1\r\n" HOST END,
    };
    enum { N = sizeof requests / sizeof *requests, STEPS = 50, STEP_S = 60, FLOOR = 5 };
    struct kit kit;
    int fds[N];
    kit_start_one(
        &kit, (struct http_limits){
                  .write_grace_ms = 20 * STEP_S * 1000,
                  .write_floor = FLOOR,
                  .linger_ms = STEP_S * 1000,
                  .idle_ms = STEP_S * 1000,
                  KIT_LOOKS_OFTEN});
    for (size_t i = 0; i < N; i++) {
        fds[i] = connect_small(&kit);
        kit_send_text(fds[i], requests[i]);
    }
    kit_shut(fds[1]);
    for (int step = 0; step < STEPS; step++) {
        for (size_t i = 0; i < N; i++)
            read_some(fds[i], 2 * (size_t)FLOOR * STEP_S);
        kit_advance(&kit, STEP_S * 1000);
    }
    assert_int_equal(kit_stats(&kit).closed_slow_reader, 0);
    assert_int_equal(kit_stats(&kit).connections_open, N);
    for (size_t i = 0; i < N; i++)
        close(fds[i]);
    kit_stop(&kit);
}

static void idle_client_that_took_all_is_not_cut(void **state)
{
    struct kit kit;
    kit_start_one(
        &kit, (struct http_limits){
                  .write_grace_ms = KIT_HOUR_MS / 10, .idle_ms = 2 * KIT_HOUR_MS, KIT_LOOKS_OFTEN});
    int fd = kit_connect(&kit);
    kit_send_text(fd, "GET /size/60000 HTTP/1.1\r\n" HOST END);
    expect_reply(fd, 200, false);
    kit_advance(&kit, KIT_HOUR_MS);
    kit_advance(&kit, KIT_HOUR_MS / 2);
    kit_send_text(fd, NEXT);
    expect_reply(fd, 200, false);
    assert_int_equal(kit_stats(&kit).closed_slow_reader, 0);
    close(fd);
    kit_stop(&kit);
}

/* The server's end of a client's connection, which is in this process. */
static int other_end(int fd)
{
    struct sockaddr_in own, peer;
    socklen_t own_n = sizeof own;
    assert_int_equal(getsockname(fd, (struct sockaddr *)&own, &own_n), 0);
    for (int other = 3; other < 1024; other++) {
        socklen_t n = sizeof peer;
        if (getpeername(other, (struct sockaddr *)&peer, &n) == 0 && peer.sin_family == AF_INET &&
            peer.sin_port == own.sin_port)
            return other;
    }
    fail_msg("the server has not accepted the connection");
    return -1;
}

/* Bytes that the other kernel has said to have. */
static uint64_t acknowledged(int fd)
{
    struct tcp_info info;
    socklen_t n = sizeof info;
    assert_int_equal(getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &n), 0);
    return info.tcpi_bytes_acked;
}

/* Its kernel takes much at once and then reports in large steps what was read. Each step comes
 * within the grace. */
static void reader_with_a_large_buffer_is_kept(void **state)
{
    enum { STEPS = 4, SIZE = 16000000 };
    struct kit kit;
    char bytes[65536];
    kit_start_one(
        &kit,
        (struct http_limits){.write_grace_ms = KIT_HOUR_MS, .write_floor = 1, KIT_LOOKS_OFTEN});
    int fd = connect_with_buffer(&kit, 1 << 20);
    kit_send_text(fd, "GET /size/16000000 HTTP/1.1\r\n" HOST "Connection: close\r\n" END);
    kit_wait_read(&kit);
    int server = other_end(fd);
    size_t all = 0;
    for (int step = 0; step < STEPS; step++) {
        for (uint64_t before = acknowledged(server); acknowledged(server) == before;) {
            ssize_t n = recv(fd, bytes, sizeof bytes, 0);
            assert_true(n > 0);
            all += (size_t)n;
        }
        kit_advance(&kit, KIT_HOUR_MS / 2);
    }
    assert_true(all < SIZE / 2); /* the server had more to send all the time */
    for (ssize_t n; (n = recv(fd, bytes, sizeof bytes, 0)) != 0; all += (size_t)n)
        assert_true(n > 0);
    assert_in_range(all, SIZE, SIZE + 4096);
    close(fd);
    assert_int_equal(kit_stats(&kit).closed_slow_reader, 0);
    kit_stop(&kit);
}

/* ---- replies that wait for their clients ---- */

static void wait_for_parked(const struct kit *kit, size_t n)
{
    while (kit_stats(kit).reply_bytes_waiting < n)
        sched_yield();
}

static void expect_body(int fd, size_t n, const char *pattern, size_t pattern_n)
{
    struct kit_reply reply;
    assert_true(kit_read_reply(fd, false, &reply));
    assert_int_equal(reply.status, 200);
    assert_int_equal(reply.body_n, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(reply.body[i], pattern[i % pattern_n]);
    kit_reply_finish(&reply);
}

/* A body of process lifetime is not copied. */
static void parked_replies_and_requests_behind_them_are_complete(void **state)
{
    static const char cycle[] = "abcdefghijklmnopqrstuvw";
    struct kit kit;
    kit_start(&kit, NULL);
    int fd = connect_small(&kit);
    kit_send_text(
        fd, "GET /size/900000 HTTP/1.1\r\n" HOST END "GET /const HTTP/1.1\r\n" HOST END
            "GET /size/300000 HTTP/1.1\r\n" HOST END "GET /lines/3500 HTTP/1.1\r\n" HOST END NEXT
            "POST / HTTP/1.1\r\n" HOST "Content-Length: 5\r\n" END "ab");
    wait_for_parked(&kit, 500000);
    assert_in_range(kit_stats(&kit).reply_bytes_waiting, 500000, 904096);
    int large = 1 << 20;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &large, sizeof large);
    expect_body(fd, 900000, "x", 1);
    while (kit_stats(&kit).reply_bytes_waiting > 8192)
        sched_yield();
    expect_body(fd, KIT_CONST_SIZE, cycle, sizeof cycle - 1);
    expect_body(fd, 300000, "x", 1);
    expect_body(fd, 2, "ok", 2);
    expect_reply(fd, 200, false);
    kit_send_text(fd, "cde");
    expect_reply(fd, 200, false);
    assert_int_equal(kit_stats(&kit).reply_bytes_waiting, 0);
    close(fd);
    kit_stop(&kit);
}

static void reply_over_the_limit_of_all_waiting_ones_is_cut(void **state)
{
    struct kit kit;
    kit_start(&kit, &(struct http_limits){.reply_bytes = 1 << 20});
    int one = connect_small(&kit), two = connect_small(&kit), good = kit_connect(&kit);
    kit_send_text(one, "GET /size/900000 HTTP/1.1\r\n" HOST END);
    wait_for_parked(&kit, 500000);
    kit_send_text(two, "GET /size/900000 HTTP/1.1\r\n" HOST END);
    while (kit_stats(&kit).closed_memory == 0 || kit_stats(&kit).connections_open > 2)
        sched_yield();
    assert_int_equal(kit_stats(&kit).closed_memory, 1);
    kit_send_text(good, "GET /size/60000 HTTP/1.1\r\n" HOST END NEXT);
    expect_body(good, 60000, "x", 1);
    expect_reply(good, 200, false);
    expect_body(one, 900000, "x", 1); /* was there first */
    while (kit_stats(&kit).reply_bytes_waiting > 0)
        sched_yield();
    int three = connect_small(&kit); /* there is room again */
    kit_send_text(three, "GET /size/900000 HTTP/1.1\r\n" HOST END);
    expect_body(three, 900000, "x", 1);
    assert_int_equal(kit_stats(&kit).closed_memory, 1);
    close(one), close(two), close(three), close(good);
    kit_stop(&kit);
}

static void memory_of_waiting_replies_ends_with_their_connections(void **state)
{
    struct kit kit;
    kit_start(&kit, NULL);
    int waits = connect_small(&kit), leaves = connect_small(&kit);
    kit_send_text(waits, "GET /size/900000 HTTP/1.1\r\n" HOST END);
    wait_for_parked(&kit, 500000);
    kit_send_text(leaves, "GET /size/900000 HTTP/1.1\r\n" HOST END NEXT);
    wait_for_parked(&kit, 1000000);
    setsockopt(
        leaves, SOL_SOCKET, SO_LINGER, &(struct linger){.l_onoff = 1}, sizeof(struct linger));
    close(leaves);
    while (kit_stats(&kit).reply_bytes_waiting > 950000)
        sched_yield();
    kit_stop(&kit); /* ends the other one */
    close(waits);
}

/* The handler's later answer is dropped. */
static void slow_application_gets_503(void **state)
{
    struct kit kit;
    struct kit_reply reply;
    kit_start(&kit, &(struct http_limits){.reply_ms = 40});
    int get = kit_connect(&kit), head = kit_connect(&kit);
    kit_send_text(get, "GET /later HTTP/1.1\r\n" HOST END NEXT);
    struct http_exchange *of_get = kit_wait_later();
    kit_send_text(head, "HEAD /later HTTP/1.1\r\n" HOST END);
    struct http_exchange *of_head = kit_wait_later();
    assert_outcome(get, "503!");
    assert_true(kit_read_reply(head, true, &reply));
    assert_int_equal(reply.status, 503);
    kit_reply_finish(&reply);
    assert_true(kit_read_end(head)); /* no body either */
    close(head);
    assert_int_equal(kit_stats(&kit).replies_abandoned, 2);
    kit_resume(of_get);
    kit_resume(of_head);
    while (kit_stats(&kit).replies_dropped < 2)
        sched_yield();
    kit_stop(&kit);
}

/* ---- limits ---- */

static void connection_closes_after_request_maximum(void **state)
{
    struct kit kit;
    kit_start(&kit, &(struct http_limits){.requests_per_connection = 3});
    int fd = kit_connect(&kit);
    kit_send_text(fd, NEXT NEXT NEXT NEXT NEXT);
    assert_outcome(fd, "200 200 200!");
    kit_stop(&kit);
}

static void total_connections_are_bounded(void **state)
{
    struct kit kit;
    kit_start(&kit, &(struct http_limits){.connections = 2});
    int a = kit_connect(&kit), b = kit_connect(&kit);
    kit_send_text(a, NEXT);
    expect_reply(a, 200, false);
    kit_send_text(b, NEXT);
    expect_reply(b, 200, false);
    int c = kit_connect(&kit);
    assert_true(kit_read_end(c)); /* nothing was sent, so there is no reset */
    close(c);
    assert_int_equal(kit_stats(&kit).refused_full, 1);
    close(a);
    while (kit_stats(&kit).connections_open > 1)
        sched_yield();
    c = kit_connect(&kit);
    kit_send_text(c, NEXT);
    expect_reply(c, 200, false);
    close(b);
    close(c);
    kit_stop(&kit);
}

/* An IPv4 address of this machine other than loopback; false: none. */
static bool own_address(struct sockaddr_in *ret)
{
    struct ifaddrs *all;
    bool found = false;
    assert_int_equal(getifaddrs(&all), 0);
    for (struct ifaddrs *i = all; i && !found; i = i->ifa_next) {
        if (!i->ifa_addr || i->ifa_addr->sa_family != AF_INET || (i->ifa_flags & IFF_LOOPBACK))
            continue;
        memcpy(ret, i->ifa_addr, sizeof *ret);
        found = true;
    }
    freeifaddrs(all);
    return found;
}

static int connect_to(const struct sockaddr_in *address)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)address, sizeof *address), 0);
    return fd;
}

static void connections_per_address_are_bounded_except_loopback(void **state)
{
    struct sockaddr_in address;
    if (!own_address(&address)) {
        print_message("this machine has loopback only\n");
        skip();
    }
    struct kit kit;
    kit_start_config(
        &kit, (struct http_config){
                  .listen = "0.0.0.0:0", .threads = 2, .limits.connections_per_address = 2});
    address.sin_port = htons(kit.port);
    int one = connect_to(&address), two = connect_to(&address);
    kit_send_text(one, NEXT);
    expect_reply(one, 200, false);
    kit_send_text(two, NEXT);
    expect_reply(two, 200, false);
    int three = connect_to(&address);
    assert_true(kit_read_end(three));
    close(three);
    assert_int_equal(kit_stats(&kit).refused_address, 1);
    int local[8];
    for (int i = 0; i < 8; i++) {
        local[i] = kit_connect(&kit);
        kit_send_text(local[i], NEXT);
        expect_reply(local[i], 200, false);
    }
    close(one);
    while (kit_stats(&kit).connections_open > 9)
        sched_yield();
    three = connect_to(&address);
    kit_send_text(three, NEXT);
    expect_reply(three, 200, false);
    for (int i = 0; i < 8; i++)
        close(local[i]);
    close(two);
    close(three);
    kit_stop(&kit);
}

static int count_descriptors_below(rlim_t limit)
{
    int fd = dup(0);
    close(fd);
    return fd < (int)limit ? fd : (int)limit;
}

/* At EMFILE the server turns the client away without spinning, and serves clients again when
 * descriptors are free. */
static void clients_are_turned_away_while_descriptors_are_exhausted(void **state)
{
    struct kit kit;
    kit_start_config(&kit, (struct http_config){.listen = "127.0.0.1:0", .threads = 1});
    struct rlimit all, none;
    getrlimit(RLIMIT_NOFILE, &all);
    int first = kit_connect(&kit);
    kit_send_text(first, NEXT);
    expect_reply(first, 200, false);
    int second = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int third = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int fourth = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    none = (struct rlimit){(rlim_t)count_descriptors_below(all.rlim_cur), all.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);

    kit_connect_fd(&kit, second);
    assert_true(kit_read_end(second));
    kit_connect_fd(&kit, third); /* waits in the backlog: the loop does not accept until it ticks */
    kit_send_text(third, NEXT);
    kit_send_text(first, NEXT);
    expect_reply(first, 200, false);

    setrlimit(RLIMIT_NOFILE, &all);
    close(first);
    close(second);
    struct kit_reply reply;
    bool served = kit_try_reply(third, &reply) == 1;
    kit_reply_finish(&reply);
    assert_int_equal(kit_stats(&kit).refused_descriptors, served ? 1 : 2);
    kit_connect_fd(&kit, fourth);
    kit_send_text(fourth, NEXT);
    expect_reply(fourth, 200, false);
    close(third);
    close(fourth);
    kit_stop(&kit);
}

/* ---- workers ---- */

static void full_queue_fails_at_once(void **state)
{
    struct kit kit;
    kit_start_config(
        &kit,
        (struct http_config){
            .listen = "127.0.0.1:0", .threads = 1, .lanes = {{.threads = 1, .queue_max = 1}}});
    kit_hold_again();
    int at_work = kit_connect(&kit), waiting = kit_connect(&kit), refused = kit_connect(&kit);
    kit_send_text(at_work, "GET /hold HTTP/1.1\r\n" HOST END);
    kit_wait_held(1);
    kit_send_text(waiting, "GET /hold HTTP/1.1\r\n" HOST END);
    while (kit_stats(&kit).deferred_waiting == 0)
        sched_yield();
    kit_send_text(refused, "GET /hold HTTP/1.1\r\n" HOST END);
    expect_reply(refused, 503, false);
    kit_release();
    expect_reply(at_work, 200, false);
    expect_reply(waiting, 200, false);
    struct http_stats stats = kit_stats(&kit);
    assert_int_equal(stats.deferred, 2);
    assert_int_equal(stats.deferred_full, 1);
    close(at_work);
    close(waiting);
    close(refused);
    kit_stop(&kit);
}

static void defer_without_workers_is_full(void **state)
{
    struct kit kit;
    kit_start_config(&kit, (struct http_config){.listen = "127.0.0.1:0", .threads = 1});
    int fd = kit_connect(&kit);
    kit_send_text(fd, "GET /defer HTTP/1.1\r\n" HOST END);
    expect_reply(fd, 503, false);
    close(fd);
    kit_stop(&kit);
}

/* ---- a unix socket ---- */

static void unix_socket_serves_like_tcp(void **state)
{
    char folder[] = "/tmp/stockact-server-XXXXXX", address[64];
    assert_non_null(mkdtemp(folder));
    snprintf(address, sizeof address, "unix:%s/http", folder);
    struct kit kit;
    kit_start_config(
        &kit, (struct http_config){.listen = address, .threads = 2, .lanes = {{.threads = 1}}});
    struct corpus cases;
    corpus_make(&cases);
    for (size_t i = 0; i < cases.n; i++) {
        const struct http_case *c = &cases.cases[i];
        int fd = kit_connect(&kit);
        kit_send(fd, c->bytes.p, c->bytes.n);
        kit_shut(fd);
        assert_outcome(fd, c->outcome);
    }
    corpus_finish(&cases);
    kit_stop(&kit);
    assert_int_equal(rmdir(folder), 0); /* the socket is gone */
}

/* ---- lingering ---- */

/* The server drops what a client sends after a refusal, up to a bound. */
static void refused_client_is_cut_off_after_64_kib(void **state)
{
    static char rest[64 * 1024];
    struct kit kit;
    kit_start_one(&kit, (struct http_limits){.linger_ms = KIT_HOUR_MS});
    int fd = kit_connect(&kit);
    kit_send_text(fd, "GET / HTTP/9.9\r\n" HOST END);
    expect_reply(fd, 400, true);
    assert_true(kit_read_end(fd)); /* the server has sent its last byte */
    kit_send(fd, rest, sizeof rest);
    kit_wait_read(&kit);
    assert_int_equal(kit_stats(&kit).connections_open, 1);
    kit_send_text(fd, "1");
    while (kit_stats(&kit).connections_open == 1)
        sched_yield();
    close(fd);
    kit_stop(&kit);
}

/* ---- draining ---- */

struct drainer {
    struct kit *kit;
    int64_t timeout_ms;
    bool clean;
    pthread_t thread;
};

static void *drain_main(void *arg)
{
    struct drainer *d = arg;
    d->clean = http_server_drain(d->kit->server, d->timeout_ms);
    return NULL;
}

static void drain_begin(struct drainer *d, struct kit *kit, int64_t timeout_ms)
{
    *d = (struct drainer){.kit = kit, .timeout_ms = timeout_ms};
    assert_int_equal(pthread_create(&d->thread, NULL, drain_main, d), 0);
}

/* From now on every loop drains. */
static void wait_until_nobody_listens(const struct kit *kit)
{
    int fd;
    while ((fd = kit_try_connect(kit)) >= 0)
        close(fd);
}

static bool drain_end(struct drainer *d)
{
    pthread_join(d->thread, NULL);
    return d->clean;
}

static void draining_closes_idle_connections_after_the_last_call(void **state)
{
    struct kit kit;
    kit_start(&kit, &(struct http_limits){.last_call_ms = 40});
    int used = kit_connect(&kit), fresh = kit_connect(&kit);
    kit_send_text(used, NEXT);
    expect_reply(used, 200, false);
    assert_true(http_server_drain(kit.server, KIT_HOUR_MS));
    assert_outcome(used, "");
    assert_outcome(fresh, "");
    kit_stop(&kit);
}

/* A last call of an hour, so that only the answers can end the connections. */
static void draining_answers_requests_of_last_call(void **state)
{
    struct kit kit;
    struct drainer drainer;
    kit_start(&kit, &(struct http_limits){.last_call_ms = KIT_HOUR_MS});
    int used = kit_connect(&kit), fresh = kit_connect(&kit);
    kit_send_text(used, NEXT);
    expect_reply(used, 200, false);
    drain_begin(&drainer, &kit, KIT_HOUR_MS);
    wait_until_nobody_listens(&kit);
    kit_send_text(used, NEXT);
    assert_outcome(used, "200!");
    kit_send_text(fresh, NEXT);
    assert_outcome(fresh, "200!");
    assert_true(drain_end(&drainer));
    kit_stop(&kit);
}

/* It was written before the drain began, so it does not contain "close". */
static void pending_reply_is_followed_by_last_call(void **state)
{
    struct kit kit;
    struct drainer drainer;
    struct kit_reply reply;
    kit_start(&kit, &(struct http_limits){.last_call_ms = 40});
    int fd = kit_connect(&kit);
    kit_send_text(fd, "GET /size/16000000 HTTP/1.1\r\n" HOST END);
    char first;
    assert_int_equal(recv(fd, &first, 1, MSG_PEEK), 1);
    drain_begin(&drainer, &kit, KIT_HOUR_MS);
    wait_until_nobody_listens(&kit);
    assert_true(kit_read_reply(fd, false, &reply));
    assert_int_equal(reply.body_n, 16000000);
    kit_reply_finish(&reply);
    assert_true(kit_read_end(fd));
    assert_true(drain_end(&drainer));
    close(fd);
    kit_stop(&kit);
}

/* The client reads them after the server has stopped. */
static void reply_in_the_kernel_survives_the_last_call(void **state)
{
    static const char *const requests[] = {
        "GET /size/60000 HTTP/1.1\r\n" HOST END,
        "GET /size/30000 HTTP/1.1\r\n" HOST END "GET /size/30000 HTTP/1.1\r\n" HOST END,
    };
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        struct kit kit;
        kit_start(&kit, &(struct http_limits){.last_call_ms = 40});
        int fd = connect_small(&kit);
        kit_send_text(fd, requests[i]);
        while (kit_stats(&kit).requests <= i)
            sched_yield();
        assert_true(http_server_drain(kit.server, KIT_HOUR_MS));
        assert_int_equal(kit_stats(&kit).closed_slow_reader, 0);
        for (size_t n = 0; n <= i; n++)
            expect_reply(fd, 200, false);
        assert_true(kit_read_end(fd));
        close(fd);
        kit_stop(&kit);
    }
}

static void draining_finishes_requests_in_flight(void **state)
{
    struct kit kit;
    struct drainer drainer;
    kit_start(&kit, NULL);
    kit_hold_again();
    int deferred = kit_connect(&kit), body = kit_connect(&kit), later = kit_connect(&kit);
    kit_send_text(deferred, "GET /hold HTTP/1.1\r\n" HOST END NEXT);
    kit_wait_held(1);
    kit_send_text(later, "GET /later HTTP/1.1\r\n" HOST END);
    struct http_exchange *x = kit_wait_later();
    kit_send_text(body, POST HOST "Content-Length: 3\r\nExpect: 100-continue\r\n" END);
    expect_reply(body, 100, false);

    drain_begin(&drainer, &kit, KIT_HOUR_MS);
    wait_until_nobody_listens(&kit);
    kit_release();
    kit_resume(x);
    expect_reply(deferred, 200, true);
    expect_reply(later, 200, true);
    kit_send_text(body, "abc");
    expect_reply(body, 200, true);
    close(deferred);
    close(later);
    close(body);
    assert_true(drain_end(&drainer));
    assert_int_equal(kit_stats(&kit).connections_open, 0);
    kit_stop(&kit);
}

static void draining_ends_at_its_timeout(void **state)
{
    struct kit kit;
    kit_start(&kit, NULL);
    kit_hold_again();
    int fd = kit_connect(&kit);
    kit_send_text(fd, "GET /hold HTTP/1.1\r\n" HOST END);
    kit_wait_held(1);
    assert_false(http_server_drain(kit.server, 50));
    assert_outcome(fd, "");
    kit_release();
    while (kit_stats(&kit).replies_dropped == 0) /* loops still run callbacks of workers */
        sched_yield();
    kit_stop(&kit);
}

struct client {
    const struct kit *kit;
    pthread_t thread;
    atomic_int *replies;
    int answered; /* connections with a reply */
    int broken;   /* requests on them with a missing or incomplete reply */
};

/* Sends requests as fast as possible, one connection after the other, until the listener is
 * closed. */
static void *client_main(void *arg)
{
    struct client *c = arg;
    for (;;) {
        int fd = kit_try_connect(c->kit);
        if (fd < 0)
            return NULL;
        bool more = true, answered = false;
        while (more) {
            struct kit_reply reply;
            kit_send_text(fd, "GET /size/30000 HTTP/1.1\r\n" HOST END);
            int got = kit_try_reply(fd, &reply);
            c->broken += answered && got != 1;
            more = got == 1 && !reply.close;
            answered |= got == 1;
            if (got == 1)
                atomic_fetch_add(c->replies, 1);
            kit_reply_finish(&reply);
        }
        c->answered += answered;
        close(fd);
    }
}

/* The kernel resets a connection that arrives between the last accept and the end of the listener:
 * the server never sees it. All others are answered. */
static void draining_under_load_loses_no_request(void **state)
{
    enum { CLIENTS = 8 };
    struct kit kit;
    struct client clients[CLIENTS];
    atomic_int replies = 0;
    kit_start(&kit, &(struct http_limits){.last_call_ms = KIT_HOUR_MS});
    for (int i = 0; i < CLIENTS; i++) {
        clients[i] = (struct client){.kit = &kit, .replies = &replies};
        assert_int_equal(pthread_create(&clients[i].thread, NULL, client_main, &clients[i]), 0);
    }
    while (atomic_load(&replies) < 500)
        sched_yield();
    assert_true(http_server_drain(kit.server, KIT_HOUR_MS));
    uint64_t answered = 0, broken = 0;
    for (int i = 0; i < CLIENTS; i++) {
        pthread_join(clients[i].thread, NULL);
        answered += (uint64_t)clients[i].answered;
        broken += (uint64_t)clients[i].broken;
    }
    assert_int_equal(broken, 0);
    assert_int_equal(kit_stats(&kit).connections_accepted, answered);
    kit_stop(&kit);
}

static void server_can_be_destroyed_with_open_connections(void **state)
{
    struct kit kit;
    kit_start(&kit, NULL);
    int idle = kit_connect(&kit), half = kit_connect(&kit), later = kit_connect(&kit);
    kit_send_text(half, "GET / HT");
    kit_send_text(later, "GET /later HTTP/1.1\r\n" HOST END);
    kit_wait_later();
    kit_stop(&kit);
    close(idle);
    close(half);
    close(later);
}

/* Sends the head of a form of this size, and `sent` bytes of it. */
static int begin_form(struct kit *kit, const char *path, size_t size, size_t sent)
{
    struct buf b;
    buf_init(&b, 1 << 20);
    buf_fmt(&b, "POST %s HTTP/1.1\r\n" HOST "Content-Length: %zu\r\n\r\n", path, size);
    char *room = buf_reserve(&b, sent + 1);
    memset(room, 'x', sent);
    buf_commit(&b, sent);
    int fd = kit_connect(kit);
    kit_send(fd, b.p, b.n);
    buf_finish(&b);
    return fd;
}

static void expect_form(struct kit *kit, const char *path, size_t size, int status)
{
    int fd = begin_form(kit, path, size, size);
    expect_reply(fd, status, status != 200);
    close(fd);
}

static void large_body_is_read_only_where_the_application_allows_it(void **state)
{
    struct kit kit;
    struct kit_reply reply;
    kit_start(&kit, NULL);
    int fd = begin_form(&kit, "/form", HTTP_LARGE_BODY_MAX, HTTP_LARGE_BODY_MAX);
    assert_true(kit_read_reply(fd, false, &reply));
    assert_int_equal(reply.status, 200);
    assert_int_equal(reply.body_n, strlen("POST /form 2 ") + HTTP_LARGE_BODY_MAX);
    kit_reply_finish(&reply);
    close(fd);
    expect_form(&kit, "/form", HTTP_LARGE_BODY_MAX + 1, 413);
    expect_form(&kit, "/", HTTP_BODY_MAX, 200);
    expect_form(&kit, "/", HTTP_BODY_MAX + 1, 413);

    fd = kit_connect(&kit);
    kit_send_text(fd, "POST /form HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n2001\r\n");
    expect_reply(fd, 413, true);
    close(fd);
    kit_stop(&kit);
}

/* A form whose head has been read, and whose body has not come. */
static int hold_form(struct kit *kit)
{
    int fd = kit_connect(kit);
    char text[200];
    snprintf(
        text, sizeof text,
        "POST /form HTTP/1.1\r\n" HOST "Content-Length: %d\r\nExpect: 100-continue\r\n\r\n",
        HTTP_LARGE_BODY_MAX);
    kit_send_text(fd, text);
    expect_reply(fd, 100, false);
    return fd;
}

static void large_bodies_in_progress_are_bounded_together(void **state)
{
    enum { FORMS = HTTP_LARGE_BODIES_MAX / HTTP_LARGE_BODY_MAX };
    static int fds[FORMS];
    struct kit kit;
    kit_start(&kit, NULL);
    for (int i = 0; i < FORMS; i++)
        fds[i] = hold_form(&kit);
    expect_form(&kit, "/form", HTTP_LARGE_BODY_MAX, 503);
    assert_int_equal(kit_stats(&kit).refused_bodies_full, 1);
    expect_form(&kit, "/form", HTTP_BODY_MAX, 200);

    close(fds[0]);
    while (kit_stats(&kit).connections_open >= FORMS)
        sched_yield();
    expect_form(&kit, "/form", HTTP_LARGE_BODY_MAX, 200);
    for (int i = 1; i < FORMS; i++)
        close(fds[i]);
    kit_stop(&kit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(incomplete_head_gets_408),
        cmocka_unit_test(trickled_bytes_do_not_extend_deadline),
        cmocka_unit_test(incomplete_body_gets_408),
        cmocka_unit_test(key_has_half_of_the_threads_and_others_pass_it),
        cmocka_unit_test(request_that_arrived_during_a_pause_is_answered),
        cmocka_unit_test(idle_connection_is_closed_silently),
        cmocka_unit_test(reader_below_minimum_rate_is_reset),
        cmocka_unit_test(reader_with_a_large_buffer_is_kept),
        cmocka_unit_test(reply_in_the_kernel_is_cut_at_the_write_deadline),
        cmocka_unit_test(half_closed_client_that_reads_nothing_is_reset),
        cmocka_unit_test(requests_do_not_extend_the_write_deadline),
        cmocka_unit_test(reader_at_promised_rate_is_kept),
        cmocka_unit_test(idle_client_that_took_all_is_not_cut),
        cmocka_unit_test(parked_replies_and_requests_behind_them_are_complete),
        cmocka_unit_test(reply_over_the_limit_of_all_waiting_ones_is_cut),
        cmocka_unit_test(memory_of_waiting_replies_ends_with_their_connections),
        cmocka_unit_test(slow_application_gets_503),
        cmocka_unit_test(connection_closes_after_request_maximum),
        cmocka_unit_test(total_connections_are_bounded),
        cmocka_unit_test(connections_per_address_are_bounded_except_loopback),
        cmocka_unit_test(clients_are_turned_away_while_descriptors_are_exhausted),
        cmocka_unit_test(large_body_is_read_only_where_the_application_allows_it),
        cmocka_unit_test(large_bodies_in_progress_are_bounded_together),
        cmocka_unit_test(full_queue_fails_at_once),
        cmocka_unit_test(defer_without_workers_is_full),
        cmocka_unit_test(unix_socket_serves_like_tcp),
        cmocka_unit_test(refused_client_is_cut_off_after_64_kib),
        cmocka_unit_test(draining_closes_idle_connections_after_the_last_call),
        cmocka_unit_test(draining_answers_requests_of_last_call),
        cmocka_unit_test(pending_reply_is_followed_by_last_call),
        cmocka_unit_test(reply_in_the_kernel_survives_the_last_call),
        cmocka_unit_test(draining_finishes_requests_in_flight),
        cmocka_unit_test(draining_ends_at_its_timeout),
        cmocka_unit_test(draining_under_load_loses_no_request),
        cmocka_unit_test(server_can_be_destroyed_with_open_connections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
