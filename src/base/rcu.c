/* A wrapper of liburcu-qsbr; see rcu.h. */
#include "base/rcu.h"

#include <stdatomic.h>
#include <urcu-qsbr.h>

#include "base/mem.h"

/* ThreadSanitizer does not see liburcu's barriers. These annotations give it the same order: a read
 * happens before the writer's work after waiting. */
#if defined(__SANITIZE_THREAD__)
#define RCU_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RCU_TSAN 1
#endif
#endif

#ifdef RCU_TSAN
void __tsan_acquire(void *addr);
void __tsan_release(void *addr);
static char rcu_tsan_reads_ended;
#define RCU_READ_ENDED() __tsan_release(&rcu_tsan_reads_ended)
#define RCU_WAITED() __tsan_acquire(&rcu_tsan_reads_ended)
#else
#define RCU_READ_ENDED() ((void)0)
#define RCU_WAITED() ((void)0)
#endif

static _Thread_local struct {
    bool in_bursts;
    bool online;
} own;

void rcu_thread_start(void)
{
    urcu_qsbr_register_thread();
    urcu_qsbr_thread_offline();
}

void rcu_thread_stop(void)
{
    rcu_idle();
    own.in_bursts = false;
    urcu_qsbr_unregister_thread();
}

void rcu_thread_in_bursts(void)
{
    own.in_bursts = true;
}

static void go_offline(void)
{
    RCU_READ_ENDED();
    urcu_qsbr_thread_offline();
    own.online = false;
}

void rcu_idle(void)
{
    if (own.online)
        go_offline();
}

void rcu_read_begin(void)
{
    if (!own.online)
        urcu_qsbr_thread_online();
    own.online = true;
}

void rcu_read_end(void)
{
    if (!own.in_bursts)
        go_offline();
}

void rcu_wait_readers(void)
{
    urcu_qsbr_synchronize_rcu();
    RCU_WAITED();
}

void rcu_free_later(struct rcu_retired *list, void *p)
{
    if (!p)
        return;
    list->items = mem_grow(list->items, list->n, &list->cap, sizeof *list->items);
    list->items[list->n++] = p;
}

void rcu_retired_free(struct rcu_retired *list)
{
    if (list->n)
        rcu_wait_readers();
    for (size_t i = 0; i < list->n; i++)
        mem_free(list->items[i]);
    mem_free(list->items);
    *list = (struct rcu_retired){0};
}

/* A hash table with readers that never wait. */

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
