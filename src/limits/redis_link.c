/* The thread of Redis; see redis_link.h. It runs a libuv loop with the sockets of the peers and an
 * async handle that wakes it. */
#include "limits/redis_link.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <uv.h>

#include "base/clock.h"
#include "base/instant.h"
#include "base/log.h"
#include "base/thread.h"
#include "limits/redis_reply.h"
#include "limits/redis_slot.h"
#include "limits/redis_tls.h"
#include "limits/redis_wire.h"

/*
 * One server of Redis, the only one or a node of a cluster: its connection, re-established
 * automatically, its clock, and the calls in flight. Used on the thread of a link (redis_link.h)
 * only.
 *
 * If the server does not answer a call within url.answer_ms, the peer closes the connection. So
 * that the call cannot take effect later, every script gets a deadline on the server's clock as its
 * last argument, and checks it. After the deadline a script returns an empty array. If an empty
 * array arrives in time, the server's clock was changed: the peer reconnects to read it again.
 */

enum {
    REDIS_CONNECT_MS = 1000, /* connecting, the TLS handshake and the login together */
    REDIS_RETRY_MS = 200,
    REDIS_NEW_MS = 60 * 1000, /* a connection counts as new for this long: a window */
    REDIS_SCRIPTS_MAX = 4,
};

struct redis_peer;

/* What all peers of a link share. It outlives them. */
struct redis_peers {
    uv_loop_t *loop;
    struct redis_url url;                           /* user, password, database */
    struct redis_tls *tls;                          /* NULL: none */
    const char *counts;                             /* what the link counts, for the log */
    struct redis_script scripts[REDIS_SCRIPTS_MAX]; /* loaded at each connection */
    size_t script_count;
    void *ctx;
    void (*changed)(void *ctx); /* a peer is ready, or not any more */
    /* Each takes the call over. `ended`: n == 0 if there is no answer. */
    void (*ended)(void *ctx, struct redis_call *call, const int64_t *numbers, size_t n);
    void (*redirected)(void *ctx, struct redis_call *call, const struct redis_redirect *to);
    void (*refused_now)(void *ctx, struct redis_call *call);
    void (*told_version)(void *ctx, const redisReply *reply);
};

enum redis_peer_state {
    REDIS_PEER_READY,   /* logged in, scripts loaded, clock known */
    REDIS_PEER_OPENING, /* never connected yet: calls wait */
    REDIS_PEER_LOST,    /* takes no calls */
};

enum { CLOCK_EVERY_MS = 10000, WAIT_BUSY_MS = 50, WAIT_IDLE_MS = 1000 };

struct redis_peer {
    const struct redis_peers *shared;
    struct redis_place place;
    enum redis_peer_state state;
    struct redis_wire *wire; /* NULL: not connected, not connecting */
    bool broken;             /* an answer made this connection unusable */
    bool said_lost;
    bool refused;           /* this connection is given up because the server refused a script */
    bool refuses;           /* and so was the last one that the log has */
    int64_t attempt_ms;     /* start of the last connection attempt */
    int64_t ready_ms;       /* when it became ready */
    int64_t lost_ms;        /* when it was lost */
    int64_t clock_ms;       /* last time that the server's clock was asked for */
    int64_t clock_ahead_ms; /* the server's clock minus the monotonic one here */
    size_t greetings;       /* outstanding answers of the login */
    bool asked_to_auth;     /* and the answer is outstanding */
    struct redis_call_list sent, waiting; /* waiting: for the first connection */
    char reason[REDIS_WIRE_REASON_MAX];   /* why the connection was lost */
};

static void end(struct redis_peer *peer, struct redis_call *call)
{
    if (call->kind == REDIS_CALL_SCRIPT)
        peer->shared->ended(peer->shared->ctx, call, NULL, 0);
    else
        redis_call_finish(call, NULL, 0);
}

static void end_all(struct redis_peer *peer, struct redis_call_list *list)
{
    struct redis_call *call;
    while ((call = redis_call_take(list)))
        end(peer, call);
}

/* Accepts no more calls. Dropping the connection ends the calls in flight without an answer. */
static void give_up(struct redis_peer *peer, const char *reason)
{
    snprintf(peer->reason, sizeof peer->reason, "%s", reason);
    peer->broken = true;
    peer->shared->changed(peer->shared->ctx); /* before any call ends */
}

/* The log has one line for each loss. A server that refuses scripts, because it is out of memory or
 * a replica, is connected again at once and lost with the next call: for the log it stays lost
 * until a script runs. */

