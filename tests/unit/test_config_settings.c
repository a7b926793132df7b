/* Sources of a setting's value, and the errors for invalid values. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "config/settings.h"

static char config_path[64];

static void write_config(const char *text)
{
    FILE *to = fopen(config_path, "w");
    assert_non_null(to);
    fputs(text, to);
    fclose(to);
}

static int forget_all(void **state)
{
    static const char *const names[] = {
        "STOCKACT_DATABASE",        "STOCKACT_LISTEN",     "STOCKACT_LOG",
        "STOCKACT_TRUSTED_PROXIES", "STOCKACT_TEST_CLOCK", "STOCKACT_ALLOW_TEST_CLOCK",
        "STOCKACT_BENCH_UNLIMITED", "STOCKACT_THREADS",    "STOCKACT_METRICS_ALLOW",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
    snprintf(config_path, sizeof config_path, "/tmp/stockact-config-%ld", (long)getpid());
    unlink(config_path);
    return 0;
}

static enum err load(struct settings *ret, struct fail *fail, int argc, char **argv)
{
    struct options options;
    options_init(&options);
    settings_know_flags(&options, SETTINGS_SERVE);
    assert_int_equal(options_parse(&options, argc, argv, NULL), OK);
    enum err err = settings_load(ret, &options, fail);
    options_finish(&options);
    return err;
}

#define LOAD(ret, fail, ...)                                                                       \
    load(                                                                                          \
        (ret), (fail), (int)(sizeof((char *[]){NULL, ##__VA_ARGS__}) / sizeof(char *)) - 1,        \
        (char *[]){NULL, ##__VA_ARGS__} + 1)

static char *arg(const char *text)
{
    return (char *)(uintptr_t)text;
}

static void join_reason(void *ctx, const char *reason)
{
    buf_fmt(ctx, "%s\n", reason);
}

static void each_refused_value_has_its_reason(void **state)
{
    struct options options;
    struct settings s;
    struct fail fail;
    struct buf reasons, expected;
    char space[2][1024];
    reasons = buf_over(space[0], sizeof space[0]);
    expected = buf_over(space[1], sizeof space[1]);
    write_config("threads = 0\nnone\nlog = xml\nthreads = 2\n");
    char *argv[] = {arg("--config"), config_path};
    options_init(&options);
    settings_know_flags(&options, SETTINGS_SERVE);
    assert_int_equal(options_parse(&options, 2, argv, NULL), OK);
    settings_each_refused(&options, join_reason, &reasons);
    assert_int_equal(settings_load(&s, &options, &fail), ERR_INVALID);
    options_finish(&options);
    buf_fmt(
        &expected,
        "%s:2: expected key = value\n%s:4: \"threads\" is set twice\n"
        "invalid value \"xml\" for STOCKACT_LOG in %s: expected auto|text|logfmt|json\n"
        "invalid value \"0\" for STOCKACT_THREADS in %s: expected 1-256\n",
        config_path, config_path, config_path, config_path);
    assert_true(str_eq(buf_view(&reasons), buf_view(&expected)));
    assert_true(str_starts(buf_view(&expected), str_from(fail.text)));
}

static void empty_configuration_gives_the_defaults(void **state)
{
    struct settings s;
    assert_int_equal(LOAD(&s, NULL), OK);
    assert_str(s.database, "sqlite:var/stockact.db");
    assert_str(s.listen, "127.0.0.1:8080");
    assert_true(str_is_null(s.base_url));
    assert_true(str_is_null(s.redis));
    assert_true(str_is_null(s.redis_ca_file));
    assert_true(s.redis_alone);
    assert_int_equal(s.log, LOG_CHOOSE);
    assert_int_equal(s.sweep_at, 6 * 60);
    assert_int_equal(s.sync_at, CLOCK_TIME_NONE);
    assert_int_equal(s.snapshot_at, CLOCK_TIME_NONE);
    assert_true(str_is_null(s.snapshots));
    assert_true(port_set_has(&s.webhook_refused_ports, 25));
    assert_false(port_set_has(&s.webhook_refused_ports, 443));
    assert_int_equal(s.threads, 0);
    assert_int_equal(s.connections_max, 20000);
    assert_int_equal(s.reply_memory_mib, 128);
    assert_int_equal(s.streams, 2000);
    assert_int_equal(s.sample_rows, 5);
    assert_int_equal(s.test_stop_ms, 11000);
    assert_int_equal(s.visitor_delay, 48);
    assert_int_equal(s.streams_per_caller, 10);
    assert_false(s.bench_unlimited);
    assert_int_equal(s.trusted_proxies.n, 0);
    assert_true(settings_embedded(&s));
    assert_str(settings_database_path(&s), "var/stockact.db");
    settings_finish(&s);
}

static void flag_overrides_environment_and_environment_overrides_file(void **state)
{
    struct settings s;
    write_config("database = sqlite:file.db\nlisten = 127.0.0.1:1\nthreads = 7\n");
    setenv("STOCKACT_DATABASE", "sqlite:environment.db", 1);
    setenv("STOCKACT_LISTEN", "127.0.0.1:2", 1);
    assert_int_equal(
        LOAD(&s, NULL, arg("--config"), config_path, arg("--database=sqlite:flag.db")), OK);
    assert_str(s.database, "sqlite:flag.db");
    assert_str(s.listen, "127.0.0.1:2");
    assert_int_equal(s.threads, 7);
    settings_finish(&s);
}

/* Some values are passed to functions that take C strings. */
static void file_values_end_with_a_nul_byte(void **state)
{
    struct settings s;
    write_config(
        "listen = unix:/run/x.sock\ndatabase = sqlite:a.db  \ntest_clock = /c\nthreads = 1\n");
    assert_int_equal(LOAD(&s, NULL, arg("--config"), config_path), OK);
    assert_string_equal(s.listen.p, "unix:/run/x.sock");
    assert_string_equal(s.database.p, "sqlite:a.db");
    assert_string_equal(s.test_clock.p, "/c");
    settings_finish(&s);
}

