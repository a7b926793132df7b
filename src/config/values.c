/* Parses and checks values; see values.h. */
#include "config/values.h"

#include <arpa/inet.h>

#include "address/email.h"
#include "base/hidden.h"
#include "rule/cursor.h"
#include "rule/delivery.h"
#include "rule/event_type.h"
#include "rule/plan.h"
#include "rule/role.h"

enum { IP_TEXT_MAX = 45, YEAR_MIN = 2008, YEAR_MAX = 9999 };

bool value_i64_between(struct str text, int64_t min, int64_t max, int64_t *ret)
{
    int64_t value;
    if (!str_to_i64(text, &value) || value < min || value > max)
        return false;
    *ret = value;
    return true;
}

static bool is_address(int family, struct str text)
{
    char copy[IP_TEXT_MAX + 1];
    uint8_t address[16];
    if (text.n == 0 || text.n > IP_TEXT_MAX)
        return false;
    memcpy(copy, text.p, text.n);
    copy[text.n] = '\0';
    return inet_pton(family, copy, address) == 1;
}

bool value_listen(struct str text, struct listen_address *ret)
{
    struct listen_address a = {0};
    if (str_starts(text, STR("unix:"))) {
        a.path = str_slice(text, 5, text.n);
        if (a.path.n == 0 || a.path.n > LISTEN_PATH_MAX)
            return false;
        *ret = a;
        return true;
    }
    size_t colon = text.n;
    while (colon > 0 && text.p[colon - 1] != ':')
        colon--;
    int64_t port;
    if (colon == 0 || !value_i64_between(str_slice(text, colon, text.n), 0, UINT16_MAX, &port))
        return false;
    a.host = str_slice(text, 0, colon - 1);
    if (str_starts(a.host, STR("[")) && str_ends(a.host, STR("]"))) {
        a.host = str_slice(a.host, 1, a.host.n - 1);
        if (!is_address(AF_INET6, a.host))
            return false;
    } else if (!is_address(AF_INET, a.host)) {
        return false;
    }
    a.port = (uint16_t)port;
    *ret = a;
    return true;
}

bool value_database(struct str text)
{
    static const struct str prefixes[] = {
        STR_INIT("sqlite:"), STR_INIT("postgresql://"), STR_INIT("postgres://")};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (str_starts(text, prefixes[i]))
            return text.n > prefixes[i].n;
    return false;
}

/* Bytes that a URL may contain unescaped (RFC 3986), without '?' and '#'. */
static bool is_url_byte(char c)
{
    return ascii_is_alnum(c) || (c && strchr("-._~:/@!$&'()*+,;=%[]", c));
}

/* Host and port of an http:// or https:// URL. Null: another scheme. */
static struct str url_authority(struct str text)
{
    size_t scheme = str_starts(text, STR("http://"))    ? 7
                    : str_starts(text, STR("https://")) ? 8
                                                        : 0;
    struct str host = str_slice(text, scheme, text.n);
    ptrdiff_t slash = str_find_char(host, '/');
    return scheme == 0 ? STR_NULL : str_slice(host, 0, slash < 0 ? host.n : (size_t)slash);
}

bool value_base_url(struct str text, struct str *ret)
{
    struct str host = url_authority(text);
    for (size_t i = 0; i < text.n; i++)
        if (!is_url_byte(text.p[i]))
            return false;
    if (host.n == 0 || host.n > HOST_MAX || str_find_char(host, '@') >= 0)
        return false;
    while (str_ends(text, STR("/")))
        text.n--;
    *ret = text;
    return true;
}

bool value_is_loopback_url(struct str text)
{
    struct str host, rest = url_authority(text);
    if (!value_base_url(text, &host))
        return false;
    if (str_starts(rest, STR("[")))
        return str_eq(rest, STR("[::1]")) || str_starts(rest, STR("[::1]:"));
    str_split(&rest, ':', &host);
    return str_eq(host, STR("localhost")) ||
           (str_starts(host, STR("127.")) && is_address(AF_INET, host));
}

bool value_is_sync_url(struct str text)
{
    struct str unused;
    return value_base_url(text, &unused) &&
           (str_starts(text, STR("https://")) || value_is_loopback_url(text));
}

