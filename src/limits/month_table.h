/*
 * The month counts of anonymous callers of one family in one shard: a table of fixed size (decision
 * 25). A newcomer to a full set of eight entries evicts the entry with the fewest draws, if these
 * are at most 50. Otherwise it shares a count with the other newcomers of its group. The caller
 * holds the shard's lock.
 */
#pragma once

#include "limits/address_key.h"
#include "limits/month_use.h"

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

void month_table_init(struct month_table *table, bool ipv4, uint32_t addresses, uint32_t shared);
void month_table_finish(struct month_table *table);

/* `group` is NULL for wider levels, as in minute_table.h. */

/* The caller's count: its own, or the shared count that a draw would use. NULL: a draw would start
 * a new one. */
struct month_use *month_table_find(
    struct month_table *table, const struct address_key *key, const struct address_key *group,
    int32_t month);

/* The same, but creates a missing count. *ret_shared: it is shared. NULL: no room, and no group.
 * May evict any other caller's entry. */
struct month_use *month_table_open(
    struct month_table *table, const struct address_key *key, const struct address_key *group,
    int32_t month, bool *ret_shared);

/* The entry of exactly this caller; NULL: it has none. */
struct month_entry *month_table_entry(
    const struct month_table *table, const struct address_key *key, int32_t month);
