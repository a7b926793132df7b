/*
 * Fixed minute windows and UTC calendar-month quotas (spec 8, decisions 23-27). Every request draws
 * one from both; a denied one draws from neither. Exact under any number of threads: what one
 * caller has used is changed under one small lock. All functions may be called from any thread.
 *
 * Keyed callers are counted by key number; anonymous ones per /32 (IPv4) or /64 (IPv6) as an HMAC
 * whose key changes with the month, so that no address is in any table. IPv6 is also held to 10 x
 * the limits per /48 and 100 x per /32. Tables of addresses are bounded, see limits_sizes.
 *
 * The limits of a caller come with each call and are not kept: a change of plan counts from the
 * next request on, and what was used stays used.
 */
#pragma once

#include "base/err.h"
#include "core/client_address.h"
#include "limits/limits_verdict.h"

struct db;
struct limits;

/* Every bound in one place; a field of 0 takes the default. Each family (IPv4, IPv6) has tables of
 * its own, in `shards` parts. Counts are per shard and rounded up to a power of two. */
struct limits_sizes {
    uint32_t shards;           /* default 32 */
    uint32_t minute_addresses; /* default 8,192 of 64 bytes */
    uint32_t minute_shared;    /* windows for newcomers when that is full; default 64 */
    uint32_t month_addresses;  /* default 16,384 of 36 bytes */
    uint32_t month_shared;     /* default 64 */
};

struct limits_options {
    struct str master_key; /* 32 bytes; read during create only */
    struct limits_sizes sizes;
    struct str redis_url; /* null: counted in this process; read during create only */
};

/* Can this build use such an address? ERR_INVALID: it was built without Redis. Null is fine. */
enum err limits_check_built(struct str redis_url, struct fail *fail) MUST_CHECK;

/* ERR_INVALID: the Redis address is not of the form redis://[[user]:password@]host[:port][/db].
 * A Redis that does not answer yet is no failure. */
enum err limits_create(const struct limits_options *options, struct limits **ret, struct fail *fail)
    MUST_CHECK;
void limits_destroy(struct limits *limits); /* no call may be under way; NULL is fine */

struct limits_caller {
    bool keyed;
    int64_t key_no;         /* keyed: the number of the key */
    struct address address; /* not keyed */
    uint32_t per_minute;    /* the limits as of now */
    uint32_t per_month;
};

struct limits_answer {
    enum limits_verdict verdict;
    /* The minute window, whatever the verdict (decision 24). */
    uint32_t limit;
    uint32_t remaining;
    int64_t reset_s;       /* unix seconds of the window's end */
    int64_t retry_after_s; /* at least 1; 0 when granted */
    /* Not 0 in the one answer that accepted a wall clock set back by more than five minutes, and
     * by how much: to be logged. */
    int64_t clock_back_ms;
    /* Where the draw was counted; for limits_refund. */
    uint32_t minute;
    int32_t month;
};

/* Called once, from another thread, inside no lock; must not wait. */
typedef void limits_later(void *ctx, const struct limits_answer *answer);

/* Draws one. true: *ret is the answer, `later` will not be called. false (only with Redis):
 * `later` gets the answer; the caller's struct may be gone by then. */
bool limits_draw(
    struct limits *limits, const struct limits_caller *caller, int64_t now_ms,
    struct limits_answer *ret, limits_later *later, void *ctx);

/* The window without drawing, always at once; with Redis, as this process last saw it. The verdict
 * is what a draw would get. */
void limits_peek(
    struct limits *limits, const struct limits_caller *caller, int64_t now_ms,
    struct limits_answer *ret);

/* Gives back what a granted answer drew (a 503, decision 23) and updates answer->remaining. */
void limits_refund(
    struct limits *limits, const struct limits_caller *caller, struct limits_answer *answer);

/* Month counts (decision 26).
 *
 * load: at start, before the first draw: this month and the one before. flush: every 500 ms on the
 * writer's connection and at stop; adds what was drawn here since the last flush and takes over
 * what other processes on the same database have added, so that without Redis several servers share
 * months as of the last flush (each has minute windows of its own). Counts of months that nobody
 * needs any more are deleted.
 *
 * In a transaction of the caller's, flush writes into it and limits_flush_done says afterwards
 * whether it was committed; outside of one, flush begins and commits its own. Draws that were not
 * committed are written again by the next flush. After ERR_UNAVAILABLE or ERR_TIMEOUT that is in
 * doubt: the next flush asks PostgreSQL, so that no draw is written twice. flush_last, at the stop,
 * takes away what it would be asked for. */
enum err limits_load(struct limits *limits, struct db *db, int64_t now_ms, struct fail *fail)
    MUST_CHECK;
enum err limits_flush(struct limits *limits, struct db *db, int64_t now_ms, struct fail *fail)
    MUST_CHECK;
enum err limits_flush_last(struct limits *limits, struct db *db, int64_t now_ms, struct fail *fail)
    MUST_CHECK;
void limits_flush_done(struct limits *limits, enum err err); /* OK: committed */

/* Used by a key in its current minute and month, for people. */
struct limits_usage {
    uint32_t minute_used;
    uint32_t month_used;
};

struct limits_usage limits_key_usage(struct limits *limits, int64_t key_no, int64_t now_ms);

/* For /metrics. Totals since start, and how full the bounded tables are. */
struct limits_stats {
    uint64_t granted;
    uint64_t denied_minute;
    uint64_t denied_month;
    uint64_t unavailable;
    uint64_t refunded;
    uint64_t shared_minute;   /* draws of newcomers that had to share a minute window */
    uint64_t shared_month;    /* the same for months */
    uint64_t forgotten;       /* month entries that made room */
    uint64_t forgotten_draws; /* and the draws they had */
    uint64_t clock_steps_back;
    uint64_t keys;
    uint64_t minute_addresses; /* of the current minute */
    uint64_t month_addresses;  /* in the table, of any month */
    uint64_t unwritten;        /* month entries that the next flush will write */
    uint64_t redis_losses;     /* connections that were lost, or never made */
    bool redis_ready;          /* false without Redis */
};

void limits_stats(struct limits *limits, struct limits_stats *ret);
