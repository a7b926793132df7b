/* The connection to one server of Redis; see redis_peer.h. */
#include "limits/redis_peer.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "limits/redis_wire.h"

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

void redis_peer_send(struct redis_peer *peer, struct redis_call *call)
{
    assert(peer->state != REDIS_PEER_LOST);
    if (peer->state == REDIS_PEER_OPENING)
        redis_call_add(&peer->waiting, call);
    else if (peer->broken || !peer->wire)
        end(peer, call);
    else
        put_script(peer, call);
}

void redis_peer_ask_version(struct redis_peer *peer)
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

struct redis_peer *redis_peer_create(
    const struct redis_peers *shared, const struct redis_place *place)
{
    struct redis_peer *peer = MEM_NEW(struct redis_peer);
    *peer = (struct redis_peer){.shared = shared, .place = *place, .state = REDIS_PEER_OPENING};
    redis_call_list_init(&peer->sent);
    redis_call_list_init(&peer->waiting);
    attempt(peer);
    return peer;
}

void redis_peer_destroy(struct redis_peer *peer)
{
    redis_wire_close(peer->wire);
    end_all(peer, &peer->sent);
    end_all(peer, &peer->waiting);
    mem_free(peer);
}

enum redis_peer_state redis_peer_state(const struct redis_peer *peer)
{
    return peer->broken && peer->state == REDIS_PEER_READY ? REDIS_PEER_LOST : peer->state;
}

bool redis_peer_is_at(const struct redis_peer *peer, const struct redis_place *place)
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

bool redis_peer_tend(struct redis_peer *peer)
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

void redis_peer_retry(struct redis_peer *peer)
{
    if (!peer->wire && clock_mono_ms() - peer->attempt_ms >= REDIS_RETRY_MS)
        attempt(peer);
}

void redis_peer_flush(struct redis_peer *peer)
{
    if (peer->wire)
        redis_wire_flush(peer->wire);
}

int redis_peer_wait_ms(const struct redis_peer *peer)
{
    if (!peer->wire)
        return REDIS_RETRY_MS;
    return peer->state != REDIS_PEER_READY || peer->sent.first ? WAIT_BUSY_MS : WAIT_IDLE_MS;
}

int64_t redis_peer_lost_ms(const struct redis_peer *peer)
{
    return peer->state == REDIS_PEER_LOST ? clock_mono_ms() - peer->lost_ms : 0;
}