static void say_back(struct redis_peer *peer)
{
    if (peer->said_lost)
        log_line(
            LOG_INFO, "redis is connected again", LOG_S("counts", str_from(peer->shared->counts)),
            LOG_S("host", str_from(peer->place.host)), LOG_I("port", peer->place.port));
    peer->said_lost = peer->refuses = false;
}

static void say_lost(struct redis_peer *peer)
{
    bool is_said = peer->said_lost && peer->refuses == peer->refused;
    peer->refuses = peer->refused;
    if (!is_said)
        log_line(
            LOG_WARN, "redis is unreachable", LOG_S("counts", str_from(peer->shared->counts)),
            LOG_S("reason", str_from(peer->reason)), LOG_S("host", str_from(peer->place.host)),
            LOG_I("port", peer->place.port));
    peer->said_lost = true;
}

static void put(struct redis_peer *peer, struct redis_call *call)
{
    call->sent_ms = clock_mono_ms();
    redis_wire_send(peer->wire, call->command, call->command_n);
    redis_call_add(&peer->sent, call);
}

static void put_words(
    struct redis_peer *peer, enum redis_call_kind kind, const char *const *words, size_t n)
{
    put(peer, redis_call_of_words(kind, words, n));
}

static void put_script(struct redis_peer *peer, struct redis_call *call)
{
    int64_t now_ms = clock_mono_ms(), until_ms = call->asked_ms + peer->shared->url.answer_ms;
    if (now_ms >= until_ms) {
        end(peer, call);
        return;
    }
    if (call->asking)
        put_words(peer, REDIS_CALL_ASKING, (const char *[]){"ASKING"}, 1);
    redis_call_stamp(call, now_ms - peer->ready_ms < REDIS_NEW_MS, until_ms + peer->clock_ahead_ms);
    put(peer, call);
}

/* Takes ownership of the call. The peer must not be REDIS_PEER_LOST. */
static void redis_peer_send(struct redis_peer *peer, struct redis_call *call)
{
    assert(peer->state != REDIS_PEER_LOST);
    if (peer->state == REDIS_PEER_OPENING)
        redis_call_add(&peer->waiting, call);
    else if (peer->broken || !peer->wire)
        end(peer, call);
    else
        put_script(peer, call);
}

/* of one that is ready */
static void redis_peer_ask_version(struct redis_peer *peer)
{
    if (peer->wire && !peer->broken)
        put_words(peer, REDIS_CALL_VERSION, (const char *[]){"INFO", "server"}, 2);
}

/* The server's clock drifts against ours, and either may be set: ask for it periodically. */

static void take_clock(struct redis_peer *peer, const redisReply *reply)
{
    int64_t ms;
    if (redis_reply_clock(reply, &ms))
        peer->clock_ahead_ms = ms - clock_mono_ms();
}

static void ask_clock(struct redis_peer *peer)
{
    int64_t now = clock_mono_ms();
    if (!peer->wire || peer->broken || peer->state != REDIS_PEER_READY ||
        now - peer->clock_ms < CLOCK_EVERY_MS)
        return;
    peer->clock_ms = now;
    put_words(peer, REDIS_CALL_CLOCK, (const char *[]){"TIME"}, 1);
}

/* Log in, read the clock, load the scripts: sent together after connecting. */

/* Redis quotes the arguments of a command that it does not have, and AUTH can be renamed: the
 * reason ends at the first quotation mark, and has no password without one either. */
static void give_up_login(struct redis_peer *peer, const char *error)
{
    const char *password = peer->shared->url.password;
    char reason[REDIS_WIRE_REASON_MAX];
    snprintf(
        reason, sizeof reason, "it refused the login: %.*s", (int)strcspn(error, "'\"`"), error);
    if (password[0] && strstr(reason, password))
        snprintf(reason, sizeof reason, "it refused the login");
    give_up(peer, reason);
}

static void become_ready(struct redis_peer *peer)
{
    struct redis_call_list waiting;
    struct redis_call *call;
    peer->state = REDIS_PEER_READY;
    peer->ready_ms = clock_mono_ms();
    peer->lost_ms = 0;
    if (!peer->refuses)
        say_back(peer);
    peer->shared->changed(peer->shared->ctx);
    redis_call_take_all(&peer->waiting, &waiting);
    while ((call = redis_call_take(&waiting)))
        redis_peer_send(peer, call);
}

