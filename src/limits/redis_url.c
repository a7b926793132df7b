/* Parses Redis URLs; see redis_url.h. */
#include "limits/redis_url.h"

#include "base/codec.h"

enum { PORT_MAX = 65535, DATABASE_MAX = 1 << 20 };

/* Copies percent-decoded text. false: too long, a bad escape, or a NUL. */
static bool text_set(char ret[static REDIS_TEXT_MAX], struct str text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == '%') {
            uint8_t byte;
            if (!hex_decode(str_slice(text, i + 1, i + 3), &byte, 1))
                return false;
            c = (char)byte;
            i += 2;
        }
        if (n + 1 == REDIS_TEXT_MAX || c == '\0')
            return false;
        ret[n++] = c;
    }
    ret[n] = '\0';
    return true;
}

static bool number_set(int *ret, struct str text, int64_t max)
{
    int64_t number;
    if (!text.n || !ascii_is_digit(text.p[0]) || !str_to_i64(text, &number) || number > max)
        return false;
    *ret = (int)number;
    return true;
}

/* [user]:password, or a password alone */
static bool credentials_set(struct redis_url *url, struct str text)
{
    struct str user = STR_NULL, rest = text;
    if (str_find_char(text, ':') >= 0)
        str_split(&rest, ':', &user);
    return text_set(url->user, user) && text_set(url->password, rest) && url->password[0];
}

/* host, host:port, [v6], [v6]:port */
static bool place_set(struct redis_place *place, struct str text)
{
    struct str host = text, port = STR_NULL;
    ptrdiff_t colon = str_find_char(text, ':');
    if (str_starts(text, STR("["))) {
        ptrdiff_t end = str_find_char(text, ']');
        if (end < 0)
            return false;
        host = str_slice(text, 1, (size_t)end);
        port = str_slice(text, (size_t)end + 1, text.n);
        if (port.n && port.p[0] != ':')
            return false;
        port = port.n ? str_slice(port, 1, port.n) : STR_NULL;
    } else if (colon >= 0) {
        host = str_slice(text, 0, (size_t)colon);
        port = str_slice(text, (size_t)colon + 1, text.n);
    }
    place->port = REDIS_PORT;
    return host.n && text_set(place->host, host) &&
           (str_is_null(port) || (number_set(&place->port, port, PORT_MAX) && place->port > 0));
}

static bool places_set(struct redis_url *url, struct str text)
{
    struct str place;
    while (str_split(&text, ',', &place)) {
        if (url->place_count == REDIS_PLACES_MAX ||
            !place_set(&url->places[url->place_count++], place))
            return false;
    }
    return url->place_count > 0;
}

static bool is_of_host(char c)
{
    return ascii_is_alnum(c) || c == '.' || c == '-' || c == '_' || c == ':';
}

bool redis_place_of_node(struct str text, const char *same, struct redis_place *ret)
{
    struct redis_place place = {.port = 0};
    size_t colon = text.n;
    while (colon && text.p[colon - 1] != ':')
        colon--;
    if (!colon)
        return false;
    struct str host = str_slice(text, 0, colon - 1);
    if (!host.n)
        host = str_from(same);
    for (size_t i = 0; i < host.n; i++)
        if (!is_of_host(host.p[i]))
            return false;
    if (!text_set(place.host, host) || !place.host[0] ||
        !number_set(&place.port, str_slice(text, colon, text.n), PORT_MAX) || !place.port)
        return false;
    *ret = place;
    return true;
}

enum err redis_url_parse(struct str text, struct redis_url *ret, struct fail *fail)
{
    static const struct str plain = STR_INIT("redis://"), tls = STR_INIT("rediss://");
    struct redis_url url = {.tls = str_starts(text, tls), .answer_ms = REDIS_ANSWER_MS};
    struct str scheme = url.tls ? tls : plain;
    if (!str_starts(text, scheme))
        return fail_set(
            fail, ERR_INVALID, "the Redis URL does not begin with redis:// or rediss://");
    struct str rest = str_slice(text, scheme.n, text.n), place = rest, database = STR_NULL;
    for (size_t at = rest.n; at-- > 0;) { /* the last @: a password may contain an unescaped one */
        if (rest.p[at] == '@') {
            if (!credentials_set(&url, str_slice(rest, 0, at)))
                return fail_set(
                    fail, ERR_INVALID, "the Redis URL has an invalid user or password before @");
            place = str_slice(rest, at + 1, rest.n);
            break;
        }
    }
    ptrdiff_t slash = str_find_char(place, '/');
    if (slash >= 0) {
        database = str_slice(place, (size_t)slash + 1, place.n);
        place = str_slice(place, 0, (size_t)slash);
    }
    if (!places_set(&url, place))
        return fail_set(fail, ERR_INVALID, "the Redis URL has an invalid host or port");
    if (database.n && !number_set(&url.database, database, DATABASE_MAX))
        return fail_set(fail, ERR_INVALID, "the Redis URL has an invalid database number after /");
    *ret = url;
    return OK;
}
