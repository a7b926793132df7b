/* The limits with a real Redis: the cases of test_limits_limits.c that can differ with Redis, two
 * servers on one Redis, and a Redis that disconnects. */
#include "limits_unit.h"
#include "redis_server.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "limits/limits_wait.h"
#include "limits/redis_url.h"

enum { NODES = 2 };

static struct redis_server server = {.password = "open sesame"};
static struct limits *nodes[NODES];

static struct limits_answer draw_at(
    struct limits *limits, struct limits_caller caller, const char *now)
{
    return limits_draw_wait(limits, &caller, at(now));
}

static int granted_of(struct limits *limits, struct limits_caller caller, const char *now, int n)
{
    int granted = 0;
    for (int i = 0; i < n; i++)
        granted += draw_at(limits, caller, now).verdict == LIMITS_GRANTED;
    return granted;
}

static struct limits_stats stats_of(struct limits *limits)
{
    struct limits_stats stats;
    limits_stats(limits, &stats);
    return stats;
}

/* Waits until every node's connection is up, or down. */
static void wait_until_ready(bool ready)
{
    for (int i = 0; i < NODES; i++)
        while (stats_of(nodes[i]).redis_ready != ready)
            sched_yield();
}

/* Waits until the connection was lost so often, and is up. */
static void wait_until_back(struct limits *limits, uint64_t losses)
{
    while (stats_of(limits).redis_losses < losses || !stats_of(limits).redis_ready)
        sched_yield();
}

static int set_up(int64_t answer_ms)
{
    char url[100];
    redis_server_start(&server, 0);
    snprintf(url, sizeof url, "redis://:open%%20sesame@127.0.0.1:%d/2", server.port);
    for (int i = 0; i < NODES; i++) {
        struct limits_options options = {
            .master_key = str_from(limits_unit_master_key),
            .redis_url = str_from(url),
            .redis_answer_ms = i == 0 ? answer_ms : LIMITS_UNIT_PATIENT_MS};
        assert_int_equal(limits_create(&options, &nodes[i], NULL), OK);
    }
    wait_until_ready(true);
    return 0;
}

static int setup(void **state)
{
    return set_up(LIMITS_UNIT_PATIENT_MS);
}

/* The first node waits as long for Redis as a server does. */
static int setup_impatient(void **state)
{
    return set_up(REDIS_ANSWER_MS);
}

static int teardown(void **state)
{
    for (int i = 0; i < NODES; i++)
        limits_destroy(nodes[i]);
    redis_server_kill(&server);
    return 0;
}

/* RL-01, RL-02, RL-03, RL-05 over two servers */
static void two_servers_share_a_window(void **state)
{
    struct limits_caller k = keyed(1, PLAN_PACK);
    for (uint32_t i = 1; i <= 60; i++)
        assert_answer(
            draw_at(nodes[i % NODES], k, "2026-11-20T10:00:17.5Z"), LIMITS_GRANTED, 60, 60 - i, 0);
    for (int i = 0; i < 4; i++)
        assert_answer(
            draw_at(nodes[i % NODES], k, "2026-11-20T10:00:17.5Z"), LIMITS_DENIED_MINUTE, 60, 0,
            43);
    assert_answer(peek(nodes[0], k, "2026-11-20T10:00:59.999Z"), LIMITS_DENIED_MINUTE, 60, 0, 1);
    assert_answer(draw_at(nodes[0], k, "2026-11-20T10:01:00Z"), LIMITS_GRANTED, 60, 59, 0);
    assert_int_equal(limits_key_usage(nodes[0], 1, at("2026-11-20T10:01:00Z")).month_used, 61);
}

/* RL-06, RL-07 */
static void newcomers_share_months(void **state)
{
    struct limits_caller k = {.keyed = true, .key_no = 1, .per_minute = 5, .per_month = 8};
    assert_int_equal(granted_of(nodes[0], k, "2026-11-30T23:30:00Z", 9), 5);
    assert_int_equal(granted_of(nodes[1], k, "2026-11-30T23:31:00Z", 9), 3);
    assert_answer(draw_at(nodes[0], k, "2026-11-30T23:31:00Z"), LIMITS_DENIED_MONTH, 5, 2, 1740);
    assert_int_equal(granted_of(nodes[0], k, "2026-12-01T00:00:00Z", 9), 5);
}

static void address_keys_are_equal_on_every_server(void **state)
{
    assert_int_equal(granted_of(nodes[0], anonymous("203.0.113.5"), "2026-11-20T10:00:00Z", 7), 7);
    assert_int_equal(
        granted_of(nodes[1], anonymous("::ffff:203.0.113.5"), "2026-11-20T10:00:00Z", 7), 3);
    int granted = 0;
    for (int i = 0; i < 12; i++) {
        struct limits_caller caller = anonymous("2001:db8::1");
        caller.address.bytes[7] = (uint8_t)i; /* /64s of one /48 */
        granted += granted_of(nodes[i % NODES], caller, "2026-11-20T10:00:00Z", 10);
    }
    assert_int_equal(granted, 100);
}

