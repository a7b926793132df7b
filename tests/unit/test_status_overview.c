/* What needs a person, judged from invented states; and that a fresh database can be read. */
#include "store_fixture.h"

#include "status/job_result.h"
#include "status/overview.h"
#include "status/words.h"
#include "store/run/upgrade.h"

static const int64_t now = INT64_C(1790000000000);

/* A state in which nothing needs a person. Tests change one thing. */
struct healthy {
    struct arena arena;
    struct node nodes[2];
    struct job_status jobs[3];
    struct delivery_stuck stuck[2];
    struct overview o;
    struct overview_config config;
};

static void healthy_init(struct healthy *h)
{
    *h = (struct healthy){
        .nodes =
            {{.label = STR("one"), .version = STR("2.0"), .seq = 9, .running = true},
             {.label = STR("two"), .version = STR("2.0"), .seq = 9, .running = true}},
        .jobs =
            {{.name = STR("sweep"),
              .next_at = now + 5,
              .last = {.state = JOB_OK, .started_at = now - 9},
              .ok_at = now - 5},
             {.name = STR("sync house"),
              .next_at = INSTANT_NONE,
              .last = {.state = JOB_OK, .started_at = now - 9},
              .ok_at = now - 5},
             {.name = STR("upkeep"), .next_at = now + 5, .last = {.state = JOB_NEVER}}},
        .config = {.now_ms = now, .mail = true, .daily = {{true, true, true}}},
    };
    arena_init(&h->arena);
    h->o = (struct overview){
        .nodes = {h->nodes, 2},
        .mail = {.oldest_at = INSTANT_NONE, .error = STR_NULL},
        .jobs = {h->jobs, 3},
        .stuck = {h->stuck, 0, false},
        .storage =
            {.disk_bytes = INT64_C(100) << 30,
             .disk_free = INT64_C(50) << 30,
             .reserve_bytes = 16 << 20,
             .log_bytes = 4 << 20},
        .lists = {{DAY_NONE, DAY_NONE, DAY_NONE}},
        .embedded = true,
        .commit_wait = -1,
        .future = INSTANT_NONE,
    };
}

/* The only item; "" for none. More than one fails. */
static const char *item(struct healthy *h)
{
    static char text[512];
    struct overview_items items = overview_judge(&h->o, &h->config, &h->arena);
    if (items.count == 0)
        return "";
    if (items.count > 1)
        fail_msg("%zu items", items.count);
    snprintf(
        text, sizeof text, "%.*s %.*s: %.*s", STR_ARG(condition_level_name(items.items[0].level)),
        STR_ARG(items.items[0].topic), STR_ARG(items.items[0].text));
    return text;
}

#define JUDGES(change, expected)                                                                   \
    do {                                                                                           \
        struct healthy h;                                                                          \
        healthy_init(&h);                                                                          \
        change;                                                                                    \
        assert_string_equal(item(&h), expected);                                                   \
        arena_finish(&h.arena);                                                                    \
    } while (0)

static void nothing_needs_a_person(void **state)
{
    JUDGES((void)0, "");
}

static void servers_are_judged(void **state)
{
    JUDGES(h.o.nodes.count = 0, "urgent servers: No server is running on this database.");
    JUDGES(
        (h.nodes[0].running = false, h.nodes[1].running = false),
        "urgent servers: No server is running on this database.");
    JUDGES(
        (h.nodes[1].running = false, h.nodes[1].silent_ms = 3 * MINUTE_MS, h.o.embedded = false),
        "urgent servers: The server two has been silent for 3 minutes: it was killed or cannot "
        "reach the database.");
    JUDGES(h.nodes[1].behind = 1234, "urgent servers: The server two is 1,234 changes behind.");
    JUDGES(h.nodes[1].behind = OVERVIEW_BEHIND_MAX, "");
    JUDGES(h.nodes[1].version = STR("1.9"), "notice servers: The servers run different versions.");
}

static void server_without_heartbeat_is_judged(void **state)
{
    JUDGES(
        (h.o.nodes.count = 0, h.o.held = true),
        "urgent servers: A server has this database open and writes no heartbeat: it is loading "
        "its data, stopping or frozen.");
}

static void told_conditions_are_judged(void **state)
{
    JUDGES(
        h.config.told = (condition_set)1 << CONDITION_REDIS_DOWN,
        "urgent redis: The server is not connected to Redis.");
}

static const char calm[] = "# HELP stockact_requests_total All.\n"
                           "stockact_requests_total{route=\"/a\",status=\"200\"} 990\n"
                           "stockact_requests_total{route=\"/a\",status=\"503\"} 9\n"
                           "stockact_clock_ahead_seconds -1.5\n"
                           "stockact_redis_up 1\n";
