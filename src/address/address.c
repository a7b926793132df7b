/* Addresses in normal form and lists of CIDR blocks; see address.h. */
#include "address/address.h"

#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>

enum {
    ADDRESS_BITS = 128,
    IPV4_OFFSET = 12, /* bytes before the IPv4 address */
    IPV4_FIRST_BIT = 8 * IPV4_OFFSET,
};

static const uint8_t mapped_start[IPV4_OFFSET] = {[10] = 0xff, [11] = 0xff};
static const uint8_t nat64_start[IPV4_OFFSET] = {0x00, 0x64, 0xff, 0x9b};

static struct address from_ipv4(const void *bytes)
{
    struct address address;
    memcpy(address.bytes, mapped_start, IPV4_OFFSET);
    memcpy(address.bytes + IPV4_OFFSET, bytes, 4);
    return address;
}

static struct address from_ipv6(const void *bytes)
{
    struct address address;
    memcpy(address.bytes, bytes, sizeof address.bytes);
    if (memcmp(address.bytes, nat64_start, IPV4_OFFSET) == 0)
        return from_ipv4(address.bytes + IPV4_OFFSET);
    return address;
}

struct address address_from_sockaddr(const struct sockaddr *sockaddr)
{
    if (sockaddr->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, sockaddr, sizeof in);
        return from_ipv4(&in.sin_addr);
    }
    if (sockaddr->sa_family == AF_INET6) {
        struct sockaddr_in6 in6;
        memcpy(&in6, sockaddr, sizeof in6);
        return from_ipv6(&in6.sin6_addr);
    }
    return ADDRESS_UNIX;
}

bool address_parse(struct str text, struct address *ret)
{
    char zero_ended[INET6_ADDRSTRLEN];
    uint8_t bytes[16];
    ptrdiff_t zone = str_find_char(text, '%');
    if (zone >= 0) {
        if ((size_t)zone + 1 == text.n)
            return false;
        text.n = (size_t)zone;
    }
    if (!text.n || text.n >= sizeof zero_ended || memchr(text.p, '\0', text.n))
        return false;
    memcpy(zero_ended, text.p, text.n);
    zero_ended[text.n] = '\0';
    if (zone < 0 && inet_pton(AF_INET, zero_ended, bytes) == 1) {
        *ret = from_ipv4(bytes);
        return true;
    }
    if (inet_pton(AF_INET6, zero_ended, bytes) == 1) {
        *ret = from_ipv6(bytes);
        return true;
    }
    return false;
}

void address_put(struct buf *b, const struct address *address)
{
    char text[INET6_ADDRSTRLEN];
    bool ipv4 = address_is_ipv4(address);
    const uint8_t *bytes = address->bytes + (ipv4 ? IPV4_OFFSET : 0);
    if (!inet_ntop(ipv4 ? AF_INET : AF_INET6, bytes, text, sizeof text))
        assert(!"an address fits into its text");
    buf_text(b, text);
}

bool address_is_ipv4(const struct address *address)
{
    return memcmp(address->bytes, mapped_start, IPV4_OFFSET) == 0;
}

bool address_is_unix(const struct address *address)
{
    return address_eq(address, &ADDRESS_UNIX);
}

bool address_is_loopback(const struct address *address)
{
    static const struct address ipv6 = {{[15] = 1}};
    if (address_is_ipv4(address))
        return address->bytes[IPV4_OFFSET] == 127;
    return address_eq(address, &ipv6);
}

bool address_eq(const struct address *a, const struct address *b)
{
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

struct address address_prefix(const struct address *address, unsigned bits)
{
    struct address prefix = {{0}};
    assert(bits <= ADDRESS_BITS);
    memcpy(prefix.bytes, address->bytes, bits / 8);
    if (bits % 8)
        prefix.bytes[bits / 8] = address->bytes[bits / 8] & (uint8_t)(0xff00 >> bits % 8);
    return prefix;
}

/* A block, or a single address as a block of its full length. */
static bool cidr_parse(struct str text, struct cidr *ret)
{
    struct str rest = text, base;
    struct address address;
    int64_t bits = -1;
    str_split(&rest, '/', &base);
    if (!address_parse(base, &address) || str_find_char(base, '%') >= 0)
        return false;
    /* The length counts in the written form: NAT64 in IPv6 form keeps IPv6 lengths. */
    bool written_ipv4 = str_find_char(base, ':') < 0;
    int64_t written_bits = written_ipv4 ? 32 : ADDRESS_BITS;
    if (str_is_null(rest))
        bits = written_bits;
    else if (
        rest.n > 3 || !ascii_is_digit(rest.n ? rest.p[0] : '\0') || !str_to_i64(rest, &bits) ||
        bits > written_bits)
        return false;
    if (written_ipv4)
        bits += IPV4_FIRST_BIT;
    else if (address_is_ipv4(&address) && bits < IPV4_FIRST_BIT)
        return false; /* a block larger than the mapped or NAT64 block has no normal form */
    *ret = (struct cidr){address_prefix(&address, (unsigned)bits), (uint8_t)bits};
    return true;
}

enum err cidr_list_parse(struct str text, struct cidr_list *ret, struct fail *fail)
{
    struct cidr_list list = {0};
    struct str rest = text, word;
    while (str_next_word(&rest, &word)) {
        if (str_eq(word, STR("unix"))) {
            list.unix_socket = true;
            continue;
        }
        if (list.n == CIDR_LIST_MAX)
            return fail_set(fail, ERR_LIMIT, "more than %d address blocks", CIDR_LIST_MAX);
        if (!cidr_parse(word, &list.blocks[list.n++]))
            return fail_set(
                fail, ERR_INVALID, "\"%.*s\" is neither an address, a CIDR block nor \"unix\"",
                STR_ARG(str_slice(word, 0, 80)));
    }
    *ret = list;
    return OK;
}

bool cidr_has(const struct cidr *cidr, const struct address *address)
{
    bool block_ipv4 = cidr->bits >= IPV4_FIRST_BIT && address_is_ipv4(&cidr->base);
    if (block_ipv4 != address_is_ipv4(address))
        return false;
    struct address prefix = address_prefix(address, cidr->bits);
    return address_eq(&prefix, &cidr->base);
}

bool cidr_list_has(const struct cidr_list *list, const struct address *address)
{
    if (address_is_unix(address))
        return list->unix_socket;
    for (size_t i = 0; i < list->n; i++)
        if (cidr_has(&list->blocks[i], address))
            return true;
    return false;
}
