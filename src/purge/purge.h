/*
 * Tells a cache in front of the server which pages to drop (STOCKACT_PURGE_URL, docs/operate.md):
 * one POST with the surrogate keys of what changed for visitors.
 *
 *     follower: notice ─> keys of the feed before and after it ─┐
 *     a second over: what visitors see now ─────────────────────┼─> keys ─> POST ─> again 5 s later
 *     start (once), reload of the feed: `all` ─────────────────────────┘
 *
 * A reply that the server wrote before a change can reach the cache after the purge. The second
 * purge drops it.
 *
 * One thread with its own loop, one request in flight. If the cache does not answer, the keys wait
 * in a bounded set (keys.h), and nothing else waits for them. Nothing is stored: the start purges
 * everything, so a change is never missed.
 */
#pragma once

#include <stdatomic.h>

#include "db/db.h"
#include "db/writer.h"
#include "feed/feed.h"
#include "purge/keys.h"

struct purge;

/* Everything is copied except the feed and the writer, which outlive it. */
struct purge_config {
    struct str url;
    struct str header; /* "Name: value", sent with each request; null: none */
    struct str user_agent;
    struct str label; /* this server, for people */
    int64_t delay_ms; /* after which visitors see a publication */
    const struct feed *feed;
    struct writer *writer; /* records a purge that keeps failing as a run of the job `purge` */
};

enum err purge_start(const struct purge_config *config, struct purge **ret, struct fail *fail);

/* Cancels what is in flight. No call below may follow. NULL is ignored. */
void purge_stop(struct purge *p);

/* For the follower's thread, the only one: before it applies a notice, and when it has applied one.
 * `db` is its connection. */
void purge_before(struct purge *p, struct db *db, struct str noun, struct str key);
void purge_after(struct purge *p, struct db *db, struct str noun, struct str key);
/* The feed was read again: anything may have changed. */
void purge_everything(struct purge *p);

/* Whether the last purge succeeded, so that pages may be kept for long. Any thread. */
bool purge_works(const struct purge *p);

struct purge_stats {
    uint64_t succeeded, failed; /* requests since the start */
    bool waiting;               /* keys wait to be sent */
    int64_t failing_ms;         /* since the first failure after the last success; 0: it works */
};

void purge_stats(struct purge *p, struct purge_stats *ret); /* from any thread */

/*
 * Keys that were purged once and are purged a second time, PURGE_AGAIN_MS later: a reply that the
 * server, or another node that is behind, wrote before the change can reach the cache after the
 * first purge. Each key waits at least that long after its own first purge, and under steady
 * changes at most about twice as long.
 *
 *
 */

enum { PURGE_AGAIN_MS = 5000 };

struct purge_again {
    struct purge_keys due, later; /* `later` collects until `due` is sent, and takes its place */
    int64_t due_ms, later_ms;     /* monotonic: when the delay of the last key is over */
};

void purge_again_init(struct purge_again *again);
void purge_again_finish(struct purge_again *again);

/* The first purge of these keys, with spaces between them, succeeded. */
void purge_again_add(struct purge_again *again, struct str batch, int64_t now_ms);

/* Moves the next keys whose delay is over, at most a batch, to `batch`. False: there are none. */
bool purge_again_take(struct purge_again *again, int64_t now_ms, struct buf *batch);

/* Takes a batch back whose second purge failed. */
void purge_again_return(struct purge_again *again, struct str batch);

/*
 * Which pages change for visitors, as surrogate keys, from the feed (docs/operate.md, "A cache in
 * front"). Visitors see publications later, and everything else at once.
 *
 *
 */

/* Adds the keys of what a change notice is about, as the feed shows it. Call it before the feed
 * applies the notice and after it: a correction can move a trade from one symbol to another. */
void changed_by_notice(
    const struct feed *feed, struct db *db, struct str noun, struct str key,
    struct purge_keys *keys);