static const char bad[] = "stockact_requests_total{route=\"/a\",status=\"200\"} 1980\n"
                          "stockact_requests_total{route=\"/a\",status=\"503\"} 20\n"
                          "stockact_clock_ahead_seconds -2.5\n"
                          "stockact_redis_up 0\n";

#define BIT(name) ((condition_set)1 << CONDITION_##name)

/* 9 of 999 are not one in a hundred; 11 of the next 1,001 are, for one to two windows. */
static void metrics_show_conditions(void **state)
{
    struct condition_watch w = {.newer_ms = 0};
    condition_set all = BIT(ERRORS) | BIT(CLOCK_WRONG) | BIT(REDIS_DOWN);
    assert_int_equal(condition_watch(&w, str_from(calm), 1), 0);
    assert_int_equal(condition_watch(&w, str_from(calm), 1 + 5 * MINUTE_MS), 0);
    assert_int_equal(condition_watch(&w, str_from(calm), 1 + 10 * MINUTE_MS), 0);
    assert_int_equal(condition_watch(&w, str_from(bad), 2 + 10 * MINUTE_MS), all);
    assert_int_equal(condition_watch(&w, str_from(bad), 1 + 15 * MINUTE_MS), all);
    assert_int_equal(condition_watch(&w, str_from(bad), 1 + 20 * MINUTE_MS), all);
    assert_int_equal(condition_watch(&w, str_from(bad), 2 + 20 * MINUTE_MS), all & ~BIT(ERRORS));
}

static void conditions_are_read_from_the_metrics_of_a_server(void **state)
{
    static const char text[] = "HTTP/1.1 200 OK\r\n\r\n"
                               "stockact_condition{alert=\"StockactErrors\"} 0\n"
                               "stockact_condition{alert=\"StockactSlow\"} 1\n"
                               "stockact_condition{alert=\"StockactJobLate\"} 1\n";
    assert_int_equal(condition_told(str_from(text)), BIT(SLOW));
}

static void commits_that_wait_are_judged(void **state)
{
    static const char waits[] = "urgent database: Changes wait for a standby of PostgreSQL, which "
                                "does not answer: writes are refused, reads continue.";
    JUDGES(h.o.commit_wait = 0, waits);
    JUDGES(
        (h.nodes[0].running = false, h.nodes[1].running = false, h.o.embedded = false,
         h.o.commit_wait = 9000),
        waits);
}

static void missing_backups_are_judged(void **state)
{
    JUDGES(
        (h.o.real = true, h.o.backup_at = INSTANT_NONE),
        "notice backup: There is no backup of this database.");
    JUDGES(
        (h.o.real = true, h.o.backup_at = now - 26 * HOUR_MS),
        "urgent backup: The last backup was made 1 day ago.");
    JUDGES((h.o.real = true, h.o.backup_at = now - 26 * HOUR_MS + 1), "");
    JUDGES(h.o.backup_at = INSTANT_NONE, ""); /* invented data */
    JUDGES((h.o.real = true, h.o.backup_at = INSTANT_NONE, h.o.embedded = false), "");
}

static void lists_are_judged_by_their_day(void **state)
{
    enum { TODAY = 20717 };
    JUDGES(
        h.o.lists.days[LIST_SEATS] = TODAY - 61,
        "notice lists: The newest list of committee seats is of 2026-07-22, 61 days ago: import a "
        "newer one.");
    JUDGES(h.o.lists.days[LIST_SEATS] = TODAY - 60, "");
    JUDGES(
        h.o.lists.days[LIST_MEMBERS] = TODAY - 46,
        "notice lists: The newest list of members is of 2026-08-06, 46 days ago: import a newer "
        "one.");
    JUDGES(h.o.lists.days[LIST_MEMBERS] = TODAY + 1, "");
    JUDGES(
        h.o.lists.days[LIST_SYMBOLS] = TODAY - 91,
        "notice lists: The newest list of symbols is of 2026-06-22, 91 days ago: import a newer "
        "one.");
    JUDGES(
        (h.o.lists.days[LIST_SYMBOLS] = TODAY - 91, h.o.lists.of_import[LIST_SYMBOLS] = true),
        "notice lists: The newest list of symbols was imported 2026-06-22, 91 days ago: import a "
        "newer one.");
}

static void tasks_of_an_upgrade_are_judged(void **state)
{
    JUDGES(
        (h.o.real = true, h.o.backup_at = now, h.o.upgraded_from = 24,
         h.o.upgrade_due = 1U << UPGRADE_SCANS),
        "notice upgrade: To be run once after the upgrade from schema 24 (scans): Read the scans "
        "that wait for review.");
    JUDGES((h.o.upgraded_from = 24, h.o.upgrade_due = 1U << UPGRADE_SCANS), "");
}