static void empty_variable_counts_as_unset(void **state)
{
    struct settings s;
    setenv("STOCKACT_LISTEN", "", 1);
    assert_int_equal(LOAD(&s, NULL), OK);
    assert_str(s.listen, "127.0.0.1:8080");
    settings_finish(&s);
}

static void file_may_have_comments_spaces_and_either_key_spelling(void **state)
{
    struct settings s;
    write_config("# comment\n\n  STOCKACT_LOG=json  \r\ntrusted_proxies = 10.0.0.0/8, unix\n"
                 "Base_Url = https://api.example.org/\nsweep_at=04:30");
    assert_int_equal(LOAD(&s, NULL, arg("--config"), config_path), OK);
    assert_int_equal(s.log, LOG_JSON);
    assert_int_equal(s.trusted_proxies.n, 1);
    assert_true(s.trusted_proxies.unix_socket);
    assert_str(s.base_url, "https://api.example.org");
    assert_int_equal(s.sweep_at, 4 * 60 + 30);
    settings_finish(&s);
}

static void daily_time_is_a_minute_or_off(void **state)
{
    struct settings s;
    struct fail fail;
    assert_int_equal(
        LOAD(&s, NULL, arg("--sweep-at"), arg("off"), arg("--sync-at"), arg("23:59")), OK);
    assert_int_equal(s.sweep_at, CLOCK_TIME_NONE);
    assert_int_equal(s.sync_at, 23 * 60 + 59);
    settings_finish(&s);
    assert_int_equal(LOAD(&s, &fail, arg("--sweep-at"), arg("6:00")), ERR_INVALID);
    assert_string_equal(fail.text, "invalid value \"6:00\" for --sweep-at: expected HH:MM|off");
}

static void streams_have_bounds(void **state)
{
    struct settings s;
    struct fail fail;
    assert_int_equal(LOAD(&s, NULL, arg("--streams=100000"), arg("--streams-per-caller=1")), OK);
    assert_int_equal(s.streams, 100000);
    assert_int_equal(s.streams_per_caller, 1);
    settings_finish(&s);
    assert_int_equal(LOAD(&s, &fail, arg("--streams"), arg("0")), ERR_INVALID);
    assert_string_equal(fail.text, "invalid value \"0\" for --streams: expected 1-100000");
    assert_int_equal(LOAD(&s, &fail, arg("--streams-per-caller=many")), ERR_INVALID);
    assert_int_equal(LOAD(&s, &fail, arg("--sample-rows"), arg("101")), ERR_INVALID);
    assert_int_equal(LOAD(&s, &fail, arg("--visitor-delay"), arg("49")), ERR_INVALID);
}

