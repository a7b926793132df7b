/* Every setting with its names, default, help and parser; see settings_parts.h. */
#include "config/settings_parts.h"

#include "config/values.h"
#include "rule/plan.h"

static bool parse_text(const struct setting *setting, struct str text, void *field)
{
    *(struct str *)field = text;
    return value_is_line(text);
}

static bool parse_database(const struct setting *setting, struct str text, void *field)
{
    *(struct str *)field = text;
    return value_database(text);
}

static bool parse_listen(const struct setting *setting, struct str text, void *field)
{
    struct listen_address unused;
    *(struct str *)field = text;
    return value_listen(text, &unused);
}

/* http:// or https://, a host and a path. */
static bool parse_url(const struct setting *setting, struct str text, void *field)
{
    struct str unused;
    *(struct str *)field = text;
    return value_base_url(text, &unused);
}

/* A line of a request's head. */
static bool parse_header(const struct setting *setting, struct str text, void *field)
{
    ptrdiff_t colon = str_find(text, STR(": "));
    *(struct str *)field = text;
    for (ptrdiff_t i = 0; i < colon; i++)
        if (!ascii_is_alnum(text.p[i]) && text.p[i] != '-')
            return false;
    return colon > 0 && value_is_line(text) && (size_t)colon + 2 < text.n;
}

static bool parse_base_url(const struct setting *setting, struct str text, void *field)
{
    return value_base_url(text, field);
}

/* Links append /api/v1 to the public URL. */
static bool parse_public_url(const struct setting *setting, struct str text, void *field)
{
    return value_base_url(text, field) && str_find(text, STR("/api/v1")) < 0;
}

static bool parse_sync_url(const struct setting *setting, struct str text, void *field)
{
    return value_is_sync_url(text) && value_base_url(text, field);
}

/* The contact is sent in a header, between parentheses, or shown on pages. */
static bool parse_contact(const struct setting *setting, struct str text, void *field)
{
    *(struct str *)field = text;
    return value_is_contact(text);
}

static bool parse_redis(const struct setting *setting, struct str text, void *field)
{
    *(struct str *)field = text;
    static const struct str plain = STR_INIT("redis://"), tls = STR_INIT("rediss://");
    return value_is_line(text) && ((str_starts(text, plain) && text.n > plain.n) ||
                                   (str_starts(text, tls) && text.n > tls.n));
}

/* The value is "MIN-MAX". */
static bool parse_number(const struct setting *setting, struct str text, void *field)
{
    struct str max = str_from(setting->text.flag.value), min;
    int64_t low, high;
    return str_split(&max, '-', &min) && str_to_i64(min, &low) && str_to_i64(max, &high) &&
           value_i64_between(text, low, high, field);
}

/* The value is "YES|NO". */
static bool parse_choice(const struct setting *setting, struct str text, void *field)
{
    struct str no = str_from(setting->text.flag.value), yes;
    str_split(&no, '|', &yes);
    *(bool *)field = str_eq(text, yes);
    return *(bool *)field || str_eq(text, no);
}

static bool parse_switch(const struct setting *setting, struct str text, void *field)
{
    return value_switch(text, field);
}

static bool parse_access_log(const struct setting *setting, struct str text, void *field)
{
    struct settings *s = (struct settings *)((char *)field - setting->offset);
    s->access_log_set = true;
    return value_switch(text, field);
}

static bool parse_daily(const struct setting *setting, struct str text, void *field)
{
    if (!str_eq(text, STR("off")))
        return value_minute_of_day(text, field);
    *(int *)field = CLOCK_TIME_NONE;
    return true;
}

static bool parse_signup(const struct setting *setting, struct str text, void *field)
{
    return account_signup_from_name(text, field);
}

static bool parse_demand(const struct setting *setting, struct str text, void *field)
{
    return account_demand_from_name(text, field);
}

static bool parse_log_format(const struct setting *setting, struct str text, void *field)
{
    return value_log_format(text, field);
}

static bool parse_threads(const struct setting *setting, struct str text, void *field)
{
    int64_t threads;
    bool good = parse_number(setting, text, &threads);
    if (good)
        *(int *)field = (int)threads;
    return good;
}

static bool parse_visitor_delay(const struct setting *setting, struct str text, void *field)
{
    return value_i64_between(text, 0, plan_info(PLAN_SCOUT)->page_delay_hours, field);
}

static bool parse_cidrs(const struct setting *setting, struct str text, void *field)
{
    return cidr_list_parse(text, field, NULL) == OK;
}

