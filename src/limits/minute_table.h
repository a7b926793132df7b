/*
 * The minute windows of anonymous callers of one family in one shard: a table of fixed size
 * (decision 25). An entry with a window in the current minute is held; any other entry may be
 * evicted. If all slots for a newcomer are held, the newcomer shares a window with the other
 * newcomers of its group. The caller holds the shard's lock.
 */
#pragma once

#include "limits/address_key.h"
#include "rule/window.h"

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
void minute_table_init(struct minute_table *table, uint32_t addresses, uint32_t shared);
void minute_table_finish(struct minute_table *table);

/* `group` is NULL for wider levels, which never share. If there is no room, they are not counted:
 * the shared window of the caller's own level is stricter. */

/* The caller's window of that minute, its own or the shared one; NULL: not open. */
struct window_slot *minute_table_find(
    struct minute_table *table, const struct address_key *key, const struct address_key *group,
    uint32_t minute);

/* The starting count of a window that is not open. */
uint32_t minute_table_unopened(
    struct minute_table *table, const struct address_key *key, const struct address_key *group,
    const struct window_time *time);

/* Returns the open window, or opens one. *ret_shared: it is shared. NULL: no room, and no group. */
struct window_slot *minute_table_open(
    struct minute_table *table, const struct address_key *key, const struct address_key *group,
    const struct window_time *time, bool *ret_shared);

/* Entries with a window in that minute. */
uint32_t minute_table_count(const struct minute_table *table, uint32_t minute);
