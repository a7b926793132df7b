/*
 * A hash table of pointers with one writer, and readers that never wait (inside rcu_read_begin and
 * rcu_read_end). Open addressing. The table owns none of the items. An item must be complete before
 * it is inserted. To grow, the writer builds a second table, swaps it in and retires the old one.
 */
#pragma once

#include "base/rcu.h"
#include "base/str.h"

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
