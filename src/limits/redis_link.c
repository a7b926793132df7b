/* The thread of Redis; see redis_link.h. It runs a libuv loop with the sockets of the peers and an
 * async handle that wakes it. */
#include "limits/redis_link.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/clock.h"
#include "base/instant.h"
#include "base/mem.h"
#include "limits/redis_peer.h"
#include "limits/redis_slot.h"

enum {
    PEERS_MAX = 64,
    REDIRECTS_MAX = 5,     /* of one call */
    AGAIN_MS = 20,         /* until a call that is refused for now is sent again */
    FORGET_MS = 60 * 1000, /* a lost node that the URL does not name */
    WAIT_MAX_MS = 1000,
    NOBODY = 0xff, /* the index of no peer */
};

struct redis_link {
    struct redis_peers shared;
    pthread_t thread;
    bool started;
    uv_loop_t loop;
    uv_async_t wake;
    uv_timer_t due; /* ends a turn without events */

    _Atomic bool stopping;
    _Atomic bool ready;
    _Atomic uint32_t calls; /* in flight */
    _Atomic uint64_t losses;

    pthread_mutex_t lock; /* guards the queue and the members for the version */
    struct redis_call_list queue;
    pthread_cond_t told; /* an answer to INFO arrived */
    bool version_wanted;
    uint64_t told_count;
    char version[REDIS_VERSION_SIZE]; /* of the last answer; empty: it had none */

    /* Used by the link's thread only. */
    struct redis_peer *peers[PEERS_MAX]; /* first those of the URL; NULL: free */
    struct redis_call_list again;        /* refused for now */
    uint8_t serves[REDIS_SLOTS];         /* index of the peer; NOBODY: not known */
};

static void call_end(
    struct redis_link *link, struct redis_call *call, const int64_t *numbers, size_t n)
{
    atomic_fetch_sub(&link->calls, 1);
    redis_call_finish(call, numbers, n);
}

static void on_ended(void *ctx, struct redis_call *call, const int64_t *numbers, size_t n)
{
    call_end(ctx, call, numbers, n);
}

/* --- who serves what */

static struct redis_peer *any_ready(const struct redis_link *link)
{
    for (size_t i = 0; i < PEERS_MAX; i++)
        if (link->peers[i] && redis_peer_state(link->peers[i]) == REDIS_PEER_READY)
            return link->peers[i];
    return NULL;
}

static void on_changed(void *ctx)
{
    struct redis_link *link = ctx;
    atomic_store(&link->ready, any_ready(link) != NULL);
}

/* Any node knows who serves a slot. NULL: none is connected. */
static struct redis_peer *peer_of(const struct redis_link *link, uint16_t slot)
{
    uint8_t i = link->serves[slot];
    bool known = i != NOBODY && redis_peer_state(link->peers[i]) != REDIS_PEER_LOST;
    return known ? link->peers[i] : any_ready(link);
}

/* The node at a place, which is connected to if it is new. NOBODY: there are too many. */
static size_t peer_at(struct redis_link *link, const struct redis_place *place)
{
    size_t room = NOBODY;
    for (size_t i = 0; i < PEERS_MAX; i++) {
        if (link->peers[i] && redis_peer_is_at(link->peers[i], place))
            return i;
        if (!link->peers[i] && room == NOBODY)
            room = i;
    }
    if (room != NOBODY)
        link->peers[room] = redis_peer_create(&link->shared, place);
    return room;
}

static void forget_slots(struct redis_link *link, size_t peer)
{
    for (size_t slot = 0; slot < REDIS_SLOTS; slot++)
        if (link->serves[slot] == peer)
            link->serves[slot] = NOBODY;
}

/* --- calls */

static void send_call(struct redis_link *link, struct redis_call *call)
{
    struct redis_peer *peer = peer_of(link, call->slot);
    if (peer)
        redis_peer_send(peer, call);
    else
        call_end(link, call, NULL, 0);
}

static void on_redirected(void *ctx, struct redis_call *call, const struct redis_redirect *to)
{
    struct redis_link *link = ctx;
    size_t i = call->redirects++ < REDIRECTS_MAX ? peer_at(link, &to->place) : NOBODY;
    if (i == NOBODY) {
        call_end(link, call, NULL, 0);
        return;
    }
    if (!to->ask)
        link->serves[to->slot] = (uint8_t)i;
    call->asking = to->ask;
    if (redis_peer_state(link->peers[i]) == REDIS_PEER_LOST)
        call_end(link, call, NULL, 0);
    else
        redis_peer_send(link->peers[i], call);
}

