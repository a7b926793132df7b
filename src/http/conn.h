/*
 * One connection. It reads only while it waits for bytes of a request, handles one request at a
 * time, and owns an exchange only while a request or its reply is unfinished. conn.c opens and
 * closes it, conn_run.c takes requests through it, conn_overdue.c holds it to its deadlines.
 *
 *            bytes            head whole          body whole         handler keeps it
 *     IDLE ─────────> HEAD ───────────────> BODY ───────────> HANDLE ───────────────> (HANDLE)
 *      ^  ^            ^  \                    \                 │  http_reply_end        │
 *      │  └── (nothing │   └─ refused ──────────┴────────────────┤ <──────────────────────┘
 *      │     more read)│        (app->refuse)                    v
 *      └───────────────┴──────────────────────────────────── WRITE ─── last reply ──> LINGER
 *                             sent whole                                                │
 *     CLOSED: the handle is being closed; from everywhere <─────────────────────────────┘
 */
#pragma once

#include "http/loop.h"

enum conn_state {
    CONN_IDLE,
    CONN_HEAD,
    CONN_BODY,
    CONN_HANDLE, /* the application has the exchange, now or on its way */
    CONN_WRITE,  /* the reply did not fit into the socket; the rest is with libuv */
    CONN_LINGER, /* our side is shut; what still comes is read and dropped */
    CONN_CLOSED,
};

struct conn {
    union {
        uv_handle_t handle;
        uv_stream_t stream;
        uv_tcp_t tcp;
        uv_pipe_t pipe;
    } uv;
    struct loop *loop;
    struct conn *prev, *next; /* loop->conns; next also in loop->free_conns */
    struct http_exchange *x;  /* NULL when IDLE, LINGER; may be when CLOSED */
    struct deadline deadline;
    struct http_peer peer;
    bool counted; /* in server->peers */
    bool running; /* conn_run.c is on the stack */
    bool reading;
    bool handed; /* HANDLE: the application has been called for this request */
    enum conn_state state;
    int fd;
    uint32_t lingered;      /* bytes dropped */
    uint64_t requests;      /* answered or being answered */
    int64_t write_began_ms; /* of a reply that libuv has */
};

/* Takes the descriptor over, also when it fails: then it is closed, and NULL is returned. `counted`
 * says that the peer is in server->peers; server->connections counts it already. */
struct conn *conn_open(struct loop *loop, int fd, const struct http_peer *peer, bool counted);

void conn_close(struct conn *c); /* at once; a reply under way is dropped */
void conn_drain(struct conn *c); /* the loop drains: a last call to who asks nothing just now */

void conn_drop_exchange(struct conn *c);
/* IDLE: sets how long for. While the loop drains that is the last call: whoever has not asked again
 * by its end is closed, and whoever has is told that it was the last answer. */
void conn_rest(struct conn *c);

static inline void conn_set_deadline(struct conn *c, enum deadline_kind kind)
{
    deadline_set(&c->loop->deadlines, &c->deadline, kind, loop_now_ms(c->loop));
}

static inline struct conn *conn_of_deadline(struct deadline *d)
{
    return (struct conn *)((char *)d - offsetof(struct conn, deadline));
}
