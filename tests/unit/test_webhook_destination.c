/* URLs of endpoints that no delivery can reach, before anything is sent. */
#include "unit.h"

#include <string.h>

#include "webhook/destination.h"

static struct cidr_list none, inner;
static struct port_set ports;

static struct guard guard_of(const struct cidr_list *allow)
{
    struct guard guard;
    assert_int_equal(port_set_parse(STR("default"), &ports, NULL), OK);
    assert_int_equal(cidr_list_parse(STR("10.0.0.0/8 127.0.0.0/8"), &inner, NULL), OK);
    guard_init(&guard, allow, &ports, STR("127.0.0.1:8080"));
    return guard;
}

static enum err parse(
    const struct cidr_list *allow, const char *servers, const char *url, struct fail *fail)
{
    struct guard guard = guard_of(allow);
    const struct destination_rules rules = {&guard, str_from(servers)};
    struct arena arena;
    struct target target;
    arena_init(&arena);
    enum err err = destination_parse(&rules, str_from(url), &arena, &target, fail);
    arena_finish(&arena);
    return err;
}

struct url_case {
    const char *url;
    enum err err;
    const char *reason; /* a part of it */
};

static void assert_cases(const struct cidr_list *allow, const struct url_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct fail fail = {0};
        enum err err = parse(allow, NULL, cases[i].url, &fail);
        if (err != cases[i].err || (err && !strstr(fail.text, cases[i].reason)))
            fail_msg("%s: %d, \"%s\"", cases[i].url, (int)err, fail.text);
    }
}

static void undeliverable_url_is_refused(void **state)
{
    static const struct url_case cases[] = {
        {"https://example.org/hook", OK, NULL},
        {"https://hooks.example.org:8443/", OK, NULL},
        {"https://example.org:8080/", OK, NULL},
        {"https://93.184.216.34/", OK, NULL},
        {"https://[2606:2800:220:1::1]:65000/", OK, NULL},
        {"https://localhost.example.org/", OK, NULL},
        {"https://notlocal/", ERR_REFUSED, "names without a dot"},
        {"http://example.org/", ERR_INVALID, "https://, unless STOCKACT_WEBHOOK_ALLOW names"},
        {"HTTP://localhost:3000/", ERR_INVALID, "unless STOCKACT_WEBHOOK_ALLOW names"},
        {"ftp://example.org/", ERR_INVALID, "https://"},
        {"https://user:secret@example.org/", ERR_INVALID, "a user name"},
        {"https://example.org/#part", ERR_INVALID, "fragment"},
        {"https://example.org:0/", ERR_INVALID, "port"},
        {"https://example.org:25/", ERR_REFUSED, "port 25 may not be connected to (SMTP)"},
        {"https://example.org:5432/", ERR_REFUSED, "(PostgreSQL)"},
        {"https://93.184.216.34:6379/", ERR_REFUSED, "(Redis)"},
        {"https://10.0.0.1/", ERR_REFUSED, "10.0.0.1 may not be connected to (a private network)"},
        {"https://127.0.0.1/", ERR_REFUSED, "(loopback); if the receiver is yours, set STOCKACT_"},
        {"https://0x7f000001/", ERR_REFUSED, "127.0.0.1 may not be connected to (loopback)"},
        {"https://2130706433/", ERR_REFUSED, "(loopback)"},
        {"https://0251.0376.0251.0376/", ERR_REFUSED, "(link-local)"},
        {"https://[::1]/", ERR_REFUSED, "[::1] may not be connected to (loopback)"},
        {"https://[::ffff:10.0.0.1]/", ERR_REFUSED, "(a private network)"},
        {"https://[64:ff9b::a9fe:a9fe]/", ERR_REFUSED, "(link-local)"},
        {"https://[fd00:ec2::254]/", ERR_REFUSED, "(unique-local)"},
        {"https://168.63.129.16/", ERR_REFUSED, "(a cloud's own services)"},
        {"https://127.0.0.1:8080/", ERR_REFUSED, "this server's own listener"},
        {"https://localhost/", ERR_REFUSED, "names of the machine itself"},
        {"https://LOCALHOST./", ERR_REFUSED, "names of the machine itself"},
        {"https://a.localhost/", ERR_REFUSED, "names of the machine itself"},
        {"https://printer.local/", ERR_REFUSED, "names of the local network"},
        {"https://metadata.google.internal/", ERR_REFUSED, "names of private networks"},
        {"https://nas.home.arpa/", ERR_REFUSED, "names of home networks"},
        {"https://hooks.test/", ERR_REFUSED, "names for tests"},
        {"https://hooks.example/", ERR_REFUSED, "names for documentation"},
        {"https://router.lan/", ERR_REFUSED, "names of private networks"},
        {"https://a.corp/", ERR_REFUSED, "names of private networks"},
        {"https://a.home/", ERR_REFUSED, "names of private networks"},
        {"https://a.intranet/", ERR_REFUSED, "names of private networks"},
        {"https://a.localdomain/", ERR_REFUSED, "names of private networks"},
        {"https://a.mail/", ERR_REFUSED, "names of private networks"},
        {"https://a.private/", ERR_REFUSED, "names of private networks"},
        {"https://internal.example.org/", OK, NULL},
        {"https://mail.example.org/", OK, NULL},
        {"https://site.onion/", ERR_REFUSED, "names of Tor"},
        {"https://x.invalid/", ERR_REFUSED, "names that never exist"},
        {"https://x.alt/", ERR_REFUSED, "names outside the DNS"},
    };
    assert_cases(&none, cases, sizeof cases / sizeof *cases);
}

