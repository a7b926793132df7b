/* Requests to host names: answers of a name server, and the address guard's decision on them. */
#include "net_kit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "address/address.h"
#include "base/clock.h"
#include "net/resolver.h"

static struct name_record records[] = {
    {"local.test", "127.0.0.1", NULL},
    {"both.test", "127.0.0.1,::1", NULL},
    {"six.test", "::1", NULL},
    {"private.test", "10.0.0.1", NULL},
    {"mixed.test", "8.8.8.8,127.0.0.1", NULL},
    {"mixed-families.test", "8.8.8.8,::1", NULL},
    {"mapped.test", "::ffff:127.0.0.1", NULL},
    {"nat64.test", "64:ff9b::7f00:1", NULL},
    {"metadata.test", "169.254.169.254", NULL},
    {"turns.test", "127.0.0.2", "127.0.0.1"},
    {"two.test", "127.0.0.3,127.0.0.1", NULL},
    {"silent.test", "", NULL},
};

static uv_loop_t loop;
static struct outgoing *engine;
static struct receiver receiver;
static struct name_server names;

static void open_engine(const char *name_servers)
{
    const struct outgoing_config config = {
        .in_flight_max = 64, .idle_max = 8, .name_servers = str_from(name_servers)};
    struct fail why;
    if (outgoing_create(&loop, &config, &engine, &why))
        fail_msg("%s", why.text);
}

static int begin(void **state)
{
    signal(SIGPIPE, SIG_IGN);
    memset(&receiver, 0, sizeof receiver);
    memset(&names, 0, sizeof names);
    for (size_t i = 0; i < sizeof records / sizeof *records; i++)
        records[i].asked = 0;
    uv_loop_init(&loop);
    receiver.text = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    receiver_open(&receiver, &loop, "127.0.0.1");
    name_server_open(&names, &loop, records, sizeof records / sizeof *records);
    open_engine(names.address);
    return 0;
}

static int end(void **state)
{
    outgoing_destroy(engine);
    receiver_close(&receiver);
    name_server_close(&names);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
    return 0;
}

static const char *url_of(const char *host)
{
    static char url[128];
    snprintf(url, sizeof url, "http://%s:%d/", host, receiver.port);
    return url;
}

static struct call run(const char *host, bool (*may_connect)(const struct sockaddr *))
{
    struct call call = {.may_connect = may_connect};
    call_run(engine, &loop, &call, url_of(host));
    call_finish(&call);
    return call;
}

static void name_is_resolved_and_sent_as_host(void **state)
{
    char host[64];
    struct call call = run("local.test", NULL);
    assert_int_equal(call.status, 200);
    snprintf(host, sizeof host, "Host: local.test:%d\r\n", receiver.port);
    assert_non_null(strstr(receiver.last, host));
    snprintf(host, sizeof host, "127.0.0.1:%d", receiver.port);
    assert_string_equal(call.remote, host);
}

static void hosts_file_is_read(void **state)
{
    assert_int_equal(run("localhost", NULL).status, 200);
    assert_int_equal(names.queries, 0);
}

static void unknown_name_is_reported(void **state)
{
    struct call call = run("nowhere.test", NULL);
    assert_int_equal(call.error, OUTGOING_RESOLVE);
    assert_string_equal(call.detail, "nowhere.test: no such name");
    assert_string_equal(call.remote, "");
    assert_int_equal(call.asked, 0);
}

static void silent_name_server_does_not_extend_request_time(void **state)
{
    char expected[64];
    struct call call = {0};
    int64_t ms = call_run_late(engine, &loop, &call, url_of("silent.test"), &names.queries);
    snprintf(
        expected, sizeof expected, "no response within %lld ms: resolving the host name",
        (long long)ms);
    assert_int_equal(call.error, OUTGOING_TIMEOUT);
    assert_string_equal(call.detail, expected);
    assert_true(call.times.resolve_ms >= ms - 1);
    call_finish(&call);
}

/* Before the request, whose limit is an hour. */
static void silent_name_server_times_out(void **state)
{
    int64_t from_ms = clock_mono_ms();
    struct call call = run("silent.test", NULL);
    assert_int_equal(call.error, OUTGOING_RESOLVE);
    assert_true(clock_mono_ms() - from_ms >= RESOLVER_TIME_MAX_MS / 2);
    assert_non_null(strstr(call.detail, "no name server responded in time"));
}

static void missing_name_server_is_reported(void **state)
{
    char address[32];
    struct name_server gone = {0};
    name_server_open(&gone, &loop, NULL, 0);
    snprintf(address, sizeof address, "%s", gone.address);
    name_server_close(&gone);
    outgoing_destroy(engine);
    uv_run(&loop, UV_RUN_NOWAIT);
    open_engine(address);
    struct call call = run("local.test", NULL);
    assert_int_equal(call.error, OUTGOING_RESOLVE);
}