static void publication_of_the_future_is_judged(void **state)
{
    JUDGES(
        h.o.future = now,
        "urgent clock: The newest publication or correction has the time 2026-09-21T14:13:20.000Z, "
        "which is in the future: set the clock, then run this.");
}

static void mail_is_judged(void **state)
{
    JUDGES(
        (h.o.mail.given_up = 2, h.o.mail.error = STR("551 no")),
        "urgent mail: 2 e-mails were given up. The last error: 551 no");
    JUDGES((h.o.mail.waiting = 1, h.o.mail.oldest_at = now - MINUTE_MS), "");
    JUDGES(
        (h.o.mail.waiting = 1, h.o.mail.oldest_at = now - MINUTE_MS, h.config.mail = false),
        "urgent mail: 1 e-mail waits, and no mail server is set (STOCKACT_SMTP_URL).");
    JUDGES(
        (h.o.mail.retrying = 3, h.o.mail.oldest_at = now - 2 * HOUR_MS,
         h.o.mail.error = STR("421 later")),
        "urgent mail: 3 e-mails wait, the oldest for 2 hours. The last error: 421 later");
}

static void deliveries_are_judged(void **state)
{
    JUDGES(
        (h.o.stuck.count = 1, h.stuck[0].oldest_due = now - 7 * MINUTE_MS),
        "urgent deliveries: Deliveries to 1 endpoint are late, the oldest by 7 minutes.");
    JUDGES(
        (h.o.stuck.count = 2, h.stuck[0].reason = STUCK_PAUSED, h.stuck[1].reason = STUCK_OWNER),
        "notice deliveries: Deliveries to 2 endpoints wait because they are not enabled. They "
        "expire after 30 days.");
}

static void jobs_are_judged(void **state)
{
    JUDGES(
        (h.jobs[0].last.state = JOB_FAILED, h.jobs[0].last.started_at = now - HOUR_MS,
         h.jobs[0].last.result = STR("{\"trades\":1,\"error\":\"the \\\"disk\\\" is full\"}")),
        "urgent jobs: The last run of \"sweep\" failed, 1 hour ago: the \"disk\" is full");
    JUDGES(
        (h.jobs[0].last.state = JOB_INTERRUPTED, h.jobs[0].last.started_at = now - 2 * DAY_MS),
        "urgent jobs: The last run of \"sweep\" was interrupted, 2 days ago.");
    JUDGES(
        h.jobs[0].next_at = now - 2 * HOUR_MS, "urgent jobs: The job \"sweep\" is 2 hours late.");
    JUDGES((h.jobs[0].next_at = now - 2 * HOUR_MS, h.config.daily.on[JOB_SWEEP] = false), "");
    JUDGES(h.jobs[0].next_at = now - HOUR_MS, "");
    JUDGES(
        (h.jobs[0].next_at = now - 2 * HOUR_MS, h.o.nodes.count = 0),
        "urgent servers: No server is running on this database.");
    JUDGES((h.jobs[0].next_at = now - 2 * HOUR_MS, h.jobs[0].last.state = JOB_RUNNING), "");
    JUDGES(
        (h.jobs[1].last.state = JOB_FAILED, h.jobs[1].last.result = STR("not JSON")),
        "urgent sync: The last run of \"sync house\" failed, less than a second ago.");
    JUDGES(
        h.jobs[1].ok_at = now - 4 * (int64_t)DAY_MS,
        "notice sync: The last complete run of \"sync house\" was 4 days ago.");
}

static void storage_is_judged(void **state)
{
    JUDGES(
        h.o.storage.disk_free = 900 << 20,
        "urgent storage: The disk of the database has 900.0 MiB left.");
    JUDGES(
        h.o.storage.disk_free = INT64_C(4) << 30,
        "notice storage: The disk of the database has 4.0 GiB left.");
    JUDGES((h.o.storage.disk_free = -1, h.o.storage.disk_bytes = -1), "");
    JUDGES(
        h.o.storage.reserve_bytes = 0,
        "urgent storage: The reserve beside the database was released: its disk was full.");
    JUDGES(
        h.o.storage.log_bytes = 300 << 20,
        "notice storage: The write-ahead log has grown to 300.0 MiB: a long transaction "
        "blocks the checkpoint.");
}

static void only_the_move_of_a_moved_database_is_told(void **state)
{
    JUDGES(
        (h.o.moved_to = STR("postgresql://one:5432/stockact"), h.o.nodes.count = 0),
        "urgent storage: This database was moved to postgresql://one:5432/stockact and takes no "
        "more changes: name that one in the settings, and restart the servers.");
}

