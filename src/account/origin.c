/* Networks and browsers; see origin.h. */
#include "account/origin.h"

enum { IPV4_KEPT_BITS = 96 + 24, IPV6_KEPT_BITS = 48, AGENT_READ_MAX = 512 };

struct named {
    struct str part; /* of the User-Agent */
    struct str name;
};

/* The first that matches counts: browsers name the ones that they descend from. */
static const struct named browsers[] = {
    {STR_INIT("Edg"), STR_INIT("Edge")},
    {STR_INIT("OPR/"), STR_INIT("Opera")},
    {STR_INIT("SamsungBrowser/"), STR_INIT("Samsung Internet")},
    {STR_INIT("Vivaldi/"), STR_INIT("Vivaldi")},
    {STR_INIT("FxiOS/"), STR_INIT("Firefox")},
    {STR_INIT("Firefox/"), STR_INIT("Firefox")},
    {STR_INIT("CriOS/"), STR_INIT("Chrome")},
    {STR_INIT("HeadlessChrome/"), STR_INIT("Chrome")},
    {STR_INIT("Chrome/"), STR_INIT("Chrome")},
    {STR_INIT("Safari/"), STR_INIT("Safari")},
    {STR_INIT("curl/"), STR_INIT("curl")},
};

static const struct named systems[] = {
    {STR_INIT("iPhone"), STR_INIT("iPhone")},   {STR_INIT("iPad"), STR_INIT("iPad")},
    {STR_INIT("Android"), STR_INIT("Android")}, {STR_INIT("Windows"), STR_INIT("Windows")},
    {STR_INIT("CrOS"), STR_INIT("ChromeOS")},   {STR_INIT("Macintosh"), STR_INIT("macOS")},
    {STR_INIT("Mac OS X"), STR_INIT("macOS")},  {STR_INIT("FreeBSD"), STR_INIT("FreeBSD")},
    {STR_INIT("OpenBSD"), STR_INIT("OpenBSD")}, {STR_INIT("Linux"), STR_INIT("Linux")},
};

static struct str name_in(const struct named *table, size_t n, struct str text)
{
    for (size_t i = 0; i < n; i++)
        if (str_find(text, table[i].part) >= 0)
            return table[i].name;
    return STR_NULL;
}

struct str origin_browser(struct str user_agent, struct arena *arena)
{
    struct str text = str_slice(user_agent, 0, AGENT_READ_MAX);
    struct str browser = name_in(browsers, sizeof browsers / sizeof *browsers, text);
    struct str system = name_in(systems, sizeof systems / sizeof *systems, text);
    if (str_is_null(browser))
        browser = STR("Unknown browser");
    return str_is_null(system)
               ? arena_str(arena, browser)
               : arena_fmt(arena, "%.*s on %.*s", STR_ARG(browser), STR_ARG(system));
}

static struct str place_of(const struct address *client, struct arena *arena)
{
    if (address_is_unix(client) || address_is_loopback(client))
        return arena_str(arena, STR("this machine"));
    bool ipv4 = address_is_ipv4(client);
    struct address network = address_prefix(client, ipv4 ? IPV4_KEPT_BITS : IPV6_KEPT_BITS);
    char text[SESSION_PLACE_MAX];
    struct buf b = buf_over(text, sizeof text);
    address_put(&b, &network);
    buf_text(&b, ipv4 ? "/24" : "/48");
    return arena_str(arena, buf_view(&b));
}

struct session_origin origin_make(
    const struct address *client, struct str user_agent, struct arena *arena)
{
    return (struct session_origin){
        .place = place_of(client, arena),
        .browser = str_is_null(user_agent) ? STR_NULL : origin_browser(user_agent, arena),
    };
}
