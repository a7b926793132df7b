/*
 * One connection. It reads only while it waits for bytes of a request, handles one request at a
 * time, and owns an exchange only while a request or its reply is unfinished. conn.c opens and
 * closes it, conn_run.c runs its requests, conn_overdue.c enforces its deadlines.
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
    CONN_HANDLE, /* the application has the exchange */
    CONN_WRITE,  /* the reply did not fit into the socket; libuv has the rest */
    CONN_LINGER, /* our side is shut down; incoming bytes are dropped */
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
    bool handed; /* HANDLE: the application was called for this request */
    enum conn_state state;
    int fd;
    uint32_t lingered;      /* bytes dropped */
    uint64_t requests;      /* answered or in progress */
    int64_t write_began_ms; /* of a reply that libuv is sending */
};

/* Takes ownership of the descriptor, also on failure: it is then closed, and NULL is returned.
 * `counted`: the peer is in server->peers. server->connections already counts the connection. */
struct conn *conn_open(struct loop *loop, int fd, const struct http_peer *peer, bool counted);

void conn_close(struct conn *c); /* at once; drops a reply in progress */
void conn_drain(struct conn *c); /* the loop drains: gives an idle connection its last call */

void conn_drop_exchange(struct conn *c);
/* IDLE: sets the deadline. While the loop drains, this is the last call: a connection without a new
 * request is closed at its end, and a new request gets the last reply. */
void conn_rest(struct conn *c);

static inline void conn_set_deadline(struct conn *c, enum deadline_kind kind)
{
    deadline_set(&c->loop->deadlines, &c->deadline, kind, loop_now_ms(c->loop));
}

static inline struct conn *conn_of_deadline(struct deadline *d)
{
    return (struct conn *)((char *)d - offsetof(struct conn, deadline));
}