static void one_denied_address_denies_name(void **state)
{
    static const char *const hosts[] = {"private.test", "mixed.test", "mixed-families.test",
                                        "mapped.test",  "nat64.test", "metadata.test",
                                        "local.test",   "both.test"};
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        struct call call = run(hosts[i], kit_public);
        if (call.error != OUTGOING_REFUSED_ADDRESS)
            fail_msg("%s: %s", hosts[i], call.detail);
        assert_non_null(strstr(call.detail, "may not be connected to ("));
        assert_string_equal(call.remote, "");
    }
    assert_int_equal(receiver.accepted, 0);
}

static void spellings_of_private_addresses_are_refused(void **state)
{
    static const char *const hosts[] = {
        "127.1", "0x7f.1", "2130706433",         "017700000001",      "0",         "127.0.0.1.",
        "[::1]", "[::]",   "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "[fe80::1]", "169.254.43518"};
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        if (run(hosts[i], kit_public).error != OUTGOING_REFUSED_ADDRESS)
            fail_msg("%s", hosts[i]);
    assert_int_equal(names.queries, 0);
    assert_int_equal(receiver.accepted, 0);
}

static bool only_the_second_address(const struct sockaddr *sockaddr)
{
    struct address address = address_from_sockaddr(sockaddr), allowed;
    return address_parse(STR("127.0.0.2"), &allowed) && address_eq(&address, &allowed);
}

static void changed_address_of_name_is_checked_again(void **state)
{
    struct receiver other = {.port = receiver.port, .text = receiver.text};
    receiver_open(&other, &loop, "127.0.0.2");
    assert_int_equal(run("turns.test", only_the_second_address).status, 200);
    assert_int_equal(other.requests, 1);
    struct call call = run("turns.test", only_the_second_address);
    assert_int_equal(call.error, OUTGOING_REFUSED_ADDRESS);
    assert_int_equal(other.requests, 1); /* the idle connection is not used either */
    assert_int_equal(receiver.accepted, 0);
    call = run("turns.test", NULL); /* allowed both times: connects to the current address */
    assert_int_equal(call.status, 200);
    assert_true(call.connected);
    assert_int_equal(other.requests, 1);
    assert_int_equal(receiver.requests, 1);
    receiver_close(&other);
}

static void next_address_is_tried_if_first_is_closed(void **state)
{
    struct call call = run("two.test", NULL); /* no listener on 127.0.0.3 */
    char remote[64];
    assert_int_equal(call.status, 200);
    snprintf(remote, sizeof remote, "127.0.0.1:%d", receiver.port);
    assert_string_equal(call.remote, remote);
    assert_int_equal(receiver.requests, 1);
}

static void ipv6_address_is_reachable(void **state)
{
    struct receiver six = {.port = receiver.port, .text = receiver.text};
    char remote[64];
    receiver_open(&six, &loop, "::1");
    struct call call = run("six.test", NULL);
    assert_int_equal(call.status, 200);
    snprintf(remote, sizeof remote, "[::1]:%d", receiver.port);
    assert_string_equal(call.remote, remote);
    assert_int_equal(run("[::1]", NULL).status, 200);
    assert_int_equal(six.requests, 2);
    receiver_close(&six);
}

static void one_query_answers_all_waiting_requests(void **state)
{
    enum { MANY = 20, QUERIES = 2 /* one for each family */ };
    static struct call calls[MANY];
    memset(calls, 0, sizeof calls);
    names.holding = true;
    for (int i = 0; i < MANY; i++)
        call_start(engine, &calls[i], url_of("local.test"));
    while (names.queries < QUERIES)
        uv_run(&loop, UV_RUN_ONCE);
    outgoing_cancel(calls[7].request);
    name_server_release(&names);
    for (int i = 0; i < MANY; i++) {
        if (i == 7)
            continue;
        call_wait(&loop, &calls[i]);
        assert_int_equal(calls[i].status, 200);
        call_finish(&calls[i]);
    }
    assert_false(calls[7].done);
    assert_int_equal(names.queries, QUERIES);
}

static void engine_can_end_during_name_lookup(void **state)
{
    static struct call calls[4];
    memset(calls, 0, sizeof calls);
    names.holding = true;
    for (int i = 0; i < 4; i++)
        call_start(engine, &calls[i], url_of(i < 2 ? "local.test" : "both.test"));
    while (names.queries < 4)
        uv_run(&loop, UV_RUN_ONCE);
    end(state);
    for (int i = 0; i < 4; i++)
        assert_false(calls[i].done);
    begin(state);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(name_is_resolved_and_sent_as_host),
        CASE(hosts_file_is_read),
        CASE(unknown_name_is_reported),
        CASE(silent_name_server_does_not_extend_request_time),
        CASE(silent_name_server_times_out),
        CASE(missing_name_server_is_reported),
        CASE(one_denied_address_denies_name),
        CASE(spellings_of_private_addresses_are_refused),
        CASE(changed_address_of_name_is_checked_again),
        CASE(next_address_is_tried_if_first_is_closed),
        CASE(ipv6_address_is_reachable),
        CASE(one_query_answers_all_waiting_requests),
        CASE(engine_can_end_during_name_lookup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