static void urgent_items_come_first(void **state)
{
    struct healthy h;
    healthy_init(&h);
    h.nodes[1].version = STR("1.9");
    h.o.mail.given_up = 1;
    struct overview_items items = overview_judge(&h.o, &h.config, &h.arena);
    assert_int_equal(items.count, 2);
    assert_str(items.items[0].topic, "mail");
    assert_str(items.items[0].page, "/admin/mail");
    assert_str(items.items[1].topic, "servers");
    arena_finish(&h.arena);
}

static void fresh_database_is_read(void **state)
{
    struct store_fixture *f = *state;
    struct overview overview;
    assert_ok(f, overview_read(f->db, now, &f->arena, &overview, &f->fail));
    assert_int_equal(overview.nodes.count, 0);
    assert_true(overview.storage.bytes > 0);
    assert_true(overview.storage.version.n > 0);
    assert_true(overview.storage.table_count > 15);
    assert_int_equal(overview.embedded, !store_fixture_is_postgresql());
    assert_int_equal(overview.storage.disk_free > 0, !store_fixture_is_postgresql());
}

static void numbers_are_told_in_words(void **state)
{
    static const struct {
        int64_t n;
        const char *bytes, *duration, *count;
    } cases[] = {
        {0, "0 bytes", "less than a second", "0 rows"},
        {1, "1 byte", "less than a second", "1 row"},
        {1023, "1,023 bytes", "1 second", "1,023 rows"},
        {1024, "1.0 KiB", "1 second", "1,024 rows"},
        {59999, "58.5 KiB", "59 seconds", "59,999 rows"},
        {3600000, "3.4 MiB", "1 hour", "3,600,000 rows"},
        {INT64_C(172800000), "164.7 MiB", "2 days", "172,800,000 rows"},
        {INT64_C(5) << 40, "5.0 TiB", "63,629 days", "5,497,558,138,880 rows"},
    };
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_str(words_bytes(&arena, cases[i].n), cases[i].bytes);
        assert_str(words_duration(&arena, cases[i].n), cases[i].duration);
        assert_str(words_count(&arena, cases[i].n, "row", "rows"), cases[i].count);
    }
    assert_str(words_duration(&arena, -5), "less than a second");
    assert_str(words_count(&arena, -1000, "row", "rows"), "-1,000 rows");
    arena_finish(&arena);
}

static void results_are_told_in_words(void **state)
{
    static const struct {
        const char *result, *words, *error; /* error "": none */
    } cases[] = {
        {"{}", "", ""},
        {"{\"tradesRead\":12,\"set\":0}", "trades read 12", ""},
        {"{\"house\":{\"documents\":1,\"error\":\"no \\\"x\\\"\"},\"senate\":{\"documents\":2}}",
         "house: documents 1; senate: documents 2", "no \"x\""},
        {"{\"error\":\"stopped\"}", "", "stopped"},
        {"{\"house\":{\"error\":\"refused\",\"hint\":\"closed\"}}", "house: ", "closed"},
        {"{\"error\":7}", "", ""},
        {"[1]", "", ""},
        {"{\"a\":", "", ""},
        {"", "", ""},
    };
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str error = job_result_error(&arena, str_from(cases[i].result));
        assert_str(job_result_words(&arena, str_from(cases[i].result)), cases[i].words);
        assert_str(str_is_null(error) ? STR("") : error, cases[i].error);
    }
    assert_true(str_is_null(job_result_error(&arena, STR_NULL)));
    arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_needs_a_person),
        cmocka_unit_test(servers_are_judged),
        cmocka_unit_test(server_without_heartbeat_is_judged),
        cmocka_unit_test(told_conditions_are_judged),
        cmocka_unit_test(metrics_show_conditions),
        cmocka_unit_test(conditions_are_read_from_the_metrics_of_a_server),
        cmocka_unit_test(commits_that_wait_are_judged),
        cmocka_unit_test(tasks_of_an_upgrade_are_judged),
        cmocka_unit_test(publication_of_the_future_is_judged),
        cmocka_unit_test(mail_is_judged),
        cmocka_unit_test(deliveries_are_judged),
        cmocka_unit_test(jobs_are_judged),
        cmocka_unit_test(storage_is_judged),
        cmocka_unit_test(missing_backups_are_judged),
        cmocka_unit_test(lists_are_judged_by_their_day),
        cmocka_unit_test(only_the_move_of_a_moved_database_is_told),
        cmocka_unit_test(urgent_items_come_first),
        cmocka_unit_test(numbers_are_told_in_words),
        cmocka_unit_test(results_are_told_in_words),
        store_test(fresh_database_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
