/* Exchanges and their pool; see exchange.h. */
#include "http/exchange.h"

#include <assert.h>

/* Resets the state of one request and its reply. */
static void let_go(struct http_exchange *x)
{
    arena_finish(&x->request_body);
    if (x->large_body)
        atomic_fetch_sub(&x->loop->server->large_body_bytes, x->large_body);
    x->large_body = 0;
    if (x->spool.open)
        spool_finish(&x->spool, &x->loop->server->spools);
    if (x->space)
        reply_space_give(&x->loop->spaces, x->space);
    x->space = NULL;
}

static void reset_reply(struct http_exchange *x)
{
    x->status = 200;
    x->sizeless = false;
    x->sized = false;
    x->body_const = STR_NULL;
}

static void reset_request(struct http_exchange *x)
{
    head_init(&x->head);
    x->data = NULL;
    x->last = false;
    x->refused = false;
    x->late = false;
    x->ended = false;
    x->streamer = NULL;
    x->stream.bytes = 0;
    x->patient = false;
    x->watched = false;
    x->share = 0;
    atomic_store_explicit(&x->left, false, memory_order_relaxed);
    x->done = NULL;
    reset_reply(x);
}

static struct http_exchange *create(struct loop *loop)
{
    struct http_exchange *x = mem_map(sizeof *x);
    if (!x)
        return NULL;
    x->loop = loop;
    arena_init(&x->request_body);
    x->next = loop->exchanges;
    if (x->next)
        x->next->prev = x;
    loop->exchanges = x;
    return x;
}

static void destroy(struct http_exchange *x)
{
    if (x->next)
        x->next->prev = x->prev;
    *(x->prev ? &x->prev->next : &x->loop->exchanges) = x->next;
    let_go(x);
    mem_unmap(x, sizeof *x);
}

struct http_exchange *exchange_acquire(
    struct loop *loop, struct conn *conn, const struct http_peer *peer)
{
    struct http_exchange *x = loop->free_exchanges;
    if (x) {
        loop->free_exchanges = x->next_free;
        loop->free_exchange_count--;
    } else {
        x = create(loop);
        if (!x)
            return NULL;
    }
    x->conn = conn;
    x->peer = *peer;
    x->begin = x->next_at = x->end = 0;
    reset_request(x);
    return x;
}

void exchange_release(struct http_exchange *x)
{
    struct loop *loop = x->loop;
    if (loop->free_exchange_count == EXCHANGE_POOL_MAX) {
        destroy(x);
        return;
    }
    let_go(x);
    x->conn = NULL;
    x->next_free = loop->free_exchanges;
    loop->free_exchanges = x;
    loop->free_exchange_count++;
}

void exchange_leave(struct http_exchange *x)
{
    x->conn = NULL;
    atomic_store_explicit(&x->left, true, memory_order_relaxed);
}

void exchange_repeat(struct http_exchange *x, const struct http_exchange *of)
{
    size_t n = of->head.size;
    memcpy(x->in, of->in + of->begin, n);
    x->begin = 0;
    x->next_at = x->end = n;
    head_take(&x->head, x->in, n);
}

void exchange_recycle(struct http_exchange *x)
{
    x->begin = x->next_at;
    if (x->begin > EXCHANGE_BEGIN_MAX) {
        memmove(x->in, x->in + x->begin, x->end - x->begin);
        x->end -= x->begin;
        x->begin = x->next_at = 0;
    }
    let_go(x);
    reset_request(x);
}

void exchange_free_all(struct loop *loop)
{
    while (loop->exchanges)
        destroy(loop->exchanges);
    loop->free_exchanges = NULL;
}

