/*
 * One connection. It reads only while it waits for bytes of a request, or for the end of a client
 * that is watched. It handles one request at a time, and owns an exchange only while a request is
 * unfinished. conn.c opens and closes it, conn_run.c runs its requests, conn_overdue.c enforces its
 * deadlines, conn_reader.c watches whether the client takes its replies, loop_thread.c gives turns
 * to streams.
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
    CONN_WRITE,  /* the reply did not fit into the socket: it is parked, and libuv has the rest */
    CONN_STREAM, /* a reply without an end: from HANDLE, to LINGER (streams.h) */
    CONN_LINGER, /* our side is shut down; incoming bytes are dropped */
    CONN_CLOSED,
};

/* What the client has taken of its replies (conn_reader.c). */
struct conn_reader {
    struct deadline deadline; /* the next look; not set while everything was taken */
    uint64_t given;           /* bytes of replies, to libuv or the kernel */
    uint64_t taken;           /* of those, at the last look */
    uint64_t goal;            /* `given` at an earlier look: below it the client may be behind */
    int64_t looked_ms;
    int64_t behind_ms; /* negative: ahead */
    bool looked;       /* the members above, except `given`, are set */
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
    struct http_exchange *x;  /* NULL when IDLE, WRITE, LINGER; may be when CLOSED */
    struct parked *parked;    /* NULL unless WRITE or STREAM; may be set when CLOSED */
    struct deadline deadline;
    struct conn_reader reader;
    struct http_peer peer;
    bool counted; /* in server->peers */
    bool running; /* conn_run.c is on the stack */
    bool reading;
    bool read_end; /* the client has shut down its side */
    bool handed;   /* HANDLE: the application was called for this request */
    enum conn_state state;
    int fd;
    uint32_t lingered; /* bytes dropped */
    uint64_t requests; /* answered or in progress */
};

/* Takes ownership of the descriptor, also on failure: it is then closed, and NULL is returned.
 * `counted`: the peer is in server->peers. server->connections already counts the connection. */
struct conn *conn_open(struct loop *loop, int fd, const struct http_peer *peer, bool counted);

void conn_close(struct conn *c); /* at once; drops a reply in progress */
void conn_drain(struct conn *c); /* the loop drains: gives an idle connection its last call */

/* Ends the stream cleanly, or by a deadline if the client does not take what it has. */
void conn_drain_stream(struct conn *c);

void conn_drop_exchange(struct conn *c);
/* IDLE: sets the deadline. While the loop drains, this is the last call: a connection without a new
 * request is closed at its end, and a new request gets the last reply. */
void conn_rest(struct conn *c);

static inline void conn_set_deadline(struct conn *c, enum deadline_kind kind)
{
    deadline_set(&c->loop->deadlines, &c->deadline, kind, loop_now_ms(c->loop));
}

/* There may be bytes that the client has not taken. */
static inline void conn_watch_reader(struct conn *c)
{
    if (!c->reader.deadline.next)
        deadline_set(
            &c->loop->deadlines, &c->reader.deadline, DEADLINE_READER, loop_now_ms(c->loop));
}

/* n bytes of a reply were given to libuv or the kernel. */
static inline void conn_gave(struct conn *c, size_t n)
{
    c->reader.given += n;
    conn_watch_reader(c);
}

static inline struct conn *conn_of_reader(struct deadline *d)
{
    return (struct conn *)((char *)d - offsetof(struct conn, reader.deadline));
}

static inline struct conn *conn_of_deadline(struct deadline *d)
{
    return (struct conn *)((char *)d - offsetof(struct conn, deadline));
}
