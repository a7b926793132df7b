/* A hash table with readers that never wait; see rcumap.h. */
#include "base/rcumap.h"

#include <stdatomic.h>

#include "base/mem.h"

enum { RCUMAP_CAPACITY_MIN = 16 };

struct rcumap_table {
    size_t mask;
    _Atomic(void *) slots[]; /* NULL: free, ends a probe */
};

struct rcumap {
    const struct rcumap_type *type;
    struct rcu_retired *retired;
    _Atomic(struct rcumap_table *) table;
    _Atomic size_t count;
};

static struct rcumap_table *table_create(size_t capacity)
{
    struct rcumap_table *t = mem_zalloc(sizeof *t + capacity * sizeof t->slots[0]);
    t->mask = capacity - 1;
    return t;
}

struct rcumap *rcumap_create(
    const struct rcumap_type *type, size_t capacity, struct rcu_retired *retired)
{
    size_t slots = RCUMAP_CAPACITY_MIN;
    while (slots < capacity + capacity / 2)
        slots *= 2;
    struct rcumap *map = MEM_NEW(struct rcumap);
    map->type = type;
    map->retired = retired;
    atomic_init(&map->table, table_create(slots));
    return map;
}

void rcumap_destroy(struct rcumap *map)
{
    if (!map)
        return;
    mem_free(atomic_load(&map->table));
    mem_free(map);
}

void *rcumap_find(const struct rcumap *map, uint64_t hash, const void *key)
{
    struct rcumap_table *t = atomic_load_explicit(&map->table, memory_order_acquire);
    for (size_t i = hash & t->mask;; i = (i + 1) & t->mask) {
        void *item = atomic_load_explicit(&t->slots[i], memory_order_acquire);
        if (!item)
            return NULL;
        if (map->type->equal(item, key))
            return item;
    }
}

size_t rcumap_count(const struct rcumap *map)
{
    return atomic_load_explicit(&map->count, memory_order_relaxed);
}

static void table_add(struct rcumap_table *t, uint64_t hash, void *item)
{
    size_t i = hash & t->mask;
    while (atomic_load_explicit(&t->slots[i], memory_order_relaxed))
        i = (i + 1) & t->mask;
    atomic_store_explicit(&t->slots[i], item, memory_order_release);
}

static void grow(struct rcumap *map)
{
    struct rcumap_table *old = atomic_load(&map->table);
    size_t count = rcumap_count(map), slots = RCUMAP_CAPACITY_MIN;
    while (slots < 3 * (count + 1))
        slots *= 2;
    struct rcumap_table *t = table_create(slots);
    for (size_t i = 0; i <= old->mask; i++) {
        void *item = atomic_load_explicit(&old->slots[i], memory_order_relaxed);
        if (item)
            table_add(t, map->type->hash(item), item);
    }
    atomic_store_explicit(&map->table, t, memory_order_release);
    rcu_free_later(map->retired, old);
}

void rcumap_insert(struct rcumap *map, void *item)
{
    size_t capacity = atomic_load(&map->table)->mask + 1;
    if (3 * (rcumap_count(map) + 1) > 2 * capacity)
        grow(map);
    table_add(atomic_load(&map->table), map->type->hash(item), item);
    atomic_fetch_add_explicit(&map->count, 1, memory_order_relaxed);
}

void rcumap_each(const struct rcumap *map, void (*fn)(void *item, void *ctx), void *ctx)
{
    struct rcumap_table *t = atomic_load_explicit(&map->table, memory_order_acquire);
    for (size_t i = 0; i <= t->mask; i++) {
        void *item = atomic_load_explicit(&t->slots[i], memory_order_acquire);
        if (item)
            fn(item, ctx);
    }
}
