/* Addresses of callers; see caller.h. */
#include "edge/caller.h"

#include <netinet/in.h>

#include "rule/plan.h"

struct address caller_of_peer(const struct http_peer *peer)
{
    struct sockaddr_in6 sockaddr = {.sin6_family = AF_INET6};
    if (peer->is_unix)
        return ADDRESS_UNIX;
    memcpy(&sockaddr.sin6_addr, peer->address, sizeof peer->address);
    return address_from_sockaddr((const struct sockaddr *)&sockaddr);
}

struct address caller_peer(const struct http_exchange *x)
{
    return caller_of_peer(http_peer(x));
}

struct address caller_address(const struct http_exchange *x, const struct cidr_list *trusted)
{
    static const struct cidr_list none;
    const struct http_request *request = http_request(x);
    struct str forwarded[CLIENT_ADDRESS_HOPS_MAX];
    struct address peer = caller_peer(x);
    /* Keeps the last lines, which the nearest proxies added: the caller may send any number of
     * lines. */
    size_t first = CLIENT_ADDRESS_HOPS_MAX;
    for (size_t i = request->header_count; i-- > 0 && first > 0;)
        if (str_eq(request->headers[i].name, STR("x-forwarded-for")))
            forwarded[--first] = request->headers[i].value;
    return client_address(
        &peer, trusted ? trusted : &none, forwarded + first, CLIENT_ADDRESS_HOPS_MAX - first);
}

/* Multiplies a limit by STOCKACT_BENCH_UNLIMITED's factor, at most to the maximum of a window. */
static uint32_t times(uint32_t count, uint32_t factor)
{
    uint64_t product = (uint64_t)count * factor;
    return product > UINT32_MAX ? UINT32_MAX : (uint32_t)product;
}

struct limits_caller caller_keyed(
    int64_t key_no, enum key_kind kind, enum plan plan, uint32_t factor)
{
    uint32_t minute = plan_info(plan)->requests_per_minute;
    uint32_t month = plan_info(plan)->requests_per_month;
    return (struct limits_caller){
        .keyed = true,
        .key_no = key_no,
        .per_minute = times(minute || kind == KEY_API ? minute : (uint32_t)LINK_PER_MINUTE, factor),
        .per_month = times(month || kind == KEY_API ? month : (uint32_t)LINK_PER_MONTH, factor),
    };
}

struct limits_caller caller_anonymous(struct address address, uint32_t factor)
{
    return (struct limits_caller){
        .address = address,
        .per_minute = times(ANONYMOUS_PER_MINUTE, factor),
        .per_month = times(ANONYMOUS_PER_MONTH, factor),
    };
}
