/* Limits of sign-ins that several servers share through Redis. */
#include "redis_server.h"

#include <sched.h>

#include "account/attempts.h"

#define NOW INT64_C(1790000000000)

enum { NODES = 2 };

static struct redis_server server = {.password = "open sesame"};

static struct attempts *make_node(void)
{
    char url[96];
    struct attempts *attempts;
    struct fail fail;
    snprintf(url, sizeof url, "redis://:%s@127.0.0.1:%d", "open%20sesame", server.port);
    const struct limits_options options = {
        .master_key = STR("0123456789abcdef0123456789abcdef"), .redis_url = str_from(url)};
    assert_int_equal(attempts_create(&options, &attempts, &fail), OK);
    return attempts;
}

static enum err attempt(
    struct attempts *attempts, const char *email, uint8_t client, int64_t now_ms,
    struct attempt_draw *ret)
{
    const struct address address = {{[10] = 0xff, [11] = 0xff, 198, 51, 100, client}};
    struct fail fail;
    int64_t retry_s;
    return attempts_draw(
        attempts, STR("sign in"), str_from(email), &address, now_ms, ret, &retry_s, &fail);
}

/* An attempt is ERR_UNAVAILABLE, and not counted, while the node is not connected or Redis does not
 * answer in time. */
static enum err attempt_in_time(
    struct attempts *attempts, const char *email, uint8_t client, int64_t now_ms)
{
    struct attempt_draw draw;
    enum err err;
    while ((err = attempt(attempts, email, client, now_ms, &draw)) == ERR_UNAVAILABLE)
        sched_yield();
    return err;
}

static void wait_until_ready(struct attempts *attempts)
{
    (void)attempt_in_time(attempts, "warm@example.org", 1, NOW - 3600000);
}

static void servers_share_the_windows_of_an_account(void **state)
{
    struct attempts *nodes[NODES];
    int granted = 0;
    redis_server_start(&server, 0);
    for (int i = 0; i < NODES; i++)
        wait_until_ready(nodes[i] = make_node());
    for (int i = 0; i < 40; i++)
        granted +=
            attempt_in_time(nodes[i % NODES], "ada@example.org", (uint8_t)(i + 2), NOW) == OK;
    assert_int_equal(granted, ATTEMPTS_PER_ACCOUNT);
    for (int i = 0; i < NODES; i++)
        attempts_destroy(nodes[i]);
    redis_server_kill(&server);
}

static void without_redis_nobody_guesses(void **state)
{
    struct attempt_draw draw;
    redis_server_start(&server, 0);
    struct attempts *node = make_node();
    wait_until_ready(node);
    redis_server_kill(&server);
    for (int i = 0; i < 10; i++)
        assert_int_equal(attempt(node, "ada@example.org", 2, NOW, &draw), ERR_UNAVAILABLE);
    attempts_destroy(node);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(servers_share_the_windows_of_an_account),
        cmocka_unit_test(without_redis_nobody_guesses),
    };
    signal(SIGPIPE, SIG_IGN);
    if (!redis_server_installed()) {
        printf("1..0 # SKIP redis-server is not installed\n");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
