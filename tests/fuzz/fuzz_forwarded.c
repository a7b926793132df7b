/* Reading X-Forwarded-For: what comes back is the peer or an address that prints and parses as
 * itself, a peer that is not trusted is always the answer itself, and a forged left end never
 * changes what the right end says. Lines are separated by newlines. */
#include <assert.h>
#include <stdint.h>

#include "core/client_address.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void assert_prints_as_itself(const struct address *address)
{
    struct buf text;
    struct address again;
    buf_init(&text, 64);
    address_put(&text, address);
    assert(address_parse(buf_view(&text), &again) && address_eq(address, &again));
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
    (void)!cidr_list_parse(str_of((const char *)data, size), &ignored, NULL);
    return 0;
}
