/*
 * A shard: a part of the callers with all of their counts, the lock that guards them, and the
 * operations that need the lock. All levels of a caller are in one shard: a key has one level, IPv4
 * one, IPv6 three (decision 25).
 */
#pragma once

#include <pthread.h>

#include "base/intmap.h"
#include "limits/address_key.h"
#include "limits/limits_verdict.h"
#include "limits/month_use.h"
#include "rule/window.h"

/*
 * The minute windows of anonymous callers of one family in one shard: a table of fixed size
 * (decision 25). An entry with a window in the current minute is held; any other entry may be
 * evicted. If all slots for a newcomer are held, the newcomer shares a window with the other
 * newcomers of its group. The caller holds the shard's lock.
 */

enum { MINUTE_RING = 4, MINUTE_SET = 8 };

struct minute_entry {
    struct address_key key;
    struct window_slot ring[MINUTE_RING];
    struct window_lost lost;
    uint32_t latest; /* minute of its newest window + 1; 0: never used */
    uint32_t unused;
};

struct minute_shared {
    struct window_slot ring[MINUTE_RING];
    struct window_lost lost;
};

struct minute_table {
    struct minute_entry *entries; /* sets of MINUTE_SET; a key belongs to two of them */
    uint32_t set_mask;
    struct minute_shared *shared; /* by hash of the group; groups with the same hash share */
    uint32_t shared_mask;
    struct window_lost lost; /* windows of evicted entries */
    uint32_t minute;         /* the minute that `count` counts */
    uint32_t count;
};

/* Sizes are rounded up to powers of two. */

/* `group` is NULL for wider levels, which never share. If there is no room, they are not counted:
 * the shared window of the caller's own level is stricter. */

/* Entries with a window in that minute. */
uint32_t minute_table_count(const struct minute_table *table, uint32_t minute);

/*
 * The month counts of anonymous callers of one family in one shard: a table of fixed size (decision
 * 25). A newcomer to a full set of eight entries evicts the entry with the fewest draws, if these
 * are at most 50. Otherwise it shares a count with the other newcomers of its group. The caller
 * holds the shard's lock.
 */

enum {
    MONTH_SET = 8,
    MONTH_FORGET_MAX = 50,    /* draws */
    MONTH_REMOVED_MAX = 1024, /* rows to delete; more wait in their entries */
};

struct month_entry {
    struct month_use use;   /* first: the list of unwritten months points to it */
    struct address_key key; /* belongs to use.month; may be unused if used + unwritten == 0 */
};

/* Rows of evicted entries. The next flush deletes them, so that the database is bounded like the
 * table. */
struct month_removed {
    struct address_key key;
    int32_t month;
};

struct month_table {
    bool ipv4; /* the family */
    struct month_entry *entries;
    uint32_t set_mask;
    struct month_use *shared; /* by hash of the group; not written to the database */
    uint32_t shared_mask;
    uint32_t count;     /* entries that were ever used */
    uint64_t forgotten; /* entries evicted in their own month */
    uint64_t forgotten_draws;
    struct month_removed *removed;
    size_t removed_n;
};

/* `group` is NULL for wider levels, as in shard.h. */

/* The same, but creates a missing count. *ret_shared: it is shared. NULL: no room, and no group.
 * May evict any other caller's entry. */
struct month_use *month_table_open(
    struct month_table *table, const struct address_key *key, const struct address_key *group,
    int32_t month, bool *ret_shared);

/* The entry of exactly this caller; NULL: it has none. */
struct month_entry *month_table_entry(
    const struct month_table *table, const struct address_key *key, int32_t month);

/*
 * Minute windows and months of keyed callers: one entry per key seen, with its latest minute
 * windows and all of its months. The table grows with the keys in use and is never emptied.
 * Addresses have tables of their own. The caller holds the shard's lock.
 */

enum { KEY_RING = 64 }; /* minutes that stay exact after the clock is set back */

struct key_month {
    struct month_use use; /* first: the list of unwritten months points to it */
    int64_t key_no;
    struct key_month *next; /* of the same key */
};

