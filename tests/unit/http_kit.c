#include "http_kit.h"

#include "unit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"

/* ---- the application ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct http_exchange *later;
static int held, skipped;
static bool released;

static void describe(struct http_exchange *x)
{
    const struct http_request *r = http_request(x);
    struct buf *b = http_body(x);
    buf_fmt(b, "%.*s %.*s", STR_ARG(r->method_text), STR_ARG(r->path));
    if (!str_is_null(r->query))
        buf_fmt(b, "?%.*s", STR_ARG(r->query));
    buf_fmt(b, " %zu", r->header_count);
    if (r->body.n > 0)
        buf_fmt(b, " %.*s", STR_ARG(r->body));
}

static void hold(struct http_exchange *x, void *worker_ctx)
{
    pthread_mutex_lock(&lock);
    held++;
    pthread_cond_broadcast(&changed);
    while (!released)
        pthread_cond_wait(&changed, &lock);
    held--;
    pthread_mutex_unlock(&lock);
    buf_text(http_body(x), "held");
}

static void hold_unless_left(struct http_exchange *x, void *worker_ctx)
{
    if (!http_client_left(x)) {
        hold(x, worker_ctx);
        return;
    }
    pthread_mutex_lock(&lock);
    skipped++;
    pthread_mutex_unlock(&lock);
}

static void work(struct http_exchange *x, void *worker_ctx)
{
    buf_text(http_body(x), worker_ctx ? "worked" : "no context");
}

static void work_done(struct http_exchange *x)
{
    http_head(x, STR("X-Done"), STR("yes"));
    http_reply_end(x);
}

static void answer_later(struct http_exchange *x)
{
    buf_text(http_body(x), "later");
    http_reply_end(x);
}

static void keep(struct http_exchange *x)
{
    pthread_mutex_lock(&lock);
    later = x;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

/* One line "X-Fill: ...." of n bytes with its end. */
static void put_lines(struct http_exchange *x, int64_t n)
{
    struct buf *lines = http_head_lines(x);
    buf_text(lines, "X-Fill: ");
    for (int64_t i = 10; i < n; i++)
        buf_char(lines, '.');
    buf_text(lines, "\r\n");
    buf_text(http_body(x), "ok");
}

static void put_many(struct http_exchange *x, int64_t n)
{
    char *room = buf_reserve(http_body(x), (size_t)n);
    if (!room)
        return;
    memset(room, 'x', (size_t)n);
    buf_commit(http_body(x), (size_t)n);
}

static void use_const(struct http_exchange *x)
{
    static char body[KIT_CONST_SIZE];
    for (size_t i = 0; i < sizeof body; i++)
        body[i] = (char)('a' + i % 23);
    http_body_const(x, str_of(body, sizeof body));
}

static bool defer(
    struct http_exchange *x, void (*fn)(struct http_exchange *, void *),
    void (*done)(struct http_exchange *))
{
    if (http_defer(x, fn, done))
        return true;
    http_status(x, 503);
    http_reply_end(x);
    return false;
}

static void handle(void *ctx, struct http_exchange *x)
{
    const struct http_request *r = http_request(x);
    int64_t n;
    if (str_eq(r->path, STR("/defer"))) {
        defer(x, work, work_done);
        return;
    }
    if (str_starts(r->path, STR("/hold"))) {
        http_share_lane(x, r->path.n > 6 ? (uint64_t)r->path.p[6] : 0);
        defer(x, hold, NULL);
        return;
    }
    if (str_eq(r->path, STR("/stall"))) {
        hold(x, NULL);
        http_reply_end(x);
        return;
    }
    if (str_eq(r->path, STR("/watched"))) {
        http_watch_client(x);
        defer(x, hold_unless_left, NULL);
        return;
    }
    if (str_eq(r->path, STR("/patient")))
        http_be_patient(x);
    if (str_eq(r->path, STR("/later")) || str_eq(r->path, STR("/patient"))) {
        keep(x);
        return;
    }
    if (str_starts(r->path, STR("/size/")) && str_to_i64(str_slice(r->path, 6, r->path.n), &n))
        put_many(x, n);
    else if (
        str_starts(r->path, STR("/lines/")) && str_to_i64(str_slice(r->path, 7, r->path.n), &n))
        put_lines(x, n);
    else if (str_eq(r->path, STR("/const")))
        use_const(x);
    else if (str_eq(r->path, STR("/split")))
        http_head(x, STR("X-Split"), STR("a\r\nX-Injected: b"));
    else if (str_eq(r->path, STR("/huge")))
        put_many(x, HTTP_REPLY_MAX + 1);
    else
        describe(x);
    if (r->method == HTTP_UNKNOWN)
        http_status(x, 501);
    http_reply_end(x);
}

