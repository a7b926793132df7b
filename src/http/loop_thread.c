/* A loop and its thread; see loop_thread.h. */
#include "http/loop_thread.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "base/crypto.h"
#include "base/rcu.h"
#include "base/thread.h"
#include "http/conn.h"
#include "http/conn_reader.h"
#include "http/conn_run.h"
#include "http/exchange.h"
#include "http/loop.h"
#include "http/parked.h"
#include "http/streams.h"

/*
 * The turns of streams (streams.h). While streams are due, the loop gives them turns for
 * STREAM_SLICE_NS between two looks at its sockets.
 */

/* Begins streams, and gives them turns; see stream.h and loop_thread.c. */

enum { STREAM_SLICE_NS = 1000000 };

enum { OUT_KEEP = 64 * 1024 };

static void finish(struct conn *c)
{
    streams_leave(c->x);
    streams_tell_ended(c->x);
    conn_drop_exchange(c);
    conn_run_linger(c);
}

/* ---- sending ---- */

static void on_written(uv_write_t *write, int status)
{
    struct conn *c = write->data;
    if (c->state == CONN_CLOSED)
        return; /* cancelled; the connection frees the bytes */
    if (status < 0) {
        conn_close(c);
        return;
    }
    parked_destroy(c->loop, c->parked);
    c->parked = NULL;
    c->x->stream.blocked = false;
    if (c->x->stream.complete)
        finish(c);
    else if (!c->x->stream.waiting)
        streams_make_due(c->x);
}

/* The socket did not take the part after `n` bytes. */
static void send_rest(struct conn *c, size_t n)
{
    struct parked *p = parked_create(c->x, n);
    if (!p) {
        loop_count(c->loop, closed_memory);
        conn_reset(c);
        return;
    }
    conn_gave(c, c->x->out_size);
    c->parked = p;
    c->x->stream.blocked = true;
    streams_leave(c->x);
    p->write.data = c;
    if (uv_write(&p->write, &c->uv.stream, p->out, p->out_count, on_written) != 0)
        conn_close(c);
}

/* Gives x->out to the socket, which may close the connection. */
static void send_out(struct conn *c)
{
    struct http_exchange *x = c->x;
    if (x->out_size == 0)
        return;
    int n = uv_try_write(&c->uv.stream, x->out, x->out_count);
    if (n == (int)x->out_size)
        conn_gave(c, x->out_size);
    else if (n < 0 && n != UV_EAGAIN)
        conn_close(c);
    else
        send_rest(c, n < 0 ? 0 : (size_t)n);
}

static void add_out(struct http_exchange *x, char *p, size_t n)
{
    if (n == 0)
        return;
    x->out[x->out_count++] = uv_buf_init(p, (unsigned)n);
    x->out_size += n;
}

/* x->out becomes the piece, framed as the client's version of HTTP allows. */
static void frame(struct http_exchange *x, const struct buf *piece, bool last)
{
    static char chunk_end[] = "\r\n", last_chunk[] = "0\r\n\r\n", both[] = "\r\n0\r\n\r\n";
    bool chunked = !x->head.request.http_1_0 && !x->sized;
    x->out_count = 0;
    x->out_size = 0;
    x->stream.bytes += piece->n;
    if (chunked && piece->n) {
        struct buf size = buf_over(x->prefix, sizeof x->prefix);
        buf_fmt(&size, "%zx\r\n", piece->n);
        add_out(x, x->prefix, size.n);
    }
    add_out(x, piece->p, piece->n);
    if (chunked && piece->n && last)
        add_out(x, both, sizeof both - 1);
    else if (chunked && last)
        add_out(x, last_chunk, sizeof last_chunk - 1);
    else if (chunked && piece->n)
        add_out(x, chunk_end, sizeof chunk_end - 1);
}

/* ---- turns ---- */

static void note_sent(struct http_exchange *x)
{
    x->stream.sent_at_ms = x->now_ms;
    x->stream.sent_mono_ms = loop_now_ms(x->loop);
}

/* The first turn sends what http_stream_begin composed. */
static void send_head(struct http_exchange *x)
{
    struct conn *c = x->conn;
    x->stream.begun = true;
    note_sent(x);
    streams_make_due(x);
    send_out(c);
    if (c->state == CONN_STREAM)
        reply_space_trim(x->space);
}

/* The server drains, and the reply has no end of its own. */
static bool is_ending(const struct http_exchange *x)
{
    return x->stream.ending && !x->streamer->finite;
}

