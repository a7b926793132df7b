/*
 * A hash table of pointers with one writer and readers that never wait (inside rcu_read_begin and
 * rcu_read_end). Open addressing; the table holds pointers only and owns none of the items. An item
 * must be complete before it is inserted. Growing builds a table aside and swaps it; the old one
 * goes to the writer's retired list.
 */
#pragma once

#include "base/rcu.h"
#include "base/str.h"

struct rcumap;

struct rcumap_type {
    uint64_t (*hash)(const void *item);
    bool (*equal)(const void *item, const void *key); /* does the item carry this key? */
};

struct rcumap *rcumap_create(
    const struct rcumap_type *type, size_t capacity, struct rcu_retired *retired);
void rcumap_destroy(struct rcumap *map); /* no reader may be left; items are not touched */

/* `hash` must be what type->hash gives for an item that carries `key`. NULL when there is none. */
void *rcumap_find(const struct rcumap *map, uint64_t hash, const void *key);

size_t rcumap_count(const struct rcumap *map);

/* Writer only. Insert: no item with this key may be there. Remove: returns the item for the caller
 * to retire, or NULL. */
void rcumap_insert(struct rcumap *map, void *item);
void *rcumap_remove(struct rcumap *map, uint64_t hash, const void *key);

/* Writer, or a reader inside a read: calls fn for every item, in no order. */
void rcumap_each(const struct rcumap *map, void (*fn)(void *item, void *ctx), void *ctx);