static void on_refused_now(void *ctx, struct redis_call *call)
{
    struct redis_link *link = ctx;
    call->asking = false;
    redis_call_add(&link->again, call);
}

/* All of them: the time between two turns is AGAIN_MS at most while some wait. */
static void send_again(struct redis_link *link)
{
    struct redis_call_list again;
    struct redis_call *call;
    int64_t now_ms = clock_mono_ms();
    redis_call_take_all(&link->again, &again);
    while ((call = redis_call_take(&again))) {
        if (now_ms - call->sent_ms < AGAIN_MS)
            redis_call_add(&link->again, call);
        else
            send_call(link, call);
    }
}

static void send_queue(struct redis_link *link)
{
    struct redis_call_list queue;
    struct redis_call *call;
    pthread_mutex_lock(&link->lock);
    redis_call_take_all(&link->queue, &queue);
    pthread_mutex_unlock(&link->lock);
    while ((call = redis_call_take(&queue)))
        send_call(link, call);
}

static void end_list(struct redis_link *link, struct redis_call_list *list)
{
    struct redis_call *call;
    while ((call = redis_call_take(list)))
        call_end(link, call, NULL, 0);
}

/* --- the version, which is asked for when somebody wants to know it */

static void on_told_version(void *ctx, const redisReply *reply)
{
    struct redis_link *link = ctx;
    pthread_mutex_lock(&link->lock);
    if (!redis_reply_version(reply, link->version))
        link->version[0] = '\0';
    link->told_count++;
    pthread_cond_broadcast(&link->told);
    pthread_mutex_unlock(&link->lock);
}

static void ask_version(struct redis_link *link)
{
    struct redis_peer *peer = any_ready(link);
    pthread_mutex_lock(&link->lock);
    bool ask = link->version_wanted && peer;
    if (ask)
        link->version_wanted = false;
    pthread_mutex_unlock(&link->lock);
    if (ask)
        redis_peer_ask_version(peer);
}

/* --- the thread */

static bool is_of_url(const struct redis_link *link, size_t peer)
{
    return peer < link->shared.url.place_count;
}

static void forget_peer(struct redis_link *link, size_t i)
{
    forget_slots(link, i);
    redis_peer_destroy(link->peers[i]);
    link->peers[i] = NULL;
}

/* Runs after anything that may have ended connections. */
static void tend(struct redis_link *link)
{
    for (size_t i = 0; i < PEERS_MAX; i++) {
        if (!link->peers[i])
            continue;
        if (redis_peer_tend(link->peers[i])) {
            atomic_fetch_add(&link->losses, 1);
            forget_slots(link, i);
        }
        if (!is_of_url(link, i) && redis_peer_lost_ms(link->peers[i]) > FORGET_MS)
            forget_peer(link, i);
    }
    send_queue(link);
    for (size_t i = 0; i < PEERS_MAX; i++)
        if (link->peers[i])
            redis_peer_retry(link->peers[i]);
}

static uint64_t wait_ms(const struct redis_link *link)
{
    int wait = link->again.first ? AGAIN_MS : WAIT_MAX_MS;
    for (size_t i = 0; i < PEERS_MAX; i++) {
        int one = link->peers[i] ? redis_peer_wait_ms(link->peers[i]) : wait;
        wait = one < wait ? one : wait;
    }
    return (uint64_t)wait;
}

static void on_wake(uv_async_t *wake)
{
}

/* If no time was left when the turn began, this comes before the wait, which then must not begin:
 * nothing else may ever end it. */
static void on_due(uv_timer_t *due)
{
    uv_stop(due->loop);
}

static void flush(struct redis_link *link)
{
    for (size_t i = 0; i < PEERS_MAX; i++)
        if (link->peers[i])
            redis_peer_flush(link->peers[i]);
}

static void turn(struct redis_link *link)
{
    uv_timer_start(&link->due, on_due, wait_ms(link), 0);
    uv_run(&link->loop, UV_RUN_ONCE);
    send_again(link);
    ask_version(link);
    tend(link);
    flush(link);
}

static void *run(void *arg)
{
    struct redis_link *link = arg;
    for (size_t i = 0; i < link->shared.url.place_count; i++)
        link->peers[i] = redis_peer_create(&link->shared, &link->shared.url.places[i]);
    while (!atomic_load(&link->stopping))
        turn(link);
    atomic_store(&link->ready, false);
    for (size_t i = 0; i < PEERS_MAX; i++)
        if (link->peers[i])
            forget_peer(link, i);
    send_queue(link); /* to nobody */
    end_list(link, &link->again);
    return NULL;
}

