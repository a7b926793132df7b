/* Allowed destinations of webhooks: classes of addresses, networks allowed by the operator, and the
 * own listener. */
#include "unit.h"

#include <arpa/inet.h>
#include <string.h>

#include "webhook/guard.h"

static const struct port_set no_ports;

static bool may(const struct guard *guard, const char *address, uint16_t port)
{
    struct sockaddr_storage to = {0};
    struct sockaddr_in *in = (struct sockaddr_in *)&to;
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)&to;
    if (inet_pton(AF_INET, address, &in->sin_addr) == 1) {
        in->sin_family = AF_INET;
        in->sin_port = htons(port);
    } else {
        assert_int_equal(inet_pton(AF_INET6, address, &in6->sin6_addr), 1);
        in6->sin6_family = AF_INET6;
        in6->sin6_port = htons(port);
    }
    return guard_check(guard, (const struct sockaddr *)&to, NULL) == OK;
}

static void only_public_addresses_are_allowed(void **state)
{
    struct cidr_list none = {0};
    struct guard guard;
    guard_init(&guard, &none, &no_ports, STR("127.0.0.1:8080"));
    static const char *const good[] = {"93.184.216.34", "2606:2800:220:1::1", "64:ff9b::808:808"};
    static const char *const bad[] = {
        "0.0.0.0",         "10.0.0.1",        "100.64.0.1",  "127.0.0.1",
        "169.254.169.254", "172.16.0.1",      "192.168.1.1", "198.18.0.1",
        "224.0.0.1",       "255.255.255.255", "::",          "::1",
        "::ffff:10.0.0.1", "fe80::1",         "fc00::1",     "64:ff9b::a00:1",
        "2002:7f00:1::1",  "2001:db8::1",     "ff02::1",     "fd00:ec2::254"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(may(&guard, good[i], 443));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(may(&guard, bad[i], 443));
}

static void allowed_networks_are_reachable(void **state)
{
    struct cidr_list allow;
    struct guard guard;
    assert_int_equal(cidr_list_parse(STR("10.1.0.0/16 fd00::/8"), &allow, NULL), OK);
    guard_init(&guard, &allow, &no_ports, STR("unix:/run/stockact.sock"));
    assert_true(may(&guard, "10.1.2.3", 80));
    assert_true(may(&guard, "fd00::1", 80));
    assert_true(may(&guard, "93.184.216.34", 80));
    assert_false(may(&guard, "10.2.0.1", 80));
}

static void own_listener_is_always_refused(void **state)
{
    struct cidr_list all;
    struct guard guard;
    assert_int_equal(cidr_list_parse(STR("0.0.0.0/0 ::/0"), &all, NULL), OK);
    guard_init(&guard, &all, &no_ports, STR("127.0.0.1:8080"));
    assert_false(may(&guard, "127.0.0.1", 8080));
    assert_false(may(&guard, "::ffff:127.0.0.1", 8080));
    assert_false(may(&guard, "0.0.0.0", 8080));
    assert_true(may(&guard, "127.0.0.1", 8081));
    assert_true(may(&guard, "127.0.0.2", 8080));
    guard_init(&guard, &all, &no_ports, STR("[::1]:8080"));
    assert_false(may(&guard, "::1", 8080));
    assert_true(may(&guard, "127.0.0.1", 8080));
}

static void wildcard_listener_is_refused_on_every_local_address(void **state)
{
    struct cidr_list all;
    struct guard guard;
    assert_int_equal(cidr_list_parse(STR("0.0.0.0/0 ::/0"), &all, NULL), OK);
    guard_init(&guard, &all, &no_ports, STR("0.0.0.0:8080"));
    assert_false(may(&guard, "127.0.0.1", 8080));
    assert_false(may(&guard, "127.9.9.9", 8080));
    assert_true(may(&guard, "127.0.0.1", 8081));
    assert_true(may(&guard, "93.184.216.34", 8080));
    guard_init(&guard, &all, &no_ports, STR("[::]:8080"));
    assert_false(may(&guard, "127.0.0.1", 8080));
    assert_true(may(&guard, "93.184.216.34", 8080));
}

static void refused_port_is_refused_in_allowed_networks_too(void **state)
{
    struct cidr_list all;
    struct port_set ports;
    struct guard guard;
    assert_int_equal(cidr_list_parse(STR("0.0.0.0/0 ::/0"), &all, NULL), OK);
    assert_int_equal(port_set_parse(STR("default"), &ports, NULL), OK);
    guard_init(&guard, &all, &ports, STR("unix:/run/stockact.sock"));
    static const uint16_t bad[] = {22, 25, 3306, 5432, 6379, 11211, 27017};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(may(&guard, "10.0.0.1", bad[i]));
        assert_false(may(&guard, "93.184.216.34", bad[i]));
        assert_false(may(&guard, "2606:2800:220:1::1", bad[i]));
    }
    static const uint16_t good[] = {80, 443, 3000, 8080, 8443, 9000, 65535};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(may(&guard, "10.0.0.1", good[i]));
    assert_int_equal(port_set_parse(STR("default,-5432"), &ports, NULL), OK);
    assert_true(may(&guard, "10.0.0.1", 5432));
    assert_false(may(&guard, "10.0.0.1", 3306));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_public_addresses_are_allowed),
        cmocka_unit_test(allowed_networks_are_reachable),
        cmocka_unit_test(refused_port_is_refused_in_allowed_networks_too),
        cmocka_unit_test(own_listener_is_always_refused),
        cmocka_unit_test(wildcard_listener_is_refused_on_every_local_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
