/* X-Forwarded-For from right to left; see client_address.h. */
#include "address/client_address.h"

/* A port after the colon: 1 to 5 digits, at most 65535. */
static bool port_valid(struct str text)
{
    int64_t port;
    return text.n >= 1 && text.n <= 5 && ascii_is_digit(text.p[0]) && str_to_i64(text, &port) &&
           port <= 65535;
}

/* ADDRESS, IPV4:PORT, [IPV6] or [IPV6]:PORT. */
static bool entry_split(struct str entry, struct address *ret)
{
    if (str_starts(entry, STR("["))) {
        ptrdiff_t end = str_find_char(entry, ']');
        if (end < 0)
            return false;
        struct str inside = str_slice(entry, 1, (size_t)end);
        struct str after = str_slice(entry, (size_t)end + 1, entry.n);
        if (after.n && (after.p[0] != ':' || !port_valid(str_slice(after, 1, after.n))))
            return false;
        return str_find_char(inside, ':') >= 0 && address_parse(inside, ret);
    }
    ptrdiff_t colon = str_find_char(entry, ':');
    bool one_colon =
        colon >= 0 && str_find_char(str_slice(entry, (size_t)colon + 1, entry.n), ':') < 0;
    if (!one_colon)
        return address_parse(entry, ret);
    return port_valid(str_slice(entry, (size_t)colon + 1, entry.n)) &&
           address_parse(str_slice(entry, 0, (size_t)colon), ret);
}

/* ADDRESS_UNIX is all zeros, so `::` must not pass. */
static bool entry_parse(struct str entry, struct address *ret)
{
    return entry_split(entry, ret) && !address_is_unix(ret);
}

/* Cuts the last entry off *rest; false if none is left. */
static bool last_entry(struct str *rest, struct str *ret)
{
    if (str_is_null(*rest))
        return false;
    size_t from = rest->n;
    while (from && rest->p[from - 1] != ',')
        from--;
    *ret = str_trim(str_slice(*rest, from, rest->n));
    *rest = from ? str_slice(*rest, 0, from - 1) : STR_NULL;
    return true;
}

struct address client_address(
    const struct address *peer, const struct cidr_list *trusted, const struct str *forwarded,
    size_t forwarded_count)
{
    struct address client = *peer;
    int hops = 0;
    for (size_t i = forwarded_count; i-- > 0;) {
        struct str rest = forwarded[i], entry;
        while (cidr_list_has(trusted, &client) && last_entry(&rest, &entry)) {
            struct address next;
            if (hops++ == CLIENT_ADDRESS_HOPS_MAX)
                return client;
            if (!entry.n)
                continue; /* RFC 9110, 5.6.1: ignore empty list elements */
            if (!entry_parse(entry, &next))
                return client;
            client = next;
        }
    }
    return client;
}
