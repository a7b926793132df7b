/* The table of settings and where their values come from; see settings.h. */
#include "config/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
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

static bool parse_sync_url(struct settings *s, struct str text, void *field)
{
    return value_is_sync_url(text) && value_base_url(text, field);
}

/* It stands in a header, between parentheses. */
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
    return value_is_line(text) && str_starts(text, STR("redis://")) && text.n > 8;
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

static bool parse_cidrs(struct settings *s, struct str text, void *field)
{
    return cidr_list_parse(text, field, NULL) == OK;
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
        "sqlite:var/stockact.db", parse_database, "where the data is"),
    SETTING(
        SETTINGS_SERVE, listen, "listen", "LISTEN", "ADDR:PORT|unix:PATH", "127.0.0.1:8080",
        parse_listen, "where to listen; port 0 takes any free one",
        .notes = "For a reverse proxy on the same machine: unix:/run/stockact/http.sock."),
    SETTING(
        SETTINGS_SERVE, base_url, "base-url", "BASE_URL", "http(s)://HOST[/PATH]", NULL,
        parse_base_url, "the address that callers use; made from --listen when not set"),
    SETTING(
        SETTINGS_SERVE, redis, "redis", "REDIS", "redis://HOST:PORT", NULL, parse_redis,
        "shared counters, for several servers on one database",
        .notes = "Set it on every server of one PostgreSQL database."),
    SETTING(
        SETTINGS_WEBHOOKS, secret_key_file, "secret-key-file", "SECRET_KEY_FILE", "FILE", NULL,
        parse_text,
        "master key, 32 random bytes; beside an embedded database it is made on first start",
        .notes = "Its mode is 0600. Several servers on one database need the same key. Keep a copy "
                 "of it apart from backups of the database."),
    SETTING(
        SETTINGS_SERVE, trusted_proxies, "trusted-proxies", "TRUSTED_PROXIES", "CIDR,...|unix",
        NULL, parse_cidrs, "whose X-Forwarded-For counts",
        .notes =
            "`unix` stands for every client of the unix socket. Without this setting, all callers "
            "behind a proxy who have no key share one limit."),
    SETTING(
        SETTINGS_SERVE, metrics_allow, "metrics-allow", "METRICS_ALLOW", "CIDR,...", NULL,
        parse_cidrs, "who may read /metrics, beside loopback"),
    SETTING(
        SETTINGS_WEBHOOKS, webhook_allow, "webhook-allow", "WEBHOOK_ALLOW", "CIDR,...", NULL,
        parse_cidrs, "private networks that webhooks may go to; with any, http:// too"),
    SETTING(
        SETTINGS_WEBHOOKS, webhook_ca_file, "webhook-ca-file", "WEBHOOK_CA_FILE", "FILE", NULL,
        parse_text, "certificates that webhooks trust, instead of the system's"),
    SETTING(
        SETTINGS_WEBHOOKS, webhook_name_servers, "webhook-name-servers", "WEBHOOK_NAME_SERVERS",
        "ADDR:PORT,...", NULL, parse_text, "name servers for webhooks, instead of the system's"),
    SETTING(
        SETTINGS_SERVE, smtp_url, "smtp-url", "SMTP_URL", "smtp(s)://...", NULL, parse_text,
        "mail server for notices to owners of webhooks; none: they are not sent",
        .notes = "smtp://USER:PASSWORD@HOST:587?starttls=required sends no mail without TLS. "
                 "Commands that change plans read this setting too."),
    SETTING(
        SETTINGS_SERVE, mail_from, "mail-from", "MAIL_FROM", "EMAIL", NULL, parse_text,
        "sender of mail: name@example.com, or words and <name@example.com>"),
    SETTING(
        SETTINGS_SERVE, sweep_at, "sweep-at", "SWEEP_AT", "HH:MM|off", "06:00", parse_daily,
        "when conflict signals are judged anew each day, UTC"),
    SETTING(
        SETTINGS_SERVE, sync_at, "sync-at", "SYNC_AT", "HH:MM|off", "off", parse_daily,
        "when new documents are fetched each day, UTC"),
    SETTING(
        SETTINGS_SYNC, sync_contact, "sync-contact", "SYNC_CONTACT", "EMAIL|URL", NULL,
        parse_contact, "whom the official sites may write to; they are told with each request"),
    SETTING(
        SETTINGS_SYNC, sync_proxy, "sync-proxy", "SYNC_PROXY", "http://HOST:PORT", NULL,
        parse_base_url, "a proxy to the official sites"),
    SETTING(
        SETTINGS_SERVE, sync_base_url, "sync-base-url", "SYNC_BASE_URL", "URL", NULL,
        parse_sync_url, "tests only: one server in the place of both official sites",
        .for_tests = true),
    SETTING(
        SETTINGS_SYNC, sync_pace_ms, "sync-pace-ms", "SYNC_PACE_MS", "0-60000", NULL, parse_pace,
        "tests only: milliseconds between requests to a server on this machine", .for_tests = true),
    SETTING(
        SETTINGS_ALL, second_reviewer, "second-reviewer", "SECOND_REVIEWER", "1|0", "0",
        parse_switch, "a second person must accept what was entered by hand"),
    SETTING(
        SETTINGS_SERVE, signup, "signup", "SIGNUP", "1|0", "0", parse_switch,
        "strangers may open accounts; not used yet"),
    SETTING(
        SETTINGS_SERVE, log, "log", "LOG", "logfmt|json", "logfmt", parse_log_format,
        "form of the log lines on standard error"),
    SETTING(
        SETTINGS_SERVE, access_log, "access-log", "ACCESS_LOG", "1|0", NULL, parse_access_log,
        "one log line per request; on, but off in benchmarks, where not set"),
    SETTING(
        SETTINGS_SERVE, threads, "threads", "THREADS", "1-256", NULL, parse_threads,
        "HTTP loops; one per core when not set"),
    SETTING(
        SETTINGS_SERVE, bench_unlimited, "bench-unlimited", "BENCH_UNLIMITED", "1|0", "0",
        parse_switch, "benchmarks only: every limit times a million", .for_tests = true),
    SETTING(
        SETTINGS_ALL, test_clock, "test-clock", "TEST_CLOCK", "FILE", NULL, parse_text,
        "tests only: the wall clock is the instant in this file", .for_tests = true),
    SETTING(
        SETTINGS_ALL, allow_test_clock, "allow-test-clock", "ALLOW_TEST_CLOCK", "1|0", "0",
        parse_switch, "tests only: without it a test clock is refused", .for_tests = true),
};

