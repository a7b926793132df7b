/*
 * Readers that never wait: a thin wrapper of liburcu's qsbr flavour, used by the feed and the key
 * table. A reader thread registers once and brackets each read; pointers found in a read stay valid
 * until rcu_read_end. A writer unlinks memory and then passes it to rcu_free_later.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

void rcu_thread_start(void); /* once at the start of each reader thread; begins offline */
void rcu_thread_stop(void);

void rcu_read_begin(void); /* not nested */
void rcu_read_end(void);
/* A read that ends where its block ends. */
#define RCU_READ() SCOPED(rcu_read_end_at) bool reading_ = (rcu_read_begin(), true)
static inline void rcu_read_end_at(const bool *reading)
{
    rcu_read_end();
}

/* For a thread that reads often and then waits: from now on its reads end only at rcu_idle, which
 * it must call before it waits for anything. A read then needs no memory barrier, which would wait
 * until the processor's store buffer is empty. */
void rcu_thread_in_bursts(void);
void rcu_idle(void);

/* Waits until all reads that have begun have ended. Do not call inside a read. */
void rcu_wait_readers(void);

/* Memory that readers may still use: freed together after the next wait. One writer owns a list.  A
 * list entry is pushed after its memory was unlinked. rcu_retired_free waits once and frees all
 * entries. */
struct rcu_retired {
    void **items;
    size_t n, cap;
};

void rcu_free_later(
    struct rcu_retired *list, void *p);          /* memory from base/mem.h; NULL is ignored */
void rcu_retired_free(struct rcu_retired *list); /* waits only if there is memory to free */

/*
 * A hash table of pointers with one writer, and readers that never wait (inside rcu_read_begin and
 * rcu_read_end). Open addressing. The table owns none of the items. An item must be complete before
 * it is inserted. To grow, the writer builds a second table, swaps it in and retires the old one.
 */

struct rcumap;

struct rcumap_type {
    uint64_t (*hash)(const void *item);
    bool (*equal)(const void *item, const void *key); /* returns true if the item has this key */
};

struct rcumap *rcumap_create(
    const struct rcumap_type *type, size_t capacity, struct rcu_retired *retired);
void rcumap_destroy(struct rcumap *map); /* no reader may be left; items are not freed */

/* `hash` must equal type->hash of an item with `key`. NULL: not found. */
void *rcumap_find(const struct rcumap *map, uint64_t hash, const void *key);

size_t rcumap_count(const struct rcumap *map);

/* Writer only. The key must not be in the table. Items are never removed. */
void rcumap_insert(struct rcumap *map, void *item);

/* Writer, or a reader inside a read: calls fn for every item, in no particular order. */
void rcumap_each(const struct rcumap *map, void (*fn)(void *item, void *ctx), void *ctx);