static bool parse_ports(const struct setting *setting, struct str text, void *field)
{
    return port_set_parse(text, field, NULL) == OK;
}

/* After the help: .notes, .secret, .for_tests. */
#define SETTING(scope_, field, flag_, env, value_, fallback_, parse_, help_, ...)                  \
    {                                                                                              \
        .text =                                                                                    \
            {.flag = {.name = (flag_), .value = (value_), .help = (help_)},                        \
             .environment = ENVIRONMENT_PREFIX env,                                                \
             .fallback = (fallback_),                                                              \
             ##__VA_ARGS__},                                                                       \
        .scope = (scope_), .parse = (parse_), .offset = offsetof(struct settings, field)           \
    }

const struct setting settings_table[] = {
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
                 "host: rediss://USER:PASSWORD@HOST:6379/0. Several hosts, separated by commas, "
                 "are nodes of one Redis Cluster."),
    SETTING(
        SETTINGS_SERVE, redis_alone, "redis-lost", "REDIS_LOST", "local|refuse", "local",
        parse_choice,
        "what requests get while Redis does not answer: a count of each server, or 503",
        .notes = "With `local` a caller can get its limits once from each server. Sign-ins wait "
                 "for Redis in any case."),
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
        "ports that webhooks never use, not even in allowed networks",
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
        SETTINGS_SERVE, sample_rows, "sample-rows", "SAMPLE_ROWS", "0-100", "5", parse_number,
        "published rows a day that are drawn at random for reviewers to check again",
        .notes = "The error rate is public on /coverage. 0 draws none."),
    SETTING(
        SETTINGS_SERVE, sync_at, "sync-at", "SYNC_AT", "HH:MM|off", "off", parse_daily,
        "time of the daily fetch of new documents, HH:MM in UTC"),
    SETTING(
        SETTINGS_SERVE, snapshots, "snapshots", "SNAPSHOTS", "FOLDER", NULL, parse_text,
        "folder of the snapshots that the server shows under /data",
        .notes =
            "`stockact snapshot FOLDER` writes them. Servers of one database share the folder."),
    SETTING(
        SETTINGS_SERVE, snapshot_at, "snapshot-at", "SNAPSHOT_AT", "HH:MM|off", "off", parse_daily,
        "time of the daily snapshot, HH:MM in UTC", .notes = "Needs STOCKACT_SNAPSHOTS."),
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
        SETTINGS_SYNC, sync_pace_ms, "sync-pace-ms", "SYNC_PACE_MS", "0-60000", NULL, parse_number,
        "tests only: milliseconds between requests to a loopback server", .for_tests = true),
    SETTING(
        SETTINGS_REVIEW, second_reviewer, "second-reviewer", "SECOND_REVIEWER", "1|0", "0",
        parse_switch, "require two people to accept a draft with hand-entered rows"),
    SETTING(
        SETTINGS_REVIEW, double_entry, "double-entry", "DOUBLE_ENTRY", "paper|off", "off",
        parse_choice,
        "whether a second person types each paper filing without seeing the first entry",
        .notes = "Needs two reviewers, and a third who decides about differences. For paper it "
                 "replaces `second-reviewer`."),
    SETTING(
        SETTINGS_REVIEW, batch_review, "batch-review", "BATCH_REVIEW", "on|off", "off",
        parse_choice, "whether clean drafts may be accepted together after some were looked at",
        .notes = "Their trades say so: their `review` is `batch`."),
    SETTING(
        SETTINGS_SERVE, signup, "signup", "SIGNUP", "open|invite|off", "off", parse_signup,
        "who may create an account: anyone, invited people, or only the operator",
        .notes = "`open` needs a mail server: an address is confirmed before its account exists."),
    SETTING(
        SETTINGS_SERVE, second_factor, "second-factor", "SECOND_FACTOR", "off|reviewers", "off",
        parse_demand, "who must have a second factor: nobody, or reviewers and admins",
        .notes = "Everyone may have one. With `reviewers`, reviewers and admins set one up at "
                 "their next sign-in."),
    SETTING(
        SETTINGS_SERVE, public_pages, "public-pages", "PUBLIC_PAGES", "on|off", "on", parse_choice,
        "whether visitors without an account may read the pages of trades",
        .notes =
            "They see what is older than STOCKACT_VISITOR_DELAY. The API is open in any case."),
    SETTING(
        SETTINGS_SERVE, open_data, "open-data", "OPEN_DATA", "on|off", "off", parse_choice,
        "whether everybody may fetch lists as CSV and the files under /data and /compat",
        .notes = "They have what is older than STOCKACT_VISITOR_DELAY, and a list of at most "
                 "100,000 rows. If it is off, CSV and /data come with plans that have CSV, and "
                 "/compat does not exist. The CSV of the API is not changed."),
    SETTING(
        SETTINGS_SNAPSHOT, visitor_delay, "visitor-delay", "VISITOR_DELAY", "0-48", "48",
        parse_visitor_delay, "hours after which pages show a publication to visitors and Scout",
        .notes = "Other plans, reviewers and admins see it at once, and so does the API."),
    SETTING(
        SETTINGS_SERVE, purge_url, "purge-url", "PURGE_URL", "http(s)://HOST[/PATH]", NULL,
        parse_url, "address of a cache in front, told by POST which pages changed",
        .notes = "The header Surrogate-Key of the request names them. Visitors' pages then stay in "
                 "the cache for a day instead of a minute. The address may be a private one."),
    SETTING(
        SETTINGS_SERVE, purge_header, "purge-header", "PURGE_HEADER", "NAME: VALUE", NULL,
        parse_header, "one more header of these requests, such as `Fastly-Key: TOKEN`",
        .secret = true),
    SETTING(
        SETTINGS_SERVE, contact, "contact", "CONTACT", "EMAIL|URL", NULL, parse_contact,
        "contact of the operator, shown on the pages"),
    SETTING(
        SETTINGS_SERVE, log, "log", "LOG", "auto|text|logfmt|json", "auto", parse_log_format,
        "format of the log on standard error; auto is text on a terminal, else logfmt"),
    SETTING(
        SETTINGS_SERVE, access_log, "access-log", "ACCESS_LOG", "1|0", NULL, parse_access_log,
        "log each request (default 1, or 0 with --bench-unlimited)"),
    SETTING(
        SETTINGS_SERVE, threads, "threads", "THREADS", "1-256", NULL, parse_threads,
        "HTTP threads (default: one per core)"),
    SETTING(
        SETTINGS_SERVE, connections_max, "connections-max", "CONNECTIONS_MAX", "1-1000000", "20000",
        parse_number, "concurrent connections; more are closed",
        .notes = "The descriptors of the process limit them too. The log line `memory` at the "
                 "start states what they can cost at most."),
    SETTING(
        SETTINGS_SERVE, streams, "streams", "STREAMS", "1-100000", "2000", parse_number,
        "concurrent streams of /api/v1/trades/stream; more get 503",
        .notes = "Each takes about 15 KB, and one of --connections-max."),
    SETTING(
        SETTINGS_SERVE, streams_per_caller, "streams-per-caller", "STREAMS_PER_CALLER", "1-100000",
        "10", parse_number, "concurrent streams of one key or address; more get 429"),
    SETTING(
        SETTINGS_SERVE, reply_memory_mib, "reply-memory-mib", "REPLY_MEMORY_MIB", "1-65536", "128",
        parse_number, "memory in MiB for responses that slow clients have not taken",
        .notes = "Above it, the connection whose response would not fit is closed. A response of "
                 "less than about 200 KB needs none of it, unless the client pipelines requests."),
    SETTING(
        SETTINGS_SERVE, bench_unlimited, "bench-unlimited", "BENCH_UNLIMITED", "1|0", "0",
        parse_switch, "benchmarks only: multiply every limit by a million", .for_tests = true),
    SETTING(
        SETTINGS_SERVE, test_redis_ms, "test-redis-ms", "TEST_REDIS_MS", "1-3600000", NULL,
        parse_number, "tests only: how long Redis may take for an answer", .for_tests = true),
    SETTING(
        SETTINGS_SERVE, test_stop_ms, "test-stop-ms", "TEST_STOP_MS", "1-3600000", "11000",
        parse_number, "tests only: how long a shutdown may take", .for_tests = true),
    SETTING(
        SETTINGS_ALL, test_clock, "test-clock", "TEST_CLOCK", "FILE", NULL, parse_text,
        "tests only: read the wall clock from this file", .for_tests = true),
    SETTING(
        SETTINGS_ALL, test_database_clock, "test-database-clock", "TEST_DATABASE_CLOCK", "FILE",
        NULL, parse_text, "tests only: the database's clock; otherwise it is --test-clock",
        .for_tests = true),
    SETTING(
        SETTINGS_ALL, allow_test_clock, "allow-test-clock", "ALLOW_TEST_CLOCK", "1|0", "0",
        parse_switch, "tests only: permit --test-clock", .for_tests = true),
};

const size_t settings_count = sizeof settings_table / sizeof *settings_table;
