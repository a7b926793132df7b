/*
 * Deliveries: the dispatcher's queue and the owner's log. A claim leases a waiting row before it is
 * sent; the outcome is written afterwards. No transaction is open in between. Leases, and the
 * pauses of endpoints, are on the database's clock (db_now_ms), because the clocks of servers
 * differ. A claim also moves due_at to the end of the lease, so that it is not looked at before.
 *
 * All functions that write are called inside a write transaction. The rules are in rule/delivery.h.
 */
#pragma once

#include "db/db.h"
#include "rule/delivery.h"
#include "store/account/endpoint.h"

enum {
    DELIVERY_CLAIM_MAX = 256,             /* rows in one claim */
    DELIVERY_LEASE_MS = 60 * SECOND_MS,   /* well over the time for an attempt and its outcome */
    DELIVERY_ANSWER_SIZE_MAX = 16 * 1024, /* the kept part of a receiver's response */
};

/* The body of an event, shared by all its deliveries in a claim. */
struct delivery_event_body {
    int64_t no;
    struct str type;
    struct str body;
};

struct delivery_claimed {
    int64_t no;
    struct str id;
    int64_t attempt; /* number of the attempt to make, from 1; its outcome names it */
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
    bool more;      /* more rows may be due: claim again */
    bool capped;    /* an endpoint has more due rows than it may have in flight: claim again after
                       outcomes */
    size_t damaged; /* endpoints and events that do not match their digests: nothing is sent */
    struct str damaged_id; /* the last of them */
};

struct delivery_claim {
    struct str node; /* this server's name in leases */
    int64_t now_ms;
    int64_t database_ahead_ms; /* of now_ms: the database's clock */
    size_t limit;              /* rows, at most DELIVERY_CLAIM_MAX */
    size_t bodies_max;         /* bytes of bodies: the claim ends with the row that reaches them */
    size_t replays_max; /* of a replay of many (store/account/delivery_by_hand.h), made due first */
    int64_t per_endpoint_max; /* in flight to one endpoint, on all servers; to one that is half
                               * open, one */
    int64_t after_endpoint; /* where the last claim ended; *ret_endpoint is where this one ended */
    /* True for a delivery that this server has in hand: it must not be claimed again, even if the
     * clock says that its lease ended. */
    bool (*in_hand)(void *ctx, int64_t delivery_no);
    void *ctx;
};

/* Claims due deliveries of enabled endpoints whose owner is not disabled, and of other endpoints
 * what was sent by hand: endpoint by endpoint, a share of each, oldest first. Of an endpoint that
 * is half open, after its pause, the one delivery with the fewest tries: retries would use up their
 * attempts in an outage, and the others would miss their minute. Writes nothing if
 * none is due. Strings live in the arena. */
enum err delivery_claim(
    struct db *db, const struct delivery_claim *claim, struct arena *arena,
    struct delivery_claims *ret, int64_t *ret_endpoint, struct fail *fail);

/* The result of one attempt. */
struct delivery_outcome {
    int64_t delivery_no;
    int64_t attempt;
    bool accepted; /* a 2xx in time */
    int64_t started_at, ended_at;
    int64_t database_ahead_ms;                       /* of the clock of these: the database's */
    int status;                                      /* 0: no response */
    struct str error;                                /* class of the error; null: none */
    struct str detail;                               /* one line for people; null: none */
    struct str remote;                               /* address and port; null: no connection */
    struct str retry_after;                          /* as the receiver wrote it; null: none */
    int64_t resolve_ms, connect_ms, tls_ms, wait_ms; /* -1: not reached */
    struct str answer;                               /* the beginning of the response; null: none */
    struct str url;     /* where it was sent; null: not known any more */
    struct str request; /* the head of the request as it was sent; null: nothing was sent */
};

/* The effect of an outcome on the endpoint, for notices to its owner. */
struct delivery_effect {
    bool known; /* false: this attempt already has its outcome; nothing was written */
    int64_t endpoint_no;
    struct endpoint_is before, after;
};

/* Writes the attempt, updates the delivery and the endpoint, and ends the lease. Writing it twice
 * changes nothing. A disabled endpoint gets the change notice `endpoint`. ERR_BUSY: another server
 * changed the delivery in the meantime; try again in a new transaction. ERR_NOT_FOUND: the delivery
 * was deleted. */
enum err delivery_end(
    struct db *db, const struct delivery_outcome *outcome, struct delivery_effect *ret,
    struct fail *fail);

/* Ends the leases of a server that is starting: its deliveries are due again. */
enum err delivery_end_leases(struct db *db, struct str node, int64_t now_ms, struct fail *fail);

/* Expires deliveries held for longer than DELIVERY_HELD_DAYS, since their event or replay, because
 * their endpoint is not enabled or its owner is disabled, and those of deleted endpoints; at most
 * `limit` of them. */
enum err delivery_expire(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail);
/* Makes deliveries due now whose due time is later than any rule allows, because the clock was
 * ahead when it was written; at most `limit` of them. */
