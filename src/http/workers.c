/* Worker threads and their queue; see workers.h. */
#include "http/workers.h"

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "http/exchange.h"

#include "base/rcu.h"

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
    pthread_mutex_lock(&w->lock);
    while (w->begun_count < w->thread_count)
        pthread_cond_wait(&w->begun, &w->lock);
    pthread_mutex_unlock(&w->lock);
}

struct workers *workers_start(const struct http_config *config, const struct http_lane_config *lane)
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
    loop_count(loop, posted ? TALLY_DEFERRED : TALLY_DEFERRED_FULL);
    return posted;
}

bool http_defer(
    struct http_exchange *x, void (*work)(struct http_exchange *x, void *worker_ctx),
    void (*done)(struct http_exchange *x))
{
    return http_defer_to(x, HTTP_LANE_API, work, done);
}

size_t workers_waiting(struct workers *w)
{
    pthread_mutex_lock(&w->lock);
    size_t n = w->waiting;
    pthread_mutex_unlock(&w->lock);
    return n;
}

void workers_stop(struct workers *w)
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