static void connections_and_reply_memory_have_bounds(void **state)
{
    static const char *const invalid[] = {"0", "-1", "1000001", "1e3", "20 000", "128M"};
    struct settings s;
    struct fail fail;
    assert_int_equal(
        LOAD(&s, NULL, arg("--connections-max=1000000"), arg("--reply-memory-mib=65536")), OK);
    assert_int_equal(s.connections_max, 1000000);
    assert_int_equal(s.reply_memory_mib, 65536);
    settings_finish(&s);
    write_config("connections_max = 1\nreply_memory_mib = 1\n");
    assert_int_equal(LOAD(&s, NULL, arg("--config"), config_path), OK);
    assert_int_equal(s.connections_max, 1);
    assert_int_equal(s.reply_memory_mib, 1);
    settings_finish(&s);
    for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
        assert_int_equal(LOAD(&s, &fail, arg("--connections-max"), arg(invalid[i])), ERR_INVALID);
        assert_int_equal(LOAD(&s, &fail, arg("--reply-memory-mib"), arg(invalid[i])), ERR_INVALID);
    }
    assert_string_equal(
        fail.text, "invalid value \"128M\" for --reply-memory-mib: expected 1-65536");
}

static void file_error_names_the_line(void **state)
{
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"listen = 127.0.0.1:1\nlisten\n", ":2: expected key = value"},
        {"= 1\n", ":1: expected key = value"},
        {"lissten = 127.0.0.1:1\n", ":1: unknown setting \"lissten\" (did you mean \"listen\"?)"},
        {"STOCKACT_DATABSE = x\n",
         ":1: unknown setting \"STOCKACT_DATABSE\" (did you mean \"database\"?)"},
        {"colour = red\n", ":1: unknown setting \"colour\""},
        {"log = json\nSTOCKACT_LOG = json\n", ":2: \"STOCKACT_LOG\" is set twice"},
        {"log = xml\n", "invalid value \"xml\" for STOCKACT_LOG in "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct settings s;
        struct fail fail = {0};
        write_config(cases[i].text);
        assert_int_equal(LOAD(&s, &fail, arg("--config"), config_path), ERR_INVALID);
        assert_non_null(strstr(fail.text, cases[i].reason));
    }
}

static void value_error_names_the_flag_or_variable(void **state)
{
    struct settings s;
    struct fail fail = {0};
    setenv("STOCKACT_METRICS_ALLOW", "10.0.0.0/99", 1);
    assert_int_equal(LOAD(&s, &fail), ERR_INVALID);
    assert_string_equal(
        fail.text, "invalid value \"10.0.0.0/99\" for STOCKACT_METRICS_ALLOW: expected CIDR,...");
    unsetenv("STOCKACT_METRICS_ALLOW");
    assert_int_equal(LOAD(&s, &fail, arg("--threads"), arg("0")), ERR_INVALID);
    assert_string_equal(fail.text, "invalid value \"0\" for --threads: expected 1-256");
}

static void value_error_does_not_quote_a_password(void **state)
{
    struct settings s;
    struct fail fail = {0};
    setenv("STOCKACT_DATABASE", "mysql://user:sesame@host/name", 1);
    assert_int_equal(LOAD(&s, &fail), ERR_INVALID);
    assert_non_null(strstr(fail.text, "STOCKACT_DATABASE: expected"));
    assert_null(strstr(fail.text, "sesame"));
    unsetenv("STOCKACT_DATABASE");
    assert_int_equal(LOAD(&s, &fail, arg("--redis-lost"), arg("wait")), ERR_INVALID);
    assert_int_equal(LOAD(&s, &fail, arg("--redis"), arg("redisss://:sesame@h")), ERR_INVALID);
    assert_null(strstr(fail.text, "sesame"));
    write_config("smtp_url = \x01smtp://me:sesame@host\n");
    assert_int_equal(LOAD(&s, &fail, arg("--config"), config_path), ERR_INVALID);
    assert_null(strstr(fail.text, "sesame"));
}

static void access_log_is_off_in_benchmarks_unless_set(void **state)
{
    struct settings s;
    assert_int_equal(LOAD(&s, NULL), OK);
    assert_true(s.access_log);
    settings_finish(&s);
    setenv("STOCKACT_BENCH_UNLIMITED", "1", 1);
    assert_int_equal(LOAD(&s, NULL), OK);
    assert_false(s.access_log);
    settings_finish(&s);
    assert_int_equal(LOAD(&s, NULL, arg("--access-log=1")), OK);
    assert_true(s.access_log);
    settings_finish(&s);
}

static void missing_config_file_is_an_io_error(void **state)
{
    struct settings s;
    struct fail fail = {0};
    assert_int_equal(LOAD(&s, &fail, arg("--config"), config_path), ERR_IO);
    assert_non_null(strstr(fail.text, config_path));
}

