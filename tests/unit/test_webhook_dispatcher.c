/*
 * The dispatcher with a store, a writer and a receiver on this thread: sent requests, their
 * outcomes, and the state after it ends.
 */
#include "delivery_sample.h"
#include "net_kit.h"

#include "base/clock.h"
#include "store/account/delivery_by_hand.h"
#include "webhook/dispatcher.h"
#include "webhook/secret.h"

enum { WAIT_MS = 100000, POLL_MS = 5, HANG_MS = 1000 };

static const char *const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
static const char *const gone = "HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n";
static const char *const busy = "HTTP/1.1 429 Busy\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n";

/* The environment of one dispatcher. */
struct stand {
    struct store_fixture *f;
    uv_loop_t loop;
    struct receiver receiver;
    struct writer *writer;
    struct seal_key key;
    struct cidr_list allow;
    struct dispatcher *dispatcher;
    struct str listening;
    int notices, notices_refused;
};

static void stand_open(struct stand *s, struct store_fixture *f)
{
    *s = (struct stand){.f = f, .listening = STR("unix:/run/stockact.sock")};
    const struct writer_config writer = {.url = store_fixture_url(f)};
    uv_loop_init(&s->loop);
    s->receiver.text = ok;
    receiver_open(&s->receiver, &s->loop, "127.0.0.1");
    secret_seal_key(&s->key, STR("a master key of thirty-two bytes"));
    assert_ok(f, cidr_list_parse(STR("127.0.0.0/8"), &s->allow, &f->fail));
    assert_ok(f, writer_start(&writer, &s->writer, &f->fail));
    delivery_sample_account(f, "owner@example.org");
}

/* Replaces the owner notices; the first notices_refused of them fail. */
static enum err notice(
    struct db *db, void *ctx, const struct delivery_outcome *outcome,
    const struct delivery_effect *effect, struct fail *fail)
{
    struct stand *s = ctx;
    s->notices++;
    if (s->notices <= s->notices_refused)
        return fail_set(fail, ERR_UNAVAILABLE, "not now");
    return OK;
}

static const struct port_set no_ports;

static enum err try_start(struct stand *s)
{
    const struct dispatcher_config config = {
        .writer = s->writer,
        .node = STR("here"),
        .listening = s->listening,
        .allow = &s->allow,
        .refused_ports = &no_ports,
        .key = &s->key,
        .user_agent = STR("test"),
        .notice = notice,
        .notice_ctx = s,
    };
    return dispatcher_start(&config, &s->dispatcher, &s->f->fail);
}

static void stand_start(struct stand *s)
{
    assert_ok(s->f, try_start(s));
}

static void stand_close(struct stand *s)
{
    dispatcher_stop(s->dispatcher);
    writer_stop(s->writer);
    receiver_close(&s->receiver);
    assert_int_equal(uv_loop_close(&s->loop), 0);
}

/* Adds an endpoint at the receiver, or elsewhere on this machine. */
static struct str add_endpoint_at(struct stand *s, int port)
{
    struct secret secret;
    uint8_t sealed[SECRET_SEALED_SIZE];
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%d/hook", port);
    struct str id = delivery_sample_endpoint(s->f, "owner@example.org", url);
    secret_make(&secret);
    secret_seal(&s->key, id, &secret, sealed);
    secret_finish(&secret);
    assert_ok(s->f, db_begin(s->f->db, &s->f->fail));
    assert_ok(
        s->f, endpoint_rotate(
                  &(struct act){.db = s->f->db, .now_ms = 2, .fail = &s->f->fail}, id,
                  str_of((const char *)sealed, sizeof sealed), INSTANT_NONE, false));
    assert_ok(s->f, db_commit(s->f->db, &s->f->fail));
    return id;
}

static void add_endpoint(struct stand *s)
{
    add_endpoint_at(s, s->receiver.port);
}

static void publish(struct stand *s, int events)
{
    for (int i = 0; i < events; i++)
        delivery_sample_event(s->f, "{\"event\":\"trade.published\"}", clock_wall_ms());
    if (s->dispatcher)
        dispatcher_wake(s->dispatcher);
}

static void on_poll(uv_timer_t *timer)
{
}

