/* Connections; see conn.h. */
#include "http/conn.h"

#include <linux/sockios.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/exchange.h"
#include "http/serve.h"

/* ---- reading ---- */

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *ret)
{
    struct conn *c = handle->data;
    if (c->state == CONN_LINGER) {
        *ret = uv_buf_init(c->loop->scratch, EXCHANGE_IN_SIZE);
        return;
    }
    if (!c->x)
        c->x = exchange_acquire(c->loop, c, &c->peer);
    struct http_exchange *x = c->x;
    *ret = uv_buf_init(x->in + x->end, (unsigned)(sizeof x->in - x->end));
}

void conn_drop_exchange(struct conn *c)
{
    exchange_release(c->x);
    c->x = NULL;
}

static void linger_read(struct conn *c, size_t n)
{
    c->lingered += (uint32_t)n;
    if (c->lingered > HTTP_LINGER_MAX)
        conn_close(c);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
    struct conn *c = stream->data;
    if (n < 0) {
        conn_close(c);
        return;
    }
    if (c->state == CONN_LINGER) {
        linger_read(c, (size_t)n);
        return;
    }
    if (n == 0) { /* a wake for nothing */
        if (c->state == CONN_IDLE)
            conn_drop_exchange(c);
        return;
    }
    c->x->end += (size_t)n;
    if (c->state == CONN_IDLE)
        c->state = CONN_HEAD;
    serve_run(c);
}

static bool wants_bytes(const struct conn *c)
{
    return c->state == CONN_IDLE || c->state == CONN_HEAD || c->state == CONN_BODY ||
           c->state == CONN_LINGER;
}

void conn_settle_reading(struct conn *c)
{
    if (c->state == CONN_CLOSED || wants_bytes(c) == c->reading)
        return;
    c->reading = !c->reading;
    if (!c->reading)
        uv_read_stop(&c->uv.stream);
    else if (uv_read_start(&c->uv.stream, on_alloc, on_read) != 0)
        conn_close(c);
}

/* ---- beginning and end ---- */

static void unlink_conn(struct conn *c)
{
    if (c->next)
        c->next->prev = c->prev;
    *(c->prev ? &c->prev->next : &c->loop->conns) = c->next;
    c->loop->conn_count--;
}

static void on_close(uv_handle_t *handle)
{
    struct conn *c = handle->data;
    struct loop *loop = c->loop;
    if (c->x)
        conn_drop_exchange(c);
    unlink_conn(c);
    c->next = loop->free_conns;
    loop->free_conns = c;
    loop_conn_closed(loop);
}

void conn_close(struct conn *c)
{
    if (c->state == CONN_CLOSED)
        return;
    if (c->state == CONN_HANDLE && !c->x->ended) { /* it goes on without us */
        c->x->conn = NULL;
        c->x = NULL;
    }
    c->state = CONN_CLOSED;
    deadline_clear(&c->deadline);
    if (c->counted)
        peers_release(c->loop->server->peers, c->peer.address);
    uv_close(&c->uv.handle, on_close);
}

static struct conn *make(struct loop *loop)
{
    struct conn *c = loop->free_conns;
    if (c)
        loop->free_conns = c->next;
    else
        c = mem_alloc(sizeof *c);
    memset(c, 0, sizeof *c);
    c->loop = loop;
    c->next = loop->conns;
    if (c->next)
        c->next->prev = c;
    loop->conns = c;
    loop->conn_count++;
    return c;
}

static int open_handle(struct conn *c)
{
    if (c->peer.is_unix) {
        uv_pipe_init(&c->loop->uv, &c->uv.pipe, 0);
        return uv_pipe_open(&c->uv.pipe, c->fd);
    }
    uv_tcp_init(&c->loop->uv, &c->uv.tcp);
    return uv_tcp_open(&c->uv.tcp, c->fd);
}

void conn_open(struct loop *loop, int fd, const struct http_peer *peer, bool counted)
{
    struct conn *c = make(loop);
    c->peer = *peer;
    c->counted = counted;
    c->fd = fd;
    deadline_init(&c->deadline);
    int error = open_handle(c);
    c->uv.handle.data = c;
    if (error) {
        close(fd);
        conn_close(c);
        return;
    }
    conn_rest(c);
    conn_settle_reading(c);
}

/* ---- time and draining ---- */

/* Bytes that our kernel holds until the peer's acknowledges them. */
static size_t bytes_unsent(const struct conn *c)
{
    int unsent = 0;
    return ioctl(c->fd, SIOCOUTQ, &unsent) == 0 ? (size_t)unsent : 0;
}

/* Bytes of the reply that neither libuv nor our kernel holds any more. */
static size_t bytes_taken(const struct conn *c)
{
    size_t held = uv_stream_get_write_queue_size(&c->uv.stream) + bytes_unsent(c);
    return c->x->out_size > held ? c->x->out_size - held : 0;
}

/* By a reset: after a close our kernel would hold those bytes for as long as the peer likes. */
static void cut_reader(struct conn *c)
{
    const struct linger now = {.l_onoff = 1, .l_linger = 0};
    setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    loop_count(c->loop, TALLY_CLOSED_SLOW_READER);
    conn_close(c);
}

static void check_reader(struct conn *c)
{
    int64_t elapsed_ms = loop_now_ms(c->loop) - c->write_began_ms;
    size_t wanted = c->loop->server->limits.write_floor * (size_t)elapsed_ms / 1000;
    if (bytes_taken(c) >= wanted) {
        conn_set_deadline(c, DEADLINE_WRITE);
        return;
    }
    cut_reader(c);
}

/* Timers come before sockets in a turn of the loop, so a request may have come in time without
 * being read yet: it is answered. */
static bool has_unread(const struct conn *c)
{
    char byte;
    return recv(c->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

static void close_unasked(struct conn *c)
{
    if (has_unread(c)) {
        conn_set_deadline(c, c->deadline.kind);
        return;
    }
    if (bytes_unsent(c) > 0) {
        cut_reader(c);
        return;
    }
    loop_count(c->loop, TALLY_CLOSED_IDLE);
    conn_close(c);
}

void conn_deadline(struct conn *c)
{
    switch (c->deadline.kind) {
    case DEADLINE_HEAD:
        serve_refuse(c, 408, "the head did not come in time");
        break;
    case DEADLINE_BODY:
        serve_refuse(c, 408, "the body did not come in time");
        break;
    case DEADLINE_WRITE_GRACE:
    case DEADLINE_WRITE:
        check_reader(c);
        break;
    case DEADLINE_IDLE:
    case DEADLINE_LAST_CALL:
        close_unasked(c);
        break;
    case DEADLINE_REPLY:
        serve_abandon(c);
        break;
    default:
        conn_close(c);
    }
}

void conn_rest(struct conn *c)
{
    conn_set_deadline(c, c->loop->draining ? DEADLINE_LAST_CALL : DEADLINE_IDLE);
}

void conn_drain(struct conn *c)
{
    if (c->state == CONN_IDLE)
        conn_rest(c);
}
