/*
 * The other end of webhooks: endpoints for a server that is measured, and the receiver that they
 * all lead to. It answers every request 200 at once, keeps connections alive and counts.
 *
 *     webhook_sink endpoints DATABASE KEY_FILE COUNT PORT
 *         adds COUNT endpoints, each on an address of its own in 127.0.0.0/8, ten to an account
 *     webhook_sink receive PORT COUNT
 *         prints {"port":...}, then receives COUNT requests
 *     webhook_sink latency PORT DATABASE COUNT
 *         publishes COUNT filings, each when what the one before sent has come
 *
 * Port 0 takes a free one. Each prints one line of JSON at its end; times are of the monotonic
 * clock, in nanoseconds.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "base/clock.h"
#include "db/store.h"
#include "demo/demo.h"
#include "histogram.h"
#include "review/publish.h"
#include "store/account/account.h"
#include "store/account/endpoint.h"
#include "webhook/secret.h"

enum {
    KEY_SIZE = 32,
    PER_ACCOUNT = 10, /* endpoints; of the plan den */
    PER_COMMIT = 1000,
    IN_SIZE = 64 * 1024,
    BACKLOG = 4096,
    ROWS = 5,
};

/* --- the receiver */

struct sink {
    uv_loop_t loop;
    uv_tcp_t tcp;
    int port;
    uint64_t wanted, requests, connections;
    int64_t first_ns, last_ns;
};

struct conn {
    uv_tcp_t tcp;
    struct sink *sink;
    size_t have;   /* bytes of the head so far */
    uint64_t skip; /* bytes of the body still to come */
    char in[IN_SIZE];
};

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *ret)
{
    struct conn *c = (struct conn *)handle;
    *ret = uv_buf_init(c->in + c->have, (unsigned)(sizeof c->in - c->have));
}

static void on_closed(uv_handle_t *handle)
{
    mem_free(handle);
}

