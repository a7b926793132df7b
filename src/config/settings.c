/* The table of settings, and how their values are loaded; see settings.h. */
#include "config/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file_owner.h"
#include "config/default_file.h"
#include "config/file.h"
#include "config/values.h"

enum { CONFIG_SIZE_MAX = 1 << 20, SYNC_PACE_MAX_MS = 60000 };

#define ENVIRONMENT_PREFIX "STOCKACT_"

struct setting {
    struct settings_text text;
    enum settings_scope scope;
    bool (*parse)(struct settings *s, struct str text, void *field);
    size_t offset; /* of the field in struct settings */
};

static bool parse_text(struct settings *s, struct str text, void *field)
{
    *(struct str *)field = text;
    return value_is_line(text);
}

static bool parse_database(struct settings *s, struct str text, void *field)
{
    *(struct str *)field = text;
    return value_database(text);
}

static bool parse_listen(struct settings *s, struct str text, void *field)
{
    struct listen_address unused;
    *(struct str *)field = text;
    return value_listen(text, &unused);
}

static bool parse_base_url(struct settings *s, struct str text, void *field)
{
    return value_base_url(text, field);
}

/* Links append /api/v1 to the public URL. */
static bool parse_public_url(struct settings *s, struct str text, void *field)
{
    return value_base_url(text, field) && str_find(text, STR("/api/v1")) < 0;
}

static bool parse_sync_url(struct settings *s, struct str text, void *field)
{
    return value_is_sync_url(text) && value_base_url(text, field);
}

/* The contact is sent in a header, between parentheses, or shown on pages. */
static bool parse_contact(struct settings *s, struct str text, void *field)
{
    *(struct str *)field = text;
    return value_is_contact(text);
}

static bool parse_pace(struct settings *s, struct str text, void *field)
{
    return value_i64_between(text, 0, SYNC_PACE_MAX_MS, field);
}

static bool parse_redis(struct settings *s, struct str text, void *field)
{
    *(struct str *)field = text;
    static const struct str plain = STR_INIT("redis://"), tls = STR_INIT("rediss://");
    return value_is_line(text) && ((str_starts(text, plain) && text.n > plain.n) ||
                                   (str_starts(text, tls) && text.n > tls.n));
}

static bool parse_switch(struct settings *s, struct str text, void *field)
{
    return value_switch(text, field);
}

static bool parse_access_log(struct settings *s, struct str text, void *field)
{
    s->access_log_set = true;
    return value_switch(text, field);
}

static bool parse_daily(struct settings *s, struct str text, void *field)
{
    if (!str_eq(text, STR("off")))
        return value_minute_of_day(text, field);
    *(int *)field = CLOCK_TIME_NONE;
    return true;
}

static bool parse_signup(struct settings *s, struct str text, void *field)
{
    return account_signup_from_name(text, field);
}

static bool parse_demand(struct settings *s, struct str text, void *field)
{
    return account_demand_from_name(text, field);
}

static bool parse_log_format(struct settings *s, struct str text, void *field)
{
    return value_log_format(text, field);
}

static bool parse_threads(struct settings *s, struct str text, void *field)
{
    int64_t threads;
    if (!value_i64_between(text, 1, THREADS_MAX, &threads))
        return false;
    *(int *)field = (int)threads;
    return true;
}

static bool parse_connections(struct settings *s, struct str text, void *field)
{
    return value_i64_between(text, 1, CONNECTIONS_MAX, field);
}

static bool parse_reply_memory(struct settings *s, struct str text, void *field)
{
    return value_i64_between(text, 1, REPLY_MEMORY_MIB_MAX, field);
}

static bool parse_cidrs(struct settings *s, struct str text, void *field)
{
    return cidr_list_parse(text, field, NULL) == OK;
}

static bool parse_ports(struct settings *s, struct str text, void *field)
{
    return port_set_parse(text, field, NULL) == OK;
}

