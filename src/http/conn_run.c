/* Runs requests through their connection; see conn_run.h. */
#include "http/conn_run.h"

#include <assert.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "http/conn_reader.h"
#include "http/exchange.h"
#include "http/parked.h"
#include "http/streams.h"

/* Bodies of requests. */

static const char full[] = "Too many large bodies arrive at the same time.";

static int admit_kept(struct conn *c, size_t size, size_t max, const char **ret_why)
{
    atomic_size_t *all = &c->loop->server->large_body_bytes;
    if (size > max) {
        *ret_why = max > HTTP_BODY_MAX ? "The body is over 64 KiB." : "The body is over 8 KiB.";
        return 413;
    }
    if (atomic_fetch_add(all, size) + size > HTTP_LARGE_BODIES_MAX) {
        atomic_fetch_sub(all, size);
        loop_count(c->loop, refused_bodies_full);
        *ret_why = full;
        return 503;
    }
    c->x->large_body = size;
    return 0;
}

/* Browsers show no answer that comes while they send: a body that is refused is read first. */
static void admit_spooled(struct conn *c, size_t size, const struct http_body_rule *rule)
{
    struct spool *spool = &c->x->spool;
    bool large = size > rule->max;
    int64_t now_ms = loop_now_ms(c->loop);
    enum spool_answer answer =
        spool_begin(spool, large ? 0 : size, rule->holder, now_ms, &c->loop->server->spools);
    if (answer == SPOOL_FULL) {
        loop_count(c->loop, refused_bodies_full);
        spool_drop(spool, now_ms, 503, full);
    } else if (answer == SPOOL_HELD) {
        spool_drop(spool, now_ms, 409, "Another upload of this session is still arriving.");
    } else if (large) {
        spool_drop(spool, now_ms, 413, "The upload is too large.");
    }
}

/* The head is whole. Returns 0, or the status of a refusal and its reason. A large body is counted
 * until the exchange ends: a client that sends it slowly holds its memory. */
static int conn_body_admit(struct conn *c, const char **ret_why)
{
    struct http_exchange *x = c->x;
    const struct http_app *app = c->loop->server->app;
    struct http_body_rule rule = {.max = HTTP_BODY_MAX};
    if (x->head.content_length <= HTTP_BODY_MAX)
        return 0;
    if (app->body_rule)
        rule = app->body_rule(app->ctx, &x->head.request);
    size_t size = (size_t)x->head.content_length;
    if (!rule.spooled)
        return admit_kept(c, size, rule.max, ret_why);
    admit_spooled(c, size, &rule);
    return 0;
}

/* After framing_begin. */
static void conn_body_begin(struct http_exchange *x)
{
    if (x->spool.open)
        x->framing.spool = &x->spool;
}

/* The body is whole: sets it in the request. Returns 0, or the status of a refusal. */
static int conn_body_end(struct http_exchange *x, const char **ret_why)
{
    struct spool *spool = &x->spool;
    if (!spool->open) {
        x->head.request.body = str_of(x->framing.body, x->framing.body_n);
        return 0;
    }
    spool_arrived(spool, &x->loop->server->spools);
    if (spool->drop_status) {
        *ret_why = spool->drop_why;
        return spool->drop_status;
    }
    *ret_why = "There is no memory for the upload.";
    return spool_end(spool, &x->head.request.body) ? 0 : 503;
}

static void run(struct conn *c);

static const struct http_app *app_of(const struct conn *c)
{
    return c->loop->server->app;
}

/* ---- steps: each returns false when it cannot continue ---- */

static void count_refusal(struct conn *c, int status)
{
    switch (status) {
    case 400:
        loop_count(c->loop, refused_bad_request);
        break;
    case 408:
        loop_count(c->loop, refused_timeout);
        break;
    case 413:
        loop_count(c->loop, refused_body_too_large);
        break;
    case 414:
        loop_count(c->loop, refused_uri_too_long);
        break;
    case 409:
    case 503:
        break; /* its callers count it, or nobody */
    default:
        loop_count(c->loop, refused_head_too_large);
    }
}

/* The application writes the response; the edge closes the connection. */
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
            conn_set_deadline(c, DEADLINE_HEAD);
        return false;
    case HEAD_REFUSED:
        return refuse(c, head->status, head->why);
    case HEAD_WHOLE:
        break;
    }
    x->next_at = x->begin + head->size;
    const char *why;
    int refused = conn_body_admit(c, &why);
    if (refused)
        return refuse(c, refused, why);
    struct str lines = str_of(x->in + x->begin + head->headers_at, head->size - head->headers_at);
    enum framing_result result = framing_begin(
        &x->framing, lines, head->request.http_1_0, head->content_length, head->chunked);
    if (result == FRAMING_BAD)
        return refuse(c, 400, "The headers do not say where the request ends.");
    conn_body_begin(x);
    c->handed = false;
    c->state = result == FRAMING_DONE ? CONN_HANDLE : CONN_BODY;
    return true;
}

