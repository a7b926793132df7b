#include "unit.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/un.h>

#include "address/address.h"

static struct address parsed(const char *text)
{
    struct address address;
    if (!address_parse(str_from(text), &address))
        fail_msg("no address: %s", text);
    return address;
}

static void assert_same(const char *one, const char *other, bool same)
{
    struct address a = parsed(one), b = parsed(other);
    if (address_eq(&a, &b) != same)
        fail_msg("%s and %s %s", one, other, same ? "differ" : "are the same");
}

static void spellings_of_one_address_are_one(void **state)
{
    assert_same("::ffff:203.0.113.5", "203.0.113.5", true); /* IP-02 */
    assert_same("::ffff:cb00:7105", "203.0.113.5", true);
    assert_same("64:ff9b::203.0.113.5", "203.0.113.5", true); /* IP-03 */
    assert_same("64:ff9b::203.0.113.5", "64:ff9b::203.0.113.6", false);
    assert_same("64:ff9b:1::203.0.113.5", "203.0.113.5", false);
    assert_same("fe80::1%eth0", "fe80::1", true); /* IP-04 */
    assert_same("fe80::1%eth0", "fe80::1%eth1", true);
    assert_same("2001:DB8::1", "2001:db8:0:0:0:0:0:1", true);
}

static void invalid_database_url_is_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.256",
        "01.2.3.4",
        " 1.2.3.4",
        "1.2.3.4 ",
        "[::1]",
        "::1::",
        "fe80::1%",
        "%eth0",
        "1.2.3.4%eth0",
        "localhost",
        "1.2.3.4:80",
        "2001:db8::g",
        "0x1.2.3.4",
        "1.2.3.4/8",
        "1111:2222:3333:4444:5555:6666:7777:8888:9999:aaaa:bbbb:cccc:dddd",
    };
    struct address address;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (address_parse(str_from(texts[i]), &address))
            fail_msg("taken for an address: %s", texts[i]);
    assert_false(address_parse(STR_NULL, &address));
    assert_false(address_parse(str_of("1.2.3.4\0", 8), &address));
}

static void groups_are_prefixes(void **state)
{
    static const struct {
        const char *one, *other;
        unsigned bits;
        bool same;
    } cases[] = {
        {"2001:db8:1:2::1", "2001:db8:1:2::ffff", 64, true}, /* IP-01 */
        {"2001:db8:1:2::1", "2001:db8:1:3::1", 64, false},
        {"2001:db8:1:2::1", "2001:db8:1:3::1", 48, true},
        {"2001:db8:1:2::1", "2001:db8:2:3::1", 48, false},
        {"2001:db8:1:2::1", "2001:db8:2:3::1", 32, true},
        {"203.0.113.5", "203.0.113.6", 128, false},
        {"203.0.113.5", "203.0.1.6", 112, true},
        {"203.0.113.5", "203.1.113.5", 112, false},
        {"128.0.0.0", "255.0.0.0", 97, true},
        {"127.0.0.0", "128.0.0.0", 97, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct address a = parsed(cases[i].one), b = parsed(cases[i].other);
        struct address a_group = address_prefix(&a, cases[i].bits);
        struct address b_group = address_prefix(&b, cases[i].bits);
        if (address_eq(&a_group, &b_group) != cases[i].same)
            fail_msg("%s and %s at /%u", cases[i].one, cases[i].other, cases[i].bits);
    }
}

static void socket_addresses_are_normalised(void **state)
{
    struct sockaddr_in in = {.sin_family = AF_INET};
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_scope_id = 3};
    struct sockaddr_un un = {.sun_family = AF_UNIX};
    struct address expected = parsed("203.0.113.5"), address;
    assert_int_equal(inet_pton(AF_INET, "203.0.113.5", &in.sin_addr), 1);
    address = address_from_sockaddr((const struct sockaddr *)&in);
    assert_true(address_eq(&address, &expected));
    assert_int_equal(inet_pton(AF_INET6, "::ffff:203.0.113.5", &in6.sin6_addr), 1);
    address = address_from_sockaddr((const struct sockaddr *)&in6);
    assert_true(address_eq(&address, &expected));
    assert_false(address_is_unix(&address));
    address = address_from_sockaddr((const struct sockaddr *)&un);
    assert_true(address_is_unix(&address));
}

