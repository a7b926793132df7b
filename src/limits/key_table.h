/*
 * Minute windows and months of keyed callers: one entry per key seen, with its latest minute
 * windows and all of its months. The table grows with the keys in use and is never emptied.
 * Addresses have tables of their own. The caller holds the shard's lock.
 */
#pragma once

#include "base/intmap.h"
#include "limits/month_use.h"
#include "rule/window.h"

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

void key_table_init(struct key_table *table);
void key_table_finish(struct key_table *table);

struct key_entry *key_table_find(const struct key_table *table, int64_t key_no); /* or NULL */
struct key_entry *key_table_open(struct key_table *table, int64_t key_no);

struct month_use *key_entry_month(const struct key_entry *entry, int32_t month); /* or NULL */
struct month_use *key_entry_open_month(struct key_entry *entry, int32_t month);

uint64_t key_hash(int64_t key_no); /* the high half chooses the shard */