/* A client that waits for 100 Continue has sent none of the body yet. */
static void say_continue(struct conn *c)
{
    static char text[] = "HTTP/1.1 100 Continue\r\n\r\n";
    uv_buf_t buf = uv_buf_init(text, sizeof text - 1);
    c->x->head.expects_continue = false;
    int n = uv_try_write(&c->uv.stream, &buf, 1);
    if (n == UV_EAGAIN)
        return; /* earlier replies are unread; the client sends the body after a while anyway */
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
            conn_set_deadline(c, DEADLINE_BODY);
        return false;
    }
    struct str bytes = str_of(x->in + x->next_at, x->end - x->next_at);
    size_t used;
    const char *why;
    int refused;
    switch (framing_take(&x->framing, &x->request_body, bytes, &used)) {
    case FRAMING_MORE:
        x->end = x->next_at; /* consumed: the room is free again */
        x->head.expects_continue = false;
        return true;
    case FRAMING_DONE:
        x->next_at += used;
        refused = conn_body_end(x, &why);
        if (refused)
            return refuse(c, refused, why);
        c->state = CONN_HANDLE;
        return true;
    case FRAMING_TOO_LARGE:
        return refuse(c, 413, "The body is over 8 KiB.");
    default:
        return refuse(c, 400, "The body is not framed as the headers say.");
    }
}

static void begin_linger(struct conn *c)
{
    shutdown(c->fd, SHUT_WR);
    c->state = CONN_LINGER;
    conn_set_deadline(c, DEADLINE_LINGER);
}

/* The socket took all of the reply. */
static void reply_sent(struct conn *c)
{
    struct http_exchange *x = c->x;
    conn_gave(c, x->out_size);
    if (x->last) {
        conn_drop_exchange(c);
        begin_linger(c);
    } else if (x->next_at < x->end) {
        exchange_recycle(x);
        deadline_clear(&c->deadline);
        c->state = CONN_HEAD;
    } else {
        conn_drop_exchange(c);
        c->state = CONN_IDLE;
        conn_rest(c);
    }
}

/* Continues with the requests behind the reply. */
static void unpark(struct conn *c)
{
    struct parked *p = c->parked;
    c->parked = NULL;
    if (p->last) {
        begin_linger(c);
    } else if (p->input.n == 0) {
        c->state = CONN_IDLE;
        conn_rest(c);
    } else if ((c->x = exchange_acquire(c->loop, c, &c->peer))) {
        parked_resume(p, c->x);
        c->state = CONN_HEAD;
    } else {
        loop_count(c->loop, closed_memory);
        conn_close(c);
    }
    parked_destroy(c->loop, p);
}

static void on_written(uv_write_t *write, int status)
{
    struct conn *c = write->data;
    if (c->state == CONN_CLOSED)
        return; /* cancelled */
    if (status < 0) {
        loop_count(c->loop, replies_dropped);
        conn_close(c);
        return;
    }
    unpark(c);
    run(c);
}

/* Returns the memory of the reply at once: many connections may end in one turn of the loop, and
 * their handles are closed at its end. */
static void drop_reply(struct conn *c)
{
    conn_drop_exchange(c);
    c->state = CONN_WRITE;
}

/* The part of the output after `n` bytes, given to libuv. */
static void write_rest(struct conn *c, size_t n)
{
    struct parked *p = parked_create(c->x, n);
    if (!p) {
        loop_count(c->loop, closed_memory);
        drop_reply(c);
        conn_reset(c); /* the socket is full: no error would get through */
        return;
    }
    conn_gave(c, c->x->out_size);
    conn_drop_exchange(c);
    deadline_clear(&c->deadline);
    c->parked = p;
    c->state = CONN_WRITE;
    p->write.data = c;
    if (uv_write(&p->write, &c->uv.stream, p->out, p->out_count, on_written) != 0)
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
        loop_count(c->loop, replies_dropped);
        drop_reply(c);
        conn_close(c);
        return false;
    }
    write_rest(c, n < 0 ? 0 : (size_t)n);
    return false;
}

/* A request behind this one gets no reply. */
static void begin_stream(struct conn *c)
{
    c->x->next_at = c->x->end;
    c->state = CONN_STREAM;
    deadline_clear(&c->deadline);
    if (c->x->stream.ending)
        conn_drain_stream(c);
    else
        streams_make_due(c->x);
}

/* A request, or the reply to it, is complete. */
static bool step_handle(struct conn *c)
{
    struct http_exchange *x = c->x;
    if (x->ended && x->streamer) {
        begin_stream(c);
        return false;
    }
    if (x->ended)
        return step_write(c);
    if (c->handed)
        return false;
    c->handed = true;
    loop_count(c->loop, requests);
    if (++c->requests >= c->loop->server->limits.requests_per_connection)
        x->last = true;
    exchange_begin(x);
    app_of(c)->handle(app_of(c)->ctx, x);
    if (x->ended)
        return true;
    conn_set_deadline(c, x->patient ? DEADLINE_PATIENT : DEADLINE_REPLY);
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

/* ---- reading ---- */

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *ret);
static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf);

/* The application has the request, and no other one is behind it: what comes next may be the end
 * of the connection. */