static void refuse(void *ctx, struct http_exchange *x, int status, const char *why)
{
    http_status(x, status);
    buf_text(http_body(x), why);
    if (http_is_late(x)) {
        buf_char(http_body(x), ' ');
        describe(x);
    }
    http_reply_end(x);
}

static void *worker_start(void *ctx)
{
    return mem_alloc(1);
}

static void worker_stop(void *ctx, void *worker_ctx)
{
    mem_free(worker_ctx);
}

static struct http_body_rule body_rule(void *ctx, const struct http_request *request)
{
    if (str_eq(request->path, STR("/form")))
        return (struct http_body_rule){.max = HTTP_LARGE_BODY_MAX};
    if (str_starts(request->path, STR("/upload"))) /* those of /upload/7 are one holder's */
        return (struct http_body_rule){
            .spooled = true,
            .max = HTTP_SPOOL_MAX,
            .holder = request->path.n > 8 ? (uint64_t)request->path.p[8] : 0};
    return (struct http_body_rule){.max = HTTP_BODY_MAX};
}

static const struct http_app app = {.handle = handle, .refuse = refuse, .body_rule = body_rule};

struct http_exchange *kit_wait_later(void)
{
    pthread_mutex_lock(&lock);
    while (!later)
        pthread_cond_wait(&changed, &lock);
    struct http_exchange *x = later;
    later = NULL;
    pthread_mutex_unlock(&lock);
    return x;
}

void kit_resume(struct http_exchange *x)
{
    http_resume(x, answer_later);
}