/* RL-11 */
static void plan_change_applies_at_once(void **state)
{
    assert_int_equal(granted_of(nodes[0], keyed(1, PLAN_DEN), "2026-11-20T10:00:00Z", 150), 150);
    assert_answer(
        draw_at(nodes[1], keyed(1, PLAN_PACK), "2026-11-20T10:00:03Z"), LIMITS_DENIED_MINUTE, 60, 0,
        57);
    assert_answer(
        draw_at(nodes[1], keyed(1, PLAN_DEN), "2026-11-20T10:00:04Z"), LIMITS_GRANTED, 300, 149, 0);
}

static void refund_reaches_redis(void **state)
{
    struct limits_caller k = keyed(1, PLAN_PACK);
    struct limits_answer answer = draw_at(nodes[0], k, "2026-11-20T10:00:00Z");
    limits_refund(nodes[0], &k, &answer);
    assert_int_equal(answer.remaining, 60);
    /* The refund was sent earlier on the same connection. */
    assert_answer(draw_at(nodes[0], k, "2026-11-20T10:00:00Z"), LIMITS_GRANTED, 60, 59, 0);
    assert_answer(draw_at(nodes[1], k, "2026-11-20T10:00:00Z"), LIMITS_GRANTED, 60, 58, 0);
}

/* CL-02 */
static void window_stays_used_after_a_step_back(void **state)
{
    struct limits_caller k = keyed(1, PLAN_PACK);
    assert_int_equal(granted_of(nodes[0], k, "2026-11-20T10:00:05Z", 50), 50);
    assert_int_equal(granted_of(nodes[0], k, "2026-11-20T11:00:05Z", 1), 1);
    struct limits_answer answer = draw_at(nodes[0], k, "2026-11-20T10:00:06Z");
    assert_int_equal(answer.clock_back_ms, 59 * MINUTE_MS + 59 * SECOND_MS);
    assert_answer(answer, LIMITS_GRANTED, 60, 9, 0);
}

enum { RACERS = 16, RACES = 60 };

static _Atomic int race_granted;

static void *race(void *arg)
{
    struct limits_caller k = keyed(7, PLAN_PACK);
    for (int i = 0; i < RACES; i++)
        race_granted +=
            draw_at(*(struct limits **)arg, k, "2026-11-20T10:00:17Z").verdict == LIMITS_GRANTED;
    return NULL;
}

/* RL-09 over two servers */
static void threads_of_two_servers_get_exactly_the_limit(void **state)
{
    pthread_t threads[RACERS];
    race_granted = 0;
    for (int i = 0; i < RACERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, race, &nodes[i % NODES]), 0);
    for (int i = 0; i < RACERS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(race_granted, 60);
}

static void no_answer_comes_later(void *ctx, const struct limits_answer *answer)
{
    fail_msg("Redis is not there, but answered");
}

static void without_redis_requests_are_unavailable_and_nothing_is_lost(void **state)
{
    struct limits_caller k = keyed(1, PLAN_PACK);
    assert_int_equal(granted_of(nodes[0], k, "2026-11-20T10:00:00Z", 50), 50);
    redis_server_kill(&server);
    wait_until_ready(false);
    for (int i = 0; i < 1000; i++) { /* none waits: the answer does not come later */
        struct limits_answer answer;
        assert_true(limits_draw(
            nodes[0], &k, at("2026-11-20T10:00:01Z"), &answer, no_answer_comes_later, NULL));
        assert_answer(answer, LIMITS_UNAVAILABLE, 60, 10, 1);
    }
    assert_answer(peek(nodes[0], k, "2026-11-20T10:00:01Z"), LIMITS_GRANTED, 60, 10, 0);

    /* Redis is back without its data: window and month continue from this server's counts. */
    redis_server_start(&server, server.port);
    wait_until_ready(true);
    assert_int_equal(granted_of(nodes[0], k, "2026-11-20T10:00:02Z", 20), 10);
    assert_int_equal(limits_key_usage(nodes[0], 1, at("2026-11-20T10:00:02Z")).month_used, 60);
    struct limits_stats stats = stats_of(nodes[0]);
    assert_true(stats.redis_ready);
    assert_int_equal(stats.redis_losses, 1);
    assert_int_equal(stats.unavailable, 1000);
}

static void hanging_redis_times_out_and_draws_nothing_later(void **state)
{
    struct limits_caller k = keyed(1, PLAN_PACK);
    assert_int_equal(granted_of(nodes[1], k, "2026-11-20T10:00:00Z", 5), 5);
    int status;
    assert_int_equal(kill(server.pid, SIGSTOP), 0);
    assert_int_equal(waitpid(server.pid, &status, WUNTRACED), server.pid);
    assert_true(WIFSTOPPED(status)); /* only now: it may have been in the middle of a call */
    int64_t began_ms = clock_mono_ms();
    assert_int_equal(draw_at(nodes[0], k, "2026-11-20T10:00:01Z").verdict, LIMITS_UNAVAILABLE);
    assert_true(clock_mono_ms() - began_ms >= REDIS_ANSWER_MS);
    assert_int_equal(kill(server.pid, SIGCONT), 0);
    wait_until_back(nodes[0], 1);
    assert_answer(draw_at(nodes[1], k, "2026-11-20T10:00:02Z"), LIMITS_GRANTED, 60, 54, 0);
}

