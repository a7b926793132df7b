/* The table of addresses that webhooks never connect to, at the edges of each block. */
#include "unit.h"

#include <string.h>

#include "address/address_class.h"

/* Each block by its first and last address and its neighbours, repeated here from RFC 6890 and its
 * successors. NULL: public; "-": no such neighbour. */
static const struct {
    const char *first, *last, *name;
    const char *below, *below_name;
    const char *above, *above_name;
} edges[] = {
    {"0.0.0.0", "0.255.255.255", "this network", "-", NULL, "1.0.0.0", NULL},
    {"10.0.0.0", "10.255.255.255", "a private network", "9.255.255.255", NULL, "11.0.0.0", NULL},
    {"100.64.0.0", "100.127.255.255", "a carrier's NAT", "100.63.255.255", NULL, "100.128.0.0",
     NULL},
    {"127.0.0.0", "127.255.255.255", "loopback", "126.255.255.255", NULL, "128.0.0.0", NULL},
    {"161.26.0.0", "161.26.255.255", "a cloud's own services", "161.25.255.255", NULL, "161.27.0.0",
     NULL},
    {"166.8.0.0", "166.11.255.255", "a cloud's own services", "166.7.255.255", NULL, "166.12.0.0",
     NULL},
    {"168.63.129.16", "168.63.129.16", "a cloud's own services", "168.63.129.15", NULL,
     "168.63.129.17", NULL},
    {"169.254.0.0", "169.254.255.255", "link-local", "169.253.255.255", NULL, "169.255.0.0", NULL},
    {"172.16.0.0", "172.31.255.255", "a private network", "172.15.255.255", NULL, "172.32.0.0",
     NULL},
    {"192.0.0.0", "192.0.0.255", "protocol assignments", "191.255.255.255", NULL, "192.0.1.0",
     NULL},
    {"192.0.2.0", "192.0.2.255", "documentation", "192.0.1.255", NULL, "192.0.3.0", NULL},
    {"192.31.196.0", "192.31.196.255", "an anycast service", "192.31.195.255", NULL, "192.31.197.0",
     NULL},
    {"192.52.193.0", "192.52.193.255", "an anycast service", "192.52.192.255", NULL, "192.52.194.0",
     NULL},
    {"192.88.99.0", "192.88.99.255", "6to4 relays", "192.88.98.255", NULL, "192.88.100.0", NULL},
    {"192.168.0.0", "192.168.255.255", "a private network", "192.167.255.255", NULL, "192.169.0.0",
     NULL},
    {"192.175.48.0", "192.175.48.255", "an anycast service", "192.175.47.255", NULL, "192.175.49.0",
     NULL},
    {"198.18.0.0", "198.19.255.255", "benchmarking", "198.17.255.255", NULL, "198.20.0.0", NULL},
    {"198.51.100.0", "198.51.100.255", "documentation", "198.51.99.255", NULL, "198.51.101.0",
     NULL},
    {"203.0.113.0", "203.0.113.255", "documentation", "203.0.112.255", NULL, "203.0.114.0", NULL},
    {"224.0.0.0", "239.255.255.255", "multicast", "223.255.255.255", NULL, "240.0.0.0", "reserved"},
    {"240.0.0.0", "255.255.255.255", "reserved", "239.255.255.255", "multicast", "-", NULL},
    {"::", "::", "unspecified", "-", NULL, "::1", "loopback"},
    {"::1", "::1", "loopback", "::", "unspecified", "::2", "reserved"},
    {"64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", "NAT64 of a private network",
     "64:ff9b:0:ffff:ffff:ffff:ffff:ffff", "reserved", "64:ff9b:2::", "reserved"},
    {"100::", "100::ffff:ffff:ffff:ffff", "discarded", "ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
     "reserved", "100:0:0:1::", "reserved"},
    {"2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff", "Teredo",
     "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", NULL, "2001:1::", "protocol assignments"},
    {"2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff", "benchmarking",
     "2001:1:ffff:ffff:ffff:ffff:ffff:ffff", "protocol assignments",
     "2001:2:1::", "protocol assignments"},
    {"2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff", "identifiers",
     "2001:f:ffff:ffff:ffff:ffff:ffff:ffff", "protocol assignments", "2001:20::", "identifiers"},
    {"2001:20::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff", "identifiers",
     "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff", "identifiers", "2001:30::", "identifiers"},
    {"2001:30::", "2001:3f:ffff:ffff:ffff:ffff:ffff:ffff", "identifiers",
     "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff", "identifiers", "2001:40::", "protocol assignments"},
    {"2001:1::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "protocol assignments",
     "2001:0:ffff:ffff:ffff:ffff:ffff:ffff", "Teredo", "2001:200::", NULL},
    {"2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "documentation",
     "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", NULL, "2001:db9::", NULL},
    {"2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "6to4",
     "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", NULL, "2003::", NULL},
    {"2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff", "an anycast service",
     "2620:4f:7fff:ffff:ffff:ffff:ffff:ffff", NULL, "2620:4f:8001::", NULL},
    {"3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "documentation",
     "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", NULL, "3fff:1000::", NULL},
    {"5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "segment routing",
     "5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved", "5f01::", "reserved"},
    {"fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "unique-local",
     "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved", "fe00::", "reserved"},
    {"fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "link-local",
     "fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved", "fec0::", "site-local"},
    {"fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "site-local",
     "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "link-local", "ff00::", "multicast"},
    {"ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "multicast",
     "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "site-local", "-", NULL},
    {"::2", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved", "::1", "loopback",
     "2000::", NULL},
    {"4000::", "7fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved",
     "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", NULL, "8000::", "reserved"},
    {"8000::", "fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved",
     "7fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved", "fe80::", "link-local"},
};

enum { EDGE_COUNT = sizeof edges / sizeof *edges };

static void assert_block(const char *text, const char *name)
{
    struct address address;
    if (!address_parse(str_from(text), &address))
        fail_msg("no address: %s", text);
    const struct address_block *block = address_block_of(&address);
    if (!name != !block || (name && strcmp(block->name, name) != 0))
        fail_msg("%s is %s, not %s", text, block ? block->name : "public", name ? name : "public");
}

static void blocks_have_exact_bounds(void **state)
{
    for (size_t i = 0; i < EDGE_COUNT; i++) {
        assert_block(edges[i].first, edges[i].name);
        assert_block(edges[i].last, edges[i].name);
        if (strcmp(edges[i].below, "-") != 0)
            assert_block(edges[i].below, edges[i].below_name);
        if (strcmp(edges[i].above, "-") != 0)
            assert_block(edges[i].above, edges[i].above_name);
    }
}

static void test_covers_every_block_of_table(void **state)
{
    size_t count;
    const struct address_block *blocks = address_blocks(&count);
    assert_int_equal(count, EDGE_COUNT);
    for (size_t i = 0; i < count; i++) {
        struct address last;
        assert_true(address_parse(str_from(edges[i].last), &last));
        assert_true(cidr_has(&blocks[i].cidr, &last));
        assert_string_equal(blocks[i].name, edges[i].name);
        struct address base = address_prefix(&blocks[i].cidr.base, blocks[i].cidr.bits);
        assert_true(address_eq(&base, &blocks[i].cidr.base)); /* no bits beyond its length */
    }
}

/* One address of each row of IANA's two special-purpose registries, and the services of clouds. */
static void address_of_each_registry_row_is_blocked(void **state)
{
    static const char *const addresses[] = {
        "0.0.0.0",
        "0.1.2.3",
        "10.20.30.40",
        "100.100.100.200",
        "127.0.0.53",
        "169.254.169.254",
        "169.254.170.2",
        "172.31.0.1",
        "192.0.0.1",
        "192.0.0.7",
        "192.0.0.8",
        "192.0.0.9",
        "192.0.0.10",
        "192.0.0.170",
        "192.0.0.171",
        "192.0.0.192",
        "192.0.2.1",
        "192.31.196.1",
        "192.52.193.1",
        "192.88.99.1",
        "192.88.99.2",
        "192.168.1.1",
        "192.175.48.6",
        "198.19.0.1",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.251",
        "240.0.0.1",
        "255.255.255.255",
        "168.63.129.16",
        "161.26.0.10",
        "166.9.0.1",
        "::",
        "::1",
        "64:ff9b:1::1",
        "64:ff9b::a9fe:a9fe",
        "100::1",
        "100:0:0:1::1",
        "2001::1",
        "2001:1::1",
        "2001:1::2",
        "2001:1::3",
        "2001:2::1",
        "2001:3::1",
        "2001:4:112::1",
        "2001:5::1",
        "2001:10::1",
        "2001:20::1",
        "2001:30::1",
        "2001:db8::1",
        "2002:a00:1::",
        "2620:4f:8000::1",
        "3fff::1",
        "5f00::1",
        "fd00:ec2::254",
        "fd20:ce::254",
        "fd00:42::42",
        "fe80::a9fe:a9fe",
        "fec0::1",
        "ff02::fb",
        "::ffff:168.63.129.16",
        "64:ff9b::a83f:8110",
    };
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        struct address address;
        assert_true(address_parse(str_from(addresses[i]), &address));
        if (!address_block_of(&address))
            fail_msg("%s is public", addresses[i]);
    }
}

static void wrapped_asset_is_judged_by_content(void **state)
{
    assert_block("::ffff:127.0.0.1", "loopback");
    assert_block("::ffff:a00:1", "a private network");
    assert_block("::ffff:8.8.8.8", NULL);
    assert_block("64:ff9b::10.0.0.1", "a private network");
    assert_block("64:ff9b::169.254.169.254", "link-local");
    assert_block("64:ff9b::8.8.8.8", NULL);
    assert_block("::127.0.0.1", "reserved"); /* IPv4-compatible */
    assert_block("2002:7f00:1::", "6to4");
    assert_block("fe80::1%eth0", "link-local");
    assert_block("169.254.169.254", "link-local");
    assert_block("2606:4700::1111", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_have_exact_bounds),
        cmocka_unit_test(test_covers_every_block_of_table),
        cmocka_unit_test(address_of_each_registry_row_is_blocked),
        cmocka_unit_test(wrapped_asset_is_judged_by_content),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
