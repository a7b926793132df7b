/*
 * The month counts of anonymous callers of one family in one shard: a table of fixed size (decision
 * 25). A newcomer to a full set takes the place of the entry with the fewest draws of eight, at
 * most 50 of them; where all have more, it shares a count with the others of its group. The caller
 * holds the shard's lock.
 */
#pragma once

#include "limits/address_key.h"
#include "limits/month_use.h"

enum {
    MONTH_SET = 8,
    MONTH_FORGET_MAX = 50,    /* draws */
    MONTH_REMOVED_MAX = 1024, /* rows waiting to be deleted; more wait in their entries */
};

struct month_entry {
    struct month_use use;   /* first: the list of unwritten ones points to it */
    struct address_key key; /* belongs to use.month; used + unwritten == 0: may be nobody's */
};

/* Rows of entries that made room: the next flush deletes them, so that the database is bounded as
 * the table is. */
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
    uint32_t count;     /* entries that have been somebody's */
    uint64_t forgotten; /* entries that made room in their own month */
    uint64_t forgotten_draws;
    struct month_removed *removed;
    size_t removed_n;
};

void month_table_init(struct month_table *table, bool ipv4, uint32_t addresses, uint32_t shared);
void month_table_finish(struct month_table *table);

/* `group` may be NULL for wider levels, as in minute_table.h. */

/* The caller's count: its own, or the shared one that a draw would go to. NULL: a draw would start
 * a new one. */
struct month_use *month_table_find(
    struct month_table *table, const struct address_key *key, const struct address_key *group,
    int32_t month);

/* The same, made when there is none. *ret_shared: it is a shared one. NULL: no room, and no
 * group. May empty the entry of any other caller. */
struct month_use *month_table_open(
    struct month_table *table, const struct address_key *key, const struct address_key *group,
    int32_t month, bool *ret_shared);

/* The entry of exactly this caller; NULL: it has none of its own (any more). */
struct month_entry *month_table_entry(
    const struct month_table *table, const struct address_key *key, int32_t month);