static void answer(struct conn *c)
{
    static char text[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    struct sink *s = c->sink;
    uv_buf_t out = uv_buf_init(text, sizeof text - 1);
    s->last_ns = clock_mono_ns();
    if (s->requests++ == 0)
        s->first_ns = s->last_ns;
    if (uv_try_write((uv_stream_t *)&c->tcp, &out, 1) != (int)out.len)
        abort(); /* so few bytes always fit */
    if (s->requests == s->wanted)
        uv_stop(&s->loop);
}

static uint64_t length_of(const char *head)
{
    const char *field = strcasestr(head, "\r\ncontent-length:");
    return field ? strtoull(field + strlen("\r\ncontent-length:"), NULL, 10) : 0;
}

/* What came, request by request; a rest stays for the next read. */
static void take(struct conn *c, size_t n)
{
    char *at = c->in, *end = c->in + c->have + n;
    for (;;) {
        size_t skip = c->skip < (uint64_t)(end - at) ? (size_t)c->skip : (size_t)(end - at);
        at += skip;
        c->skip -= skip;
        if (skip && !c->skip)
            answer(c);
        char *head_end = c->skip ? NULL : memmem(at, (size_t)(end - at), "\r\n\r\n", 4);
        if (!head_end)
            break;
        head_end[2] = '\0';
        c->skip = length_of(at);
        at = head_end + 4;
    }
    c->have = (size_t)(end - at);
    memmove(c->in, at, c->have);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
    if (n < 0)
        uv_close((uv_handle_t *)stream, on_closed);
    else
        take((struct conn *)stream, (size_t)n);
}

static void on_connection(uv_stream_t *listener, int status)
{
    struct sink *s = listener->data;
    struct conn *c = mem_alloc(sizeof *c);
    c->sink = s;
    c->have = 0;
    c->skip = 0;
    uv_tcp_init(&s->loop, &c->tcp);
    if (uv_accept(listener, (uv_stream_t *)&c->tcp) != 0) {
        uv_close((uv_handle_t *)&c->tcp, on_closed);
        return;
    }
    s->connections++;
    uv_tcp_nodelay(&c->tcp, 1);
    uv_read_start((uv_stream_t *)&c->tcp, on_alloc, on_read);
}

static enum err sink_open(struct sink *s, int64_t port, struct fail *fail)
{
    struct sockaddr_in any;
    struct sockaddr_storage bound;
    int size = sizeof bound;
    uv_loop_init(&s->loop);
    uv_tcp_init(&s->loop, &s->tcp);
    s->tcp.data = s;
    uv_ip4_addr("0.0.0.0", (int)port, &any);
    int error = uv_tcp_bind(&s->tcp, (const struct sockaddr *)&any, 0);
    if (!error)
        error = uv_listen((uv_stream_t *)&s->tcp, BACKLOG, on_connection);
    if (!error)
        error = uv_tcp_getsockname(&s->tcp, (struct sockaddr *)&bound, &size);
    if (error)
        return fail_set(fail, ERR_IO, "cannot listen: %s", uv_strerror(error));
    s->port = ntohs(((struct sockaddr_in *)&bound)->sin_port);
    printf("{\"port\":%d}\n", s->port);
    fflush(stdout);
    return OK;
}

static void sink_wait(struct sink *s, uint64_t requests)
{
    s->wanted = s->requests + requests;
    uv_run(&s->loop, UV_RUN_DEFAULT);
}

static enum err receive(char **argv, struct fail *fail)
{
    struct sink s = {0};
    int64_t port, count;
    if (!str_to_i64(str_from(argv[0]), &port) || !str_to_i64(str_from(argv[1]), &count))
        return fail_set(fail, ERR_INVALID, "expected a port and a number");
    enum err err = sink_open(&s, port, fail);
    if (err)
        return err;
    sink_wait(&s, (uint64_t)count);
    printf(
        "{\"requests\":%" PRIu64 ",\"connections\":%" PRIu64 ",\"first_ns\":%" PRId64
        ",\"last_ns\":%" PRId64 "}\n",
        s.requests, s.connections, s.first_ns, s.last_ns);
    return OK;
}

static enum err latency(char **argv, struct fail *fail)
{
    static struct histogram told;
    struct sink s = {0};
    struct db *db = NULL;
    struct demo_publisher *publisher = NULL;
    int64_t port, count;
    if (!str_to_i64(str_from(argv[0]), &port) || !str_to_i64(str_from(argv[2]), &count))
        return fail_set(fail, ERR_INVALID, "expected a port and a number");
    enum err err = sink_open(&s, port, fail);
    if (!err)
        err = store_open(str_from(argv[1]), STORE_WRITE, &db, fail);
    if (!err)
        err = demo_publisher_open(db, ROWS, &publisher, fail);
    for (int64_t i = 0; i < count && !err; i++) {
        struct publish_result result;
        int64_t began_ns = clock_mono_ns();
        err = demo_publisher_next(publisher, clock_wall_ms(), &result, fail);
        if (err)
            break;
        sink_wait(&s, 1);
        histogram_add(&told, s.last_ns - began_ns);
    }
    if (publisher)
        demo_publisher_close(publisher);
    db_close(db);
    if (!err)
        printf(
            "{\"count\":%" PRIu64 ",\"p50_ms\":%.3f,\"p99_ms\":%.3f,\"max_ms\":%.3f}\n", told.count,
            (double)histogram_at(&told, 0.5) / 1e6, (double)histogram_at(&told, 0.99) / 1e6,
            (double)histogram_at(&told, 1) / 1e6);
    return err;
}

/* --- endpoints */

struct adding {
    struct db *db;
    struct seal_key key;
    struct arena arena;
    struct str email;
    int64_t port;
};

static enum err add_account(struct adding *a, int64_t i, struct fail *fail)
{
    struct account unused;
    a->email = arena_fmt(&a->arena, "owner%lld-%lld@example.org", (long long)a->port, (long long)i);
    return account_create(
        &(struct act){.db = a->db, .now_ms = clock_wall_ms(), .arena = &a->arena, .fail = fail},
        a->email, PLAN_DEN, ROLE_MEMBER, &unused);
}

static enum err add_endpoint(struct adding *a, int64_t i, struct fail *fail)
{
    char id[ENDPOINT_ID_SIZE];
    uint8_t sealed[SECRET_SEALED_SIZE];
    struct secret secret;
    struct str url = arena_fmt(
        &a->arena, "http://127.1.%lld.%lld:%lld/hook", (long long)(i / 250),
        (long long)(i % 250 + 1), (long long)a->port);
    endpoint_id_make(id);
    secret_make(&secret);
    secret_seal(&a->key, str_of(id, sizeof id), &secret, sealed);
    secret_finish(&secret);
    return endpoint_add(
        &(struct act){.db = a->db, .now_ms = clock_wall_ms(), .fail = fail}, a->email,
        str_of(id, sizeof id), url, str_of((const char *)sealed, sizeof sealed));
}

static enum err add_all(struct adding *a, int64_t count, struct fail *fail)
{
    enum err err = db_begin(a->db, fail);
    for (int64_t i = 0; i < count && !err; i++) {
        if (i % PER_ACCOUNT == 0)
            err = add_account(a, i, fail);
        if (!err)
            err = add_endpoint(a, i, fail);
        if (!err && (i + 1) % PER_COMMIT == 0) {
            err = db_commit(a->db, fail);
            if (!err)
                err = db_begin(a->db, fail);
        }
    }
    return err ? err : db_commit(a->db, fail);
}

static enum err endpoints(char **argv, struct fail *fail)
{
    struct adding adding = {0};
    char master[KEY_SIZE];
    int64_t count;
    if (!str_to_i64(str_from(argv[2]), &count) || !str_to_i64(str_from(argv[3]), &adding.port))
        return fail_set(fail, ERR_INVALID, "expected a number and a port");
    FILE *file = fopen(argv[1], "rb");
    size_t n = file ? fread(master, 1, sizeof master, file) : 0;
    if (file)
        fclose(file);
    if (n != sizeof master)
        return fail_set(fail, ERR_IO, "no master key in %s", argv[1]);
    secret_seal_key(&adding.key, str_of(master, n));
    arena_init(&adding.arena);
    enum err err = store_open(str_from(argv[0]), STORE_WRITE, &adding.db, fail);
    if (!err)
        err = add_all(&adding, count, fail);
    db_close(adding.db);
    arena_finish(&adding.arena);
    if (!err)
        printf("{\"endpoints\":%" PRId64 "}\n", count);
    return err;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int arguments;
        enum err (*run)(char **argv, struct fail *fail);
    } modes[] = {{"endpoints", 4, endpoints}, {"receive", 2, receive}, {"latency", 3, latency}};
    struct fail fail = {OK};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (argc != modes[i].arguments + 2 || strcmp(argv[1], modes[i].name) != 0)
            continue;
        enum err err = modes[i].run(argv + 2, &fail);
        if (err)
            fprintf(stderr, "webhook_sink: %s\n", fail.text);
        return err != OK;
    }
    fprintf(stderr, "usage: see the first comment of webhook_sink.c\n");
    return 2;
}