/* The application's piece in loop->stream_out, or a heartbeat. */
static enum http_stream_next ask(struct http_exchange *x)
{
    struct buf *out = &x->loop->stream_out;
    if (is_ending(x))
        return HTTP_STREAM_END;
    enum http_stream_next next = x->streamer->turn(x, out);
    if (next != HTTP_STREAM_END && out->n == 0 && streams_heartbeat_is_due(x, x->now_ms))
        buf_str(out, x->streamer->heartbeat);
    return next;
}

static void take_turn(struct http_exchange *x)
{
    struct conn *c = x->conn;
    struct buf *out = &x->loop->stream_out;
    streams_leave(x);
    buf_reset(out);
    x->now_ms = clock_wall_ms();
    if (is_ending(x))
        conn_set_deadline(c, DEADLINE_LINGER);
    enum http_stream_next next = ask(x);
    if (out->overflow) {
        conn_reset(c);
        return;
    }
    if (next == HTTP_STREAM_CUT || (next == HTTP_STREAM_REST && x->stream.ending)) {
        conn_close(c);
        return;
    }
    if (out->n)
        note_sent(x);
    if (next == HTTP_STREAM_REST)
        streams_rest(x);
    else if (next == HTTP_STREAM_MORE)
        streams_make_due(x);
    x->stream.waiting = next == HTTP_STREAM_WAIT;
    x->stream.complete = next == HTTP_STREAM_END;
    frame(x, out, x->stream.complete);
    send_out(c);
    if (c->state == CONN_STREAM && x->stream.complete && !x->stream.blocked)
        finish(c);
}

/* Gives turns to the due streams of the loop in idle->data. */
static void stream_run_due(uv_idle_t *idle)
{
    struct loop *loop = idle->data;
    int64_t until_ns = clock_mono_ns() + STREAM_SLICE_NS;
    while (streams_any(&loop->streams_due)) {
        struct http_exchange *x = streams_first(&loop->streams_due);
        if (x->stream.begun)
            take_turn(x);
        else
            send_head(x);
        if (clock_mono_ns() >= until_ns)
            break;
    }
    if (!streams_any(&loop->streams_due))
        uv_idle_stop(idle);
    if (loop->stream_out.cap > OUT_KEEP)
        buf_finish(&loop->stream_out);
}

/* ---- the start ---- */

void http_stream_size(struct http_exchange *x, uint64_t size)
{
    x->sized = true;
    x->size = size;
}

void http_stream_begin(struct http_exchange *x, const struct http_streamer *streamer)
{
    assert(!x->ended);
    x->streamer = streamer;
    x->stream = (struct exchange_stream){.ending = x->loop->draining};
    bool fits = !x->space->lines.overflow && x->space->lines.n <= HTTP_REPLY_HEAD_MAX;
    bool head = x->head.request.method == HTTP_HEAD;
    if (fits && !head && x->conn) {
        x->last = true;
        reply_compose(x);
        x->ended = true;
        conn_run_reply_ready(x->conn);
        return;
    }
    x->sizeless = fits && head && !x->sized;
    streams_tell_ended(x);
    http_reply_end(x);
}

static void accept_resume(
    struct loop *loop); /* descriptors may be free again; harmless otherwise */

/* New connections. */

enum { REST_MAX = 8192 }; /* connections taken from the backlog when draining */

enum outcome { TAKEN, NOTHING, NO_DESCRIPTOR };

static void peer_of(const struct sockaddr_storage *from, struct http_peer *ret)
{
    *ret = (struct http_peer){0};
    if (from->ss_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)from;
        memcpy(ret->address, &v6->sin6_addr, 16);
        ret->port = ntohs(v6->sin6_port);
    } else if (from->ss_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)from;
        ret->address[10] = ret->address[11] = 0xff;
        memcpy(ret->address + 12, &v4->sin_addr, 4);
        ret->port = ntohs(v4->sin_port);
    } else {
        ret->is_unix = true;
    }
}

static bool is_loopback(const struct http_peer *peer)
{
    static const uint8_t v6[16] = {[15] = 1};
    static const uint8_t v4[13] = {[10] = 0xff, [11] = 0xff, [12] = 127};
    return memcmp(peer->address, v6, sizeof v6) == 0 || memcmp(peer->address, v4, sizeof v4) == 0;
}

static bool is_bounded(const struct http_app *app, const struct http_peer *peer)
{
    if (peer->is_unix || is_loopback(peer))
        return false;
    return !app->unbounded_peer || !app->unbounded_peer(app->ctx, peer);
}

