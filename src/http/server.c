/* Start, drain and end of all loops; see server.h. */
#include "http/server.h"

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/rcu.h"
#include "base/thread.h"
#include "http/conn.h"
#include "http/exchange.h"
#include "http/loop_thread.h"
#include "http/server_state.h"

struct workers;

/* Worker threads and their queue. */

enum { QUEUE_MAX_DEFAULT = 1024 };

struct workers {
    const struct http_config *config;
    int nice_by; /* how much lower their priority is than that of the loops */
    pthread_t *threads;
    int thread_count;

    /* Posted for each exchange that waits, and for each thread when it is time to stop. Unlike a
     * condition, it never lets the loop wait for a thread of lower priority. */
    sem_t work;
    pthread_mutex_t lock;
    pthread_cond_t begun;        /* a thread has its context */
    int begun_count;             /* under lock */
    struct http_exchange *first; /* under lock: waiting, oldest first */
    struct http_exchange *last;
    size_t waiting;
    size_t waiting_max;
    uint64_t *shares; /* under lock: the key that each thread works for, or 0 */
    int share_max;    /* threads of one key */
    bool stopping;
};

void http_share_lane(struct http_exchange *x, uint64_t key)
{
    x->share = key;
}

static int threads_of(const struct workers *w, uint64_t share)
{
    int n = 0;
    for (int i = 0; share && i < w->begun_count; i++)
        n += w->shares[i] == share;
    return n;
}

/* Unlinks what comes next; NULL: nothing waits, or only keys that have their threads. */
static struct http_exchange *next_of(struct workers *w)
{
    int least = w->share_max;
    struct http_exchange *before = NULL, *chosen_before = NULL, *chosen = NULL;
    for (struct http_exchange *x = w->first; x && least > 0; before = x, x = x->next_work) {
        int n = threads_of(w, x->share);
        if (n >= least)
            continue;
        least = n;
        chosen = x;
        chosen_before = before;
    }
    if (!chosen)
        return NULL;
    *(chosen_before ? &chosen_before->next_work : &w->first) = chosen->next_work;
    if (w->last == chosen)
        w->last = chosen_before;
    w->waiting--;
    return chosen;
}

/* NULL: it is time to stop, and the thread after this one is told. */
static struct http_exchange *take(struct workers *w, int thread)
{
    for (;;) {
        while (sem_wait(&w->work) != 0)
            ; /* a signal interrupted it */
        pthread_mutex_lock(&w->lock);
        struct http_exchange *x = next_of(w);
        bool over = w->stopping && !w->first && !x;
        w->shares[thread] = x ? x->share : 0;
        pthread_mutex_unlock(&w->lock);
        if (over)
            sem_post(&w->work);
        if (x || over)
            return x;
    }
}

/* What was passed over because of this thread may be next. */
static void leave(struct workers *w, int thread)
{
    pthread_mutex_lock(&w->lock);
    w->shares[thread] = 0;
    bool more = w->first;
    pthread_mutex_unlock(&w->lock);
    if (more)
        sem_post(&w->work);
}

static void *worker_main(void *arg)
{
    struct workers *w = arg;
    const struct http_config *config = w->config;
    int unused = w->nice_by ? nice(w->nice_by) : 0; /* on Linux: of this thread only */
    (void)unused;                                   /* after a failure, run at normal priority */
    rcu_thread_start();
    void *ctx = config->worker_start ? config->worker_start(config->app->ctx) : NULL;
    pthread_mutex_lock(&w->lock);
    int thread = w->begun_count++;
    pthread_cond_signal(&w->begun);
    pthread_mutex_unlock(&w->lock);
    struct http_exchange *x;
    while ((x = take(w, thread))) {
        x->work(x, ctx);
        leave(w, thread);
        http_resume(x, x->done ? x->done : http_reply_end);
    }
    if (config->worker_stop)
        config->worker_stop(config->app->ctx, ctx);
    rcu_thread_stop();
    return NULL;
}

