/*
 * Turns a handler's reply into bytes: status line, the server's lines, the handler's lines, body.
 * The head is copied in front of the body, so that one piece leaves: that costs the kernel less
 * than gathering three. Where there is no room in front (a constant body, a large head), the pieces
 * stay where they are and leave by one gathering write.
 */
#include <assert.h>
#include <string.h>

#include "http/exchange.h"
#include "http/conn_run.h"
#include "http/text.h"

static const struct {
    int status;
    struct str line;
} status_lines[] = {
    {200, STR_INIT("HTTP/1.1 200 OK\r\n")},
    {201, STR_INIT("HTTP/1.1 201 Created\r\n")},
    {202, STR_INIT("HTTP/1.1 202 Accepted\r\n")},
    {204, STR_INIT("HTTP/1.1 204 No Content\r\n")},
    {206, STR_INIT("HTTP/1.1 206 Partial Content\r\n")},
    {301, STR_INIT("HTTP/1.1 301 Moved Permanently\r\n")},
    {302, STR_INIT("HTTP/1.1 302 Found\r\n")},
    {303, STR_INIT("HTTP/1.1 303 See Other\r\n")},
    {304, STR_INIT("HTTP/1.1 304 Not Modified\r\n")},
    {307, STR_INIT("HTTP/1.1 307 Temporary Redirect\r\n")},
    {308, STR_INIT("HTTP/1.1 308 Permanent Redirect\r\n")},
    {400, STR_INIT("HTTP/1.1 400 Bad Request\r\n")},
    {401, STR_INIT("HTTP/1.1 401 Unauthorized\r\n")},
    {403, STR_INIT("HTTP/1.1 403 Forbidden\r\n")},
    {404, STR_INIT("HTTP/1.1 404 Not Found\r\n")},
    {405, STR_INIT("HTTP/1.1 405 Method Not Allowed\r\n")},
    {408, STR_INIT("HTTP/1.1 408 Request Timeout\r\n")},
    {409, STR_INIT("HTTP/1.1 409 Conflict\r\n")},
    {410, STR_INIT("HTTP/1.1 410 Gone\r\n")},
    {413, STR_INIT("HTTP/1.1 413 Content Too Large\r\n")},
    {414, STR_INIT("HTTP/1.1 414 URI Too Long\r\n")},
    {415, STR_INIT("HTTP/1.1 415 Unsupported Media Type\r\n")},
    {416, STR_INIT("HTTP/1.1 416 Range Not Satisfiable\r\n")},
    {422, STR_INIT("HTTP/1.1 422 Unprocessable Content\r\n")},
    {429, STR_INIT("HTTP/1.1 429 Too Many Requests\r\n")},
    {431, STR_INIT("HTTP/1.1 431 Request Header Fields Too Large\r\n")},
    {499, STR_INIT("HTTP/1.1 499 Client Left\r\n")}, /* is never sent */
    {500, STR_INIT("HTTP/1.1 500 Internal Server Error\r\n")},
    {501, STR_INIT("HTTP/1.1 501 Not Implemented\r\n")},
    {503, STR_INIT("HTTP/1.1 503 Service Unavailable\r\n")},
};

/* The reason may be empty (RFC 9112 4); an unlisted status is a bug of the program. */
static struct str status_line(int status)
{
    for (size_t i = 0; i < sizeof status_lines / sizeof status_lines[0]; i++) {
        if (status_lines[i].status == status)
            return status_lines[i].line;
    }
    assert(!"a status without a line in status_lines");
    return STR_NULL;
}

void http_status(struct http_exchange *x, int status)
{
    x->status = status;
}

/* A header that is not one line is not written, and the reply becomes a 500. */
void http_head(struct http_exchange *x, struct str name, struct str value)
{
    bool one_line = http_is_token(name) && http_is_field_text(value.p, value.n);
    char *room = one_line ? buf_reserve(&x->space->lines, name.n + value.n + 4) : NULL;
    if (!room) {
        x->space->lines.overflow = true;
        return;
    }
    char *at = mempcpy(room, name.p, name.n);
    at = mempcpy(at, ": ", 2);
    at = mempcpy(at, value.p, value.n);
    at = mempcpy(at, "\r\n", 2);
    buf_commit(&x->space->lines, (size_t)(at - room));
}

void http_head_raw(struct http_exchange *x, struct str block)
{
    assert(block.n == 0 || str_ends(block, STR("\r\n")));
    buf_str(&x->space->lines, block);
}

struct buf *http_head_lines(struct http_exchange *x)
{
    return &x->space->lines;
}