enum { SETTINGS_COUNT = sizeof settings_table / sizeof *settings_table };

static const struct settings_text config_text = {
    .flag = {.name = "config", .value = "FILE", .help = "file of settings, key = value"}};

static bool takes(enum settings_scope scope, const struct setting *setting)
{
    return setting->scope == SETTINGS_ALL || scope == SETTINGS_SERVE || scope == setting->scope;
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

/* The setting that a key of the file names; NULL when there is none. */
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

/* Fills values[] by place in the table; later lines of the same key are refused. */
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
                fail, ERR_INVALID, "%s:%d: there is no setting \"%.*s\"", path, number,
                STR_ARG(key));
        struct str *value = &values[setting - settings_table];
        if (!str_is_null(*value))
            return fail_set(
                fail, ERR_INVALID, "%s:%d: %.*s is set twice", path, number, STR_ARG(key));
        *value = str_trim(str_slice(line, (size_t)equals + 1, line.n));
    }
    return OK;
}

/* An address may hold a password before its '@', and reasons end in logs: then it is not quoted. */
static enum err refuse_value(
    const struct setting *setting, bool is_flag, bool is_variable, struct str text,
    struct fail *fail)
{
    const char *place = is_flag ? "option --" : is_variable ? "" : "the configuration's ";
    const char *name = is_flag ? setting->text.flag.name : setting->text.environment;
    if (str_find_char(text, '@') >= 0)
        return fail_set(
            fail, ERR_INVALID, "%s%s wants %s, not what it is set to", place, name,
            setting->text.flag.value);
    return fail_set(
        fail, ERR_INVALID, "%s%s wants %s, not \"%.*s\"", place, name, setting->text.flag.value,
        STR_ARG(text));
}

/* Sets one field from the first place that has a value. */
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
    if (text.n == 0)
        return OK;
    if (setting->parse(s, text, (char *)s + setting->offset))
        return OK;
    return refuse_value(setting, flag.n, environment.n, text, fail);
}

enum err settings_load(struct settings *ret, const struct options *o, struct fail *fail)
{
    struct settings s = {.sync_pace_ms = SYNC_PACE_NONE};
    struct str from_file[SETTINGS_COUNT] = {{0}};
    struct buf file;
    enum err err = OK;
    arena_init(&s.arena);
    buf_init(&file, CONFIG_SIZE_MAX);
    struct str config = options_value(o, config_text.flag.name);
    if (config.n) {
        err = file_read(config.p, &file, fail);
        if (!err)
            err = parse_config(config.p, buf_view(&file), from_file, fail);
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
            "STOCKACT_TEST_CLOCK is for tests and refused unless STOCKACT_ALLOW_TEST_CLOCK=1");
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