/* A server that reports that it listens must have its workers ready. */
static void wait_until_begun(struct workers *w)
{
    LOCKED(&w->lock);
    while (w->begun_count < w->thread_count)
        pthread_cond_wait(&w->begun, &w->lock);
}

/* Starts the threads of a lane, each with its own context; returns when all are ready.
 * `config` must outlive them. */
static struct workers *workers_start(
    const struct http_config *config, const struct http_lane_config *lane)
{
    int count = lane->threads;
    struct workers *w = MEM_NEW(struct workers);
    w->config = config;
    w->nice_by = lane->nice;
    w->waiting_max = lane->queue_max ? lane->queue_max : QUEUE_MAX_DEFAULT;
    pthread_mutex_init(&w->lock, NULL);
    sem_init(&w->work, 0, 0);
    pthread_cond_init(&w->begun, NULL);
    w->threads = mem_array((size_t)count, sizeof *w->threads);
    w->shares = mem_array((size_t)count, sizeof *w->shares);
    w->share_max = count > 1 ? count / 2 : 1;
    for (; w->thread_count < count; w->thread_count++) {
        if (pthread_create(&w->threads[w->thread_count], NULL, worker_main, w) != 0)
            break; /* fewer threads work too, only slower; with none, every defer is full */
    }
    wait_until_begun(w);
    return w;
}

static bool post(struct workers *w, struct http_exchange *x)
{
    pthread_mutex_lock(&w->lock);
    bool room = w->thread_count > 0 && !w->stopping && w->waiting < w->waiting_max;
    if (room) {
        x->next_work = NULL;
        if (w->first)
            w->last->next_work = x;
        else
            w->first = x;
        w->last = x;
        w->waiting++;
    }
    pthread_mutex_unlock(&w->lock);
    if (room)
        sem_post(&w->work);
    return room;
}

bool http_defer_to(
    struct http_exchange *x, enum http_lane lane,
    void (*work)(struct http_exchange *x, void *worker_ctx), void (*done)(struct http_exchange *x))
{
    x->work = work;
    x->done = done;
    struct loop *loop = x->loop; /* x may be gone when the post returns */
    bool posted = post(loop->server->workers[lane], x);
    loop_add(loop, deferred, posted);
    loop_add(loop, deferred_full, !posted);
    return posted;
}

bool http_defer(
    struct http_exchange *x, void (*work)(struct http_exchange *x, void *worker_ctx),
    void (*done)(struct http_exchange *x))
{
    return http_defer_to(x, HTTP_LANE_API, work, done);
}

static size_t workers_waiting(struct workers *w)
{
    LOCKED(&w->lock);
    return w->waiting;
}

/* Runs waiting exchanges, ends the threads and frees. No thread may post any more. NULL is fine. */
static void workers_stop(struct workers *w)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->stopping = true;
    pthread_mutex_unlock(&w->lock);
    for (int i = 0; i < w->thread_count; i++)
        sem_post(&w->work);
    for (int i = 0; i < w->thread_count; i++)
        pthread_join(w->threads[i], NULL);
    assert(!w->first || w->thread_count == 0);
    pthread_mutex_destroy(&w->lock);
    sem_destroy(&w->work);
    pthread_cond_destroy(&w->begun);
    mem_free(w->threads);
    mem_free(w->shares);
    mem_free(w);
}

static struct http_limits limits_of(const struct http_limits *given)
{
#define LIMIT(member, standard) .member = given->member ? given->member : (standard)
    return (struct http_limits){
        LIMIT(connections, 20000),
        LIMIT(connections_per_address, 256),
        LIMIT(requests_per_connection, 1000000),
        LIMIT(idle_ms, 60000),
        LIMIT(head_ms, 10000),
        LIMIT(body_ms, 20000),
        LIMIT(spool_ms, 1800000),
        LIMIT(write_grace_ms, 10000),
        LIMIT(write_floor, 1024),
        LIMIT(reply_bytes, 128 << 20),
        LIMIT(linger_ms, 1000),
        LIMIT(reply_ms, 10000),
        LIMIT(patient_reply_ms, 900000),
        LIMIT(last_call_ms, 1000),
    };
#undef LIMIT
}

