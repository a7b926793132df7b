/*
 * The table of posting lists; see postings.h. Values of a slot's `ref`:
 *
 *     0                 an empty list
 *     ordinal << 1 | 1  one ordinal
 *     otherwise         pointer to a struct posting_list
 */
#include "feed/postings.h"

#include <assert.h>
#include <stdlib.h>

enum {
    TABLE_FIRST_SLOTS = 4,
    LIST_FIRST_CAPACITY = 3,
    LIST_SHORT = 256,
    LIST_STEP = 16,
    GUESSES_MAX = 6
};

struct posting_slot {
    _Atomic posting_key key; /* 0: free */
    _Atomic uint64_t ref;
};

struct posting_table {
    uint32_t mask;
    struct posting_slot slots[];
};

struct posting_list {
    _Atomic uint32_t n;
    uint32_t capacity;
    _Atomic uint32_t dead;
    uint32_t items[];
};

static uint64_t key_hash(posting_key key)
{
    key ^= key >> 33;
    key *= 0xff51afd7ed558ccd;
    key ^= key >> 33;
    key *= 0xc4ceb9fe1a85ec53;
    return key ^ key >> 33;
}

static uint32_t shard_of(uint64_t hash)
{
    return (uint32_t)(hash >> 54);
}

static bool ref_is_one(uint64_t ref)
{
    return ref & 1;
}

static uint64_t ref_of_one(uint32_t ordinal)
{
    return (uint64_t)ordinal << 1 | 1;
}

static struct posting_list *ref_list(uint64_t ref)
{
    return (struct posting_list *)(uintptr_t)ref;
}

static size_t list_size(uint32_t capacity)
{
    return sizeof(struct posting_list) + capacity * sizeof(uint32_t);
}

static size_t table_size(uint32_t slots)
{
    return sizeof(struct posting_table) + slots * sizeof(struct posting_slot);
}

static void count_bytes(struct postings *p, size_t more, size_t less)
{
    atomic_fetch_add_explicit(&p->bytes, more - less, memory_order_relaxed);
}

static struct posting_list *list_create(struct postings *p, uint32_t capacity)
{
    struct posting_list *list = mem_alloc(list_size(capacity));
    atomic_init(&list->n, 0);
    atomic_init(&list->dead, 0);
    list->capacity = capacity;
    count_bytes(p, list_size(capacity), 0);
    return list;
}

static void list_retire(struct postings *p, struct posting_list *list)
{
    count_bytes(p, 0, list_size(list->capacity));
    rcu_free_later(p->retired, list);
}

static struct posting_table *table_create(struct postings *p, uint32_t slots)
{
    struct posting_table *t = mem_zalloc(table_size(slots));
    t->mask = slots - 1;
    count_bytes(p, table_size(slots), 0);
    return t;
}

void postings_init(struct postings *p, struct rcu_retired *retired)
{
    memset(p, 0, sizeof *p);
    p->retired = retired;
    for (int i = 0; i < POSTING_SHARDS; i++)
        atomic_init(&p->shards[i].table, table_create(p, TABLE_FIRST_SLOTS));
}

void postings_finish(struct postings *p)
{
    for (int i = 0; i < POSTING_SHARDS; i++) {
        struct posting_table *t = atomic_load(&p->shards[i].table);
        for (uint32_t j = 0; j <= t->mask; j++) {
            uint64_t ref = atomic_load_explicit(&t->slots[j].ref, memory_order_relaxed);
            if (ref && !ref_is_one(ref))
                mem_free(ref_list(ref));
        }
        mem_free(t);
    }
}

/* The key's slot, or the free slot where it belongs. */
static struct posting_slot *probe(struct posting_table *t, uint64_t hash, posting_key key)
{
    for (uint32_t i = (uint32_t)hash & t->mask;; i = (i + 1) & t->mask) {
        posting_key found = atomic_load_explicit(&t->slots[i].key, memory_order_acquire);
        if (found == key || found == 0)
            return &t->slots[i];
    }
}

static struct posting_view view_of(uint64_t ref)
{
    if (ref == 0)
        return (struct posting_view){0};
    if (ref_is_one(ref))
        return (struct posting_view){.n = 1, .one = (uint32_t)(ref >> 1)};
    const struct posting_list *list = ref_list(ref);
    return (struct posting_view){
        .n = atomic_load_explicit(&list->n, memory_order_acquire),
        .dead = atomic_load_explicit(&list->dead, memory_order_relaxed),
        .items = list->items,
    };
}

