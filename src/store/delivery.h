/*
 * Deliveries: the queue of the dispatcher and the log of the owner. A waiting row is claimed for a
 * lease before it is sent and given its outcome afterwards; no transaction is open in between. A
 * claim moves due_at to the end of the lease, so that what nobody ended falls due by itself.
 *
 * All functions that write are called inside a write transaction. Rules: core/delivery.h.
 */
#pragma once

#include "base/mem.h"
#include "core/delivery.h"
#include "store/db/db.h"

enum {
    DELIVERY_CLAIM_MAX = 256,             /* rows in one claim */
    DELIVERY_LEASE_MS = 60 * SECOND_MS,   /* well over the time of an attempt and its outcome */
    DELIVERY_ANSWER_SIZE_MAX = 16 * 1024, /* of a receiver's answer that is kept */
};

/* The body of an event, once for all its deliveries in a claim. */
struct delivery_event_body {
    int64_t no;
    struct str type;
    struct str body;
};

struct delivery_claimed {
    int64_t no;
    struct str id;
    int64_t attempt; /* number of the attempt to be made, from 1: its outcome names it */
    const struct delivery_event_body *event;
    int64_t endpoint_no;
    struct str endpoint_id;
    struct str url;
    struct str secret_sealed;
    struct str old_secret_sealed; /* null: none */
    int64_t old_secret_until;
};

struct delivery_claims {
    struct delivery_claimed items[DELIVERY_CLAIM_MAX];
    size_t count;
    bool more;   /* there may be more due: claim again */
    bool capped; /* an endpoint has more due than may be on its way: claim again after outcomes */
};

struct delivery_claim {
    struct str node; /* this server's name for leases */
    int64_t now_ms;
    size_t limit;      /* rows, at most DELIVERY_CLAIM_MAX */
    size_t bodies_max; /* bytes of bodies: it ends with the row that reaches them */
    /* Attempts on their way to one endpoint, those of other servers too; and the same while its
     * last deliveries failed. */
    int64_t per_endpoint_max, ailing_max;
    int64_t after_endpoint; /* where the last claim ended; *ret_endpoint is where this one did */
    /* What this server still has in hand, whatever the clock says of its lease. */
    bool (*in_hand)(void *ctx, int64_t delivery_no);
    void *ctx;
};

/* Claims due deliveries of enabled endpoints whose owner is not disabled, endpoint after endpoint,
 * a share of each, oldest first. Writes nothing when none is due. Strings live in the arena. */
enum err delivery_claim(
    struct db *db, const struct delivery_claim *claim, struct arena *arena,
    struct delivery_claims *ret, int64_t *ret_endpoint, struct fail *fail) MUST_CHECK;

/* One attempt, as it ended. */
struct delivery_outcome {
    int64_t delivery_no;
    int64_t attempt;
    bool accepted; /* a 2xx in time */
    int64_t started_at, ended_at;
    int status;                                      /* 0: none came */
    struct str error;                                /* class of what went wrong; null: nothing */
    struct str detail;                               /* one line for people; null: none */
    struct str remote;                               /* address and port; null: not connected */
    struct str retry_after;                          /* as the receiver wrote it; null: nothing */
    int64_t resolve_ms, connect_ms, tls_ms, wait_ms; /* -1: not reached */
    struct str answer;                               /* the beginning of it; null: nothing came */
};

/* What an outcome did to the endpoint, for who tells its owner. */
struct delivery_effect {
    bool known; /* false: this attempt has its outcome already, nothing was written */
    int64_t endpoint_no;
    struct endpoint_is before, after;
};

/* Writes the attempt and moves delivery and endpoint; the lease ends. Doing it twice changes
 * nothing. A disabled endpoint gets the change notice `endpoint`. ERR_BUSY: another server moved
 * the delivery meanwhile; in a new transaction it works. */
enum err delivery_end(
    struct db *db, const struct delivery_outcome *outcome, struct delivery_effect *ret,
    struct fail *fail) MUST_CHECK;

/* Leases of a server that is starting: whatever it had in hand is due again. */
enum err delivery_end_leases(struct db *db, struct str node, int64_t now_ms, struct fail *fail)
    MUST_CHECK;

/* Held for longer than DELIVERY_HELD_DAYS by an endpoint that is not enabled, or whose owner is
 * disabled: expired, at most `limit` of them. */
enum err delivery_expire(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail) MUST_CHECK;
/* Due later than any rule makes them, since the clock was ahead when that was written: due now, at
 * most `limit` of them. */
enum err delivery_draw_in(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail) MUST_CHECK;
/* Attempts older than DELIVERY_LOG_DAYS are deleted, at most `limit` of them. */
enum err delivery_prune(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail) MUST_CHECK;

/* By hand: six attempts more, the first at once; the id stays, so that a receiver that has it
 * already knows it. Both leave the change notice `endpoint`. ERR_NOT_FOUND: none, or its endpoint
 * is deleted. ERR_REFUSED: it is on its way. */
enum err delivery_replay(struct db *db, struct str id, int64_t now_ms, struct fail *fail)
    MUST_CHECK;
/* All in the state (failed or expired) that ended at `since` or later. endpoint null: of every one.
 */
enum err delivery_replay_since(
    struct db *db, enum delivery_state state, struct str endpoint, int64_t since, int64_t now_ms,
    int64_t *ret_count, struct fail *fail) MUST_CHECK;

/* The log. */
struct delivery_row {
    int64_t no;
    struct str id;
    struct str endpoint_id;
    struct str event_id;
    struct str event_type;
    struct str filing_id; /* null: of no filing */
    enum delivery_state state;
    int tries;
    int64_t attempts;
    int64_t due_at; /* pending ones */
    int64_t created_at;
    int64_t ended_at; /* INSTANT_NONE: pending */
};

typedef void delivery_visit(void *ctx, const struct delivery_row *row);

/* Newest first, no < before (INT64_MAX: from the newest), at most `limit`. endpoint null: of all.
 */
enum err delivery_each(
    struct db *db, struct str endpoint, int64_t before, int64_t limit, delivery_visit *visit,
    void *ctx, struct fail *fail) MUST_CHECK;

typedef void delivery_attempt_visit(void *ctx, const struct delivery_outcome *attempt);

/* The attempts of one delivery that are still kept, oldest first. ERR_NOT_FOUND: no such delivery.
 */
enum err delivery_each_attempt(
    struct db *db, struct str id, delivery_attempt_visit *visit, void *ctx,
    struct fail *fail) MUST_CHECK;

/* For metrics. */
struct delivery_counts {
    int64_t due;        /* that could be sent now */
    int64_t oldest_due; /* since when the oldest of them is due; INSTANT_NONE: none */
    int64_t waiting;    /* for a retry */
    int64_t held;       /* of endpoints that are not enabled, or whose owner is disabled */
    int64_t failed, expired;
    int64_t disabled_endpoints;
};

enum err delivery_count(
    struct db *db, int64_t now_ms, struct delivery_counts *ret, struct fail *fail) MUST_CHECK;