/* A client over a bound is closed without a response, which would cost what the bound protects. */
static void admit(struct loop *loop, int fd, const struct http_peer *peer)
{
    struct http_server *server = loop->server;
    if (atomic_fetch_add(&server->connections, 1) >= server->connections_max) {
        loop_count(loop, refused_full);
        atomic_fetch_sub(&server->connections, 1);
        close(fd);
        return;
    }
    bool bounded = is_bounded(server->app, peer);
    if (bounded && !peers_acquire(server->peers, peer->address)) {
        loop_count(loop, refused_address);
        atomic_fetch_sub(&server->connections, 1);
        close(fd);
        return;
    }
    struct conn *c = conn_open(loop, fd, peer, bounded);
    if (c)
        conn_run_first(c);
    loop_count(loop, connections_accepted);
}

static enum outcome accept_one(struct loop *loop)
{
    struct sockaddr_storage from = {0};
    socklen_t n = sizeof from;
    int fd = accept4(
        loop->server->listener.fd, (struct sockaddr *)&from, &n, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
        struct http_peer peer;
        peer_of(&from, &peer);
        admit(loop, fd, &peer);
        return TAKEN;
    }
    switch (errno) {
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
        return NO_DESCRIPTOR;
    case EAGAIN:
        return NOTHING;
    default: /* the client disconnected (accept(2) lists the errors that the network may cause) */
        return TAKEN;
    }
}