void kit_wait_held(int n)
{
    pthread_mutex_lock(&lock);
    while (held < n)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

int kit_skipped(void)
{
    pthread_mutex_lock(&lock);
    int n = skipped;
    pthread_mutex_unlock(&lock);
    return n;
}

static void set_released(bool value)
{
    pthread_mutex_lock(&lock);
    released = value;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

void kit_release(void)
{
    set_released(true);
}

void kit_hold_again(void)
{
    set_released(false);
}

/* ---- the server ---- */

static _Atomic uint64_t sent; /* by kit_send, since the server started */

void kit_start_config(struct kit *kit, struct http_config config)
{
    struct fail fail = {0};
    atomic_store(&sent, 0);
    config.app = config.app ? config.app : &app;
    config.worker_start = worker_start;
    config.worker_stop = worker_stop;
    if (http_server_start(&config, &kit->server, &fail) != OK)
        fail_msg("%s", fail.text);
    kit->address = http_server_address(kit->server);
    bool is_unix = str_starts(kit->address, STR("unix:"));
    kit->unix_path = is_unix ? kit->address.p + 5 : NULL;
    kit->port = is_unix ? 0 : (uint16_t)strtoul(strrchr(kit->address.p, ':') + 1, NULL, 10);
}

void kit_start(struct kit *kit, const struct http_limits *limits)
{
    struct http_config config = {.listen = "127.0.0.1:0", .threads = 2, .lanes = {{.threads = 2}}};
    if (limits)
        config.limits = *limits;
    kit_start_config(kit, config);
}

void kit_start_one(struct kit *kit, struct http_limits limits)
{
    kit_start_config(
        kit, (struct http_config){.listen = "127.0.0.1:0", .threads = 1, .limits = limits});
}

struct http_stats kit_stats(const struct kit *kit)
{
    struct http_stats stats;
    http_server_stats(kit->server, &stats);
    return stats;
}

void kit_wait_read(const struct kit *kit)
{
    while (kit_stats(kit).bytes_read < atomic_load(&sent))
        sched_yield();
}

void kit_advance(const struct kit *kit, int64_t ms)
{
    kit_wait_read(kit);
    clock_mono_advance(ms);
    uint64_t ticks = kit_stats(kit).ticks;
    while (kit_stats(kit).ticks < ticks + 2) /* the first may have begun before */
        sched_yield();
}

void kit_stop(struct kit *kit)
{
    http_server_destroy(kit->server);
    kit->server = NULL;
}

/* ---- the client ---- */

enum { CONNECT_MS = 20 };

static int try_connect_tcp(const struct kit *kit, int fd)
{
    int on = 1;
    struct sockaddr_in a = {
        .sin_family = AF_INET, .sin_port = htons(kit->port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return connect(fd, (struct sockaddr *)&a, sizeof a);
}

static int try_connect_unix(const struct kit *kit, int fd)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    memcpy(a.sun_path, kit->unix_path, strlen(kit->unix_path));
    return connect(fd, (struct sockaddr *)&a, sizeof a);
}

static void set_send_timeout(int fd, int ms)
{
    struct timeval timeout = {.tv_usec = ms * 1000};
    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout), 0);
}

/* A full backlog drops the first packet, and the kernel retries only after a second: try again with
 * another socket. */
int kit_try_connect(const struct kit *kit)
{
    for (;;) {
        int fd = socket(kit->unix_path ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        assert_true(fd >= 0);
        set_send_timeout(fd, CONNECT_MS);
        int error = kit->unix_path ? try_connect_unix(kit, fd) : try_connect_tcp(kit, fd);
        if (!error) {
            set_send_timeout(fd, 0);
            return fd;
        }
        bool full = errno == EINPROGRESS || errno == EAGAIN;
        close(fd);
        if (!full)
            return -1;
    }
}

int kit_connect(const struct kit *kit)
{
    int fd = kit_try_connect(kit);
    assert_true(fd >= 0);
    return fd;
}

void kit_connect_fd(const struct kit *kit, int fd)
{
    assert_int_equal(try_connect_tcp(kit, fd), 0);
}

void kit_send(int fd, const char *p, size_t n)
{
    while (n > 0) {
        ssize_t taken = send(fd, p, n, MSG_NOSIGNAL);
        if (taken < 0) {
            assert_true(errno == EPIPE || errno == ECONNRESET);
            return;
        }
        atomic_fetch_add(&sent, (uint64_t)taken);
        p += taken;
        n -= (size_t)taken;
    }
}

void kit_send_bytes(int fd, const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        kit_send(fd, p + i, 1);
}

void kit_send_text(int fd, const char *text)
{
    kit_send(fd, text, strlen(text));
}

void kit_shut(int fd)
{
    shutdown(fd, SHUT_WR);
}

/* 1, 0 at the end, -1 on a reset. */
static int read_byte(int fd, char *ret)
{
    ssize_t n;
    do
        n = recv(fd, ret, 1, 0);
    while (n < 0 && errno == EINTR);
    return n < 0 ? -1 : (int)n;
}

/* 1: a head was read; 0, -1: as read_byte, before the end of the head. */
static int read_head(int fd, char *head, size_t size)
{
    size_t n = 0;
    while (n + 1 < size) {
        int got = read_byte(fd, head + n);
        if (got <= 0)
            return got;
        head[++n] = 0;
        if (n >= 4 && memcmp(head + n - 4, "\r\n\r\n", 4) == 0)
            return 1;
    }
    return -1;
}

static size_t content_length(const char *head)
{
    const char *line = strstr(head, "\r\nContent-Length: ");
    return line ? strtoul(line + strlen("\r\nContent-Length: "), NULL, 10) : 0;
}

static int read_reply(int fd, bool to_head, struct kit_reply *ret)
{
    *ret = (struct kit_reply){0};
    int got = read_head(fd, ret->head, sizeof ret->head);
    if (got <= 0)
        return got;
    assert_memory_equal(ret->head, "HTTP/1.1 ", 9);
    ret->status = (int)strtol(ret->head + 9, NULL, 10);
    ret->close = strstr(ret->head, "\r\nConnection: close\r\n") != NULL;
    bool bodiless = to_head || ret->status == 204 || ret->status == 304 || ret->status < 200;
    ret->body_n = bodiless ? 0 : content_length(ret->head);
    ret->body = mem_zalloc(ret->body_n + 1);
    for (size_t n = 0; n < ret->body_n;) {
        ssize_t more = recv(fd, ret->body + n, ret->body_n - n, 0);
        if (more <= 0)
            return -1;
        n += (size_t)more;
    }
    return 1;
}

bool kit_read_reply(int fd, bool to_head, struct kit_reply *ret)
{
    int got = read_reply(fd, to_head, ret);
    if (got < 0)
        fail_msg("the connection was reset, or ended inside a reply");
    return got == 1;
}

int kit_try_reply(int fd, struct kit_reply *ret)
{
    return read_reply(fd, false, ret);
}

void kit_reply_finish(struct kit_reply *reply)
{
    mem_free(reply->body);
    reply->body = NULL;
}

bool kit_read_end(int fd)
{
    char byte;
    return read_byte(fd, &byte) == 0;
}

void kit_outcome(int fd, char *ret, size_t size)
{
    struct buf text;
    buf_init(&text, size - 1);
    struct kit_reply reply;
    int got;
    while ((got = read_reply(fd, false, &reply)) == 1) {
        if (reply.status != 100)
            buf_fmt(&text, "%s%d%s", text.n ? " " : "", reply.status, reply.close ? "!" : "");
        kit_reply_finish(&reply);
    }
    kit_reply_finish(&reply);
    if (got < 0)
        buf_fmt(&text, "%sreset", text.n ? " " : "");
    memcpy(ret, buf_view(&text).p, text.n);
    ret[text.n] = 0;
    buf_finish(&text);
}