static void test_clock_needs_permission(void **state)
{
    struct settings s;
    struct fail fail = {0};
    write_config("2026-11-20T08:12:45.123Z\n");
    setenv("STOCKACT_TEST_CLOCK", config_path, 1);
    assert_int_equal(LOAD(&s, NULL), OK);
    assert_int_equal(settings_use_clock(&s, &fail), ERR_REFUSED);
    settings_finish(&s);
    setenv("STOCKACT_ALLOW_TEST_CLOCK", "1", 1);
    assert_int_equal(LOAD(&s, NULL), OK);
    assert_int_equal(settings_use_clock(&s, &fail), OK);
    assert_int_equal(clock_wall_ms(), 1795162365123);
    int64_t database_ms = 0;
    assert_true(clock_database_file_ms(&database_ms)); /* follows the wall clock */
    assert_int_equal(database_ms, 1795162365123);
    /* the clock keeps the path, so these settings must not be finished */
}

static void scope_has_the_flags_of_its_commands(void **state)
{
    static const struct {
        const char *name;
        bool in_all, in_sync, in_webhooks, in_review, in_secret, in_snapshot;
    } cases[] = {
        {"database", true, true, true, true, true, true},
        {"second-reviewer", false, false, false, true},
        {"batch-review", false, false, false, true},
        {"sync-contact", false, true, false},
        {"secret-key-file", false, false, true, false, true, true},
        {"visitor-delay", false, false, false, false, false, true},
        {"webhook-allow", false, false, true},
        {"webhook-refused-ports", false, false, true},
        {"redis", false, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bool takes[] = {
            [SETTINGS_ALL] = cases[i].in_all,
            [SETTINGS_SYNC] = cases[i].in_sync,
            [SETTINGS_SECRET] = cases[i].in_secret,
            [SETTINGS_WEBHOOKS] = cases[i].in_webhooks,
            [SETTINGS_REVIEW] = cases[i].in_review,
            [SETTINGS_SNAPSHOT] = cases[i].in_snapshot,
            [SETTINGS_SERVE] = true,
        };
        for (size_t scope = 0; scope < sizeof takes / sizeof *takes; scope++) {
            struct options options;
            options_init(&options);
            settings_know_flags(&options, (enum settings_scope)scope);
            assert_int_equal(options_knows(&options, cases[i].name), takes[scope]);
            options_finish(&options);
        }
    }
}

static void purge_takes_a_url_and_one_header(void **state)
{
    struct settings s;
    assert_int_equal(LOAD(&s, NULL, arg("--threads"), arg("1")), OK);
    assert_true(str_is_null(s.purge_url) && str_is_null(s.purge_header));
    settings_finish(&s);
    assert_int_equal(
        LOAD(
            &s, NULL, arg("--purge-url"), arg("http://127.0.0.1:6081/purge"), arg("--purge-header"),
            arg("Fastly-Key: a token")),
        OK);
    assert_true(str_eq(s.purge_url, STR("http://127.0.0.1:6081/purge")));
    assert_true(str_eq(s.purge_header, STR("Fastly-Key: a token")));
    settings_finish(&s);
    assert_int_equal(LOAD(&s, NULL, arg("--purge-url"), arg("127.0.0.1/purge")), ERR_INVALID);
    static const char *const bad[] = {"token", "Na me: x", ": x", "Name:", "Name: "};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(LOAD(&s, NULL, arg("--purge-header"), arg(bad[i])), ERR_INVALID);
}

static void pages_of_data_are_public_unless_set_otherwise(void **state)
{
    struct settings s;
    assert_int_equal(LOAD(&s, NULL, arg("--threads"), arg("1")), OK);
    assert_true(s.public_pages);
    assert_false(s.open_data);
    settings_finish(&s);
    assert_int_equal(LOAD(&s, NULL, arg("--open-data"), arg("on")), OK);
    assert_true(s.open_data);
    settings_finish(&s);
    assert_int_equal(LOAD(&s, NULL, arg("--open-data"), arg("yes")), ERR_INVALID);
    assert_int_equal(
        LOAD(&s, NULL, arg("--snapshots"), arg("data"), arg("--snapshot-at"), arg("04:30")), OK);
    assert_int_equal(s.snapshot_at, 4 * 60 + 30);
    assert_true(str_eq(s.snapshots, STR("data")));
    settings_finish(&s);
    assert_int_equal(LOAD(&s, NULL, arg("--snapshot-at"), arg("24:00")), ERR_INVALID);
    assert_int_equal(LOAD(&s, NULL, arg("--public-pages"), arg("off")), OK);
    assert_false(s.public_pages);
    settings_finish(&s);
    assert_int_equal(LOAD(&s, NULL, arg("--public-pages"), arg("maybe")), ERR_INVALID);
}

static void accounts_are_closed_unless_set_otherwise(void **state)
{
    struct settings s;
    assert_int_equal(LOAD(&s, NULL, arg("--threads"), arg("1")), OK);
    assert_int_equal(s.signup, SIGNUP_OFF);
    assert_int_equal(s.second_factor, SECOND_FACTOR_OFF);
    assert_true(str_is_null(s.contact));
    settings_finish(&s);
    assert_int_equal(
        LOAD(
            &s, NULL, arg("--signup"), arg("open"), arg("--second-factor"), arg("reviewers"),
            arg("--contact"), arg("ops@example.org")),
        OK);
    assert_int_equal(s.signup, SIGNUP_OPEN);
    assert_int_equal(s.second_factor, SECOND_FACTOR_REVIEWERS);
    assert_str(s.contact, "ops@example.org");
    settings_finish(&s);
    assert_int_equal(LOAD(&s, NULL, arg("--signup"), arg("1")), ERR_INVALID);
    assert_int_equal(LOAD(&s, NULL, arg("--second-factor"), arg("all")), ERR_INVALID);
    assert_int_equal(LOAD(&s, NULL, arg("--contact"), arg("no contact")), ERR_INVALID);
}

static void master_key_path_follows_the_sqlite_path_or_must_be_set(void **state)
{
    static const struct {
        const char *database, *file, *expected;
    } cases[] = {
        {"sqlite:var/x.db", NULL, "var/x.db.secret"},
        {"sqlite:var/x.db", "/etc/key", "/etc/key"},
        {"postgresql://db", "/etc/key", "/etc/key"},
        {"postgresql://db", NULL, NULL},
    };
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct settings s = {
            .database = str_from(cases[i].database), .secret_key_file = str_from(cases[i].file)};
        struct str file = settings_secret_key_file(&s, &arena);
        if (cases[i].expected)
            assert_str(file, cases[i].expected);
        else
            assert_true(str_is_null(file));
    }
    arena_finish(&arena);
}