struct posting_view postings_find(const struct postings *p, posting_key key)
{
    uint64_t hash = key_hash(key);
    struct posting_table *t =
        atomic_load_explicit(&p->shards[shard_of(hash)].table, memory_order_acquire);
    struct posting_slot *slot = probe(t, hash, key);
    /* A free slot has no list yet. */
    return view_of(atomic_load_explicit(&slot->ref, memory_order_acquire));
}

uint32_t posting_bound(const struct posting_view *v, uint32_t ordinal)
{
    if (v->n == 0 || ordinal <= posting_at(v, 0))
        return 0;
    if (ordinal > posting_at(v, v->n - 1))
        return v->n;
    /* Interpolation search. The rows of one combination are spread evenly, so a guess between the
     * ends is off by about the root of their distance, and the next guess by the root of that: a
     * few memory accesses instead of twenty. The search falls back to bisection for lists that are
     * not spread evenly. */
    uint32_t low = 0, high = v->n - 1; /* items[low] < ordinal <= items[high] */
    for (int look = 0; high - low > LIST_STEP && look < GUESSES_MAX; look++) {
        uint32_t from = posting_at(v, low), to = posting_at(v, high);
        uint32_t middle = low + (uint32_t)((uint64_t)(high - low) * (ordinal - from) / (to - from));
        middle += middle == low;
        middle -= middle == high;
        if (posting_at(v, middle) < ordinal)
            low = middle;
        else
            high = middle;
    }
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (posting_at(v, middle) < ordinal)
            low = middle;
        else
            high = middle;
    }
    return high;
}

void postings_warm(const struct postings *p, const posting_key *keys, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t hash = key_hash(keys[i]);
        const struct posting_table *t =
            atomic_load_explicit(&p->shards[shard_of(hash)].table, memory_order_acquire);
        __builtin_prefetch(&t->slots[(uint32_t)hash & t->mask]);
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t hash = key_hash(keys[i]);
        struct posting_table *t =
            atomic_load_explicit(&p->shards[shard_of(hash)].table, memory_order_acquire);
        uint64_t ref = atomic_load_explicit(&probe(t, hash, keys[i])->ref, memory_order_acquire);
        if (ref && !ref_is_one(ref))
            __builtin_prefetch(ref_list(ref));
    }
}

static void table_grow(struct postings *p, uint32_t shard)
{
    struct posting_table *old = atomic_load(&p->shards[shard].table);
    struct posting_table *t = table_create(p, 2 * (old->mask + 1));
    for (uint32_t i = 0; i <= old->mask; i++) {
        posting_key key = atomic_load_explicit(&old->slots[i].key, memory_order_relaxed);
        if (key == 0)
            continue;
        struct posting_slot *slot = probe(t, key_hash(key), key);
        uint64_t ref = atomic_load_explicit(&old->slots[i].ref, memory_order_relaxed);
        atomic_store_explicit(&slot->ref, ref, memory_order_relaxed);
        atomic_store_explicit(&slot->key, key, memory_order_relaxed);
    }
    atomic_store_explicit(&p->shards[shard].table, t, memory_order_release);
    count_bytes(p, 0, table_size(old->mask + 1));
    rcu_free_later(p->retired, old);
}

/* The key's slot, created if missing. */
static struct posting_slot *slot_for(struct postings *p, posting_key key)
{
    uint64_t hash = key_hash(key);
    uint32_t shard = shard_of(hash);
    struct posting_table *t = atomic_load(&p->shards[shard].table);
    struct posting_slot *slot = probe(t, hash, key);
    if (atomic_load_explicit(&slot->key, memory_order_relaxed) == key)
        return slot;
    if (4 * (p->shards[shard].used + 1) > 3 * (t->mask + 1)) {
        table_grow(p, shard);
        slot = probe(atomic_load(&p->shards[shard].table), hash, key);
    }
    p->shards[shard].used++;
    atomic_store_explicit(&slot->key, key, memory_order_release);
    return slot;
}

/* Replaces the slot's list. */
static void slot_set(struct postings *p, struct posting_slot *slot, uint64_t ref)
{
    uint64_t old = atomic_load_explicit(&slot->ref, memory_order_relaxed);
    atomic_store_explicit(&slot->ref, ref, memory_order_release);
    if (old && !ref_is_one(old))
        list_retire(p, ref_list(old));
}

