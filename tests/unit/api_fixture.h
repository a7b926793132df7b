/*
 * The API on a real server on a free port: a feed of invented trades, a database with keys of every
 * plan, and a stopped wall clock. Requests are text, so that a test can send malformed requests.
 */
#pragma once

#include "store_fixture.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>

#include "api/api.h"
#include "base/clock.h"
#include "feed_maker.h"
#include "http/server.h"
#include "store/account/account.h"
#include "store/account/key.h"

enum { API_TRADES = 300, API_DISCLOSED_S = 1790000000 };

/* svc_ and 43 characters; the last one shows the plan. */
#define KEY_TEXT(c) "svc_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP" c
#define KEY_UNKNOWN KEY_TEXT("x")
#define KEY_WOLF KEY_TEXT("w")
#define KEY_PACK KEY_TEXT("p")
#define KEY_DEN KEY_TEXT("d")
#define KEY_REVOKED KEY_TEXT("r")

struct api_fixture {
    struct store_fixture *store;
    struct feed *feed;
    struct access *access;
    struct limits *limits;
    struct api *api;
    struct http_server *server;
    uint16_t port;
    char clock_path[96];
    struct cidr_list trusted; /* loopback: X-Forwarded-For names the caller */
};

/* A parsed reply. Its strings point into `text`. */
struct api_reply {
    char *text;
    int status;
    struct str head; /* with the status line */
    struct str body;
};

static inline void api_set_clock(struct api_fixture *f, const char *instant)
{
    int fd = open(f->clock_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, instant, strlen(instant)), strlen(instant));
    close(fd);
}

static inline void api_add_key(
    struct store_fixture *s, const char *email, enum plan plan, const char *plaintext, bool revoke)
{
    struct account account;
    struct key key;
    int64_t now = clock_wall_ms();
    enum plan at_first = plan_has_api_access(plan) ? plan : PLAN_PACK;
    assert_ok(s, db_begin(s->db, &s->fail));
    assert_ok(
        s, account_create(
               &(struct act){.db = s->db, .now_ms = now, .arena = &s->arena, .fail = &s->fail},
               str_from(email), at_first, ROLE_MEMBER, &account));
    assert_ok(
        s, key_add(
               &(struct act){.db = s->db, .now_ms = now, .arena = &s->arena, .fail = &s->fail},
               str_from(email), STR("test"), str_from(plaintext), &key));
    if (revoke)
        assert_ok(
            s, key_revoke(&(struct act){.db = s->db, .now_ms = now, .fail = &s->fail}, key.id));
    assert_ok(
        s, account_set_plan(&(struct act){.db = s->db, .fail = &s->fail}, str_from(email), plan));
    assert_ok(s, db_commit(s->db, &s->fail));
}

static inline uint16_t api_port_of(struct str address)
{
    int64_t port = 0;
    ptrdiff_t colon = str_find_char(address, ':');
    assert_true(str_to_i64(str_slice(address, (size_t)colon + 1, address.n), &port));
    return (uint16_t)port;
}

static inline void api_fill_feed(struct feed *feed)
{
    for (uint64_t n = 1; n <= API_TRADES; n++)
        maker_push(feed_edition(feed), n, API_DISCLOSED_S * 1000LL + (int64_t)n);
    edition_show(feed_edition(feed));
}

static inline int api_fixture_start(
    void **state, bool access_log, uint32_t limits_factor, int workers)
{
    struct api_fixture *f = MEM_NEW(struct api_fixture);
    struct fail fail;
    int result = store_fixture_setup(state);
    f->store = *state;
    *state = f;
    if (result)
        return result;
    snprintf(f->clock_path, sizeof f->clock_path, "%s/clock", f->store->folder);
    api_set_clock(f, "2026-11-20T08:12:45.123Z");
    assert_int_equal(clock_use_file(f->clock_path, &fail), OK);

    api_add_key(f->store, "wolf@example.org", PLAN_WOLF, KEY_WOLF, false);
    api_add_key(f->store, "pack@example.org", PLAN_PACK, KEY_PACK, false);
    api_add_key(f->store, "den@example.org", PLAN_DEN, KEY_DEN, false);
    api_add_key(f->store, "revoked@example.org", PLAN_DEN, KEY_REVOKED, true);
    f->access = access_create();
    assert_ok(f->store, access_load(f->access, f->store->db, &f->store->fail));
    f->feed = feed_create();
    api_fill_feed(f->feed);
    const struct limits_options options = {.master_key = STR("0123456789abcdef0123456789abcdef")};
    assert_int_equal(limits_create(&options, &f->limits, &fail), OK);

    assert_int_equal(cidr_list_parse(STR("127.0.0.1"), &f->trusted, &fail), OK);
    const struct api_config config = {
        .feed = f->feed,
        .access = f->access,
        .limits = f->limits,
        .database = store_fixture_url(f->store),
        .base_url = STR("https://api.example.org"),
        .trusted_proxies = &f->trusted,
        .access_log = access_log,
        .limits_factor = limits_factor,
    };
    f->api = api_create(&config);
    struct http_config http = {.listen = "127.0.0.1:0", .threads = 1, .app = api_app(f->api)};
    api_set_workers(f->api, &http, workers);
    assert_int_equal(http_server_start(&http, &f->server, &fail), OK);
    f->port = api_port_of(http_server_address(f->server));
    api_set_state(f->api, API_READY);
    return 0;
}