struct key_entry {
    int64_t key_no;
    struct key_month *months; /* newest first */
    struct window_lost lost;
    struct window_slot ring[KEY_RING];
};

struct key_table {
    struct intmap by_no; /* struct key_entry */
};

struct key_entry *key_table_open(struct key_table *table, int64_t key_no);

struct month_use *key_entry_open_month(struct key_entry *entry, int32_t month);

uint64_t key_hash(int64_t key_no); /* the high half chooses the shard */

enum { SHARD_ALIGN = 128 }; /* two cache lines: processors fetch them in pairs */

struct shard_counts {
    uint64_t granted, denied_minute, denied_month, unavailable, refunded;
    uint64_t shared_minute, shared_month;
};

struct shard_family {
    struct minute_table minutes;
    struct month_table months;
};

struct shard {
    _Alignas(SHARD_ALIGN) pthread_mutex_t lock;
    struct key_table keys;
    struct shard_family ipv4, ipv6;
    struct month_list unwritten;
    struct shard_counts counts;
};

/* The bounds of one shard, per family (limits.h describes each). */
struct shard_sizes {
    uint32_t minute_addresses, minute_shared;
    uint32_t month_addresses, month_shared;
};

/* All shards. */
struct shard_set {
    struct shard *shards;
    uint32_t mask; /* their number, a power of two, minus one */
    void *memory;  /* the allocation that holds `shards` at their alignment */
};

/* `count`: a power of two. */
void shard_set_init(struct shard_set *set, uint32_t count, const struct shard_sizes *sizes);
void shard_set_finish(struct shard_set *set);

static inline struct shard *shard_of_hash(const struct shard_set *set, uint32_t hash)
{
    return &set->shards[hash & set->mask];
}

/* The hash that chooses the shard. */
static inline uint32_t shard_key_hash(int64_t key_no)
{
    return (uint32_t)(key_hash(key_no) >> 32);
}

static inline uint32_t shard_address_hash(const struct address_key *key)
{
    return (uint32_t)key->bytes[0] | (uint32_t)key->bytes[1] << 8;
}

/* A caller, in the terms of the tables. */
struct shard_caller {
    bool keyed;
    int64_t key_no;           /* of a keyed caller */
    struct address_keys keys; /* of an anonymous caller */
    size_t n;                 /* levels */
    uint32_t per_minute[ADDRESS_LEVELS_MAX];
    uint32_t per_month[ADDRESS_LEVELS_MAX];
    uint32_t hash; /* chooses the shard */
};

/* The counts of each level. */
struct shard_use {
    uint32_t minute[ADDRESS_LEVELS_MAX];
    uint32_t month[ADDRESS_LEVELS_MAX];
};

/* Call all of these with the lock held. */

/* Reads without changing anything. */
void shard_look(
    struct shard *shard, const struct shard_caller *caller, const struct window_time *time,
    struct shard_use *ret);

/* Draws once on every level if none is exhausted, and counts the verdict. *use: the counts before
 * the draw on entry, after it on return. */
enum limits_verdict shard_draw(
    struct shard *shard, const struct shard_caller *caller, const struct window_time *time,
    struct shard_use *use);

/* Returns one draw on every level, in the minute and month of the draw. */
void shard_refund(
    struct shard *shard, const struct shard_caller *caller, uint32_t minute, int32_t month);

/* Copies Redis's counts (never below the known counts). `drawn`: this process made one of the
 * draws, and must write it to the database. */
void shard_mirror(
    struct shard *shard, const struct shard_caller *caller, const struct window_time *time,
    const struct shard_use *use, bool drawn);

/* The windows in `use` that are exhausted. */
enum limits_verdict shard_verdict(const struct shard_caller *caller, const struct shard_use *use);
void shard_count_verdict(struct shard *shard, enum limits_verdict verdict);

/* Visits the counts of a minute: one call for each key, and for each level of an address. Shared
 * windows are left out. */
typedef void shard_visit(void *ctx, const struct shard_caller *caller, uint32_t used);
void shard_each(struct shard *shard, uint32_t minute, shard_visit *visit, void *ctx);