/* The number of connections that the descriptors allow, after raising the soft limit. */
static size_t connections_allowed(size_t wanted)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return wanted;
    if (limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
            getrlimit(RLIMIT_NOFILE, &limit);
    }
    if (limit.rlim_cur == RLIM_INFINITY)
        return wanted;
    size_t reserve = HTTP_DESCRIPTOR_RESERVE;
    size_t allowed = limit.rlim_cur > 2 * reserve ? limit.rlim_cur - reserve : limit.rlim_cur / 2;
    return wanted < allowed ? wanted : allowed;
}

static int cores_allowed(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    return CPU_COUNT(&set);
}

static void release(struct http_server *server)
{
    listener_close(&server->listener);
    peers_destroy(server->peers);
    pthread_mutex_destroy(&server->lock);
    spools_finish(&server->spools);
    pthread_cond_destroy(&server->changed);
    mem_free(server->loops);
    mem_free(server);
}

static struct http_server *create(const struct http_config *config)
{
    struct http_server *server = MEM_NEW(struct http_server);
    server->config = *config;
    server->config.listen = NULL; /* belongs to the caller; server->listener has the address */
    server->config.listener = NULL;
    server->app = config->app;
    server->limits = limits_of(&config->limits);
    server->connections_max = connections_allowed(server->limits.connections);
    server->listener.fd = -1;
    server->peers = peers_create(server->connections_max, server->limits.connections_per_address);
    pthread_mutex_init(&server->lock, NULL);
    spools_init(&server->spools);
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&server->changed, &attr);
    pthread_condattr_destroy(&attr);
    return server;
}

static enum err start_threads(struct http_server *server, struct fail *fail)
{
    int count = server->config.threads > 0 ? server->config.threads : cores_allowed();
    const struct http_config *config = &server->config;
    for (int lane = 0; lane < HTTP_LANES; lane++)
        server->workers[lane] = workers_start(config, &config->lanes[lane]);
    server->loops = mem_array((size_t)count, sizeof *server->loops);
    for (; server->loop_count < count; server->loop_count++) {
        TRY(loop_thread_start(server, &server->loops[server->loop_count], fail));
    }
    return OK;
}

static enum err take_listener(
    struct http_server *server, const struct http_config *config, struct fail *fail)
{
    if (!config->listener)
        return listener_open(config->listen, &server->listener, fail);
    server->listener = *config->listener;
    *config->listener = (struct listener){.fd = -1};
    return OK;
}

