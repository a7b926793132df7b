/* Requests to a test server that gives one prepared answer per connection. */
#include "quiet_server.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/client.h"

enum { ANSWERS_MAX = 4, REQUEST_MAX = 4096, SHORT_MS = 40, LONG_MS = 3600000 };

static struct {
    int fd;
    char url[64];
    const char *answers[ANSWERS_MAX];
    char requests[ANSWERS_MAX][REQUEST_MAX];
    size_t count;
    pthread_t thread;
} server;

/* Reads to the end of the head and of the form after it. */
static void read_request(int fd, char *request)
{
    size_t n = 0;
    char *body = NULL;
    do {
        ssize_t got = read(fd, request + n, REQUEST_MAX - 1 - n);
        if (got <= 0)
            return;
        n += (size_t)got;
        request[n] = '\0';
        body = strstr(request, "\r\n\r\n");
    } while (!body || (strncmp(request, "POST", 4) == 0 && !strstr(body, "end=1")));
}

static void *serve(void *unused)
{
    for (size_t i = 0; i < server.count; i++) {
        int fd = accept(server.fd, NULL, NULL);
        read_request(fd, server.requests[i]);
        ssize_t n = write(fd, server.answers[i], strlen(server.answers[i]));
        assert_true(n >= 0);
        close(fd);
    }
    return NULL;
}

static void start(size_t count, const char *const answers[])
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    memset(&server, 0, sizeof server);
    server.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(server.fd, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(server.fd, 8), 0);
    assert_int_equal(getsockname(server.fd, (struct sockaddr *)&address, &size), 0);
    snprintf(server.url, sizeof server.url, "http://127.0.0.1:%d/a", ntohs(address.sin_port));
    server.count = count;
    memcpy(server.answers, answers, count * sizeof *answers);
    assert_int_equal(pthread_create(&server.thread, NULL, serve, NULL), 0);
}

static void stop(void)
{
    pthread_join(server.thread, NULL);
    close(server.fd);
}

static struct client *make(bool plain_http)
{
    const struct client_config config = {
        .plain_http = plain_http,
        .cookies = true,
        .proxy = STR(""),
        .user_agent = STR("unit/1"),
        .connections_max = 1,
        .connect_time_max_ms = LONG_MS,
        .body_max = 10,
    };
    struct client *c = NULL;
    assert_int_equal(client_create(&config, &c, NULL), OK);
    return c;
}

static struct client_request request_of(const char *url)
{
    return (struct client_request){.target = str_from(url), .time_max_ms = LONG_MS};
}

static void answer_is_parsed(void **state)
{
    const char *const answers[] = {
        "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nLast-Modified: Mon, 09 Mar 2026 23:00:00 GMT\r\n"
        "Content-Length: 5\r\n\r\nhello",
        "HTTP/1.1 302 Found\r\nLocation: /b?c\r\nContent-Length: 0\r\n\r\n",
    };
    struct arena arena;
    struct fetch_answer answer;
    const struct str header = STR("If-None-Match: \"x\"");
    arena_init(&arena);
    start(2, answers);
    struct client *c = make(true);
    struct client_request request = request_of(server.url);
    request.headers = &header;
    request.header_count = 1;
    assert_int_equal(fetch(c, &request, &arena, &answer, NULL), OK);
    assert_int_equal(answer.status, 200);
    assert_str(answer.body, "hello");
    assert_str(answer.etag, "\"a\"");
    assert_str(answer.last_modified, "Mon, 09 Mar 2026 23:00:00 GMT");
    assert_true(str_is_null(answer.redirect));
    request.header_count = 0;
    assert_int_equal(fetch(c, &request, &arena, &answer, NULL), OK);
    assert_int_equal(answer.status, 302);
    assert_true(str_is_null(answer.etag));
    assert_true(str_ends(answer.redirect, STR("/b?c")));
    assert_true(str_starts(answer.redirect, STR("http://127.0.0.1:")));
    stop();
    assert_non_null(strstr(server.requests[0], "\r\nIf-None-Match: \"x\"\r\n"));
    assert_non_null(strstr(server.requests[0], "\r\nUser-Agent: unit/1\r\n"));
    assert_null(strstr(server.requests[1], "If-None-Match"));
    client_destroy(c);
    arena_finish(&arena);
}