static void open_spare(struct loop *loop)
{
    if (loop->spare_fd < 0)
        loop->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* Uses the spare descriptor to turn one client away instead of letting it hang. */
static void turn_away(struct loop *loop)
{
    loop_count(loop, refused_descriptors);
    if (loop->spare_fd < 0)
        return;
    close(loop->spare_fd);
    loop->spare_fd = -1;
    struct sockaddr_storage from;
    socklen_t n = sizeof from;
    int fd = accept4(loop->server->listener.fd, (struct sockaddr *)&from, &n, SOCK_CLOEXEC);
    if (fd >= 0)
        close(fd);
    open_spare(loop);
}

static void on_acceptable(uv_poll_t *poll, int status, int events)
{
    struct loop *loop = poll->data;
    for (int i = 0; i < HTTP_ACCEPT_BATCH; i++) {
        enum outcome outcome = accept_one(loop);
        if (outcome == NOTHING)
            return;
        if (outcome == NO_DESCRIPTOR) {
            turn_away(loop);
            uv_poll_stop(&loop->accept); /* level-triggered: it would spin */
            loop->accepting = false;
            return;
        }
    }
}

static enum err accept_init(struct loop *loop, struct fail *fail)
{
    open_spare(loop);
    int error = uv_poll_init(&loop->uv, &loop->accept, loop->server->listener.fd);
    if (error)
        return fail_set(fail, ERR_IO, "cannot watch the listening socket: %s", uv_strerror(error));
    loop->accept.data = loop;
    accept_resume(loop);
    return OK;
}

static void accept_resume(struct loop *loop)
{
    if (loop->accepting || loop->draining)
        return;
    open_spare(loop);
    loop->accepting = uv_poll_start(&loop->accept, UV_READABLE, on_acceptable) == 0;
}

/* Draining: accepts what waits in the backlog, then stops. Calls `closed` when the socket is no
 * longer watched. */
static void accept_rest(struct loop *loop, void (*closed)(uv_handle_t *accept))
{
    for (int i = 0; i < REST_MAX && accept_one(loop) == TAKEN; i++) {
    }
    uv_close((uv_handle_t *)&loop->accept, closed);
    loop->accepting = false;
}

/* Expired deadlines. */

/* Timers run before sockets in a turn of the loop, so a request may have arrived in time without
 * being read yet: answer it. After a pause of the machine that is the rule. */
static bool has_unread(const struct conn *c)
{
    char byte;
    return recv(c->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

/* If the client has not taken all, this is not the end as long as it takes enough (conn_reader.c).
 * A close would leave the bytes to our kernel, where they count against no limit of ours. While the
 * server drains that is right: the kernel goes on when the process has ended. */
static bool is_later(struct conn *c)
{
    if (c->loop->draining || conn_unsent(c) == 0)
        return false;
    conn_set_deadline(c, c->deadline.kind);
    conn_watch_reader(c);
    return true;
}

static void close_unasked(struct conn *c)
{
    if (has_unread(c)) {
        conn_set_deadline(c, c->deadline.kind);
        return;
    }
    if (is_later(c))
        return;
    loop_count(c->loop, closed_idle);
    conn_close(c);
}

static void overdue_body(struct conn *c)
{
    const struct http_limits *limits = &c->loop->server->limits;
    struct spool *spool = &c->x->spool;
    if (!spool->open || !spool_keeps_up(spool, limits->body_ms))
        conn_run_refuse(c, 408, "The body did not arrive in time.");
    else if (loop_now_ms(c->loop) - spool->began_ms >= limits->spool_ms)
        conn_run_refuse(c, 408, "The upload took too long to arrive.");
    else
        conn_set_deadline(c, DEADLINE_BODY);
}

static void conn_overdue(struct conn *c)
{
    bool reads = c->deadline.kind == DEADLINE_HEAD || c->deadline.kind == DEADLINE_BODY;
    if (reads && conn_run_arrived(c))
        return;
    switch (c->deadline.kind) {
    case DEADLINE_HEAD:
        conn_run_refuse(c, 408, "The head did not arrive in time.");
        break;
    case DEADLINE_BODY:
        overdue_body(c);
        break;
    case DEADLINE_IDLE:
    case DEADLINE_LAST_CALL:
        close_unasked(c);
        break;
    case DEADLINE_REPLY:
    case DEADLINE_PATIENT:
        conn_run_abandon(c);
        break;
    case DEADLINE_LINGER:
        if (!is_later(c))
            conn_close(c);
        break;
    default:
        conn_close(c);
    }
}

enum { TICK_MS_MAX = 250, TICK_MS_MIN = 5, READER_LOOKS = 20 };

/* ---- draining and stopping ---- */

static void on_accept_closed(uv_handle_t *handle)
{
    struct loop *loop = handle->data;
    LOCKED(&loop->server->lock);
    loop->server->loops_hidden++;
    pthread_cond_broadcast(&loop->server->changed);
}

static void each_conn(struct loop *loop, void (*fn)(struct conn *))
{
    for (struct conn *c = loop->conns, *next; c; c = next) {
        next = c->next;
        fn(c);
    }
}

static void drain(struct loop *loop)
{
    if (loop->draining)
        return;
    accept_rest(loop, on_accept_closed);
    loop->draining = true;
    each_conn(loop, conn_drain);
    loop_tell_empty(loop);
}

static void stop(struct loop *loop)
{
    each_conn(loop, conn_close);
    uv_close((uv_handle_t *)&loop->tick, NULL);
    uv_close((uv_handle_t *)&loop->before_poll, NULL);
    streams_close(loop);
    uv_close((uv_handle_t *)&loop->wake, NULL);
}

static void on_wake(uv_poll_t *wake, int status, int events)
{
    struct loop *loop = wake->data;
    uint64_t wakes;
    ssize_t unused = read(loop->wake_fd, &wakes, sizeof wakes);
    (void)unused; /* before the mail: what comes later wakes again */
    exchange_read_mail(loop);
    if (atomic_exchange(&loop->streams_asked, false))
        streams_wake(loop);
    if (atomic_load(&loop->drain_asked))
        drain(loop);
    if (atomic_load(&loop->cut_asked))
        each_conn(loop, conn_close);
    if (atomic_load(&loop->stop_asked) && !uv_is_closing((uv_handle_t *)wake))
        stop(loop);
}

/* ---- time ---- */

static void on_tick(uv_timer_t *tick)
{
    struct loop *loop = tick->data;
    loop->now_ms = 0;         /* a turn begins */
    exchange_read_mail(loop); /* replies that were made in time, before their deadlines */
    struct deadline *passed;
    while ((passed = deadlines_pop(&loop->deadlines, loop_now_ms(loop)))) {
        if (passed->kind == DEADLINE_READER)
            conn_reader_look(conn_of_reader(passed));
        else
            conn_overdue(conn_of_deadline(passed));
    }
    streams_tick(loop);
    accept_resume(loop);
    loop_count(loop, ticks);
}

/* Often enough to keep the shortest deadline to within a quarter of its length. */
static uint64_t set_lengths(struct deadlines *ds, const struct http_limits *limits)
{
    deadlines_init(ds);
    ds->length_ms[DEADLINE_IDLE] = limits->idle_ms;
    ds->length_ms[DEADLINE_HEAD] = limits->head_ms;
    ds->length_ms[DEADLINE_BODY] = limits->body_ms;
    ds->length_ms[DEADLINE_READER] = limits->write_grace_ms / READER_LOOKS;
    ds->length_ms[DEADLINE_LINGER] = limits->linger_ms;
    ds->length_ms[DEADLINE_REPLY] = limits->reply_ms;
    ds->length_ms[DEADLINE_PATIENT] = limits->patient_reply_ms;
    ds->length_ms[DEADLINE_LAST_CALL] = limits->last_call_ms;
    int64_t tick_ms = TICK_MS_MAX;
    for (int kind = 0; kind < DEADLINE_KINDS; kind++) {
        if (ds->length_ms[kind] / 4 < tick_ms)
            tick_ms = ds->length_ms[kind] / 4;
    }
    return (uint64_t)(tick_ms > TICK_MS_MIN ? tick_ms : TICK_MS_MIN);
}

/* ---- start and end ---- */

static void on_before_poll(uv_prepare_t *prepare)
{
    struct loop *loop = prepare->data;
    loop->now_ms = 0;
    if (loop->descriptor_freed) {
        loop->descriptor_freed = false;
        accept_resume(loop);
    }
    rcu_idle();
}

static void *loop_main(void *arg)
{
    struct loop *loop = arg;
    rcu_thread_start();
    rcu_thread_in_bursts();
    uv_run(&loop->uv, UV_RUN_DEFAULT);
    rcu_thread_stop();
    return NULL;
}

static void release(struct loop *loop)
{
    int error = uv_loop_close(&loop->uv);
    assert(error == 0);
    exchange_free_all(loop);
    reply_space_free_all(&loop->spaces);
    streams_finish(loop);
    while (loop->free_conns) {
        struct conn *c = loop->free_conns;
        loop->free_conns = c->next;
        mem_free(c);
    }
    if (loop->spare_fd >= 0)
        close(loop->spare_fd);
    close(loop->wake_fd);
    pthread_mutex_destroy(&loop->mail_lock);
    mem_free(loop->scratch);
    mem_free(loop);
}

static void close_handle(uv_handle_t *handle, void *arg)
{
    uv_close(handle, NULL);
}

static enum err begin(struct loop *loop, struct fail *fail)
{
    uv_timer_init(&loop->uv, &loop->tick);
    loop->tick.data = loop;
    uv_prepare_init(&loop->uv, &loop->before_poll);
    loop->before_poll.data = loop;
    uv_prepare_start(&loop->before_poll, on_before_poll);
    streams_init(loop, stream_run_due);
    int error = uv_poll_init(&loop->uv, &loop->wake, loop->wake_fd);
    if (error)
        return fail_set(fail, ERR_IO, "cannot start a loop: %s", uv_strerror(error));
    loop->wake.data = loop;
    uv_poll_start(&loop->wake, UV_READABLE, on_wake);
    TRY(accept_init(loop, fail));
    uint64_t tick_ms = set_lengths(&loop->deadlines, &loop->server->limits);
    uv_timer_start(&loop->tick, on_tick, tick_ms, tick_ms);
    return thread_start(&loop->thread, loop_main, loop, "connections", fail);
}

enum err loop_thread_start(struct http_server *server, struct loop **ret, struct fail *fail)
{
    struct loop *loop = MEM_NEW(struct loop);
    loop->server = server;
    loop->spare_fd = -1;
    loop->date_s = INT64_MIN;
    loop->scratch = mem_alloc(EXCHANGE_IN_SIZE);
    random_bytes(&loop->id_next, sizeof loop->id_next);
    pthread_mutex_init(&loop->mail_lock, NULL);
    loop->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    int error = loop->wake_fd < 0 ? UV_EMFILE : uv_loop_init(&loop->uv);
    if (error) {
        if (loop->wake_fd >= 0)
            close(loop->wake_fd);
        pthread_mutex_destroy(&loop->mail_lock);
        mem_free(loop->scratch);
        mem_free(loop);
        return fail_set(fail, ERR_IO, "cannot start a loop: %s", uv_strerror(error));
    }
    enum err err = begin(loop, fail);
    if (err) {
        uv_walk(&loop->uv, close_handle, NULL);
        uv_run(&loop->uv, UV_RUN_DEFAULT);
        release(loop);
        return err;
    }
    *ret = loop;
    return OK;
}

void loop_thread_join(struct loop *loop)
{
    pthread_join(loop->thread, NULL);
    release(loop);
}