static void greeted(struct redis_peer *peer, const redisReply *reply)
{
    bool to_auth = peer->asked_to_auth;
    peer->asked_to_auth = false; /* it was the first */
    if (reply->type == REDIS_REPLY_ERROR) {
        (to_auth ? give_up_login : give_up)(peer, reply->str);
        return;
    }
    take_clock(peer, reply); /* if it is the reply to TIME */
    if (--peer->greetings == 0 && !peer->broken)
        become_ready(peer);
}

static void say(struct redis_peer *peer, const char *const *words, size_t n)
{
    peer->greetings++;
    put_words(peer, REDIS_CALL_GREETING, words, n);
}

static void greet(void *ctx)
{
    struct redis_peer *peer = ctx;
    const struct redis_url *url = &peer->shared->url;
    peer->greetings = 0;
    peer->clock_ms = clock_mono_ms();
    peer->asked_to_auth = url->password[0];
    if (url->user[0])
        say(peer, (const char *[]){"AUTH", url->user, url->password}, 3);
    else if (url->password[0])
        say(peer, (const char *[]){"AUTH", url->password}, 2);
    if (url->database) {
        char number[16];
        snprintf(number, sizeof number, "%d", url->database);
        say(peer, (const char *[]){"SELECT", number}, 2);
    }
    /* Servers that share nothing would each count a caller: an error without a cluster. */
    if (url->place_count > 1)
        say(peer, (const char *[]){"CLUSTER", "MYID"}, 2);
    say(peer, (const char *[]){"TIME"}, 1);
    for (size_t i = 0; i < peer->shared->script_count; i++)
        say(peer, (const char *[]){"SCRIPT", "LOAD", peer->shared->scripts[i].text}, 3);
}

static void answered(struct redis_peer *peer, struct redis_call *call, const redisReply *reply)
{
    const struct redis_peers *shared = peer->shared;
    int64_t numbers[REDIS_CALL_NUMBERS_MAX];
    size_t n = 0;
    struct redis_redirect redirect;
    enum redis_refusal refusal = redis_reply_refusal(reply);
    if (redis_reply_redirect(reply, peer->place.host, &redirect)) {
        shared->redirected(shared->ctx, call, &redirect);
        return;
    }
    if (refusal == REDIS_REFUSES_NOW) {
        shared->refused_now(shared->ctx, call);
        return;
    }
    bool in_time = clock_mono_ms() < call->asked_ms + peer->shared->url.answer_ms;
    const char *wrong = redis_reply_numbers(reply, numbers, &n);
    bool is_late = reply->type == REDIS_REPLY_ARRAY && reply->elements == 0 && !in_time;
    if (wrong && refusal == REDIS_REFUSES_NOTHING && !is_late) {
        give_up(peer, wrong);
        peer->refused = reply->type == REDIS_REPLY_ERROR;
    } else if (!wrong && peer->refuses) {
        say_back(peer);
    }
    shared->ended(shared->ctx, call, numbers, n);
}

/* Replies arrive in the order of the calls. */
static void replied(void *ctx, const redisReply *reply)
{
    struct redis_peer *peer = ctx;
    struct redis_call *call = redis_call_take(&peer->sent);
    if (!call) {
        give_up(peer, "an answer to no question");
        return;
    }
    switch (call->kind) {
    case REDIS_CALL_SCRIPT:
        answered(peer, call, reply); /* takes the call */
        return;
    case REDIS_CALL_GREETING:
        greeted(peer, reply);
        break;
    case REDIS_CALL_CLOCK:
        take_clock(peer, reply);
        break;
    case REDIS_CALL_VERSION:
        peer->shared->told_version(peer->shared->ctx, reply);
        break;
    case REDIS_CALL_ASKING: /* the answer to the next call says all */
        break;
    }
    redis_call_finish(call, NULL, 0);
}

static void attempt(struct redis_peer *peer)
{
    static const struct redis_wire_events events = {.opened = greet, .replied = replied};
    peer->attempt_ms = clock_mono_ms();
    peer->broken = peer->refused = false;
    peer->wire =
        redis_wire_open(peer->shared->loop, &peer->place, peer->shared->tls, &events, peer);
}

/* Begins to connect. */
static struct redis_peer *redis_peer_create(
    const struct redis_peers *shared, const struct redis_place *place)
{
    struct redis_peer *peer = MEM_NEW(struct redis_peer);
    *peer = (struct redis_peer){.shared = shared, .place = *place, .state = REDIS_PEER_OPENING};
    redis_call_list_init(&peer->sent);
    redis_call_list_init(&peer->waiting);
    attempt(peer);
    return peer;
}

