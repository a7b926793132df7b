/* X-Forwarded-For: the result is the peer or an address that round-trips, an untrusted peer is
 * always the result itself, and a forged left end never changes the meaning of the right end.
 * Newlines separate the lines. */
#include "fuzz.h"

#include <netinet/in.h>
#include <string.h>

#include "address/client_address.h"

static void assert_prints_as_itself(const struct address *address)
{
    struct buf text;
    struct address again;
    buf_init(&text, 64);
    address_put(&text, address);
    assert(address_parse(buf_view(&text), &again) && address_eq(address, &again));
    buf_finish(&text);
}

/* A peer of either family from the input. It round-trips as text and as its own prefix, and its own
 * block contains it; an IPv4 address is the same in both families. */
static void check_sockaddr(struct str bytes)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
    struct address address, mapped;
    struct cidr_list list;
    memcpy(&v4.sin_addr, bytes.p, 4);
    memcpy(v6.sin6_addr.s6_addr, bytes.p, 16);
    address = address_from_sockaddr((const struct sockaddr *)&v4);
    memcpy(v6.sin6_addr.s6_addr, address.bytes, 16);
    mapped = address_from_sockaddr((const struct sockaddr *)&v6);
    assert(address_is_ipv4(&address) && address_eq(&address, &mapped));
    assert(address_is_loopback(&address) == (address.bytes[12] == 127));

    memcpy(v6.sin6_addr.s6_addr, bytes.p, 16);
    address = address_from_sockaddr((const struct sockaddr *)&v6);
    struct address all = address_prefix(&address, 128), none = address_prefix(&address, 0);
    assert(address_eq(&all, &address) && address_is_unix(&none));
    if (address_is_unix(&address))
        return;
    assert_prints_as_itself(&address);
    struct buf text;
    buf_init(&text, 64);
    address_put(&text, &address);
    assert(!cidr_list_parse(buf_view(&text), &list, NULL) && cidr_list_has(&list, &address));
    assert(!cidr_list_has(&list, &ADDRESS_UNIX));
    buf_finish(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { LINES_MAX = 8 };
    struct str lines[1 + LINES_MAX] = {STR_INIT("6.6.6.6, 7.7.7.7")};
    struct str rest = str_of((const char *)data, size);
    struct address peer, stranger;
    struct cidr_list trusted, ignored;
    size_t n = 0;
    assert(!cidr_list_parse(STR("10.0.0.0/8, 2001:db8::/32"), &trusted, NULL));
    assert(address_parse(STR("10.0.0.1"), &peer) && address_parse(STR("203.0.113.5"), &stranger));
    while (n < LINES_MAX && str_split(&rest, '\n', &lines[1 + n]))
        n++;

    struct address client = client_address(&peer, &trusted, lines + 1, n);
    assert(!address_is_unix(&client));
    assert_prints_as_itself(&client);
    struct address forged = client_address(&peer, &trusted, lines, n + 1);
    if (!cidr_list_has(&trusted, &client))
        assert(address_eq(&client, &forged));
    struct address direct = client_address(&stranger, &trusted, lines, n + 1);
    assert(address_eq(&direct, &stranger));
    if (size >= 16)
        check_sockaddr(fuzz_text(data, size));
    (void)!cidr_list_parse(str_of((const char *)data, size), &ignored, NULL);
    return 0;
}
