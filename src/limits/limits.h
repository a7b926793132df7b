/*
 * Fixed minute windows and UTC calendar-month quotas (spec 8, decisions 23-27). Every granted
 * request draws one from both; a denied request draws from neither. Counts are exact under any
 * number of threads: each caller's counts change under one short lock. All functions are
 * thread-safe.
 *
 * Keyed callers are counted by key number. Anonymous callers are counted per /32 (IPv4) or /64
 * (IPv6) by an HMAC whose key changes every month, so that no table holds an address. IPv6 is also
 * limited to 10 times the limits per /48 and 100 times per /32. Tables of addresses are bounded,
 * see limits_sizes.
 *
 * Each call passes the caller's limits; they are not kept. A change of plan counts from the next
 * request, and past draws stay counted.
 */
#pragma once

#include "address/client_address.h"
#include "limits/limits_verdict.h"

struct db;
struct limits;

/* Table sizes; 0 takes the default. Each family (IPv4, IPv6) has its own tables, in `shards` parts.
 * Counts are per shard and rounded up to a power of two. */
struct limits_sizes {
    uint32_t shards;           /* default 32 */
    uint32_t minute_addresses; /* default 8,192 of 64 bytes */
    uint32_t minute_shared;   /* windows that newcomers share when that table is full; default 64 */
    uint32_t month_addresses; /* default 16,384 of 36 bytes */
    uint32_t month_shared;    /* default 64 */
};

struct limits_options {
    struct str master_key; /* 32 bytes; read only during create */
    struct limits_sizes sizes;
    struct str redis_url;     /* null: count in this process; read only during create */
    struct str redis_ca_file; /* for rediss://: see limits/redis_tls.h; null: the system's */
    bool redis_alone;         /* without Redis, draws are counted in this process; else refused */
    int64_t redis_answer_ms;  /* for tests: also of a login; 0: REDIS_ANSWER_MS */
    const char *counts;       /* what these limits count, for the log; constant; NULL: "requests" */
};

/* ERR_INVALID: this build has no Redis. A null URL is valid. */
enum err limits_check_built(struct str redis_url, struct fail *fail);

/* ERR_INVALID: the URL is not of the form redis(s)://[[user]:password@]host[:port][/db], or the CA
 * file has no certificates. A Redis that does not answer yet is no error. */
enum err limits_create(
    const struct limits_options *options, struct limits **ret, struct fail *fail);
void limits_destroy(struct limits *limits); /* no call may be in flight; NULL is ignored */

struct limits_caller {
    bool keyed;
    int64_t key_no;         /* of a keyed caller */
    struct address address; /* of an anonymous caller */
    uint32_t per_minute;    /* the current limits */
    uint32_t per_month;
};

struct limits_answer {
    enum limits_verdict verdict;
    /* The minute window, whatever the verdict (decision 24). */
    uint32_t limit;
    uint32_t used; /* may be above the limit after a change of plan */
    uint32_t remaining;
    int64_t reset_s; /* unix seconds of the window's end */
    /* The month, likewise (decision 43). */
    uint32_t month_limit;
    uint32_t month_used;
    uint32_t month_remaining;
    int64_t month_reset_s;
    int64_t retry_after_s; /* at least 1; 0 when granted */
    /* Milliseconds by which the wall clock was set back; not 0 only in the one answer that accepts
     * a step of more than five minutes. The caller logs it. */
    int64_t clock_back_ms;
    bool alone; /* Redis did not answer: only this process counted it */
    /* The windows that counted the draw; for limits_refund. */
    uint32_t minute;
    int32_t month;
};

/* Called once, from another thread, without a lock held; must not block. */
typedef void limits_later(void *ctx, const struct limits_answer *answer);

/* Draws one. true: *ret is the answer, and `later` is not called. false (only with Redis): `later`
 * gets the answer, possibly after the caller's struct is gone. */
bool limits_draw(
    struct limits *limits, const struct limits_caller *caller, int64_t now_ms,
    struct limits_answer *ret, limits_later *later, void *ctx);