static void loopback_is_known_in_both_families(void **state)
{
    static const char *const loopback[] = {"127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"};
    static const char *const others[] = {"128.0.0.1", "::2", "10.0.0.1"};
    for (size_t i = 0; i < sizeof loopback / sizeof *loopback; i++) {
        struct address address = parsed(loopback[i]);
        assert_true(address_is_loopback(&address));
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct address address = parsed(others[i]);
        assert_false(address_is_loopback(&address));
    }
}

static void address_round_trips(void **state)
{
    static const char *const texts[] = {"203.0.113.5", "2001:db8::1", "::1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct buf b;
        struct address address = parsed(texts[i]);
        buf_init(&b, 64);
        address_put(&b, &address);
        assert_str(buf_view(&b), texts[i]);
        buf_finish(&b);
    }
}

static bool has(const char *list_text, const char *address_text)
{
    struct cidr_list list;
    struct fail fail;
    struct address address = address_text ? parsed(address_text) : ADDRESS_UNIX;
    if (cidr_list_parse(str_from(list_text), &list, &fail))
        fail_msg("%s: %s", list_text, fail.text);
    return cidr_list_has(&list, &address);
}

static void list_contains_addresses_of_its_blocks(void **state)
{
    assert_true(has("10.0.0.0/8", "10.1.2.3"));
    assert_true(has("10.0.0.0/8", "::ffff:10.1.2.3"));
    assert_false(has("10.0.0.0/8", "11.0.0.0"));
    assert_true(has("10.9.9.9/8", "10.1.2.3")); /* bits beyond the prefix length are ignored */
    assert_true(has("192.0.2.1", "192.0.2.1"));
    assert_false(has("192.0.2.1", "192.0.2.2"));
    assert_true(has("192.0.2.1, 2001:db8::/32 ,,127.0.0.0/8", "2001:db8:9::1"));
    assert_true(has("192.0.2.1 2001:db8::/32", "192.0.2.1"));
    assert_true(has("0.0.0.0/0", "1.2.3.4"));
    assert_false(has("0.0.0.0/0", "2001:db8::1"));
    assert_true(has("::/0", "2001:db8::1"));
    assert_false(has("::/0", "1.2.3.4"));
    assert_true(has("::ffff:10.0.0.0/104", "10.1.2.3"));
    assert_false(has("", "1.2.3.4"));
    assert_false(has("0.0.0.0/0,::/0", NULL)); /* a unix peer must be trusted explicitly */
    assert_true(has("unix", NULL));
    assert_false(has("unix", "127.0.0.1"));
}

static void invalid_list_error_names_entry(void **state)
{
    static const char *const texts[] = {
        "10.0.0.0/33", "10.0.0.0/",    "10.0.0.0/-1", "10.0.0.0/8/8",      "::/129",
        "nonsense",    "fe80::1%eth0", "10.0.0.0/+8", "::ffff:10.0.0.0/8", "10.0.0.0/08x",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct cidr_list list;
        struct fail fail;
        if (cidr_list_parse(str_from(texts[i]), &list, &fail) != ERR_INVALID)
            fail_msg("taken for a list: %s", texts[i]);
        assert_non_null(strstr(fail.text, texts[i]));
    }
}

static void list_has_a_maximum(void **state)
{
    struct buf text;
    struct cidr_list list;
    struct fail fail;
    buf_init(&text, 4096);
    for (int i = 0; i < CIDR_LIST_MAX; i++)
        buf_fmt(&text, "10.0.0.%d ", i);
    assert_int_equal(cidr_list_parse(buf_view(&text), &list, &fail), OK);
    assert_int_equal(list.n, CIDR_LIST_MAX);
    buf_text(&text, "10.0.0.99");
    assert_int_equal(cidr_list_parse(buf_view(&text), &list, &fail), ERR_LIMIT);
    buf_finish(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings_of_one_address_are_one),
        cmocka_unit_test(invalid_database_url_is_refused),
        cmocka_unit_test(groups_are_prefixes),
        cmocka_unit_test(socket_addresses_are_normalised),
        cmocka_unit_test(loopback_is_known_in_both_families),
        cmocka_unit_test(address_round_trips),
        cmocka_unit_test(list_contains_addresses_of_its_blocks),
        cmocka_unit_test(invalid_list_error_names_entry),
        cmocka_unit_test(list_has_a_maximum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