bool value_switch(struct str text, bool *ret)
{
    static const struct str on[] = {
        STR_INIT("1"), STR_INIT("on"), STR_INIT("yes"), STR_INIT("true")};
    static const struct str off[] = {
        STR_INIT("0"), STR_INIT("off"), STR_INIT("no"), STR_INIT("false")};
    for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
        bool is_on = str_eq_nocase(text, on[i]);
        if (is_on || str_eq_nocase(text, off[i])) {
            *ret = is_on;
            return true;
        }
    }
    return false;
}

bool value_minute_of_day(struct str text, int *ret)
{
    int64_t hour, minute;
    if (text.n != 5 || text.p[2] != ':' ||
        !value_i64_between(str_slice(text, 0, 2), 0, 23, &hour) ||
        !value_i64_between(str_slice(text, 3, 5), 0, 59, &minute))
        return false;
    *ret = (int)(hour * 60 + minute);
    return true;
}

bool value_log_format(struct str text, enum log_format *ret)
{
    static const struct {
        struct str name;
        enum log_format format;
    } formats[] = {
        {STR_INIT("auto"), LOG_CHOOSE},
        {STR_INIT("text"), LOG_TEXT},
        {STR_INIT("logfmt"), LOG_LOGFMT},
        {STR_INIT("json"), LOG_JSON},
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (str_eq(text, formats[i].name)) {
            *ret = formats[i].format;
            return true;
        }
    return false;
}

bool value_is_line(struct str text)
{
    bool visible = false;
    for (size_t i = 0; i < text.n; i++) {
        if ((unsigned char)text.p[i] < ' ' || text.p[i] == 0x7f)
            return false;
        visible |= text.p[i] != ' ';
    }
    return visible;
}

bool value_is_text(struct str text)
{
    return value_is_line(text) && hidden_free_line(text);
}

bool value_is_email(struct str text)
{
    return email_is_valid(text);
}

bool value_is_count(struct str text)
{
    int64_t unused;
    return value_i64_between(text, 0, INT32_MAX, &unused);
}

bool value_duration(struct str text, int64_t *ret_ms)
{
    enum { DURATION_MAX_MS = 24 * 3600 * 1000 };
    static const struct {
        struct str name;
        int64_t ms;
    } units[] = {
        {STR_INIT("ms"), 1},
        {STR_INIT("s"), 1000},
        {STR_INIT("m"), 60 * 1000},
        {STR_INIT("h"), 3600 * 1000},
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        int64_t n;
        if (!str_ends(text, units[i].name) ||
            !value_i64_between(
                str_slice(text, 0, text.n - units[i].name.n), 0, DURATION_MAX_MS / units[i].ms, &n))
            continue;
        *ret_ms = n * units[i].ms;
        return true;
    }
    return false;
}

bool value_is_duration(struct str text)
{
    int64_t unused;
    return value_duration(text, &unused);
}

bool value_grace(struct str text, int64_t *ret)
{
    return value_i64_between(text, 0, DELIVERY_GRACE_HOURS_MAX, ret);
}

bool value_is_grace(struct str text)
{
    int64_t unused;
    return value_grace(text, &unused);
}

bool value_is_events(struct str text)
{
    return event_types_are_valid(text);
}

bool value_is_instant(struct str text)
{
    int64_t unused;
    return instant_parse(text, &unused);
}

bool value_is_day(struct str text)
{
    int32_t unused;
    return day_parse(text, &unused);
}

bool value_is_year(struct str text)
{
    int64_t unused;
    return value_i64_between(text, YEAR_MIN, YEAR_MAX, &unused);
}

bool value_is_contact(struct str text)
{
    struct str unused;
    return email_is_valid(text) ||
           (str_starts(text, STR("https://")) && value_base_url(text, &unused));
}

bool value_is_plan(struct str text)
{
    enum plan plan;
    return plan_from_key(text, &plan);
}

bool value_is_role(struct str text)
{
    enum role role;
    return role_from_name(text, &role);
}

bool value_is_cursor(struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (!ascii_is_alnum(text.p[i]) && text.p[i] != '-' && text.p[i] != '_')
            return false;
    return text.n > 0 && text.n <= CURSOR_TEXT_SIZE_MAX;
}