static void lost_redis_scripts_are_loaded_again(void **state)
{
    struct limits_caller k = keyed(1, PLAN_PACK);
    char command[120];
    assert_int_equal(granted_of(nodes[0], k, "2026-11-20T10:00:00Z", 5), 5);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in in = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)server.port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    assert_int_equal(connect(fd, (struct sockaddr *)&in, sizeof in), 0);
    int n = snprintf(command, sizeof command, "AUTH \"%s\"\r\nSCRIPT FLUSH\r\n", server.password);
    assert_int_equal(write(fd, command, (size_t)n), n);
    for (size_t got = 0; got < 10;) { /* +OK twice */
        ssize_t more = read(fd, command, sizeof command);
        assert_true(more > 0);
        got += (size_t)more;
    }
    close(fd);
    assert_int_equal(draw_at(nodes[0], k, "2026-11-20T10:00:01Z").verdict, LIMITS_UNAVAILABLE);
    wait_until_back(nodes[0], 1);
    assert_answer(draw_at(nodes[0], k, "2026-11-20T10:00:02Z"), LIMITS_GRANTED, 60, 54, 0);
}

static void set_redis_clock(int fd, int64_t seconds)
{
    assert_int_equal(pwrite(fd, &seconds, sizeof seconds, 0), sizeof seconds);
}

/* When Redis's clock is set, answers in time look late. The link reads the new time at once. */
static void redis_with_changed_clock_is_used_again(void **state)
{
    char path[] = "/tmp/stockact-redis-clock-XXXXXX";
    struct limits_caller k = keyed(1, PLAN_PACK);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    set_redis_clock(fd, 0);
    redis_server_kill(&server);
    wait_until_ready(false);
    server.clock = path;
    redis_server_start(&server, server.port);
    wait_until_ready(true);
    assert_int_equal(granted_of(nodes[0], k, "2026-11-20T10:00:00Z", 5), 5);

    for (int64_t ahead = 7200; ahead >= 0; ahead -= 7200) {
        uint64_t losses = stats_of(nodes[0]).redis_losses;
        set_redis_clock(fd, ahead);
        if (draw_at(nodes[0], k, "2026-11-20T10:00:01Z").verdict == LIMITS_UNAVAILABLE)
            wait_until_back(nodes[0], losses + 1); /* this call detected it */
        assert_int_equal(draw_at(nodes[0], k, "2026-11-20T10:00:02Z").verdict, LIMITS_GRANTED);
    }
    server.clock = NULL;
    close(fd);
    unlink(path);
}

/* Redis never answers: the server must start and answer 503. */
static void missing_redis_does_not_fail_start(void **state)
{
    char url[60];
    snprintf(url, sizeof url, "redis://127.0.0.1:%d", redis_server_free_port());
    struct limits_options options = {
        .master_key = str_from(limits_unit_master_key), .redis_url = str_from(url)};
    struct limits *limits;
    struct limits_caller k = keyed(1, PLAN_PACK);
    assert_int_equal(limits_create(&options, &limits, NULL), OK);
    assert_false(stats_of(limits).redis_ready);
    assert_answer(draw_at(limits, k, "2026-11-20T10:00:00Z"), LIMITS_UNAVAILABLE, 60, 60, 1);
    limits_destroy(limits);
}

static void invalid_redis_url_is_refused(void **state)
{
    struct limits_options options = {
        .master_key = str_from(limits_unit_master_key), .redis_url = STR("http://localhost")};
    struct limits *limits;
    struct fail fail;
    assert_int_equal(limits_create(&options, &limits, &fail), ERR_INVALID);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

static void version_of_redis_is_known(void **state)
{
    struct limits_redis redis = {.used = false};
    limits_redis(nodes[0], &redis);
    assert_true(redis.used && redis.ready);
    assert_true(redis.version[0] >= '1' && redis.version[0] <= '9');
    assert_non_null(strchr(redis.version, '.'));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_redis_does_not_fail_start),
        cmocka_unit_test(invalid_redis_url_is_refused),
        TEST(version_of_redis_is_known),
        TEST(two_servers_share_a_window),
        TEST(newcomers_share_months),
        TEST(address_keys_are_equal_on_every_server),
        TEST(plan_change_applies_at_once),
        TEST(refund_reaches_redis),
        TEST(window_stays_used_after_a_step_back),
        TEST(threads_of_two_servers_get_exactly_the_limit),
        TEST(without_redis_requests_are_unavailable_and_nothing_is_lost),
        cmocka_unit_test_setup_teardown(
            hanging_redis_times_out_and_draws_nothing_later, setup_impatient, teardown),
        TEST(lost_redis_scripts_are_loaded_again),
        TEST(redis_with_changed_clock_is_used_again),
    };
    signal(SIGPIPE, SIG_IGN);
    if (!redis_server_installed()) {
        printf("1..0 # SKIP redis-server is not installed\n");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