static void default_base_url_follows_the_listen_address(void **state)
{
    static const struct {
        const char *bound, *expected;
    } cases[] = {
        {"127.0.0.1:8080", "http://127.0.0.1:8080"}, {"0.0.0.0:80", "http://127.0.0.1:80"},
        {"[::]:8080", "http://127.0.0.1:8080"},      {"[::1]:8080", "http://[::1]:8080"},
        {"10.1.2.3:1", "http://10.1.2.3:1"},         {"unix:/run/x", "http://localhost"},
    };
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_str(settings_base_url_of(&arena, str_from(cases[i].bound)), cases[i].expected);
    arena_finish(&arena);
}

int main(void)
{
#define SETTINGS_TEST(name) cmocka_unit_test_setup_teardown(name, forget_all, forget_all)
    const struct CMUnitTest tests[] = {
        SETTINGS_TEST(empty_configuration_gives_the_defaults),
        SETTINGS_TEST(each_refused_value_has_its_reason),
        SETTINGS_TEST(flag_overrides_environment_and_environment_overrides_file),
        SETTINGS_TEST(empty_variable_counts_as_unset),
        SETTINGS_TEST(file_values_end_with_a_nul_byte),
        SETTINGS_TEST(file_may_have_comments_spaces_and_either_key_spelling),
        SETTINGS_TEST(daily_time_is_a_minute_or_off),
        SETTINGS_TEST(streams_have_bounds),
        SETTINGS_TEST(connections_and_reply_memory_have_bounds),
        SETTINGS_TEST(file_error_names_the_line),
        SETTINGS_TEST(value_error_names_the_flag_or_variable),
        SETTINGS_TEST(value_error_does_not_quote_a_password),
        SETTINGS_TEST(access_log_is_off_in_benchmarks_unless_set),
        SETTINGS_TEST(missing_config_file_is_an_io_error),
        SETTINGS_TEST(scope_has_the_flags_of_its_commands),
        SETTINGS_TEST(pages_of_data_are_public_unless_set_otherwise),
        SETTINGS_TEST(purge_takes_a_url_and_one_header),
        SETTINGS_TEST(accounts_are_closed_unless_set_otherwise),
        SETTINGS_TEST(master_key_path_follows_the_sqlite_path_or_must_be_set),
        SETTINGS_TEST(default_base_url_follows_the_listen_address),
        SETTINGS_TEST(test_clock_needs_permission), /* last: the test clock stays set */
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
