/*
 * The table of blocks; see address_class.h.
 *
 * It has every block of IANA's special-purpose registries (RFC 6890 and its successors). Most are
 * "Globally Reachable: False" there. The others are blocked too, because no receiver can be in
 * them: anycast services, whose nearest instance may be inside the operator's network (a PCP server
 * changes the router's port mappings), and identifiers that look like addresses. 64:ff9b::/96 is
 * the one exception: it is unwrapped to the IPv4 address inside.
 *
 * Clouds give some of their own services public numbers that only their machines can reach. Their
 * other metadata addresses are link-local (169.254.169.254), of the carriers' NAT block
 * (100.100.100.200), unique-local (fd00:ec2::254) or protocol assignments (192.0.0.192).
 */
#include "address/address_class.h"

enum { IPV4_FIRST_BIT = 96 };

#define IPV4(a, b, c, d, length)                                                                   \
    {                                                                                              \
        .base = {{[10] = 0xff, [11] = 0xff, [12] = (a), [13] = (b), [14] = (c), [15] = (d)}},      \
        .bits = IPV4_FIRST_BIT + (length)                                                          \
    }
/* By the bytes that the address begins with. */
#define IPV6(length, ...)                                                                          \
    {                                                                                              \
        .base = {{__VA_ARGS__}}, .bits = (length)                                                  \
    }

static const struct address_block blocks[] = {
    {IPV4(0, 0, 0, 0, 8), "this network"},
    {IPV4(10, 0, 0, 0, 8), "a private network"},
    {IPV4(100, 64, 0, 0, 10), "a carrier's NAT"},
    {IPV4(127, 0, 0, 0, 8), "loopback"},
    {IPV4(161, 26, 0, 0, 16), "a cloud's own services"},    /* IBM Cloud */
    {IPV4(166, 8, 0, 0, 14), "a cloud's own services"},     /* IBM Cloud */
    {IPV4(168, 63, 129, 16, 32), "a cloud's own services"}, /* Azure: settings of the machine */
    {IPV4(169, 254, 0, 0, 16), "link-local"},               /* cloud metadata: 169.254.169.254 */
    {IPV4(172, 16, 0, 0, 12), "a private network"},
    {IPV4(192, 0, 0, 0, 24), "protocol assignments"},
    {IPV4(192, 0, 2, 0, 24), "documentation"},
    {IPV4(192, 31, 196, 0, 24), "an anycast service"}, /* AS112 */
    {IPV4(192, 52, 193, 0, 24), "an anycast service"}, /* AMT relays */
    {IPV4(192, 88, 99, 0, 24), "6to4 relays"},
    {IPV4(192, 168, 0, 0, 16), "a private network"},
    {IPV4(192, 175, 48, 0, 24), "an anycast service"}, /* AS112 */
    {IPV4(198, 18, 0, 0, 15), "benchmarking"},
    {IPV4(198, 51, 100, 0, 24), "documentation"},
    {IPV4(203, 0, 113, 0, 24), "documentation"},
    {IPV4(224, 0, 0, 0, 4), "multicast"},
    {IPV4(240, 0, 0, 0, 4), "reserved"}, /* broadcast is its last address */
    {IPV6(128, 0), "unspecified"},
    {IPV6(128, [15] = 1), "loopback"},
    {IPV6(48, 0x00, 0x64, 0xff, 0x9b, 0x00, 0x01), "NAT64 of a private network"},
    {IPV6(64, 0x01), "discarded"},
    {IPV6(32, 0x20, 0x01), "Teredo"},
    {IPV6(48, 0x20, 0x01, 0x00, 0x02), "benchmarking"},
    {IPV6(28, 0x20, 0x01, 0x00, 0x10), "identifiers"}, /* ORCHID, returned */
    {IPV6(28, 0x20, 0x01, 0x00, 0x20), "identifiers"}, /* ORCHIDv2 */
    {IPV6(28, 0x20, 0x01, 0x00, 0x30), "identifiers"}, /* of drones */
    {IPV6(23, 0x20, 0x01), "protocol assignments"},    /* PCP, TURN, SRP, AMT, AS112 */
    {IPV6(32, 0x20, 0x01, 0x0d, 0xb8), "documentation"},
    {IPV6(16, 0x20, 0x02), "6to4"},
    {IPV6(48, 0x26, 0x20, 0x00, 0x4f, 0x80), "an anycast service"}, /* AS112 */
    {IPV6(20, 0x3f, 0xff), "documentation"},
    {IPV6(16, 0x5f), "segment routing"},
    {IPV6(7, 0xfc), "unique-local"},
    {IPV6(10, 0xfe, 0x80), "link-local"},
    {IPV6(10, 0xfe, 0xc0), "site-local"}, /* deprecated, and still routed inside some networks */
    {IPV6(8, 0xff), "multicast"},
    /* Only 2000::/3 is the public internet. Other routed blocks are overlays or private to a
     * network. */
    {IPV6(3, 0), "reserved"}, /* includes IPv4-compatible addresses */
    {IPV6(2, 0x40), "reserved"},
    {IPV6(1, 0x80), "reserved"},
};

enum { BLOCK_COUNT = sizeof blocks / sizeof *blocks };

const struct address_block *address_blocks(size_t *ret_count)
{
    *ret_count = BLOCK_COUNT;
    return blocks;
}

const struct address_block *address_block_of(const struct address *address)
{
    for (const struct address_block *block = blocks; block < blocks + BLOCK_COUNT; block++)
        if (cidr_has(&block->cidr, address))
            return block;
    return NULL;
}