/* A bijection (splitmix64), so that ids differ as long as the counter does. */
static uint64_t scramble(uint64_t n)
{
    n += UINT64_C(0x9e3779b97f4a7c15);
    n = (n ^ (n >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    n = (n ^ (n >> 27)) * UINT64_C(0x94d049bb133111eb);
    return n ^ (n >> 31);
}

void exchange_begin(struct http_exchange *x)
{
    uint64_t id = scramble(x->loop->id_next++);
    for (int i = EXCHANGE_ID_SIZE - 1; i >= 0; i--, id >>= 4)
        x->id[i] = "0123456789abcdef"[id & 15];
    assert(!x->space);
    x->space = reply_space_take(&x->loop->spaces);
    x->now_ms = clock_wall_ms();
    x->began_ns = clock_mono_ns();
}

const struct http_request *http_request(const struct http_exchange *x)
{
    return &x->head.request;
}

struct str http_header(const struct http_request *request, struct str name)
{
    for (size_t i = 0; i < request->header_count; i++) {
        if (str_eq(request->headers[i].name, name))
            return request->headers[i].value;
    }
    return STR_NULL;
}

size_t http_header_count(const struct http_request *request, struct str name)
{
    size_t n = 0;
    for (size_t i = 0; i < request->header_count; i++)
        n += str_eq(request->headers[i].name, name);
    return n;
}

struct str http_header_joined(struct http_exchange *x, struct str name)
{
    const struct http_request *request = http_request(x);
    if (http_header_count(request, name) < 2)
        return http_header(request, name);
    size_t n = 0;
    for (size_t i = 0; i < request->header_count; i++) {
        if (str_eq(request->headers[i].name, name))
            n += request->headers[i].value.n + 2;
    }
    char *joined = arena_alloc(&x->space->arena, n), *at = joined;
    for (size_t i = 0; i < request->header_count; i++) {
        if (!str_eq(request->headers[i].name, name))
            continue;
        if (at != joined)
            at = mempcpy(at, ", ", 2);
        at = mempcpy(at, request->headers[i].value.p, request->headers[i].value.n);
    }
    return str_of(joined, (size_t)(at - joined));
}

int64_t http_now_ms(const struct http_exchange *x)
{
    return x->now_ms;
}

int64_t http_began_ns(const struct http_exchange *x)
{
    return x->began_ns;
}

const struct http_peer *http_peer(const struct http_exchange *x)
{
    return &x->peer;
}

struct str http_id(const struct http_exchange *x)
{
    return str_of(x->id, sizeof x->id);
}

struct arena *http_arena(struct http_exchange *x)
{
    return &x->space->arena;
}

void http_be_patient(struct http_exchange *x)
{
    x->patient = true;
}

bool http_is_late(const struct http_exchange *x)
{
    return x->late;
}

void http_watch_client(struct http_exchange *x)
{
    x->watched = true;
}

bool http_client_left(const struct http_exchange *x)
{
    return atomic_load_explicit(&x->left, memory_order_relaxed);
}

void http_set_data(struct http_exchange *x, void *data)
{
    x->data = data;
}

void *http_data(const struct http_exchange *x)
{
    return x->data;
}

void http_reply_reset(struct http_exchange *x)
{
    reset_reply(x);
    buf_reset(&x->space->lines);
    buf_reset(&x->space->body);
}

/* ---- the loop's mailbox ---- */

static void post(struct loop *loop, struct http_exchange *x)
{
    x->next_mail = NULL;
    pthread_mutex_lock(&loop->mail_lock);
    if (loop->mail_first)
        loop->mail_last->next_mail = x;
    else
        loop->mail_first = x;
    loop->mail_last = x;
    pthread_mutex_unlock(&loop->mail_lock);
    loop_wake(loop);
}

void http_resume(struct http_exchange *x, void (*fn)(struct http_exchange *x))
{
    assert(!x->resume);
    x->resume = fn;
    post(x->loop, x);
}

void exchange_read_mail(struct loop *loop)
{
    pthread_mutex_lock(&loop->mail_lock);
    struct http_exchange *x = loop->mail_first;
    loop->mail_first = loop->mail_last = NULL;
    pthread_mutex_unlock(&loop->mail_lock);
    while (x) {
        struct http_exchange *next = x->next_mail;
        void (*fn)(struct http_exchange *) = x->resume;
        x->resume = NULL;
        fn(x);
        x = next;
    }
}