enum err delivery_draw_in(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail);
/* Deletes attempts older than DELIVERY_LOG_DAYS, at most `limit` of them. */
enum err delivery_prune(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail);

/* Deletes tests older than DELIVERY_LOG_DAYS, at most `limit` of them. */
enum err delivery_prune_tests(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail);

/* The log. */
struct delivery_row {
    int64_t no;
    struct str id;
    struct str endpoint_id;
    struct str event_id;
    struct str event_type;
    struct str filing_id; /* null: not about a filing */
    enum delivery_state state;
    enum delivery_cause cause;
    int tries;
    int64_t attempts;
    int64_t due_at; /* pending ones */
    int64_t created_at;
    int64_t ended_at;    /* INSTANT_NONE: pending */
    int64_t replayed_at; /* INSTANT_NONE: never */
    bool in_flight;      /* claimed by a server */
    int status;          /* of the last attempt that is kept; 0: no response, or none is kept */
    struct str error;    /* its class; null: none */
};

typedef void delivery_visit(void *ctx, const struct delivery_row *row);

/* A place in a log. Deliveries of one instant are in the order of their numbers. */
struct delivery_place {
    int64_t no; /* 0: none */
    int64_t created_at;
};

/* Which deliveries; 0, DELIVERY_STATE_COUNT or INSTANT_NONE matches all. */
struct delivery_filter {
    int64_t endpoint_no; /* 0: of all endpoints, which walks over rows that do not match */
    enum delivery_state state;
    int64_t since, until;         /* of created_at: from `since`, before `until` */
    struct delivery_place before; /* the last row of the previous page; none: from the newest */
    struct delivery_place after;  /* if given: later rows, oldest first, for the page before */
};

#define DELIVERY_FILTER_ALL                                                                        \
    ((struct delivery_filter){                                                                     \
        .state = DELIVERY_STATE_COUNT, .since = INSTANT_NONE, .until = INSTANT_NONE})

/* Visits newest first, at most `limit`; with `after`, oldest first. The order is that of
 * created_at, and without an endpoint that of the numbers. */
enum err delivery_each(
    struct db *db, const struct delivery_filter *filter, int64_t limit, delivery_visit *visit,
    void *ctx, struct fail *fail);

/* The place of a delivery. ERR_NOT_FOUND: the endpoint has no such delivery. */
enum err delivery_place(
    struct db *db, int64_t endpoint_no, struct str id, struct delivery_place *ret,
    struct fail *fail);

/* One delivery with the body of its event, in the arena. ERR_NOT_FOUND: no such delivery. */
enum err delivery_find(
    struct db *db, struct str id, struct arena *arena, struct delivery_row *ret,
    struct str *ret_body, struct fail *fail);

/* The id of its endpoint. ERR_NOT_FOUND: no such delivery. */
enum err delivery_endpoint(
    struct db *db, struct str id, struct arena *arena, struct str *ret, struct fail *fail);

typedef void delivery_attempt_visit(void *ctx, const struct delivery_outcome *attempt);

/* Visits the attempts of one delivery that are still kept, oldest first. ERR_NOT_FOUND: no such
 * delivery. */
enum err delivery_each_attempt(
    struct db *db, struct str id, delivery_attempt_visit *visit, void *ctx, struct fail *fail);

/* For metrics. */
struct delivery_counts {
    int64_t due;        /* can be sent now */
    int64_t oldest_due; /* when the oldest of them became due; INSTANT_NONE: none */
    int64_t waiting;    /* waits for a retry */
    int64_t held;       /* held, because the endpoint is not enabled or its owner is disabled */
    int64_t failed, expired;
    int64_t disabled_endpoints;
};

enum err delivery_count(
    struct db *db, int64_t now_ms, struct delivery_counts *ret, struct fail *fail);

/* The state of a delivery and its endpoint as it is stored, for the steps of rule/delivery.h.
 * */

struct delivery_stored {
    int64_t no, endpoint_no;
    int64_t attempts;
    bool leased;
    int64_t replayed_at;    /* INSTANT_NONE: never */
    struct str endpoint_id; /* in the arena */
    bool erased;            /* the account of its endpoint was deleted: no URL, request or answer */
    struct delivery_is delivery;
    struct endpoint_is endpoint;
};

#define DELIVERY_SELECT_STORED                                                                     \
    "SELECT d.no, d.endpoint_no, d.attempts, d.state, d.tries, d.counted_in, d.due_at,"            \
    " d.lease_node, e.id, d.cause, d.replayed_at, e.url, " ENDPOINT_IS                             \
    " FROM delivery d JOIN endpoint e ON e.no = d.endpoint_no"

/* The current row of a query that begins with DELIVERY_SELECT_STORED. */
struct delivery_stored delivery_stored_read(const struct query *q, struct arena *arena);

/* Writes the state and ends the lease. ERR_BUSY: another server claimed or ended it after it was
 * read in the state `before`. */
enum err delivery_stored_write(
    struct db *db, const struct delivery_stored *stored, const struct delivery_is *before,
    int64_t ended_at, struct fail *fail);