/* After the help: .notes, .for_tests. */
#define SETTING(scope_, field, flag_, env, value_, fallback_, parse_, help_, ...)                  \
    {                                                                                              \
        .text =                                                                                    \
            {.flag = {.name = (flag_), .value = (value_), .help = (help_)},                        \
             .environment = ENVIRONMENT_PREFIX env,                                                \
             .fallback = (fallback_),                                                              \
             ##__VA_ARGS__},                                                                       \
        .scope = (scope_), .parse = (parse_), .offset = offsetof(struct settings, field)           \
    }

static const struct setting settings_table[] = {
    SETTING(
        SETTINGS_ALL, database, "database", "DATABASE", "sqlite:PATH|postgresql://...",
        "sqlite:var/stockact.db", parse_database, "database to use"),
    SETTING(
        SETTINGS_SERVE, listen, "listen", "LISTEN", "ADDR:PORT|unix:PATH", "127.0.0.1:8080",
        parse_listen, "address to listen on; port 0 picks a free port",
        .notes = "For a reverse proxy on the same machine: unix:/run/stockact/http.sock."),
    SETTING(
        SETTINGS_SERVE, base_url, "base-url", "BASE_URL", "http(s)://HOST[/PATH]", NULL,
        parse_public_url, "public base URL, used in links (default: from the listen address)",
        .more = "without /api/v1, which links append"),
    SETTING(
        SETTINGS_SERVE, redis, "redis", "REDIS", "redis(s)://HOST:PORT", NULL, parse_redis,
        "Redis server with the rate limits that several servers share",
        .notes = "Set it on every server of one PostgreSQL database. rediss:// is TLS: the "
                 "certificate must be valid for the host. A user and a password go before the "
                 "host: rediss://USER:PASSWORD@HOST:6379/0."),
    SETTING(
        SETTINGS_SERVE, redis_ca_file, "redis-ca-file", "REDIS_CA_FILE", "FILE", NULL, parse_text,
        "CA certificates for rediss://, instead of the system's",
        .notes = "Without it, SSL_CERT_FILE and SSL_CERT_DIR name other certificates than the "
                 "system's. The file is read when the server starts."),
    SETTING(
        SETTINGS_SECRET, secret_key_file, "secret-key-file", "SECRET_KEY_FILE", "FILE", NULL,
        parse_text,
        "master key, 32 random bytes (default with SQLite: PATH.secret, created on first start)",
        .notes = "Its mode is 0600. Several servers on one database need the same key. Keep a copy "
                 "of it, separate from backups of the database."),
    SETTING(
        SETTINGS_SERVE, trusted_proxies, "trusted-proxies", "TRUSTED_PROXIES", "CIDR,...|unix",
        NULL, parse_cidrs, "proxies whose X-Forwarded-For is trusted",
        .notes = "`unix` means every client of the unix socket. Without this setting, all callers "
                 "without a key behind a proxy share one limit."),
    SETTING(
        SETTINGS_SERVE, metrics_allow, "metrics-allow", "METRICS_ALLOW", "CIDR,...", NULL,
        parse_cidrs, "networks that may read /metrics, in addition to loopback"),
    SETTING(
        SETTINGS_WEBHOOKS, webhook_allow, "webhook-allow", "WEBHOOK_ALLOW", "CIDR,...", NULL,
        parse_cidrs, "private networks that webhooks may reach; also permits http://"),
    SETTING(
        SETTINGS_WEBHOOKS, webhook_refused_ports, "webhook-refused-ports", "WEBHOOK_REFUSED_PORTS",
        "PORT,...", "default", parse_ports,
        "ports that webhooks never use, in allowed networks neither",
        .notes = "`default` is the ports of mail, databases, caches, remote control and what "
                 "browsers refuse. A minus takes ports out: `default,-9200,8000-8099`."),
    SETTING(
        SETTINGS_WEBHOOKS, webhook_ca_file, "webhook-ca-file", "WEBHOOK_CA_FILE", "FILE", NULL,
        parse_text, "CA certificates for webhooks, instead of the system's"),
    SETTING(
        SETTINGS_WEBHOOKS, webhook_name_servers, "webhook-name-servers", "WEBHOOK_NAME_SERVERS",
        "ADDR:PORT,...", NULL, parse_text, "DNS servers for webhooks, instead of the system's"),
    SETTING(
        SETTINGS_SERVE, smtp_url, "smtp-url", "SMTP_URL", "smtp(s)://...", NULL, parse_text,
        "mail server for e-mails to owners; without it, none are sent",
        .notes = "smtp://USER:PASSWORD@HOST:587?starttls=required sends no mail without TLS. "
                 "Commands that change accounts read this setting too."),
    SETTING(
        SETTINGS_SERVE, mail_from, "mail-from", "MAIL_FROM", "EMAIL", NULL, parse_text,
        "sender of e-mails: name@example.com or Name <name@example.com>"),
    SETTING(
        SETTINGS_SERVE, sweep_at, "sweep-at", "SWEEP_AT", "HH:MM|off", "06:00", parse_daily,
        "time of the daily sweep of conflict signals, HH:MM in UTC"),
    SETTING(
        SETTINGS_SERVE, sync_at, "sync-at", "SYNC_AT", "HH:MM|off", "off", parse_daily,
        "time of the daily fetch of new documents, HH:MM in UTC"),
    SETTING(
        SETTINGS_SYNC, sync_contact, "sync-contact", "SYNC_CONTACT", "EMAIL|URL", NULL,
        parse_contact, "contact address sent to the official sites with each request"),
    SETTING(
        SETTINGS_SYNC, sync_proxy, "sync-proxy", "SYNC_PROXY", "http://HOST:PORT", NULL,
        parse_base_url, "HTTP proxy for requests to the official sites"),
    SETTING(
        SETTINGS_SERVE, sync_base_url, "sync-base-url", "SYNC_BASE_URL", "URL", NULL,
        parse_sync_url, "tests only: one server that replaces both official sites",
        .for_tests = true),
    SETTING(
        SETTINGS_SYNC, sync_pace_ms, "sync-pace-ms", "SYNC_PACE_MS", "0-60000", NULL, parse_pace,
        "tests only: milliseconds between requests to a loopback server", .for_tests = true),
    SETTING(
        SETTINGS_REVIEW, second_reviewer, "second-reviewer", "SECOND_REVIEWER", "1|0", "0",
        parse_switch, "require two people to accept a draft with hand-entered rows"),
    SETTING(
        SETTINGS_SERVE, signup, "signup", "SIGNUP", "open|invite|off", "off", parse_signup,
        "who may create an account: anyone, invited people, or only the operator",
        .notes = "`open` needs a mail server: an address is confirmed before its account exists."),
    SETTING(
        SETTINGS_SERVE, second_factor, "second-factor", "SECOND_FACTOR", "off|reviewers", "off",
        parse_demand, "who must have a second factor: nobody, or reviewers and admins",
        .notes =
            "Everybody may have one. With `reviewers`, reviewers and admins set one up at their "
            "next sign-in."),
    SETTING(
        SETTINGS_SERVE, contact, "contact", "CONTACT", "EMAIL|URL", NULL, parse_contact,
        "contact of the operator, shown on the pages"),
    SETTING(
        SETTINGS_SERVE, log, "log", "LOG", "logfmt|json", "logfmt", parse_log_format,
        "format of the log on standard error"),
    SETTING(
        SETTINGS_SERVE, access_log, "access-log", "ACCESS_LOG", "1|0", NULL, parse_access_log,
        "log each request (default 1, or 0 with --bench-unlimited)"),
    SETTING(
        SETTINGS_SERVE, threads, "threads", "THREADS", "1-256", NULL, parse_threads,
        "HTTP threads (default: one per core)"),
    SETTING(
        SETTINGS_SERVE, connections_max, "connections-max", "CONNECTIONS_MAX", "1-1000000", "20000",
        parse_connections, "concurrent connections; more are closed",
        .notes =
            "The descriptors of the process limit them too. The log line `memory` at the start "
            "states what they can cost at most."),
    SETTING(
        SETTINGS_SERVE, reply_memory_mib, "reply-memory-mib", "REPLY_MEMORY_MIB", "1-65536", "128",
        parse_reply_memory, "memory in MiB for responses that slow clients have not taken",
        .notes = "Above it, the connection whose response would not fit is closed. A response of "
                 "less than about 200 KB needs none of it, unless the client pipelines requests."),
    SETTING(
        SETTINGS_SERVE, bench_unlimited, "bench-unlimited", "BENCH_UNLIMITED", "1|0", "0",
        parse_switch, "benchmarks only: multiply every limit by a million", .for_tests = true),
    SETTING(
        SETTINGS_ALL, test_clock, "test-clock", "TEST_CLOCK", "FILE", NULL, parse_text,
        "tests only: read the wall clock from this file", .for_tests = true),
    SETTING(
        SETTINGS_ALL, allow_test_clock, "allow-test-clock", "ALLOW_TEST_CLOCK", "1|0", "0",
        parse_switch, "tests only: permit --test-clock", .for_tests = true),
};

enum { SETTINGS_COUNT = sizeof settings_table / sizeof *settings_table };

static const struct settings_text config_text = {
    .flag = {.name = "config", .value = "FILE", .help = "settings file with `key = value` lines"}};

static bool takes(enum settings_scope scope, const struct setting *setting)
{
    bool of_webhooks = scope == SETTINGS_WEBHOOKS && setting->scope == SETTINGS_SECRET;
    return setting->scope == SETTINGS_ALL || scope == SETTINGS_SERVE || of_webhooks ||
           scope == setting->scope;
}

void settings_know_flags(struct options *o, enum settings_scope scope)
{
    options_know_one(o, &config_text.flag);
    for (size_t i = 0; i < SETTINGS_COUNT; i++)
        if (takes(scope, &settings_table[i]))
            options_know_one(o, &settings_table[i].text.flag);
}

void settings_each(enum settings_scope scope, settings_each_fn *fn, void *ctx)
{
    fn(ctx, &config_text);
    for (size_t i = 0; i < SETTINGS_COUNT; i++)
        if (takes(scope, &settings_table[i]))
            fn(ctx, &settings_table[i].text);
}

/* The setting named by a key of the file. NULL: there is none. */
static const struct setting *find_by_key(struct str key)
{
    if (key.n > strlen(ENVIRONMENT_PREFIX) &&
        str_eq_nocase(str_slice(key, 0, strlen(ENVIRONMENT_PREFIX)), STR(ENVIRONMENT_PREFIX)))
        key = str_slice(key, strlen(ENVIRONMENT_PREFIX), key.n);
    for (size_t i = 0; i < SETTINGS_COUNT; i++) {
        struct str name = str_from(settings_table[i].text.environment + strlen(ENVIRONMENT_PREFIX));
        if (str_eq_nocase(key, name))
            return &settings_table[i];
    }
    return NULL;
}

/* Fills values[], which is indexed like the table. A key that is set twice is an error. */
static enum err parse_config(
    const char *path, struct str text, struct str values[SETTINGS_COUNT], struct fail *fail)
{
    struct str line;
    for (int number = 1; str_split(&text, '\n', &line); number++) {
        line = str_trim(line);
        if (line.n == 0 || line.p[0] == '#')
            continue;
        ptrdiff_t equals = str_find_char(line, '=');
        if (equals <= 0)
            return fail_set(fail, ERR_INVALID, "%s:%d: expected key = value", path, number);
        struct str key = str_trim(str_slice(line, 0, (size_t)equals));
        const struct setting *setting = find_by_key(key);
        if (!setting)
            return fail_set(
                fail, ERR_INVALID, "%s:%d: unknown setting \"%.*s\"", path, number, STR_ARG(key));
        struct str *value = &values[setting - settings_table];
        if (!str_is_null(*value))
            return fail_set(
                fail, ERR_INVALID, "%s:%d: \"%.*s\" is set twice", path, number, STR_ARG(key));
        *value = str_trim(str_slice(line, (size_t)equals + 1, line.n));
    }
    return OK;
}

/* Reasons end in logs, and a URL can have a password before its '@'. Do not quote such a value. */
static enum err refuse_value(
    const struct setting *setting, bool is_flag, bool is_variable, struct str file, struct str text,
    struct fail *fail)
{
    const char *dashes = is_flag ? "--" : "";
    const char *name = is_flag ? setting->text.flag.name : setting->text.environment;
    bool from_file = !is_flag && !is_variable;
    const char *in = from_file ? " in " : "";
    struct str place = from_file ? file : STR("");
    const char *comma = setting->text.more ? ", " : "";
    const char *more = setting->text.more ? setting->text.more : "";
    if (str_find_char(text, '@') >= 0)
        return fail_set(
            fail, ERR_INVALID,
            "invalid value for %s%s%s%.*s: expected %s%s%s (the value is not printed: it may "
            "contain "
            "a password)",
            dashes, name, in, STR_ARG(place), setting->text.flag.value, comma, more);
    return fail_set(
        fail, ERR_INVALID, "invalid value \"%.*s\" for %s%s%s%.*s: expected %s%s%s", STR_ARG(text),
        dashes, name, in, STR_ARG(place), setting->text.flag.value, comma, more);
}

/* Sets one field from the first source that has a value. */
static enum err load_one(
    struct settings *s, const struct setting *setting, const struct options *o,
    struct str from_file, struct fail *fail)
{
    struct str environment = str_from(getenv(setting->text.environment));
    struct str flag = setting->scope == SETTINGS_ALL || options_knows(o, setting->text.flag.name)
                          ? options_value(o, setting->text.flag.name)
                          : STR_NULL;
    struct str text = flag.n          ? flag
                      : environment.n ? environment
                      : from_file.n   ? from_file
                                      : str_from(setting->text.fallback);
    s->values[setting - settings_table] = (struct settings_value){
        .environment = setting->text.environment,
        .flag = setting->text.flag.name,
        .text = text.n ? text : STR_NULL,
        .source = flag.n          ? SETTINGS_FROM_FLAG
                  : environment.n ? SETTINGS_FROM_ENVIRONMENT
                  : from_file.n   ? SETTINGS_FROM_FILE
                  : text.n        ? SETTINGS_FROM_DEFAULT
                                  : SETTINGS_FROM_NOWHERE,
        .for_tests = setting->text.for_tests,
    };
    if (text.n == 0)
        return OK;
    if (setting->parse(s, text, (char *)s + setting->offset))
        return OK;
    return refuse_value(setting, flag.n, environment.n, s->file, text, fail);
}

/* The settings file that is read: that of --config, or the one that the build names if it exists.
 * NULL: none. */
static const char *config_file(const struct options *o)
{
    struct str given = options_value(o, config_text.flag.name);
    if (given.n)
        return given.p;
    return default_file() && access(default_file(), F_OK) == 0 ? default_file() : NULL;
}

static enum err read_config(const char *path, struct buf *file, struct fail *fail)
{
    char owner[FILE_OWNER_SIZE];
    if (access(path, R_OK) != 0 && errno == EACCES && file_owner_other(path, owner))
        return fail_set(
            fail, ERR_REFUSED,
            "only the user %s may read the settings in \"%s\": run `sudo -u %s stockact ...`",
            owner, path, owner);
    return file_read(path, file, fail);
}

enum err settings_load(struct settings *ret, const struct options *o, struct fail *fail)
{
    struct settings s = {.sync_pace_ms = SYNC_PACE_NONE};
    struct str from_file[SETTINGS_COUNT] = {{0}};
    struct buf file;
    enum err err = OK;
    arena_init(&s.arena);
    buf_init(&file, CONFIG_SIZE_MAX);
    const char *config = config_file(o);
    s.values = ARENA_ARRAY(&s.arena, struct settings_value, SETTINGS_COUNT);
    s.value_count = SETTINGS_COUNT;
    if (config) {
        s.file = arena_str(&s.arena, str_from(config));
        err = read_config(config, &file, fail);
        if (!err)
            err = parse_config(config, buf_view(&file), from_file, fail);
    }
    for (size_t i = 0; i < SETTINGS_COUNT && !err; i++)
        err = load_one(&s, &settings_table[i], o, arena_str(&s.arena, from_file[i]), fail);
    buf_finish(&file);
    if (!s.access_log_set)
        s.access_log = !s.bench_unlimited;
    if (err)
        settings_finish(&s);
    else
        *ret = s;
    return err;
}

void settings_finish(struct settings *s)
{
    arena_finish(&s->arena);
    *s = (struct settings){0};
}

enum err settings_use_clock(struct settings *s, struct fail *fail)
{
    if (str_is_null(s->test_clock))
        return OK;
    if (!s->allow_test_clock)
        return fail_set(
            fail, ERR_REFUSED,
            "STOCKACT_TEST_CLOCK is for tests only: it needs STOCKACT_ALLOW_TEST_CLOCK=1");
    return clock_use_file(arena_str(&s->arena, s->test_clock).p, fail);
}

bool settings_embedded(const struct settings *s)
{
    return str_starts(s->database, STR("sqlite:"));
}

struct str settings_database_path(const struct settings *s)
{
    return str_slice(s->database, strlen("sqlite:"), s->database.n);
}

struct str settings_secret_key_file(const struct settings *s, struct arena *arena)
{
    if (!str_is_null(s->secret_key_file) || !settings_embedded(s))
        return arena_str(arena, s->secret_key_file);
    return arena_fmt(arena, "%.*s.secret", STR_ARG(settings_database_path(s)));
}

struct str settings_base_url_of(struct arena *arena, struct str bound)
{
    struct listen_address a;
    if (!value_listen(bound, &a) || str_is_null(a.host))
        return STR("http://localhost");
    struct str host = a.host;
    bool any = str_eq(host, STR("0.0.0.0")) || str_eq(host, STR("::"));
    if (any)
        host = STR("127.0.0.1");
    bool v6 = str_find_char(host, ':') >= 0;
    return arena_fmt(
        arena, "http://%s%.*s%s:%u", v6 ? "[" : "", STR_ARG(host), v6 ? "]" : "", a.port);
}