static bool watches_client(const struct conn *c)
{
    const struct http_exchange *x = c->x;
    return c->state == CONN_HANDLE && x->watched && x->end == x->next_at && x->end < sizeof x->in;
}

static bool wants_bytes(const struct conn *c)
{
    if (c->read_end)
        return false;
    return watches_client(c) || c->state == CONN_IDLE || c->state == CONN_HEAD ||
           c->state == CONN_BODY || c->state == CONN_STREAM || c->state == CONN_LINGER;
}

/* Starts or stops reading, as the state requires. Only at the end of a run: doing it twice within
 * one would cost system calls. */
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

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *ret)
{
    struct conn *c = handle->data;
    if (c->state == CONN_LINGER || c->state == CONN_STREAM) {
        *ret = uv_buf_init(c->loop->scratch, EXCHANGE_IN_SIZE);
        return;
    }
    if (!c->x)
        c->x = exchange_acquire(c->loop, c, &c->peer);
    struct http_exchange *x = c->x;
    if (!x) { /* libuv reports UV_ENOBUFS to on_read */
        loop_count(c->loop, closed_memory);
        *ret = uv_buf_init(NULL, 0);
        return;
    }
    *ret = uv_buf_init(x->in + x->end, (unsigned)(sizeof x->in - x->end));
}

/* Bytes behind the last request of a connection. */
static void linger_read(struct conn *c, size_t n)
{
    c->lingered += (uint32_t)n;
    if (c->lingered <= HTTP_LINGER_MAX)
        return;
    if (conn_unsent(c) > 0)
        conn_reset(c);
    else
        conn_close(c);
}

/* The client sends nothing more, but may still take a reply. Only look at the socket if it was not
 * seen empty since the last reply. */
static void end_of_input(struct conn *c)
{
    if (!c->reader.deadline.next || conn_unsent(c) == 0) {
        conn_close(c);
        return;
    }
    c->read_end = true;
    if (c->state != CONN_LINGER) {
        if (c->x)
            conn_drop_exchange(c);
        begin_linger(c);
    }
    settle_reading(c);
}

static void take_read(struct conn *c, ssize_t n)
{
    if (n == UV_EOF && c->state != CONN_STREAM && c->state != CONN_HANDLE) {
        end_of_input(c);
        return;
    }
    if (n < 0) { /* a client that shuts down its side has left the stream, or is watched */
        conn_close(c);
        return;
    }
    if (c->state == CONN_LINGER || c->state == CONN_STREAM) {
        linger_read(c, (size_t)n);
        return;
    }
    if (n == 0) { /* a wake-up without data */
        if (c->state == CONN_IDLE)
            conn_drop_exchange(c);
        return;
    }
    c->x->end += (size_t)n;
    if (c->state == CONN_IDLE)
        c->state = CONN_HEAD;
    run(c);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
    struct conn *c = stream->data;
    struct loop *loop = c->loop;
    take_read(c, n);
    if (n > 0)
        loop_add(loop, bytes_read, (uint64_t)n);
}

static bool waits_overdue(const struct conn *c)
{
    return (c->state == CONN_HEAD || c->state == CONN_BODY) && !c->deadline.next;
}

bool conn_run_arrived(struct conn *c)
{
    int left = 0;
    uv_buf_t buf;
    if (ioctl(c->fd, FIONREAD, &left) != 0)
        return false;
    while (left > 0 && waits_overdue(c)) {
        on_alloc(&c->uv.handle, 0, &buf);
        size_t size = buf.len < (size_t)left ? buf.len : (size_t)left;
        ssize_t n = recv(c->fd, buf.base, size, MSG_DONTWAIT);
        if (n <= 0)
            break; /* an end or an error is read by the loop */
        left -= (int)n;
        on_read(&c->uv.stream, n, &buf);
    }
    return !waits_overdue(c);
}

/* ---- runs ---- */

/* Continues as far as the bytes and the application allow. */
static void run(struct conn *c)
{
    assert(!c->running);
    c->running = true;
    while (step(c)) {
    }
    c->running = false;
    settle_reading(c);
}

void conn_run_linger(struct conn *c)
{
    begin_linger(c);
    settle_reading(c);
}

void conn_run_first(struct conn *c)
{
    conn_rest(c);
    settle_reading(c);
}

void conn_run_refuse(struct conn *c, int status, const char *why)
{
    refuse(c, status, why);
    run(c);
}

/* A worker may still be writing into the exchange, so another one carries the response. */
void conn_run_abandon(struct conn *c)
{
    struct http_exchange *kept = c->x;
    struct http_exchange *other = exchange_acquire(c->loop, c, &c->peer);
    if (!other) {
        loop_count(c->loop, closed_memory);
        conn_close(c);
        return;
    }
    exchange_leave(kept);
    c->x = other;
    exchange_repeat(c->x, kept);
    c->x->late = true;
    loop_count(c->loop, replies_abandoned);
    conn_run_refuse(c, 503, "The answer took too long.");
}

void conn_run_reply_ready(struct conn *c)
{
    if (!c->running)
        run(c);
}