/* Reads the window without drawing, and never waits; with Redis, reads the last value that this
 * process saw. The verdict is that of a draw. */
void limits_peek(
    struct limits *limits, const struct limits_caller *caller, int64_t now_ms,
    struct limits_answer *ret);

/* Like limits_peek, but with Redis exact across all servers: it asks Redis without drawing, and
 * `later` gets the answer (return value as for limits_draw). LIMITS_UNAVAILABLE: Redis does not
 * answer. */
bool limits_look(
    struct limits *limits, const struct limits_caller *caller, int64_t now_ms,
    struct limits_answer *ret, limits_later *later, void *ctx);

/* Returns the draw of a granted answer (a 503, decision 23) and updates what remains. */
void limits_refund(
    struct limits *limits, const struct limits_caller *caller, struct limits_answer *answer);

/* Month counts (decision 26).
 *
 * limits_load reads this month and the previous one: at start, before the first draw, and when
 * limits_should_load says so. It lowers no count.
 * limits_flush runs every 500 ms on the writer's connection and at stop. It adds the draws since
 * the last flush and reads the totals that other processes on the same database have added.
 * Without Redis, several servers therefore share months as of the last flush, but each has its own
 * minute windows. Counts of months that are no longer needed are deleted.
 *
 * Inside a transaction of the caller, limits_flush writes into it, and the caller reports the end
 * with limits_flush_done. Outside of one, limits_flush begins and commits its own. Draws that were
 * not committed are written again by the next flush. After ERR_UNAVAILABLE or ERR_TIMEOUT the
 * commit is in doubt: the next flush asks PostgreSQL, so that no draw is written twice.
 * limits_flush_last, at the stop, deletes the mark that this question needs. */
enum err limits_load(struct limits *limits, struct db *db, int64_t now_ms, struct fail *fail);
/* True once when Redis answers again after a lost connection. Redis may have lost its data, and the
 * months in the database include those of the other servers. The counts of this minute are in this
 * process only: each call brings some thousands of them to Redis, until it has all. */
bool limits_should_load(struct limits *limits, int64_t now_ms);
enum err limits_flush(struct limits *limits, struct db *db, int64_t now_ms, struct fail *fail);
enum err limits_flush_last(struct limits *limits, struct db *db, int64_t now_ms, struct fail *fail);
void limits_flush_done(struct limits *limits, enum err err); /* OK: committed */

/* Draws of a key in its current minute and month, for display. */
struct limits_usage {
    uint32_t minute_used;
    uint32_t month_used;
};

/* For tests. */
struct limits_usage limits_key_usage(struct limits *limits, int64_t key_no, int64_t now_ms);

/* For /metrics: totals since start, and the fill of the bounded tables. */
struct limits_stats {
    uint64_t granted;
    uint64_t denied_minute;
    uint64_t denied_month;
    uint64_t unavailable;
    uint64_t refunded;
    uint64_t shared_minute;   /* draws of newcomers in shared minute windows */
    uint64_t shared_month;    /* the same for months */
    uint64_t forgotten;       /* month entries that were evicted */
    uint64_t forgotten_draws; /* the draws that they had */
    uint64_t clock_steps_back;
    uint64_t keys;
    uint64_t minute_addresses; /* of the current minute */
    uint64_t month_addresses;  /* in the table, of any month */
    uint64_t unwritten;        /* month entries that the next flush will write */
    uint64_t redis_losses;     /* connections lost or never established */
    bool redis_used;           /* counters are in Redis */
    bool redis_ready;          /* false without Redis */
};

/* For admins. */
struct limits_redis {
    bool used;        /* counters are in Redis */
    bool ready;       /* it is connected */
    char version[32]; /* "7.0.15"; empty: unknown, or its user has no right to INFO */
};

/* Asks Redis for its version: waits half a second at most. */
void limits_redis(struct limits *limits, struct limits_redis *ret);

void limits_stats(struct limits *limits, struct limits_stats *ret);
