/* Addresses and other values of settings: a parsed value, printed from its parts, is the same text
 * or parses to the same parts. No error contains the password. */
#include "fuzz.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/hidden.h"
#include "config/values.h"
#include "db/client_files.h"
#include "limits/redis_url.h"
#include "rule/query.h"

enum { TEXT_MAX = 1000 };

static struct buf out; /* kept between runs */

static void check_listen(struct str text)
{
    struct listen_address a;
    if (!value_listen(text, &a))
        return;
    buf_reset(&out);
    if (!str_is_null(a.path)) {
        assert(a.path.n && a.path.n <= LISTEN_PATH_MAX && str_is_null(a.host));
        buf_fmt(&out, "unix:");
        buf_str(&out, a.path);
    } else {
        bool v6 = str_find_char(a.host, ':') >= 0;
        buf_fmt(&out, "%s%.*s%s:", v6 ? "[" : "", STR_ARG(a.host), v6 ? "]" : "");
        size_t digits = text.n - out.n;
        buf_fmt(&out, "%0*u", (int)digits, a.port);
    }
    assert(str_eq(buf_view(&out), text));
}

static void check_minute(struct str text)
{
    int minute;
    if (!value_minute_of_day(text, &minute))
        return;
    buf_reset(&out);
    buf_fmt(&out, "%02d:%02d", minute / 60, minute % 60);
    assert(minute < 24 * 60 && str_eq(buf_view(&out), text));
}

static void check_base_url(struct str text)
{
    struct str url, again;
    if (!value_base_url(text, &url))
        return;
    assert(str_starts(text, url) && !str_ends(url, STR("/")) && hidden_free_line(url));
    assert(value_base_url(url, &again) && str_eq(url, again));
    assert(str_find_char(url, '"') < 0 && str_find_char(url, '<') < 0);
    assert(value_is_sync_url(text) == value_is_sync_url(url));
    assert(value_is_loopback_url(text) == value_is_loopback_url(url));
}

/* An accepted value is one visible line; an e-mail address contains no space that could end it. */
static void check_lines(struct str text)
{
    if (value_is_text(text))
        assert(value_is_line(text) && text.n);
    if (value_is_email(text))
        assert(value_is_text(text) && str_find_char(text, ' ') < 0);
    if (value_is_day(text))
        assert(text.n == 10 && value_is_line(text));
    if (value_is_count(text))
        assert(ascii_is_digit(text.p[0]));
}

static void put_redis(const struct redis_url *url)
{
    buf_reset(&out);
    buf_text(&out, url->tls ? "rediss://" : "redis://");
    if (url->password[0]) {
        query_encode(&out, str_from(url->user));
        buf_char(&out, ':');
        query_encode(&out, str_from(url->password));
        buf_char(&out, '@');
    }
    for (size_t i = 0; i < url->place_count; i++) {
        buf_text(&out, i ? ",[" : "[");
        query_encode(&out, str_from(url->places[i].host));
        buf_fmt(&out, "]:%d", url->places[i].port);
    }
    buf_fmt(&out, "/%d", url->database);
}

static void check_redis(struct str text)
{
    struct redis_url url, again;
    struct fail fail = {0};
    if (redis_url_parse(text, &url, &fail)) {
        assert(str_starts(str_from(fail.text), STR("the Redis URL ")));
        return;
    }
    assert(url.place_count > 0 && url.place_count <= REDIS_PLACES_MAX && url.database >= 0);
    assert(url.password[0] || !url.user[0]);
    put_redis(&url);
    assert(redis_url_parse(buf_view(&out), &again, &fail) == OK);
    assert(url.place_count == again.place_count);
    for (size_t i = 0; i < url.place_count; i++) {
        const struct redis_place *place = &url.places[i];
        assert(place->host[0] && place->port > 0 && place->port <= 65535);
        assert(strcmp(place->host, again.places[i].host) == 0);
        assert(place->port == again.places[i].port);
    }
    assert(strcmp(url.user, again.user) == 0 && strcmp(url.password, again.password) == 0);
    assert(url.database == again.database && url.tls == again.tls);
}

static void visit(void *ctx, const char *keyword, struct str path)
{
    size_t *count = ctx;
    assert(keyword[0] && path.n && path.p[0] == '/');
    ++*count;
}

static void check_postgresql(struct str text)
{
    size_t count = 0, of_environment = 0;
    if (!value_database(text) || str_starts(text, STR("sqlite:")))
        return;
    client_files_each(STR(""), visit, &of_environment);
    client_files_each(text, visit, &count);
    assert(count >= of_environment && count <= 2 * 6);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = fuzz_text(data, size);
    if (size > TEXT_MAX ||
        memchr(data, 0, size)) /* values come from argv, the environment and lines */
        return 0;
    if (!out.max)
        buf_init(&out, 16 * TEXT_MAX);
    check_listen(text);
    check_minute(text);
    check_base_url(text);
    check_lines(text);
    check_redis(text);
    check_postgresql(text);
    return 0;
}