static uint32_t larger_capacity(uint32_t capacity)
{
    return capacity < LIST_SHORT ? 2 * capacity + 1 : capacity + capacity / 2;
}

/* Copies a list with a larger capacity; the caller sets the slot. */
static struct posting_list *list_grown(
    struct postings *p, const struct posting_view *v, uint32_t capacity)
{
    struct posting_list *list = list_create(p, capacity);
    if (v->items)
        memcpy(list->items, v->items, v->n * sizeof v->items[0]);
    else
        list->items[0] = v->one;
    atomic_init(&list->n, v->n);
    atomic_init(&list->dead, v->dead);
    return list;
}

void postings_append(struct postings *p, posting_key key, uint32_t ordinal)
{
    struct posting_slot *slot = slot_for(p, key);
    uint64_t ref = atomic_load_explicit(&slot->ref, memory_order_relaxed);
    if (ref == 0) {
        slot_set(p, slot, ref_of_one(ordinal));
        return;
    }
    struct posting_view v = view_of(ref);
    assert(posting_at(&v, v.n - 1) < ordinal);
    struct posting_list *list = v.items ? ref_list(ref) : NULL;
    bool full = !list || v.n == list->capacity;
    if (full)
        list = list_grown(
            p, &v, list ? larger_capacity(list->capacity) : (uint32_t)LIST_FIRST_CAPACITY);
    list->items[v.n] = ordinal;
    atomic_store_explicit(&list->n, v.n + 1, memory_order_release);
    if (full)
        slot_set(p, slot, (uint64_t)(uintptr_t)list);
}

/* Merges the edits of one key, ascending by ordinal, with its list into a new list. */
static void rewrite(
    struct postings *p, posting_key key, const struct posting_edit *edits, size_t edit_count,
    posting_is_live *is_live, const void *ctx)
{
    struct posting_slot *slot = slot_for(p, key);
    struct posting_view v = view_of(atomic_load_explicit(&slot->ref, memory_order_relaxed));
    struct posting_list *list = list_create(p, v.n + (uint32_t)edit_count);
    uint32_t n = 0;
    for (size_t i = 0, j = 0; i < v.n || j < edit_count;) {
        bool from_list =
            i < v.n && (j == edit_count || posting_at(&v, (uint32_t)i) <= edits[j].ordinal);
        uint32_t ordinal = from_list ? posting_at(&v, (uint32_t)i) : edits[j].ordinal;
        bool keep = from_list;
        i += from_list;
        for (; j < edit_count && edits[j].ordinal == ordinal; j++)
            keep = edits[j].add;
        if (keep && is_live(ctx, ordinal))
            list->items[n++] = ordinal;
    }
    atomic_store_explicit(&list->n, n, memory_order_relaxed);
    if (n > 1) {
        slot_set(p, slot, (uint64_t)(uintptr_t)list);
        return;
    }
    slot_set(p, slot, n ? ref_of_one(list->items[0]) : 0);
    count_bytes(p, 0, list_size(list->capacity));
    mem_free(list);
}

static int edit_order(const void *a, const void *b)
{
    const struct posting_edit *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->ordinal < y->ordinal ? -1 : x->ordinal > y->ordinal;
}

void postings_edit(
    struct postings *p, struct posting_edit *edits, size_t n, posting_is_live *is_live,
    const void *ctx)
{
    if (n)
        qsort(edits, n, sizeof *edits, edit_order);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && edits[end].key == edits[i].key;)
            end++;
        rewrite(p, edits[i].key, edits + i, end - i, is_live, ctx);
    }
}

void postings_bury(
    struct postings *p, posting_key key, uint32_t ordinal, posting_is_live *is_live,
    const void *ctx)
{
    struct posting_slot *slot = slot_for(p, key);
    struct posting_view v = view_of(atomic_load_explicit(&slot->ref, memory_order_relaxed));
    if (v.n > LIST_SHORT && v.dead + 1 < POSTING_DEAD_MAX) {
        struct posting_list *list =
            ref_list(atomic_load_explicit(&slot->ref, memory_order_relaxed));
        atomic_store_explicit(&list->dead, v.dead + 1, memory_order_relaxed);
        return;
    }
    struct posting_edit edit = {key, ordinal, false};
    rewrite(p, key, &edit, 1, is_live, ctx);
}