static void on_timer_closed(uv_handle_t *handle)
{
    *(bool *)handle->data = true;
}

/* Runs the receiver until the query returns `n`. */
static void wait_for(struct stand *s, const char *sql, int64_t n)
{
    int64_t until_ms = clock_mono_ms() + WAIT_MS, found;
    bool closed = false;
    uv_timer_t timer = {.data = &closed};
    uv_timer_init(&s->loop, &timer);
    uv_timer_start(&timer, on_poll, POLL_MS, POLL_MS);
    while ((found = store_fixture_number(s->f, sql)) != n && clock_mono_ms() < until_ms)
        uv_run(&s->loop, UV_RUN_ONCE);
    uv_close((uv_handle_t *)&timer, on_timer_closed);
    while (!closed)
        uv_run(&s->loop, UV_RUN_ONCE);
    if (found != n)
        fail_msg("%s: %lld, expected %lld", sql, (long long)found, (long long)n);
}

#define DELIVERED "SELECT count(*) FROM delivery WHERE state = 'delivered'"
#define ATTEMPTS "SELECT count(*) FROM attempt"
#define LEASED "SELECT count(*) FROM delivery WHERE lease_node IS NOT NULL"

static void publication_is_sent_signed_and_ends_delivered(void **state)
{
    struct stand s;
    stand_open(&s, *state);
    add_endpoint(&s);
    add_endpoint(&s);
    stand_start(&s);
    publish(&s, 3);
    wait_for(&s, DELIVERED, 6);
    assert_int_equal(s.receiver.requests, 6);
    static const char *const lines[] = {
        "POST /hook HTTP/1.1\r\n",
        "\r\nUser-Agent: test\r\n",
        "\r\nContent-Type: application/json\r\n",
        "\r\nX-SVC-Event: trade.published\r\n",
        "\r\nX-SVC-Delivery-Id: dlv_",
        "\r\nX-SVC-Signature: t=",
        "\r\nwebhook-signature: v1,",
        "\r\n\r\n{\"event\":\"trade.published\"}",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strstr(s.receiver.last, lines[i]))
            fail_msg("no \"%s\" in \"%s\"", lines[i], s.receiver.last);
    struct dispatcher_stats stats;
    dispatcher_stats(s.dispatcher, &stats);
    assert_int_equal(stats.attempts[ATTEMPT_2XX], 6);
    assert_int_equal(store_fixture_number(s.f, LEASED), 0);
    stand_close(&s);
}

/* Compares the stored head with what the receiver got, byte by byte. */
static void attempt_keeps_the_head_of_the_request_as_it_was_sent(void **state)
{
    struct stand s;
    struct query q;
    stand_open(&s, *state);
    add_endpoint(&s);
    stand_start(&s);
    publish(&s, 1);
    wait_for(&s, DELIVERED, 1);
    struct str got = str_from(s.receiver.last);
    query_start(&q, s.f->db, "SELECT request, url FROM attempt");
    assert_true(query_row(&q));
    struct str head = query_get_str(&q, 0);
    assert_true(str_ends(head, STR("\r\n\r\n")));
    assert_true(str_starts(got, head));
    assert_str(str_slice(got, head.n, got.n), "{\"event\":\"trade.published\"}");
    assert_true(str_ends(query_get_str(&q, 1), STR("/hook")));
    assert_ok(s.f, query_end(&q, &s.f->fail));
    stand_close(&s);
}

static void test_request_of_a_disabled_endpoint_is_sent_once(void **state)
{
    struct stand s;
    char id[DELIVERY_ID_MAX];
    stand_open(&s, *state);
    s.receiver.text = gone;
    struct str endpoint = add_endpoint_at(&s, s.receiver.port);
    stand_start(&s);
    assert_ok(s.f, db_begin(s.f->db, &s.f->fail));
    assert_ok(
        s.f, endpoint_do(
                 &(struct act){.db = s.f->db, .now_ms = 3, .fail = &s.f->fail}, endpoint,
                 ENDPOINT_DISABLE));
    assert_ok(
        s.f, delivery_test(
                 s.f->db, endpoint, STR("{\"event\":\"test\"}"), clock_wall_ms(), id, &s.f->fail));
    assert_ok(s.f, db_commit(s.f->db, &s.f->fail));
    dispatcher_wake(s.dispatcher);
    wait_for(&s, "SELECT count(*) FROM delivery WHERE state = 'failed' AND cause = 'test'", 1);
    assert_int_equal(s.receiver.requests, 1);
    assert_non_null(strstr(s.receiver.last, "\r\nX-SVC-Event: test\r\n"));
    assert_non_null(strstr(s.receiver.last, "\r\nX-SVC-Delivery-Id: test_"));
    stand_close(&s);
}

