/* Opens and closes connections; see conn.h. */
#include "http/conn.h"

#include <unistd.h>

#include "http/parked.h"
#include "http/streams.h"

void conn_drop_exchange(struct conn *c)
{
    exchange_release(c->x);
    c->x = NULL;
}

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
    if (c->parked)
        parked_destroy(loop, c->parked);
    unlink_conn(c);
    c->next = loop->free_conns;
    loop->free_conns = c;
    loop_conn_closed(loop);
}

void conn_close(struct conn *c)
{
    if (c->state == CONN_CLOSED)
        return;
    if (c->state == CONN_HANDLE && !c->x->ended) { /* the application keeps the exchange */
        exchange_leave(c->x);
        c->x = NULL;
    }
    if (c->state == CONN_STREAM && streams_closed(c->x))
        c->x = NULL;
    c->state = CONN_CLOSED;
    deadline_clear(&c->deadline);
    deadline_clear(&c->reader.deadline);
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

struct conn *conn_open(struct loop *loop, int fd, const struct http_peer *peer, bool counted)
{
    struct conn *c = make(loop);
    c->peer = *peer;
    c->counted = counted;
    c->fd = fd;
    deadline_init(&c->deadline);
    deadline_init(&c->reader.deadline);
    int error = open_handle(c);
    c->uv.handle.data = c;
    if (error) {
        close(fd);
        conn_close(c);
        return NULL;
    }
    return c;
}

void conn_rest(struct conn *c)
{
    conn_set_deadline(c, c->loop->draining ? DEADLINE_LAST_CALL : DEADLINE_IDLE);
}

void conn_drain_stream(struct conn *c)
{
    if (!c->x->stream.waiting && !c->x->streamer->finite) /* those are waited for */
        conn_set_deadline(c, DEADLINE_LINGER);
    streams_drain(c->x);
}

void conn_drain(struct conn *c)
{
    if (c->state == CONN_IDLE)
        conn_rest(c);
    else if (c->state == CONN_STREAM)
        conn_drain_stream(c);
}