static inline int api_fixture_setup(void **state)
{
    return api_fixture_start(state, false, 1, 1);
}

static inline int api_fixture_setup_logging(void **state)
{
    return api_fixture_start(state, true, 1, 1);
}

/* For tests with many thousands of requests. */
static inline int api_fixture_setup_unlimited(void **state)
{
    return api_fixture_start(state, false, 1000000, 1);
}

static inline int api_fixture_setup_without_workers(void **state)
{
    return api_fixture_start(state, false, 1, 0);
}

static inline int api_fixture_teardown(void **state)
{
    struct api_fixture *f = *state;
    http_server_destroy(f->server);
    api_destroy(f->api);
    limits_destroy(f->limits);
    access_destroy(f->access);
    feed_destroy(f->feed);
    unlink(f->clock_path);
    *state = f->store;
    mem_free(f);
    return store_fixture_teardown(state);
}

/* Reads until the server closes the connection, as the requests ask it to. */
static inline struct api_reply api_exchange(struct api_fixture *f, const char *request)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(f->port)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(inet_pton(AF_INET, "127.0.0.1", &to.sin_addr), 1);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    assert_int_equal(send(fd, request, strlen(request), MSG_NOSIGNAL), strlen(request));

    struct buf text;
    buf_init(&text, 4 << 20);
    for (;;) {
        char *room = buf_reserve(&text, 64 * 1024);
        assert_non_null(room);
        ssize_t n = recv(fd, room, 64 * 1024, 0);
        assert_true(n >= 0);
        if (n == 0)
            break;
        buf_commit(&text, (size_t)n);
    }
    close(fd);

    struct str all = buf_view(&text);
    ptrdiff_t end = str_find(all, STR("\r\n\r\n"));
    int64_t status = 0;
    assert_true(end > 0);
    assert_true(str_starts(all, STR("HTTP/1.1 ")));
    assert_true(str_to_i64(str_slice(all, 9, 12), &status));
    return (struct api_reply){
        .text = text.p,
        .status = (int)status,
        .head = str_slice(all, 0, (size_t)end + 2),
        .body = str_slice(all, (size_t)end + 4, all.n),
    };
}

/* Builds a request from method, target and header lines, each with CRLF. */
static inline struct api_reply api_ask(
    struct api_fixture *f, const char *method, const char *target, const char *headers)
{
    char space[16 * 1024];
    struct buf b = buf_over(space, sizeof space);
    buf_text(&b, method);
    buf_char(&b, ' ');
    buf_text(&b, target);
    buf_text(&b, " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n");
    buf_text(&b, headers);
    buf_text(&b, "\r\n");
    buf_char(&b, '\0');
    assert_false(b.overflow);
    return api_exchange(f, space);
}

static inline struct api_reply api_get(
    struct api_fixture *f, const char *target, const char *headers)
{
    return api_ask(f, "GET", target, headers);
}

static inline void api_reply_finish(struct api_reply *reply)
{
    mem_free(reply->text);
}

/* The value of a header; the name is case-sensitive. Null: absent. */
static inline struct str api_header(const struct api_reply *reply, const char *name)
{
    char space[128];
    struct buf b = buf_over(space, sizeof space);
    buf_text(&b, "\r\n");
    buf_text(&b, name);
    buf_text(&b, ": ");
    ptrdiff_t at = str_find(reply->head, buf_view(&b));
    if (at < 0)
        return STR_NULL;
    struct str rest = str_slice(reply->head, (size_t)at + b.n, reply->head.n);
    return str_slice(rest, 0, (size_t)str_find(rest, STR("\r\n")));
}

static inline int64_t api_number(const struct api_reply *reply, const char *name)
{
    int64_t value;
    if (!str_to_i64(api_header(reply, name), &value))
        fail_msg("no number in %s", name);
    return value;
}

/* The text of nextCursor; null at the end. */
static inline struct str api_next_cursor(const struct api_reply *reply)
{
    struct str mark = STR("],\"nextCursor\":");
    ptrdiff_t at = str_find(reply->body, mark);
    assert_true(at > 0);
    struct str value = str_slice(reply->body, (size_t)at + mark.n, reply->body.n - 1);
    return str_eq(value, STR("null")) ? STR_NULL : str_slice(value, 1, value.n - 1);
}

/* A test with an API of its own. */
#define API_TEST(name)                                                                             \
    cmocka_unit_test_setup_teardown(name, api_fixture_setup, api_fixture_teardown)