static void cookies_come_back_and_forms_are_posted(void **state)
{
    const char *const answers[] = {
        "HTTP/1.1 200 OK\r\nSet-Cookie: token=abc123; Path=/\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    };
    struct arena arena;
    struct fetch_answer answer;
    arena_init(&arena);
    start(3, answers);
    struct client *c = make(true);
    struct client_request request = request_of(server.url);
    assert_true(str_is_null(client_cookie(c, STR("token"), &arena)));
    assert_int_equal(fetch(c, &request, &arena, &answer, NULL), OK);
    assert_str(client_cookie(c, STR("token"), &arena), "abc123");
    assert_true(str_is_null(client_cookie(c, STR("tok"), &arena)));
    request.form = STR("b=2&end=1");
    assert_int_equal(fetch(c, &request, &arena, &answer, NULL), OK);
    request.form = STR_NULL;
    assert_int_equal(fetch(c, &request, &arena, &answer, NULL), OK);
    stop();
    assert_null(strstr(server.requests[0], "Cookie:"));
    assert_non_null(strstr(server.requests[1], "\r\nCookie: token=abc123\r\n"));
    assert_non_null(strstr(server.requests[1], "application/x-www-form-urlencoded"));
    assert_non_null(strstr(server.requests[1], "\r\n\r\nb=2&end=1"));
    assert_int_equal(strncmp(server.requests[1], "POST /a ", 8), 0);
    assert_int_equal(strncmp(server.requests[2], "GET /a ", 7), 0);
    client_destroy(c);
    arena_finish(&arena);
}

static void truncated_or_oversized_answer_is_error(void **state)
{
    const char *const answers[] = {
        "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world",
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello worl",
    };
    struct arena arena;
    struct fetch_answer answer = {.status = 7};
    struct fail why;
    arena_init(&arena);
    start(3, answers);
    struct client *c = make(true);
    struct client_request request = request_of(server.url);
    assert_int_equal(fetch(c, &request, &arena, &answer, &why), ERR_UNAVAILABLE);
    assert_int_equal(fetch(c, &request, &arena, &answer, &why), ERR_LIMIT);
    assert_non_null(strstr(why.text, "is larger than 10 bytes"));
    assert_int_equal(answer.status, 7);
    assert_int_equal(fetch(c, &request, &arena, &answer, &why), OK);
    assert_str(answer.body, "hello worl");
    stop();
    client_destroy(c);
    arena_finish(&arena);
}

/* A machine can be too slow to send the request in that time: then again with twice the time. */
static void late_answer_is_error(void **state)
{
    struct quiet_server quiet;
    struct arena arena;
    struct fetch_answer answer = {.status = 7};
    char url[64];
    int connection = -1;
    arena_init(&arena);
    quiet_server_open(&quiet);
    quiet_server_listen(&quiet);
    snprintf(url, sizeof url, "http://127.0.0.1:%d/a", quiet.port);
    struct client *c = make(true);
    struct client_request request = request_of(url);
    for (request.time_max_ms = SHORT_MS; connection < 0 || !quiet_server_asked(connection);
         request.time_max_ms *= 2) {
        close(connection);
        assert_int_equal(fetch(c, &request, &arena, &answer, NULL), ERR_TIMEOUT);
        connection = quiet_server_accept(&quiet);
    }
    assert_int_equal(answer.status, 7);
    close(connection);
    client_destroy(c);
    quiet_server_close(&quiet);
    arena_finish(&arena);
}

static void other_schemes_are_refused(void **state)
{
    static const char *const urls[] = {
        "http://127.0.0.1:1/", "file:///etc/passwd", "ftp://127.0.0.1/", "nonsense://", ""};
    struct arena arena;
    struct fetch_answer answer;
    struct fail why;
    arena_init(&arena);
    struct client *c = make(false);
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        struct client_request request = request_of(urls[i]);
        assert_int_equal(fetch(c, &request, &arena, &answer, &why), ERR_INVALID);
    }
    client_destroy(c);
    arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answer_is_parsed),
        cmocka_unit_test(cookies_come_back_and_forms_are_posted),
        cmocka_unit_test(truncated_or_oversized_answer_is_error),
        cmocka_unit_test(late_answer_is_error),
        cmocka_unit_test(other_schemes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
