#include "http/conn.h"

#include <assert.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/exchange.h"

enum { SCRATCH_SIZE = EXCHANGE_IN_SIZE };

static void run(struct conn *c);

static const struct http_app *app_of(const struct conn *c)
{
    return c->loop->server->app;
}

static void set_deadline(struct conn *c, enum deadline_kind kind)
{
    deadline_set(&c->loop->deadlines, &c->deadline, kind, loop_now_ms(c->loop));
}

/* ---- reading ---- */

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *ret)
{
    struct conn *c = handle->data;
    if (c->state == CONN_LINGER) {
        *ret = uv_buf_init(c->loop->scratch, SCRATCH_SIZE);
        return;
    }
    if (!c->x)
        c->x = exchange_acquire(c->loop, c);
    struct http_exchange *x = c->x;
    *ret = uv_buf_init(x->in + x->end, (unsigned)(sizeof x->in - x->end));
}

static void drop_exchange(struct conn *c)
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
            drop_exchange(c);
        return;
    }
    c->x->end += (size_t)n;
    if (c->state == CONN_IDLE)
        c->state = CONN_HEAD;
    run(c);
}

static bool wants_bytes(const struct conn *c)
{
    return c->state == CONN_IDLE || c->state == CONN_HEAD || c->state == CONN_BODY ||
           c->state == CONN_LINGER;
}

/* Only at the end of a run: stopping and starting again within one would cost system calls. */
static void settle_reading(struct conn *c)
{
    if (c->state == CONN_CLOSED || wants_bytes(c) == c->reading)
        return;
    c->reading = !c->reading;
    if (!c->reading)
        uv_read_stop(&c->uv.stream);
    else if (uv_read_start(&c->uv.stream, on_alloc, on_read) != 0)
        conn_close(c);
}

/* ---- steps: each returns false when there is nothing to go on with ---- */

static void count_refusal(struct conn *c, int status)
{
    switch (status) {
    case 400:
        loop_count(c->loop, TALLY_BAD_REQUEST);
        break;
    case 408:
        loop_count(c->loop, TALLY_TIMEOUT);
        break;
    case 413:
        loop_count(c->loop, TALLY_BODY_TOO_LARGE);
        break;
    case 414:
        loop_count(c->loop, TALLY_URI_TOO_LONG);
        break;
    default:
        loop_count(c->loop, TALLY_HEAD_TOO_LARGE);
    }
}

/* The application words the answer, the edge closes. */
static bool refuse(struct conn *c, int status, const char *why)
{
    struct http_exchange *x = c->x;
    count_refusal(c, status);
    deadline_clear(&c->deadline);
    c->state = CONN_HANDLE;
    exchange_begin(x);
    x->refused = true;
    bool running = c->running;
    c->running = true; /* so that the reply waits for the step that writes it */
    app_of(c)->refuse(app_of(c)->ctx, x, status, why);
    c->running = running;
    assert(x->ended);
    return true;
}

static bool step_head(struct conn *c)
{
    struct http_exchange *x = c->x;
    struct head *head = &x->head;
    switch (head_take(head, x->in + x->begin, x->end - x->begin)) {
    case HEAD_MORE:
        if (c->deadline.kind != DEADLINE_HEAD)
            set_deadline(c, DEADLINE_HEAD);
        return false;
    case HEAD_REFUSED:
        return refuse(c, head->status, head->why);
    case HEAD_WHOLE:
        break;
    }
    x->next_at = x->begin + head->size;
    struct str lines = str_of(x->in + x->begin + head->headers_at, head->size - head->headers_at);
    enum framing_result result = framing_begin(
        &x->framing, lines, head->request.http_1_0, head->content_length, head->chunked);
    if (result == FRAMING_BAD)
        return refuse(c, 400, "the headers do not say where the request ends");
    head->request.keep_alive = x->framing.keep_alive;
    c->handed = false;
    c->state = result == FRAMING_DONE ? CONN_HANDLE : CONN_BODY;
    return true;
}

/* Who sends the body only after a yes has sent none of it yet. */
static void say_continue(struct conn *c)
{
    static char text[] = "HTTP/1.1 100 Continue\r\n\r\n";
    uv_buf_t buf = uv_buf_init(text, sizeof text - 1);
    c->x->head.expects_continue = false;
    int n = uv_try_write(&c->uv.stream, &buf, 1);
    if (n == UV_EAGAIN)
        return; /* earlier replies are unread; it will send the body after a while by itself */
    if (n != (int)buf.len)
        conn_close(c);
}

static bool step_body(struct conn *c)
{
    struct http_exchange *x = c->x;
    if (x->end == x->next_at) {
        if (x->head.expects_continue)
            say_continue(c);
        if (c->state != CONN_CLOSED && c->deadline.kind != DEADLINE_BODY)
            set_deadline(c, DEADLINE_BODY);
        return false;
    }
    struct str bytes = str_of(x->in + x->next_at, x->end - x->next_at);
    size_t used;
    switch (framing_take(&x->framing, &x->arena, bytes, &used)) {
    case FRAMING_MORE:
        x->end = x->next_at; /* consumed: the room is free again */
        x->head.expects_continue = false;
        return true;
    case FRAMING_DONE:
        x->next_at += used;
        x->head.request.body = str_of(x->framing.body, x->framing.body_n);
        c->state = CONN_HANDLE;
        return true;
    case FRAMING_TOO_LARGE:
        return refuse(c, 413, "the body is over 8 KiB");
    default:
        return refuse(c, 400, "the body is not framed as the headers say");
    }
}

