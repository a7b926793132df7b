#include "unit.h"

#include "address/client_address.h"

struct forwarded_case {
    const char *trusted;
    const char *peer; /* NULL: a unix socket */
    const char *lines[4];
    const char *client; /* NULL: the bucket of unix sockets */
};

static void assert_client(const struct forwarded_case *c)
{
    struct cidr_list trusted;
    struct str lines[4];
    struct address peer = ADDRESS_UNIX, expected = ADDRESS_UNIX;
    size_t n = 0;
    assert_int_equal(cidr_list_parse(str_from(c->trusted), &trusted, NULL), OK);
    assert_true(!c->peer || address_parse(str_from(c->peer), &peer));
    assert_true(!c->client || address_parse(str_from(c->client), &expected));
    for (; n < 4 && c->lines[n]; n++)
        lines[n] = str_from(c->lines[n]);
    struct address client = client_address(&peer, &trusted, lines, n);
    if (!address_eq(&client, &expected)) {
        struct buf text;
        buf_init(&text, 100);
        address_put(&text, &client);
        fail_msg(
            "peer %s, forwarded \"%s\": %.*s, expected %s", c->peer, c->lines[0],
            STR_ARG(buf_view(&text)), c->client);
    }
}

static void client_is_last_untrusted_address(void **state)
{
    static const struct forwarded_case cases[] = {
        /* IP-05 */
        {"", "203.0.113.5", {"1.2.3.4"}, "203.0.113.5"},
        {"10.0.0.0/8", "203.0.113.5", {"1.2.3.4"}, "203.0.113.5"},
        {"10.0.0.0/8", "10.0.0.1", {0}, "10.0.0.1"},
        /* IP-06 */
        {"10.0.0.0/8", "10.0.0.1", {"1.2.3.4, 198.51.100.7, 10.0.0.9"}, "198.51.100.7"},
        {"10.0.0.0/8", "10.0.0.1", {"1.2.3.4"}, "1.2.3.4"},
        {"10.0.0.0/8", "10.0.0.1", {"10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
        {"10.0.0.0/8", "::ffff:10.0.0.1", {"::ffff:1.2.3.4"}, "1.2.3.4"},
        /* IP-07 */
        {"10.0.0.0/8", "10.0.0.1", {"6.6.6.6, garbage"}, "10.0.0.1"},
        {"10.0.0.0/8", "10.0.0.1", {"6.6.6.6, garbage, 10.0.0.9"}, "10.0.0.9"},
        {"10.0.0.0/8", "10.0.0.1", {"6.6.6.6, unknown"}, "10.0.0.1"},
        {"10.0.0.0/8", "10.0.0.1", {"6.6.6.6, ::"}, "10.0.0.1"},
        {"10.0.0.0/8", "10.0.0.1", {"garbage, 6.6.6.6"}, "6.6.6.6"},
        /* IP-08 */
        {"10.0.0.0/8", "10.0.0.1", {"1.2.3.4", "198.51.100.7, 10.0.0.9"}, "198.51.100.7"},
        {"10.0.0.0/8", "10.0.0.1", {"1.2.3.4", "10.0.0.9"}, "1.2.3.4"},
        {"10.0.0.0/8", "10.0.0.1", {"1.2.3.4:443"}, "1.2.3.4"},
        {"10.0.0.0/8", "10.0.0.1", {"[2001:db8::1]:443"}, "2001:db8::1"},
        {"10.0.0.0/8", "10.0.0.1", {"[2001:db8::1]"}, "2001:db8::1"},
        {"10.0.0.0/8", "10.0.0.1", {"2001:db8::1"}, "2001:db8::1"},
        {"10.0.0.0/8", "10.0.0.1", {"fe80::1%eth0"}, "fe80::1"},
        {"10.0.0.0/8", "10.0.0.1", {"1.2.3.4, 10.0.0.7:81"}, "1.2.3.4"},
        {"10.0.0.0/8", "10.0.0.1", {"1.2.3.4:"}, "10.0.0.1"},
        {"10.0.0.0/8", "10.0.0.1", {"1.2.3.4:65536"}, "10.0.0.1"},
        {"10.0.0.0/8", "10.0.0.1", {"[1.2.3.4]:80"}, "10.0.0.1"},
        {"10.0.0.0/8", "10.0.0.1", {"[2001:db8::1"}, "10.0.0.1"},
        {"10.0.0.0/8", "10.0.0.1", {"[2001:db8::1]x"}, "10.0.0.1"},
        {"10.0.0.0/8", "10.0.0.1", {"2001:db8::1]:443"}, "10.0.0.1"},
        {"10.0.0.0/8", "10.0.0.1", {""}, "10.0.0.1"},
        {"10.0.0.0/8", "10.0.0.1", {" , 1.2.3.4,, "}, "1.2.3.4"},
        {"2001:db8:aa::/48", "2001:db8:aa::1", {"2001:db8::7"}, "2001:db8::7"},
        /* IP-09 */
        {"", NULL, {"1.2.3.4"}, NULL},
        {"unix", NULL, {"1.2.3.4"}, "1.2.3.4"},
        {"unix", NULL, {"1.2.3.4, 10.0.0.1"}, "10.0.0.1"},
        {"unix,10.0.0.0/8", NULL, {"1.2.3.4, 10.0.0.1"}, "1.2.3.4"},
        {"unix", NULL, {0}, NULL},
        {"unix", NULL, {"garbage"}, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_client(&cases[i]);
}

static void at_most_64_hops_are_read(void **state)
{
    struct cidr_list trusted;
    struct address peer, expected;
    assert_int_equal(cidr_list_parse(STR("10.0.0.0/8"), &trusted, NULL), OK);
    assert_true(address_parse(STR("10.9.9.9"), &peer));
    for (int hops = CLIENT_ADDRESS_HOPS_MAX - 1; hops <= CLIENT_ADDRESS_HOPS_MAX; hops++) {
        struct buf text;
        buf_init(&text, 4096);
        buf_text(&text, "1.2.3.4");
        for (int i = hops; i > 0; i--)
            buf_fmt(&text, ", 10.0.0.%d", i);
        struct str line = buf_view(&text);
        struct address client = client_address(&peer, &trusted, &line, 1);
        bool within = hops < CLIENT_ADDRESS_HOPS_MAX;
        assert_true(address_parse(within ? STR("1.2.3.4") : STR("10.0.0.64"), &expected));
        assert_true(address_eq(&client, &expected));
        buf_finish(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(client_is_last_untrusted_address),
        cmocka_unit_test(at_most_64_hops_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
