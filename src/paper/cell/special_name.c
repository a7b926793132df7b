/* The table of special names; see special_name.h. */
#include "paper/cell/special_name.h"

static const struct special_name names[] = {
    {STR_INIT("onion"), "names of Tor", false},
    {STR_INIT("alt"), "names outside the DNS", false},
    {STR_INIT("invalid"), "names that never exist", false},
    {STR_INIT("localhost"), "names of the machine itself", true},
    {STR_INIT("local"), "names of the local network", true},
    {STR_INIT("internal"), "names of private networks", true},
    {STR_INIT("home.arpa"), "names of home networks", true},
    {STR_INIT("test"), "names for tests", true},
    {STR_INIT("example"), "names for documentation", true},
    /* Not delegated, and not to be: used inside networks (RFC 6762, appendix G; ICANN). */
    {STR_INIT("corp"), "names of private networks", true},
    {STR_INIT("home"), "names of private networks", true},
    {STR_INIT("intranet"), "names of private networks", true},
    {STR_INIT("lan"), "names of private networks", true},
    {STR_INIT("localdomain"), "names of private networks", true},
    {STR_INIT("mail"), "names of private networks", true},
    {STR_INIT("private"), "names of private networks", true},
};

static const struct special_name no_dot = {{NULL, 0}, "names without a dot", true};

static bool is_in(struct str host, struct str suffix)
{
    if (host.n < suffix.n || !str_eq(str_slice(host, host.n - suffix.n, host.n), suffix))
        return false;
    return host.n == suffix.n || host.p[host.n - suffix.n - 1] == '.';
}

const struct special_name *special_name_of(struct str host)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_in(host, names[i].suffix))
            return &names[i];
    return str_find_char(host, '.') < 0 ? &no_dot : NULL;
}
