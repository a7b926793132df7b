/*
 * The inside of an exchange: its input buffer, the request, the reply, and the fields that carry it
 * between threads. Pooled per loop: a connection has one only while a request is unfinished, or
 * until its reply was given to the socket or is parked (parked.h). It gets memory for the reply
 * when the request is complete (reply_space.h). Private to src/http.
 *
 *     in:  | earlier requests | head ...... | body, consumed as it comes | later requests |
 *          0                  begin         begin + head.size            next             end
 */
#pragma once

#include <stdatomic.h>

#include "http/framing.h"
#include "http/head.h"
#include "http/loop.h"
#include "http/reply_space.h"
#include "http/spool.h"

enum {
    EXCHANGE_IN_SIZE = 20 * 1024,
    EXCHANGE_BEGIN_MAX = 2048, /* a request that begins later is moved to the front first */
    EXCHANGE_POOL_MAX = 256,   /* 28 KB each, most of it never touched; others are unmapped */
    EXCHANGE_PREFIX_SIZE = 320,
    EXCHANGE_ID_SIZE = 16,
};

/* The state of a reply without an end (streams.h). */
struct exchange_stream {
    struct stream_link link;
    bool waiting;  /* for http_stream_resume */
    bool ending;   /* the next turn is the last one, without the application */
    bool begun;    /* the head was sent, or is parked */
    bool blocked;  /* the rest of a piece is parked */
    bool complete; /* the last piece was given to the socket, or is parked */
    uint64_t bytes;
    int64_t sent_at_ms;   /* the last piece: wall clock, and */
    int64_t sent_mono_ms; /* the loop's */
};

struct http_exchange {
    struct loop *loop;
    struct conn *conn; /* NULL: the client disconnected, the reply will be dropped */
    struct http_exchange *prev, *next; /* loop->exchanges */
    struct http_exchange *next_free;

    size_t begin, next_at, end; /* in `in` */
    struct framing framing;
    struct http_peer peer;
    int64_t now_ms, began_ns;
    char id[EXCHANGE_ID_SIZE];
    void *data;
    struct arena request_body;
    size_t large_body;  /* bytes counted in server->large_body_bytes */
    struct spool spool; /* the body of an upload */

    int status;
    bool last;     /* the connection closes after the reply */
    bool refused;  /* by app->refuse: not a request */
    bool late;     /* http_is_late */
    bool ended;    /* the reply is complete, or a stream has begun */
    bool sizeless; /* no Content-Length: HEAD of a stream */
    bool sized;    /* a stream of `size` bytes */
    uint64_t size;
    bool patient;              /* http_be_patient */
    bool watched;              /* http_watch_client */
    atomic_bool left;          /* http_client_left */
    struct reply_space *space; /* NULL before exchange_begin */
    struct str body_const;     /* if not null, used instead of the body there */
    char prefix[EXCHANGE_PREFIX_SIZE];
    uv_buf_t out[3]; /* prefix, lines, body, or all in one */
    unsigned out_count;
    size_t out_size;

    const struct http_streamer *streamer; /* NULL: the reply has an end */
    struct exchange_stream stream;

    void (*resume)(struct http_exchange *x); /* not NULL: it is in the mailbox */
    struct http_exchange *next_mail;
    void (*work)(struct http_exchange *x, void *worker_ctx);
    void (*done)(struct http_exchange *x);
    struct http_exchange *next_work;
    uint64_t share; /* http_share_lane */

    struct head head;
    char in[EXCHANGE_IN_SIZE];
};

/* An exchange without data; exchange_release returns it. NULL: no memory. */
struct http_exchange *exchange_acquire(
    struct loop *loop, struct conn *conn, const struct http_peer *peer);
void exchange_release(struct http_exchange *x);

/* The connection goes on without it: what the application still writes is dropped. */
void exchange_leave(struct http_exchange *x);

/* Gives x, which is new, the head of the request that `of` has. */
void exchange_repeat(struct http_exchange *x, const struct http_exchange *of);

/* Prepares for the next request, which begins at next_at; keeps the bytes read. */
void exchange_recycle(struct http_exchange *x);

/* The request is complete or rejected: assigns its id, reads the clock once, and gets memory for
 * the reply. */
void exchange_begin(struct http_exchange *x);

/* Runs the functions posted with http_resume on this loop. */
void exchange_read_mail(struct loop *loop);

/* Fills prefix and out from the parts of the reply that are set (reply.c). */
void reply_compose(struct http_exchange *x);

/* Frees all memory of the loop's exchanges. */
void exchange_free_all(struct loop *loop);