struct buf *http_body(struct http_exchange *x)
{
    return &x->space->body;
}

void http_body_const(struct http_exchange *x, struct str body)
{
    x->body_const = body;
}

int http_reply_status(const struct http_exchange *x)
{
    return x->status;
}

static struct str body_of(const struct http_exchange *x)
{
    return str_is_null(x->body_const) ? buf_view(&x->space->body) : x->body_const;
}

size_t http_reply_body_size(const struct http_exchange *x)
{
    return x->stream.bytes ? (size_t)x->stream.bytes : body_of(x).n;
}

static char *put(char *at, struct str s)
{
    return mempcpy(at, s.p, s.n);
}

/* How the client finds the end of the body. */
enum body_end { BODY_NONE, BODY_LENGTH, BODY_CHUNKS, BODY_CLOSE };

static enum body_end body_end_of(const struct http_exchange *x)
{
    if (x->status == 204 || x->status == 304 || x->sizeless)
        return BODY_NONE;
    if (!x->streamer || x->sized)
        return BODY_LENGTH;
    return x->head.request.http_1_0 ? BODY_CLOSE : BODY_CHUNKS;
}

static struct str put_prefix(struct http_exchange *x, enum body_end end, uint64_t body_n)
{
    char *at = put(x->prefix, status_line(x->status));
    at = put(at, STR("Date: "));
    at = mempcpy(at, loop_date(x->loop, x->now_ms), DATE_SIZE);
    at = put(at, STR("\r\nX-Request-Id: "));
    at = mempcpy(at, x->id, sizeof x->id);
    if (end == BODY_LENGTH) {
        at = put(at, STR("\r\nContent-Length: "));
        at = digits_put(at, body_n);
    } else if (end == BODY_CHUNKS) {
        at = put(at, STR("\r\nTransfer-Encoding: chunked"));
    }
    if (x->last)
        at = put(at, STR("\r\nConnection: close"));
    else if (x->head.request.http_1_0)
        at = put(at, STR("\r\nConnection: keep-alive"));
    at = put(at, STR("\r\n"));
    size_t n = (size_t)(at - x->prefix);
    assert(n <= sizeof x->prefix);
    return str_of(x->prefix, n);
}

static void add_out(struct http_exchange *x, struct str piece)
{
    if (piece.n == 0)
        return;
    union {
        const char *from;
        char *to; /* libuv's type; only read */
    } p = {.from = piece.p};
    x->out[x->out_count++] = uv_buf_init(p.to, (unsigned)piece.n);
    x->out_size += piece.n;
}

void reply_compose(struct http_exchange *x)
{
    const struct http_request *request = &x->head.request;
    struct str body = body_of(x);
    enum body_end end = body_end_of(x);
    x->last = x->last || x->refused || x->loop->draining || !request->keep_alive;
    x->out_count = 0;
    x->out_size = 0;
    buf_str(&x->space->lines, STR("\r\n")); /* end of the head */
    struct str prefix = put_prefix(x, end, x->sized ? x->size : body.n),
               lines = buf_view(&x->space->lines);
    if (end == BODY_NONE || request->method == HTTP_HEAD)
        body = STR("");
    if (body.n > 0 && body.p == x->space->body.p && prefix.n + lines.n <= x->space->body.front) {
        char *head = x->space->body.p - prefix.n - lines.n;
        put(put(head, prefix), lines);
        add_out(x, str_of(head, prefix.n + lines.n + body.n));
        return;
    }
    add_out(x, prefix);
    add_out(x, lines);
    add_out(x, body);
}

/* The reply cannot be sent; the application writes a 500 instead, once. */
static void reply_failed(struct http_exchange *x)
{
    const struct http_app *app = x->loop->server->app;
    x->refused = true;
    http_reply_reset(x);
    app->refuse(app->ctx, x, 500, "the reply passed a limit of the server");
}

void http_reply_end(struct http_exchange *x)
{
    assert(!x->ended);
    bool fits = !x->space->lines.overflow && x->space->lines.n <= HTTP_REPLY_HEAD_MAX &&
                !(x->space->body.overflow && str_is_null(x->body_const));
    if (!fits && !x->refused) {
        reply_failed(x);
        return;
    }
    if (!fits) { /* not even the error fits: its status alone */
        int status = x->status;
        http_reply_reset(x);
        x->status = status;
    }
    reply_compose(x);
    x->ended = true;
    if (x->conn) {
        conn_run_reply_ready(x->conn);
        return;
    }
    loop_count(x->loop, replies_dropped);
    exchange_release(x);
}
