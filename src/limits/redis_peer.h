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
#pragma once

#include <uv.h>

#include "limits/redis_reply.h"
#include "limits/redis_tls.h"

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

/* Begins to connect. */
struct redis_peer *redis_peer_create(
    const struct redis_peers *shared, const struct redis_place *place);
void redis_peer_destroy(struct redis_peer *peer); /* calls in flight get no answer */

enum redis_peer_state redis_peer_state(const struct redis_peer *peer);
bool redis_peer_is_at(const struct redis_peer *peer, const struct redis_place *place);

/* Takes ownership of the call. The peer must not be REDIS_PEER_LOST. */
void redis_peer_send(struct redis_peer *peer, struct redis_call *call);
void redis_peer_ask_version(struct redis_peer *peer); /* of one that is ready */

/* Call it after anything that may have ended the connection. True: this call found the connection
 * lost. */
bool redis_peer_tend(struct redis_peer *peer);
void redis_peer_retry(struct redis_peer *peer); /* reconnects when due */
void redis_peer_flush(struct redis_peer *peer); /* sends what waits */

int redis_peer_wait_ms(const struct redis_peer *peer);     /* until it must be tended, at most */
int64_t redis_peer_lost_ms(const struct redis_peer *peer); /* for how long; 0: it is not lost */