static void replay_of_many_is_sent_in_batches(void **state)
{
    enum { MANY = 450 }; /* more than REPLAYS_IN_CLAIM, twice */
    struct stand s;
    int64_t count = 0;
    stand_open(&s, *state);
    add_endpoint(&s);
    publish(&s, MANY);
    assert_ok(
        s.f,
        db_exec(
            s.f->db, "UPDATE delivery SET state = 'failed', tries = 6, ended_at = 5", &s.f->fail));
    stand_start(&s);
    const struct delivery_matching all = {1, DELIVERY_FAILED, 0, INT64_MAX};
    assert_ok(s.f, db_begin(s.f->db, &s.f->fail));
    assert_ok(s.f, delivery_replay_start(s.f->db, &all, clock_wall_ms(), &count, &s.f->fail));
    assert_ok(s.f, db_commit(s.f->db, &s.f->fail));
    assert_int_equal(count, MANY);
    dispatcher_wake(s.dispatcher);
    wait_for(&s, DELIVERED, MANY);
    assert_int_equal(s.receiver.requests, MANY);
    assert_int_equal(store_fixture_number(s.f, "SELECT replayed FROM bulk_replay"), MANY);
    stand_close(&s);
}

static void refused_delivery_retries_after_half_a_minute(void **state)
{
    struct stand s;
    stand_open(&s, *state);
    s.receiver.text = busy;
    add_endpoint(&s);
    stand_start(&s);
    publish(&s, 1);
    wait_for(&s, ATTEMPTS, 1);
    wait_for(&s, LEASED, 0);
    assert_int_equal(
        store_fixture_number(
            s.f, "SELECT d.due_at - a.ended_at FROM delivery d, attempt a"
                 " WHERE d.state = 'pending' AND a.status = 429 AND a.error = '4xx'"
                 " AND a.retry_after = '7' AND a.connect_ms >= 0"),
        30 * SECOND_MS);
    stand_close(&s);
}

static void unstored_outcome_is_written_later_and_delivery_not_resent(void **state)
{
    struct stand s;
    stand_open(&s, *state);
    s.receiver.text = gone;
    s.notices_refused = 1;
    add_endpoint(&s);
    publish(&s, 1);
    stand_start(&s);
    wait_for(&s, ATTEMPTS, 1);
    assert_int_equal(s.receiver.requests, 1);
    assert_int_equal(s.notices, 2);
    assert_int_equal(
        store_fixture_number(s.f, "SELECT failures FROM endpoint WHERE state = 'disabled'"), 1);
    stand_close(&s);
}

static void endpoint_that_is_gone_is_disabled_and_gets_no_more(void **state)
{
    struct stand s;
    stand_open(&s, *state);
    s.receiver.text = gone;
    add_endpoint(&s);
    stand_start(&s);
    publish(&s, 1);
    wait_for(&s, "SELECT count(*) FROM endpoint WHERE state = 'disabled' AND gone = 1", 1);
    assert_int_equal(s.notices, 1);
    publish(&s, 2);
    /* the next endpoint's turn proves that the removed one had its turn */
    s.receiver.text = ok;
    add_endpoint(&s);
    publish(&s, 1);
    wait_for(&s, DELIVERED, 1);
    assert_int_equal(s.receiver.requests, 2);
    stand_close(&s);
}

static void say_nothing(struct receiver_conn *c)
{
}