static void allowed_network_permits_private_names_but_no_refused_port(void **state)
{
    static const struct url_case cases[] = {
        {"http://10.0.0.1/", OK, NULL},
        {"http://10.0.0.1:8080/", OK, NULL},
        {"http://hooks.internal/", OK, NULL},
        {"http://receiver:3000/", OK, NULL},
        {"http://localhost:9000/", OK, NULL},
        {"http://10.0.0.1:5432/", ERR_REFUSED, "port 5432"},
        {"http://receiver:6379/", ERR_REFUSED, "port 6379"},
        {"http://192.168.0.1/", ERR_REFUSED, "(a private network)"},
        {"http://127.0.0.1:8080/", ERR_REFUSED, "own listener"},
        {"http://site.onion/", ERR_REFUSED, "names of Tor"},
        {"http://x.invalid/", ERR_REFUSED, "names that never exist"},
    };
    assert_cases(&inner, cases, sizeof cases / sizeof *cases);
}

static void own_name_server_permits_private_names(void **state)
{
    struct fail fail;
    assert_int_equal(parse(&none, "127.0.0.1:53", "https://hooks.test/", &fail), OK);
    assert_int_equal(parse(&none, "127.0.0.1:53", "https://10.0.0.1/", &fail), ERR_REFUSED);
    assert_int_equal(parse(&none, "127.0.0.1:53", "https://x.onion/", &fail), ERR_REFUSED);
}

/* An empty setting refuses no port. */
static void setting_decides_on_ports(void **state)
{
    struct guard guard = guard_of(&none);
    const struct destination_rules rules = {.guard = &guard};
    struct arena arena;
    struct target target;
    arena_init(&arena);
    assert_int_equal(port_set_parse(STR("none"), &ports, NULL), OK);
    assert_int_equal(
        destination_parse(&rules, STR("https://example.org:25/"), &arena, &target, NULL), OK);
    assert_int_equal(port_set_parse(STR("8443"), &ports, NULL), OK);
    assert_int_equal(
        destination_parse(&rules, STR("https://example.org:8443/"), &arena, &target, NULL),
        ERR_REFUSED);
    arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undeliverable_url_is_refused),
        cmocka_unit_test(allowed_network_permits_private_names_but_no_refused_port),
        cmocka_unit_test(own_name_server_permits_private_names),
        cmocka_unit_test(setting_decides_on_ports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
