/* Begins streams, and gives them turns; see stream.h and stream_run.h. */
#include "http/stream_run.h"

#include <assert.h>

#include "base/clock.h"
#include "http/conn_reader.h"
#include "http/conn_run.h"
#include "http/parked.h"
#include "http/streams.h"

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

void stream_run_due(uv_idle_t *idle)
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