enum err http_server_start(
    const struct http_config *config, struct http_server **ret, struct fail *fail)
{
    signal(SIGPIPE, SIG_IGN); /* libuv writes without MSG_NOSIGNAL */
    struct http_server *server = create(config);
    enum err err = take_listener(server, config, fail);
    if (err) {
        release(server);
        return err;
    }
    /* Signals belong to the program's threads, not to these. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    err = start_threads(server, fail);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (err) {
        http_server_destroy(server);
        return err;
    }
    *ret = server;
    return OK;
}

struct str http_server_address(const struct http_server *server)
{
    return str_from(server->listener.address);
}

size_t http_server_connections_max(const struct http_server *server)
{
    return server->connections_max;
}

/* One that waits for the rest of a body has a block for that; one that waits for the application
 * also has a block and lines of the reply. */
static_assert(
    sizeof(struct conn) + sizeof(struct http_exchange) + 2 * ARENA_BLOCK_SIZE <
        HTTP_CONNECTION_MEMORY - 2048,
    "a connection has no more than that");

struct http_memory http_server_memory(const struct http_server *server)
{
    size_t loops = (size_t)server->loop_count;
    size_t pools = EXCHANGE_POOL_MAX * mem_mapped(sizeof(struct http_exchange)) +
                   (size_t)REPLY_SPACES_MAX * REPLY_SPACE_KEEP;
    return (struct http_memory){
        .own = server->connections_max * HTTP_CONNECTION_MEMORY + server->limits.reply_bytes +
               HTTP_LARGE_BODIES_MAX + HTTP_SPOOLS_MAX + loops * (pools + HTTP_REPLY_MAX),
        .sockets = server->connections_max * 2 * (HTTP_SEND_BUFFER + HTTP_RECEIVE_BUFFER),
    };
}

enum { NO_DEADLINE = -1 };

/* Waits until *count reaches every loop; false at the deadline. */
static bool wait_loops(struct http_server *server, const int *count, int64_t deadline_ms)
{
    struct timespec until = clock_mono_timespec(deadline_ms);
    LOCKED(&server->lock);
    while (*count < server->loop_count) {
        if (deadline_ms == NO_DEADLINE)
            pthread_cond_wait(&server->changed, &server->lock);
        else if (pthread_cond_timedwait(&server->changed, &server->lock, &until) == ETIMEDOUT)
            break;
    }
    return *count == server->loop_count;
}

static void ask(struct http_server *server, size_t flag_offset)
{
    for (int i = 0; i < server->loop_count; i++) {
        atomic_store((atomic_bool *)((char *)server->loops[i] + flag_offset), true);
        loop_wake(server->loops[i]);
    }
}

void http_server_wake_streams(struct http_server *server)
{
    ask(server, offsetof(struct loop, streams_asked));
}

/* Stops new clients; connections in the middle of a handshake are still accepted. */
static void wait_for_handshakes(const struct http_server *server, int64_t timeout_ms)
{
    int64_t ms = timeout_ms < HTTP_HANDSHAKE_MS ? timeout_ms : HTTP_HANDSHAKE_MS;
    if (!server->listener.is_unix && ms > 0)
        nanosleep(&(struct timespec){.tv_nsec = (long)ms * 1000000}, NULL);
}

bool http_server_drain(struct http_server *server, int64_t timeout_ms)
{
    int64_t deadline_ms = clock_mono_ms() + timeout_ms;
    server->drained = true;
    listener_hide(&server->listener);
    wait_for_handshakes(server, timeout_ms);
    ask(server, offsetof(struct loop, drain_asked));
    wait_loops(server, &server->loops_hidden, NO_DEADLINE); /* clients cannot delay this */
    listener_stop(&server->listener);
    if (wait_loops(server, &server->loops_empty, deadline_ms))
        return true;
    ask(server, offsetof(struct loop, cut_asked));
    wait_loops(server, &server->loops_empty, NO_DEADLINE);
    return false;
}

void http_server_destroy(struct http_server *server)
{
    if (!server)
        return;
    if (!server->drained)
        http_server_drain(server, 0);
    for (int lane = 0; lane < HTTP_LANES; lane++)
        workers_stop(server->workers[lane]);
    ask(server, offsetof(struct loop, stop_asked));
    for (int i = 0; i < server->loop_count; i++)
        loop_thread_join(server->loops[i]);
    release(server);
}

void http_server_stats(const struct http_server *server, struct http_stats *ret)
{
    enum { COUNTS = sizeof *ret / sizeof(uint64_t) };
    uint64_t sums[COUNTS] = {0};
    for (int i = 0; i < server->loop_count; i++)
        for (size_t at = 0; at < COUNTS; at++)
            sums[at] += atomic_load_explicit(&server->loops[i]->counts[at], memory_order_relaxed);
    memcpy(ret, sums, sizeof *ret);
    ret->connections_open = atomic_load(&server->connections);
    ret->upload_bytes = spools_bytes(&server->spools);
    ret->reply_bytes_waiting = atomic_load(&server->parked_bytes);
    for (int lane = 0; lane < HTTP_LANES; lane++)
        ret->deferred_waiting += workers_waiting(server->workers[lane]);
}