static void unanswered_delivery_is_due_again_after_drain(void **state)
{
    struct stand s;
    stand_open(&s, *state);
    s.receiver.answer = say_nothing;
    add_endpoint(&s);
    stand_start(&s);
    publish(&s, 2);
    wait_for(&s, LEASED, 2);
    dispatcher_drain(s.dispatcher, HANG_MS);
    dispatcher_stop(s.dispatcher);
    s.dispatcher = NULL;
    assert_int_equal(store_fixture_number(s.f, LEASED), 0);
    assert_int_equal(store_fixture_number(s.f, ATTEMPTS), 0);
    s.receiver.answer = NULL;
    stand_start(&s);
    wait_for(&s, DELIVERED, 2);
    stand_close(&s);
}

static void send_status_only(struct receiver_conn *c)
{
    receiver_send(c, STR("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"));
}

static void incomplete_answer_counts_during_drain(void **state)
{
    struct stand s;
    stand_open(&s, *state);
    s.receiver.answer = send_status_only;
    add_endpoint(&s);
    stand_start(&s);
    publish(&s, 1);
    wait_for(&s, LEASED, 1);
    while (!s.receiver.requests)
        uv_run(&s.loop, UV_RUN_ONCE);
    dispatcher_drain(s.dispatcher, HANG_MS);
    dispatcher_stop(s.dispatcher);
    s.dispatcher = NULL;
    assert_int_equal(store_fixture_number(s.f, DELIVERED), 1);
    stand_close(&s);
}

static void start_resumes_deliveries_of_last_run(void **state)
{
    static struct delivery_claims claims;
    struct stand s;
    int64_t unused;
    stand_open(&s, *state);
    add_endpoint(&s);
    publish(&s, 3);
    const struct delivery_claim claim = {
        .node = STR("here"),
        .now_ms = clock_wall_ms(),
        .limit = 3,
        .bodies_max = 1000,
        .per_endpoint_max = 3,
    };
    assert_ok(s.f, db_begin(s.f->db, &s.f->fail));
    assert_ok(s.f, delivery_claim(s.f->db, &claim, &s.f->arena, &claims, &unused, &s.f->fail));
    assert_ok(s.f, db_commit(s.f->db, &s.f->fail));
    assert_int_equal(store_fixture_number(s.f, LEASED), 3);
    stand_start(&s);
    wait_for(&s, DELIVERED, 3);
    stand_close(&s);
}

static void own_listener_gets_no_deliveries(void **state)
{
    struct stand s;
    char listening[32];
    stand_open(&s, *state);
    snprintf(listening, sizeof listening, "127.0.0.1:%d", s.receiver.port);
    s.listening = str_from(listening);
    add_endpoint(&s);
    stand_start(&s);
    publish(&s, 1);
    wait_for(&s, "SELECT count(*) FROM attempt WHERE error = 'refused_address'", 1);
    assert_int_equal(s.receiver.accepted, 0);
    stand_close(&s);
}

static void queue_longer_than_in_flight_maximum_is_sent_completely(void **state)
{
    enum { EVENTS = 300 };
    struct stand s;
    stand_open(&s, *state);
    for (int i = 0; i < 5; i++)
        add_endpoint(&s);
    publish(&s, EVENTS);
    stand_start(&s);
    wait_for(&s, DELIVERED, 5 * EVENTS);
    assert_int_equal(s.receiver.requests, 5 * EVENTS);
    assert_int_equal(store_fixture_number(s.f, ATTEMPTS), 5 * EVENTS);
    stand_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(publication_is_sent_signed_and_ends_delivered),
        store_test(attempt_keeps_the_head_of_the_request_as_it_was_sent),
        store_test(test_request_of_a_disabled_endpoint_is_sent_once),
        store_test(replay_of_many_is_sent_in_batches),
        store_test(refused_delivery_retries_after_half_a_minute),
        store_test(unstored_outcome_is_written_later_and_delivery_not_resent),
        store_test(endpoint_that_is_gone_is_disabled_and_gets_no_more),
        store_test(unanswered_delivery_is_due_again_after_drain),
        store_test(incomplete_answer_counts_during_drain),
        store_test(start_resumes_deliveries_of_last_run),
        store_test(own_listener_gets_no_deliveries),
        store_test(queue_longer_than_in_flight_maximum_is_sent_completely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
