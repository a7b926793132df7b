/* The table of metrics: names as Prometheus wants them, and docs/metrics.md as the table says. */
#include "unit.h"

#include <string.h>

#include "edge/metric.h"
#include "source_file.h"

static bool ends(const char *text, const char *end)
{
    return str_ends(str_from(text), str_from(end));
}

static bool is_name(const char *text)
{
    return text[0] && strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(text);
}

static void names_follow_the_rules_of_prometheus(void **state)
{
    for (enum metric m = 0; m < METRIC_COUNT; m++) {
        const struct metric_info *info = metric_info(m);
        bool seconds = strstr(info->unit, "seconds");
        if (!is_name(info->name) ||
            (strncmp(info->name, "stockact_", 9) && strncmp(info->name, "process_", 8)))
            fail_msg("%s is not a name of a metric", info->name);
        if (ends(info->name, "_total") != (info->type == METRIC_COUNTER))
            fail_msg("%s: the end _total is for counters, and for all of them", info->name);
        if (!strstr(info->name, "_seconds") != !seconds)
            fail_msg("%s is not in %s", info->name, info->unit);
        if (!strstr(info->name, "bytes") != !!strcmp(info->unit, "bytes"))
            fail_msg("%s is not in %s", info->name, info->unit);
        if (ends(info->name, "_timestamp_seconds") && strncmp(info->unit, "Unix time", 9))
            fail_msg("%s is not a Unix time", info->name);
        for (enum metric other = 0; other < m; other++)
            assert_string_not_equal(metric_info(other)->name, info->name);
    }
}

/* Boards and alerts of operators have these names; a later version may only add some. */
static void names_of_the_first_version_stay(void **state)
{
    static const char *const names[] = {
        "alert_emails_total",
        "chain_findings",
        "clock_steps_back_total",
        "connections_accepted_total",
        "connections_closed_idle_total",
        "connections_closed_memory_total",
        "connections_closed_slow_total",
        "connections_open",
        "connections_refused_total",
        "deferred_full_total",
        "deferred_waiting",
        "draws_denied_total",
        "draws_granted_total",
        "draws_refunded_total",
        "draws_unavailable_total",
        "feed_bytes",
        "feed_filings",
        "feed_lag_seconds",
        "feed_last_disclosed_seconds",
        "feed_loads_total",
        "feed_signals",
        "feed_trades",
        "feed_withheld",
        "job_failures",
        "job_last_ok_seconds",
        "keys",
        "log_lines_dropped_total",
        "mail_given_up",
        "mail_oldest_seconds",
        "mail_retrying",
        "mail_waiting",
        "month_counts_unwritten",
        "months_forgotten_total",
        "page_cache_bytes",
        "page_cache_hits_total",
        "page_cache_misses_total",
        "purge_failing_seconds",
        "purge_waiting",
        "purges_total",
        "reply_bytes_waiting",
        "request_duration_seconds",
        "requests_total",
        "store_errors_total",
        "stream_events_total",
        "streams_open",
        "streams_opened_total",
        "streams_refused_total",
        "sweep_last_changes",
        "sweep_last_duration_seconds",
        "sweep_last_end_seconds",
        "sweep_last_signals",
        "sweep_last_trades",
        "webhook_attempts_total",
        "webhook_due",
        "webhook_due_lag_seconds",
        "webhook_endpoints_disabled",
        "webhook_expired",
        "webhook_failed",
        "webhook_held",
        "webhook_in_flight",
        "webhook_waiting",
        "windows_addresses",
        "windows_shared_total",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        enum metric m = 0;
        while (m < METRIC_COUNT && strcmp(metric_info(m)->name + strlen("stockact_"), names[i]))
            m++;
        if (m == METRIC_COUNT)
            fail_msg("there is no stockact_%s", names[i]);
    }
}

static void help_is_one_sentence_or_more_in_one_line(void **state)
{
    for (enum metric m = 0; m < METRIC_COUNT; m++) {
        const struct metric_info *info = metric_info(m);
        if (!ends(info->help, ".") || strpbrk(info->help, "\n\\|"))
            fail_msg("the help of %s: %s", info->name, info->help);
    }
}

static void sample_escapes_the_values_of_its_labels(void **state)
{
    struct buf b;
    buf_init(&b, 1000);
    metrics_put_sample(
        &b, METRIC_JOB_STATE, METRIC_LABELS(STR("a \"job\""), STR("back\\slash\nline")), 1);
    assert_str(
        buf_view(&b), "stockact_job_state{job=\"a \\\"job\\\"\",state=\"back\\\\slash line\"} 1\n");
    buf_finish(&b);
}

static void difference_may_be_below_zero(void **state)
{
    struct buf b;
    buf_init(&b, 1000);
    metrics_put_difference(&b, METRIC_CLOCK_AHEAD, -1500);
    assert_true(str_ends(buf_view(&b), STR("\nstockact_clock_ahead_seconds -1.500000\n")));
    buf_finish(&b);
}

/* --- docs/metrics.md */

static const char *const titles[METRIC_GROUP_COUNT] = {
    [METRICS_REQUESTS] = "Requests",
    [METRICS_CONNECTIONS] = "Connections and streams",
    [METRICS_LIMITS] = "Limits",
    [METRICS_DATA] = "Published data",
    [METRICS_REVIEW] = "Review",
    [METRICS_JOBS] = "Jobs",
    [METRICS_WEBHOOKS] = "Webhooks",
    [METRICS_MAIL] = "E-mail",
    [METRICS_CACHE] = "The cache in front",
    [METRICS_STORE] = "Database and servers",
    [METRICS_PROCESS] = "The process",
};

static void put_group(struct buf *b, enum metric_group group)
{
    buf_fmt(b, "## %s\n\n| metric | type | unit | meaning |\n|---|---|---|---|\n", titles[group]);
    for (enum metric m = 0; m < METRIC_COUNT; m++) {
        const struct metric_info *info = metric_info(m);
        if (info->group != group)
            continue;
        buf_fmt(b, "| `%s", info->name);
        if (info->labels)
            buf_fmt(b, "{%s}", info->labels);
        buf_fmt(b, "` | %s | %s | %s |\n", metric_type_name(info->type), info->unit, info->help);
    }
}

static size_t rows_of(struct str text)
{
    struct str line;
    size_t rows = 0;
    while (str_split(&text, '\n', &line))
        rows += str_starts(line, STR("| `stockact_")) || str_starts(line, STR("| `process_"));
    return rows;
}

/* The message has the text that the document should have. */
static void document_has_the_table_and_nothing_else(void **state)
{
    struct buf wanted;
    struct arena arena;
    arena_init(&arena);
    buf_init(&wanted, 1 << 20);
    struct str text = source_file_read(&arena, "docs/metrics.md");
    for (enum metric_group group = 0; group < METRIC_GROUP_COUNT; group++) {
        size_t from = wanted.n;
        put_group(&wanted, group);
        struct str section = str_slice(buf_view(&wanted), from, wanted.n);
        if (str_find(text, section) < 0)
            fail_msg("docs/metrics.md does not have\n%.*s", STR_ARG(section));
    }
    assert_int_equal(rows_of(text), METRIC_COUNT);
    buf_finish(&wanted);
    arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_follow_the_rules_of_prometheus),
        cmocka_unit_test(names_of_the_first_version_stay),
        cmocka_unit_test(help_is_one_sentence_or_more_in_one_line),
        cmocka_unit_test(sample_escapes_the_values_of_its_labels),
        cmocka_unit_test(difference_may_be_below_zero),
        cmocka_unit_test(document_has_the_table_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
