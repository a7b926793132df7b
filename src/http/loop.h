/*
 * One loop: a thread with its connections, pools and clock. Only the thread itself touches it,
 * except the mailbox, the flags and the counters. loop_thread.h starts and ends loops. Private to
 * src/http.
 */
#pragma once

#include <uv.h>

#include "base/clock.h"
#include "http/http_stats.h"
#include "http/reply_space.h"
#include "http/server_state.h"

/*
 * Deadlines of one loop's connections. All deadlines of a kind have the same length, so a list that
 * is appended to stays sorted, and setting, moving and clearing cost a few pointers. One coarse
 * timer checks the heads.
 */

enum deadline_kind {
    DEADLINE_IDLE,      /* no byte of a request: close */
    DEADLINE_HEAD,      /* an incomplete head: 408 */
    DEADLINE_BODY,      /* an incomplete body: 408 */
    DEADLINE_LINGER,    /* the last reply was sent: close */
    DEADLINE_REPLY,     /* the application keeps a request: 503 */
    DEADLINE_PATIENT,   /* the same, of one that takes long */
    DEADLINE_LAST_CALL, /* draining, no byte of a request: close */
    DEADLINE_READER,    /* next look at the bytes that the client has not taken */
    DEADLINE_KINDS,
    DEADLINE_NONE = DEADLINE_KINDS,
};

struct deadline {
    struct deadline *prev, *next;
    int64_t at_ms;
    enum deadline_kind kind;
};

struct deadlines {
    struct deadline lists[DEADLINE_KINDS]; /* heads of circular lists */
    int64_t length_ms[DEADLINE_KINDS];
};

void deadlines_init(struct deadlines *ds);
void deadline_init(struct deadline *d); /* not in a list */

/* `now_ms` must not decrease between calls. */
void deadline_set(
    struct deadlines *ds, struct deadline *d, enum deadline_kind kind, int64_t now_ms);
void deadline_clear(struct deadline *d);

/* Removes an expired deadline from its list, with its kind kept; NULL: none expired. */
struct deadline *deadlines_pop(struct deadlines *ds, int64_t now_ms);

struct conn;
struct http_exchange;

struct stream_link {
    struct stream_link *prev, *next; /* NULL: in no list */
};

enum { DATE_SIZE = 29 }; /* Fri, 20 Nov 2026 08:12:45 GMT */

struct loop {
    struct http_server *server;
    pthread_t thread;
    uv_loop_t uv;
    uv_poll_t accept; /* on the shared listening socket */
    uv_timer_t tick;
    uv_prepare_t before_poll; /* runs before the loop waits */
    uv_idle_t streams_idle;   /* active while streams are due: then the loop does not wait */
    /* On an eventfd. A uv_async_t would make the loop spin until its sender runs on, which a worker
     * of lower priority on the same core does not. */
    uv_poll_t wake;
    int wake_fd;
    bool accepting;        /* the poll is active; not without free descriptors, nor when draining */
    bool descriptor_freed; /* a connection closed: accepting resumes in the next turn */
    bool draining;
    bool empty_told;
    int spare_fd; /* closed for a moment to turn a client away when no descriptor is free */

    struct deadlines deadlines;
    struct conn *conns; /* open ones, newest first */
    size_t conn_count;
    struct conn *free_conns;
    struct http_exchange *exchanges;      /* all exchanges */
    struct http_exchange *free_exchanges; /* last used first: its memory is warm */
    size_t free_exchange_count;
    struct reply_space_pool spaces;
    struct stream_link streams_resting, streams_due; /* heads of circular lists: streams.h */
    uv_idle_cb streams_on_due;
    struct buf stream_out; /* the piece that a turn writes */
    char *scratch;         /* for bytes that are dropped */

    int64_t now_ms; /* of this turn; 0: not read yet */
    int64_t date_s; /* the second that `date` shows */
    char date[DATE_SIZE];
    uint64_t id_next;

    _Atomic uint64_t counts[sizeof(struct http_stats) / sizeof(uint64_t)];

    pthread_mutex_t mail_lock;
    struct http_exchange *mail_first; /* under mail_lock: to resume, in order */
    struct http_exchange *mail_last;
    atomic_bool drain_asked, cut_asked, stop_asked, streams_asked;
};

/* From any thread: makes the loop check its flags and its mailbox. */
void loop_wake(struct loop *loop);

/* A connection calls this when its handle is closed and it has left the list. */
void loop_conn_closed(struct loop *loop);

/* Reports to the server, once, that the loop drains and has no more connections. */
void loop_tell_empty(struct loop *loop);

static inline void loop_add_at(struct loop *loop, size_t at, uint64_t n)
{
    uint64_t before = atomic_load_explicit(&loop->counts[at], memory_order_relaxed);
    atomic_store_explicit(&loop->counts[at], before + n, memory_order_relaxed);
}

/* `member` of struct http_stats. */
#define loop_add(loop, member, n)                                                                  \
    loop_add_at((loop), offsetof(struct http_stats, member) / sizeof(uint64_t), (n))
#define loop_count(loop, member) loop_add(loop, member, 1)

/* The time of clock_mono_ms, which libuv reads once per turn; how far tests have moved it is read
 * as often. */
static inline int64_t loop_now_ms(struct loop *loop)
{
    if (!loop->now_ms)
        loop->now_ms = (int64_t)uv_now(&loop->uv) + clock_mono_ahead_ms();
    return loop->now_ms;
}

/* The Date of this instant. */
const char *loop_date(struct loop *loop, int64_t now_ms);