static void reply_sent(struct conn *c)
{
    struct http_exchange *x = c->x;
    if (x->last) {
        drop_exchange(c);
        shutdown(c->fd, SHUT_WR);
        c->state = CONN_LINGER;
        set_deadline(c, DEADLINE_LINGER);
    } else if (x->next_at < x->end) {
        exchange_recycle(x);
        deadline_clear(&c->deadline);
        c->state = CONN_HEAD;
    } else {
        drop_exchange(c);
        c->state = CONN_IDLE;
        set_deadline(c, DEADLINE_IDLE);
    }
}

static void on_written(uv_write_t *write, int status)
{
    struct conn *c = write->data;
    if (c->state == CONN_CLOSED)
        return; /* cancelled */
    if (status < 0) {
        loop_count(c->loop, TALLY_REPLIES_DROPPED);
        conn_close(c);
        return;
    }
    reply_sent(c);
    run(c);
}

/* What is left after `n` bytes, given to libuv. */
static void write_rest(struct conn *c, size_t n)
{
    struct http_exchange *x = c->x;
    uv_buf_t *out = x->out;
    while (n >= out->len)
        n -= (out++)->len;
    out->base += n;
    out->len -= n;
    x->write.data = c;
    c->state = CONN_WRITE;
    c->write_began_ms = loop_now_ms(c->loop);
    set_deadline(c, DEADLINE_WRITE_GRACE);
    unsigned count = (unsigned)(x->out + x->out_count - out);
    if (uv_write(&x->write, &c->uv.stream, out, count, on_written) != 0)
        conn_close(c);
}

static bool step_write(struct conn *c)
{
    struct http_exchange *x = c->x;
    int n = uv_try_write(&c->uv.stream, x->out, x->out_count);
    if (n == (int)x->out_size) {
        reply_sent(c);
        return true;
    }
    if (n < 0 && n != UV_EAGAIN) {
        loop_count(c->loop, TALLY_REPLIES_DROPPED);
        conn_close(c);
        return false;
    }
    write_rest(c, n < 0 ? 0 : (size_t)n);
    return false;
}

/* A request is whole, or the reply to it is. */
static bool step_handle(struct conn *c)
{
    struct http_exchange *x = c->x;
    if (x->ended)
        return step_write(c);
    if (c->handed)
        return false;
    c->handed = true;
    loop_count(c->loop, TALLY_REQUESTS);
    if (++c->requests >= c->loop->server->limits.requests_per_connection)
        x->last = true;
    exchange_begin(x);
    app_of(c)->handle(app_of(c)->ctx, x);
    if (x->ended)
        return true;
    deadline_clear(&c->deadline);
    return false;
}

static bool step(struct conn *c)
{
    switch (c->state) {
    case CONN_HEAD:
        return step_head(c);
    case CONN_BODY:
        return step_body(c);
    case CONN_HANDLE:
        return step_handle(c);
    default:
        return false;
    }
}

static void run(struct conn *c)
{
    assert(!c->running);
    c->running = true;
    while (step(c)) {
    }
    c->running = false;
    settle_reading(c);
}

void conn_reply_ready(struct conn *c)
{
    if (!c->running)
        run(c);
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
        drop_exchange(c);
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
    int on = 1;
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
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
    set_deadline(c, DEADLINE_IDLE);
    settle_reading(c);
}

/* ---- time and draining ---- */

/* Bytes of the reply that the peer's kernel has acknowledged: neither libuv nor our kernel holds
 * them any more. */
static size_t bytes_taken(struct conn *c)
{
    int unsent = 0;
    if (ioctl(c->fd, SIOCOUTQ, &unsent) != 0)
        unsent = 0;
    size_t held = uv_stream_get_write_queue_size(&c->uv.stream) + (size_t)unsent;
    return c->x->out_size > held ? c->x->out_size - held : 0;
}

static void check_reader(struct conn *c)
{
    int64_t elapsed_ms = loop_now_ms(c->loop) - c->write_began_ms;
    size_t wanted = c->loop->server->limits.write_floor * (size_t)elapsed_ms / 1000;
    if (bytes_taken(c) >= wanted) {
        set_deadline(c, DEADLINE_WRITE);
        return;
    }
    loop_count(c->loop, TALLY_CLOSED_SLOW_READER);
    conn_close(c);
}

void conn_deadline(struct conn *c)
{
    switch (c->deadline.kind) {
    case DEADLINE_HEAD:
        refuse(c, 408, "the head did not come in time");
        run(c);
        break;
    case DEADLINE_BODY:
        refuse(c, 408, "the body did not come in time");
        run(c);
        break;
    case DEADLINE_WRITE_GRACE:
    case DEADLINE_WRITE:
        check_reader(c);
        break;
    case DEADLINE_IDLE:
        loop_count(c->loop, TALLY_CLOSED_IDLE);
        conn_close(c);
        break;
    default:
        conn_close(c);
    }
}

/* A request that the kernel has already, and we have not read, is still answered. */
static bool has_unread(const struct conn *c)
{
    char byte;
    return recv(c->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

void conn_drain(struct conn *c)
{
    if (c->state != CONN_IDLE || has_unread(c))
        return;
    if (c->requests == 0)
        set_deadline(c, DEADLINE_LAST_CALL); /* it has just connected: its request is on its way */
    else
        conn_close(c);
}