/* Its waits end at a time of the monotonic clock. */
static void init_told(pthread_cond_t *told)
{
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(told, &attr);
    pthread_condattr_destroy(&attr);
}

enum err redis_link_create(
    const struct redis_url *url, struct str ca_file, const char *counts, struct redis_link **ret,
    struct fail *fail)
{
    struct redis_link *link = MEM_NEW(struct redis_link);
    link->shared = (struct redis_peers){
        .loop = &link->loop,
        .url = *url,
        .counts = counts,
        .ctx = link,
        .changed = on_changed,
        .ended = on_ended,
        .redirected = on_redirected,
        .refused_now = on_refused_now,
        .told_version = on_told_version,
    };
    enum err err = url->tls ? redis_tls_create(ca_file, &link->shared.tls, fail) : OK;
    if (!err && uv_loop_init(&link->loop) != 0)
        err = fail_set(
            fail, ERR_IO, "cannot start the Redis connection: no file descriptor is available");
    if (err) {
        redis_tls_destroy(link->shared.tls);
        mem_free(link);
        return err;
    }
    uv_async_init(&link->loop, &link->wake, on_wake);
    uv_timer_init(&link->loop, &link->due);
    pthread_mutex_init(&link->lock, NULL);
    init_told(&link->told);
    redis_call_list_init(&link->queue);
    redis_call_list_init(&link->again);
    memset(link->serves, NOBODY, sizeof link->serves);
    *ret = link;
    return OK;
}

void redis_link_destroy(struct redis_link *link)
{
    if (!link)
        return;
    if (link->started) {
        atomic_store(&link->stopping, true);
        uv_async_send(&link->wake);
        pthread_join(link->thread, NULL);
    }
    uv_close((uv_handle_t *)&link->wake, NULL);
    uv_close((uv_handle_t *)&link->due, NULL);
    uv_run(&link->loop, UV_RUN_DEFAULT);
    uv_loop_close(&link->loop);
    pthread_cond_destroy(&link->told);
    pthread_mutex_destroy(&link->lock);
    redis_tls_destroy(link->shared.tls);
    mem_wipe(link, sizeof *link);
    mem_free(link);
}

const struct redis_script *redis_link_script(struct redis_link *link, const char *text)
{
    struct redis_peers *shared = &link->shared;
    assert(shared->script_count < REDIS_SCRIPTS_MAX && !link->started);
    struct redis_script *script = &shared->scripts[shared->script_count++];
    redis_script_init(script, text);
    return script;
}

bool redis_link_start(struct redis_link *link)
{
    link->started = pthread_create(&link->thread, NULL, run, link) == 0;
    return link->started;
}

bool redis_link_ready(const struct redis_link *link)
{
    return atomic_load(&link->ready);
}

bool redis_link_version(struct redis_link *link, char ret[static REDIS_VERSION_SIZE])
{
    const struct timespec until = clock_mono_timespec(clock_mono_ms() + link->shared.url.answer_ms);
    if (!atomic_load(&link->ready))
        return false;
    pthread_mutex_lock(&link->lock);
    uint64_t before = link->told_count;
    link->version_wanted = true;
    uv_async_send(&link->wake);
    while (link->told_count == before &&
           pthread_cond_timedwait(&link->told, &link->lock, &until) == 0)
        ;
    bool told = link->told_count != before && link->version[0];
    if (told)
        memcpy(ret, link->version, sizeof link->version);
    pthread_mutex_unlock(&link->lock);
    return told;
}

uint64_t redis_link_losses(const struct redis_link *link)
{
    return atomic_load(&link->losses);
}

bool redis_link_call(
    struct redis_link *link, const struct redis_script *script, size_t key_count,
    const struct str *arguments, size_t n, redis_answered *answer, void *ctx)
{
    if (!atomic_load(&link->ready))
        return false;
    if (atomic_fetch_add(&link->calls, 1) >= REDIS_LINK_CALLS_MAX) {
        atomic_fetch_sub(&link->calls, 1);
        return false;
    }
    struct redis_call *call = redis_call_create(script, key_count, arguments, n);
    call->answered = answer;
    call->ctx = ctx;
    call->asked_ms = clock_mono_ms();
    pthread_mutex_lock(&link->lock);
    bool was_empty = !link->queue.first;
    redis_call_add(&link->queue, call);
    pthread_mutex_unlock(&link->lock);
    if (was_empty)
        uv_async_send(&link->wake);
    return true;
}