/* calls in flight get no answer */
static void redis_peer_destroy(struct redis_peer *peer)
{
    redis_wire_close(peer->wire);
    end_all(peer, &peer->sent);
    end_all(peer, &peer->waiting);
    mem_free(peer);
}

static enum redis_peer_state redis_peer_state(const struct redis_peer *peer)
{
    return peer->broken && peer->state == REDIS_PEER_READY ? REDIS_PEER_LOST : peer->state;
}

static bool redis_peer_is_at(const struct redis_peer *peer, const struct redis_place *place)
{
    return peer->place.port == place->port && strcmp(peer->place.host, place->host) == 0;
}

static bool overdue(const struct redis_peer *peer)
{
    int64_t now = clock_mono_ms(), found_ms = redis_wire_found_ms(peer->wire);
    int64_t answer_ms = peer->shared->url.answer_ms;
    if (peer->state != REDIS_PEER_READY)
        return found_ms &&
               now - found_ms > (answer_ms > REDIS_CONNECT_MS ? answer_ms : REDIS_CONNECT_MS);
    return peer->sent.first && now - peer->sent.first->sent_ms > answer_ms;
}

/* A second look-up would be no faster: the peer counts as lost, and the first one goes on. */
static bool lacks_name(const struct redis_peer *peer)
{
    return peer->wire && !redis_wire_found_ms(peer->wire) &&
           clock_mono_ms() - peer->attempt_ms > REDIS_CONNECT_MS;
}

static void drop(struct redis_peer *peer)
{
    redis_wire_close(peer->wire);
    peer->wire = NULL;
    peer->broken = false;
    end_all(peer, &peer->sent);
}

static void become_lost(struct redis_peer *peer)
{
    peer->state = REDIS_PEER_LOST;
    peer->lost_ms = peer->lost_ms ? peer->lost_ms : clock_mono_ms();
    end_all(peer, &peer->waiting);
    say_lost(peer);
}

/* Call it after anything that may have ended the connection. True: this call found the connection
 * lost. */
static bool redis_peer_tend(struct redis_peer *peer)
{
    ask_clock(peer);
    const char *failed = peer->wire ? redis_wire_failed(peer->wire) : NULL;
    if (failed && !peer->broken)
        give_up(peer, failed);
    bool is_nameless = lacks_name(peer);
    if (is_nameless)
        snprintf(peer->reason, sizeof peer->reason, "looking up its name takes too long");
    if (peer->wire && !peer->broken && overdue(peer))
        give_up(
            peer, peer->shared->tls && !peer->greetings && peer->state != REDIS_PEER_READY
                      ? "no TLS connection in time"
                      : "no answer in time");
    if (peer->broken)
        drop(peer);
    if (peer->wire && !is_nameless)
        return false;
    bool was_lost = peer->state == REDIS_PEER_LOST;
    become_lost(peer);
    return !was_lost;
}

/* reconnects when due */
static void redis_peer_retry(struct redis_peer *peer)
{
    if (!peer->wire && clock_mono_ms() - peer->attempt_ms >= REDIS_RETRY_MS)
        attempt(peer);
}

/* sends what waits */
static void redis_peer_flush(struct redis_peer *peer)
{
    if (peer->wire)
        redis_wire_flush(peer->wire);
}

/* until it must be tended, at most */
static int redis_peer_wait_ms(const struct redis_peer *peer)
{
    if (!peer->wire)
        return REDIS_RETRY_MS;
    return peer->state != REDIS_PEER_READY || peer->sent.first ? WAIT_BUSY_MS : WAIT_IDLE_MS;
}

/* for how long; 0: it is not lost */
static int64_t redis_peer_lost_ms(const struct redis_peer *peer)
{
    return peer->state == REDIS_PEER_LOST ? clock_mono_ms() - peer->lost_ms : 0;
}

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
    LOCKED(&link->lock);
    if (!redis_reply_version(reply, link->version))
        link->version[0] = '\0';
    link->told_count++;
    pthread_cond_broadcast(&link->told);
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
    LOCKED(&link->lock);
    uint64_t before = link->told_count;
    link->version_wanted = true;
    uv_async_send(&link->wake);
    while (link->told_count == before &&
           pthread_cond_timedwait(&link->told, &link->lock, &until) == 0)
        ;
    bool told = link->told_count != before && link->version[0];
    if (told)
        memcpy(ret, link->version, sizeof link->version);
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
