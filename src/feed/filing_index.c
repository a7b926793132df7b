/* Filings by id; see filing_index.h. */
#include "feed/filing_index.h"

#include "base/hash.h"

static uint64_t hash_id(const void *item)
{
    return hash_str(((const struct filing_place *)item)->id);
}

static bool equal_id(const void *item, const void *key)
{
    return str_eq(((const struct filing_place *)item)->id, *(const struct str *)key);
}

static const struct rcumap_type id_type = {hash_id, equal_id};

void filing_index_init(struct filing_index *d, struct rcu_retired *retired)
{
    *d = (struct filing_index){.retired = retired};
    d->by_id = rcumap_create(&id_type, 0, retired);
    arena_init(&d->arena);
}

static void free_runs(void *item, void *ctx)
{
    mem_free(atomic_load(&((struct filing_place *)item)->runs));
}

void filing_index_finish(struct filing_index *d)
{
    rcumap_each(d->by_id, free_runs, NULL);
    rcumap_destroy(d->by_id);
    arena_finish(&d->arena);
}

const struct filing_place *filing_index_find(const struct filing_index *d, struct str id)
{
    return rcumap_find(d->by_id, hash_str(id), &id);
}

static struct filing_place *get(struct filing_index *d, struct str id)
{
    if (d->last && str_eq(d->last->id, id))
        return d->last;
    struct filing_place *place = rcumap_find(d->by_id, hash_str(id), &id);
    if (!place) {
        place = ARENA_NEW(&d->arena, struct filing_place);
        place->id = arena_str(&d->arena, id);
        atomic_init(&place->ordinal, FILING_PLACE_NONE);
        atomic_init(&place->runs, NULL);
        rcumap_insert(d->by_id, place);
    }
    d->last = place;
    return place;
}

void filing_index_put(struct filing_index *d, struct str id, uint32_t ordinal)
{
    atomic_store_explicit(&get(d, id)->ordinal, ordinal, memory_order_release);
}

/* A copy with one run more. */
static struct filing_runs *with_run(const struct filing_runs *old, uint32_t ordinal)
{
    uint32_t n = old ? old->n : 0;
    struct filing_runs *runs = mem_alloc(sizeof *runs + (n + 1) * sizeof runs->items[0]);
    runs->n = n + 1;
    for (uint32_t i = 0; i < n; i++) {
        runs->items[i].first = old->items[i].first;
        atomic_init(&runs->items[i].end, atomic_load(&old->items[i].end));
    }
    runs->items[n].first = ordinal;
    atomic_init(&runs->items[n].end, ordinal + 1);
    return runs;
}

void filing_index_add_trade(struct filing_index *d, struct str filing_id, uint32_t ordinal)
{
    if (str_is_null(filing_id))
        return;
    struct filing_place *place = get(d, filing_id);
    struct filing_runs *runs = atomic_load_explicit(&place->runs, memory_order_relaxed);
    struct filing_run *last = runs ? &runs->items[runs->n - 1] : NULL;
    if (last && atomic_load_explicit(&last->end, memory_order_relaxed) == ordinal) {
        atomic_store_explicit(&last->end, ordinal + 1, memory_order_release);
        return;
    }
    rcu_free_later(
        d->retired,
        atomic_exchange_explicit(&place->runs, with_run(runs, ordinal), memory_order_acq_rel));
}
