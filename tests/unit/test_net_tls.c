/* TLS certificates and versions: trusted and untrusted. */
#include "net_kit.h"
#include "tls_kit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct name_record records[] = {
    {"good.test", "127.0.0.1", NULL},
    {"other.test", "127.0.0.1", NULL},
};

static uv_loop_t loop;
static struct outgoing *engine;
static struct name_server names;
static struct tls_authority trusted, unknown;
static char ca_file[] = "/tmp/stockact-ca-XXXXXX";

static void open_engine(bool own_authority)
{
    const struct outgoing_config config = {
        .in_flight_max = 8,
        .idle_max = 8,
        .name_servers = str_from(names.address),
        .ca_file = own_authority ? str_from(ca_file) : STR_NULL,
    };
    struct fail why;
    if (outgoing_create(&loop, &config, &engine, &why))
        fail_msg("%s", why.text);
}

static void close_engine(void)
{
    outgoing_destroy(engine);
    engine = NULL;
    uv_run(&loop, UV_RUN_NOWAIT);
}

static int begin(void **state)
{
    memset(&names, 0, sizeof names);
    uv_loop_init(&loop);
    name_server_open(&names, &loop, records, 2);
    open_engine(true);
    return 0;
}

static int end(void **state)
{
    close_engine();
    name_server_close(&names);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
    return 0;
}

static struct tls_server_config good(void)
{
    return (struct tls_server_config){
        .authority = &trusted, .names = "DNS:good.test", .days_from = -1, .days_to = 1};
}

static struct call call_to(const struct tls_server *s, const char *host)
{
    struct call call = {0};
    char url[128];
    snprintf(url, sizeof url, "https://%s:%d/hook", host, s->port);
    call_run(engine, &loop, &call, url);
    call_finish(&call);
    return call;
}

/* One request to its own server, which serves only this request. */
static struct call run(struct tls_server *s, const struct tls_server_config *config)
{
    tls_server_open(s, config);
    struct call call = call_to(s, "good.test");
    close_engine(); /* also closes the connection that the server waits for */
    tls_server_close(s);
    open_engine(true);
    return call;
}

static void assert_untrusted(const struct tls_server_config *config, const char *why_part)
{
    struct tls_server s;
    struct call call = run(&s, config);
    if (call.status || call.error != OUTGOING_TLS || !strstr(call.detail, why_part))
        fail_msg("status %d, error %d: %s", call.status, (int)call.error, call.detail);
    assert_int_equal(s.accepted, 1);
    assert_int_equal(s.requests, 0);
}

static void valid_certificate_is_accepted_and_connection_kept(void **state)
{
    struct tls_server s;
    struct tls_server_config config = good();
    tls_server_open(&s, &config);
    for (int i = 0; i < 5; i++) {
        struct call call = call_to(&s, "good.test");
        if (call.status != 200)
            fail_msg("%s", call.detail);
        assert_int_equal(call.connected, i == 0);
        if (i > 0)
            assert_int_equal(call.times.tls_ms, 0);
    }
    close_engine();
    tls_server_close(&s);
    open_engine(true);
    assert_int_equal(s.accepted, 1);
    assert_int_equal(s.requests, 5);
    assert_string_equal(s.version, "TLSv1.3");
    assert_string_equal(s.first_line, "POST /hook HTTP/1.1");
}

static void certificate_may_name_address(void **state)
{
    struct tls_server s;
    struct tls_server_config config = good();
    config.names = "IP:127.0.0.1";
    tls_server_open(&s, &config);
    assert_int_equal(call_to(&s, "127.0.0.1").status, 200);
    close_engine();
    tls_server_close(&s);
    open_engine(true);
}

static void old_tls_versions_are_refused(void **state)
{
    static const int versions[] = {TLS1_VERSION, TLS1_1_VERSION, TLS1_2_VERSION, TLS1_3_VERSION};
    for (size_t i = 0; i < 4; i++) {
        struct tls_server s;
        struct tls_server_config config = good();
        config.version = versions[i];
        if (versions[i] < TLS1_2_VERSION) {
            assert_untrusted(&config, "");
            continue;
        }
        struct call call = run(&s, &config);
        if (call.status != 200)
            fail_msg("%s", call.detail);
    }
}

static void invalid_certificates_are_refused(void **state)
{
    struct tls_server_config config = good();
    config.authority = &unknown;
    assert_untrusted(&config, "certificate");
    config = good();
    config.days_from = -3;
    config.days_to = -1;
    assert_untrusted(&config, "expired");
    config = good();
    config.days_from = 1;
    config.days_to = 2;
    assert_untrusted(&config, "not yet valid");
    config = good();
    config.names = "DNS:other.test,DNS:*.good.test,IP:127.0.0.1";
    assert_untrusted(&config, "good.test");
}

static void system_ca_certificates_are_the_default(void **state)
{
    struct tls_server s;
    struct tls_server_config config = good();
    close_engine();
    open_engine(false);
    tls_server_open(&s, &config);
    assert_int_equal(call_to(&s, "good.test").error, OUTGOING_TLS);
    tls_server_close(&s);
    assert_int_equal(s.requests, 0);
}

static void plain_text_server_is_reported(void **state)
{
    struct receiver plain = {.text = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"};
    struct call call = {0}, cancelled = {0};
    char url[128], expected[64];
    receiver_open(&plain, &loop, "127.0.0.1");
    snprintf(url, sizeof url, "https://good.test:%d/", plain.port);
    call_start(engine, &cancelled, url);
    while (plain.accepted < 1)
        uv_run(&loop, UV_RUN_ONCE);
    outgoing_cancel(cancelled.request); /* during the handshake */
    int64_t ms = call_run_late(engine, &loop, &call, url, &plain.accepted);
    snprintf(
        expected, sizeof expected, "no response within %lld ms: in the TLS handshake",
        (long long)ms);
    assert_int_equal(call.error, OUTGOING_TIMEOUT); /* waits for the end of a head */
    assert_string_equal(call.detail, expected);
    assert_true(call.times.tls_ms > 0);
    assert_int_equal(call.times.wait_ms, 0);
    assert_false(cancelled.done);
    assert_int_equal(plain.requests, 0);
    call_finish(&call);
    receiver_close(&plain);
}

static int begin_all(void **state)
{
    signal(SIGPIPE, SIG_IGN);
    tls_authority_init(&trusted, "Trusted by the test");
    tls_authority_init(&unknown, "Known to nobody");
    int fd = mkstemp(ca_file);
    assert_true(fd >= 0);
    close(fd);
    tls_authority_write(&trusted, ca_file);
    return 0;
}

static int end_all(void **state)
{
    unlink(ca_file);
    tls_authority_finish(&trusted);
    tls_authority_finish(&unknown);
    return 0;
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(valid_certificate_is_accepted_and_connection_kept),
        CASE(certificate_may_name_address),
        CASE(old_tls_versions_are_refused),
        CASE(invalid_certificates_are_refused),
        CASE(system_ca_certificates_are_the_default),
        CASE(plain_text_server_is_reported),
    };
    return cmocka_run_group_tests(tests, begin_all, end_all);
}
