/* Open addressing; see intmap.h. */
#include "base/intmap.h"

#include <assert.h>

enum { SLOTS_FIRST = 64 };

void intmap_init(struct intmap *t)
{
    *t = (struct intmap){.mask = SLOTS_FIRST - 1};
    t->slots = mem_array(SLOTS_FIRST, sizeof *t->slots);
}

void intmap_finish(struct intmap *t)
{
    mem_free(t->slots);
    *t = (struct intmap){.slots = NULL};
}

static uint64_t spread(uint64_t key)
{
    key ^= key >> 32;
    key *= 0x9e3779b97f4a7c15; /* 2^64 over the golden ratio */
    return key ^ key >> 29;
}

static struct intmap_slot *find_slot(const struct intmap *t, uint64_t key)
{
    for (size_t i = spread(key) & t->mask;; i = (i + 1) & t->mask)
        if (!t->slots[i].value || t->slots[i].key == key)
            return &t->slots[i];
}

void *intmap_get(const struct intmap *t, uint64_t key)
{
    return find_slot(t, key)->value;
}

static void grow(struct intmap *t)
{
    struct intmap old = *t;
    t->mask = 2 * old.mask + 1;
    t->slots = mem_array(t->mask + 1, sizeof *t->slots);
    for (size_t i = 0; i <= old.mask; i++)
        if (old.slots[i].value)
            *find_slot(t, old.slots[i].key) = old.slots[i];
    mem_free(old.slots);
}

void intmap_put(struct intmap *t, uint64_t key, void *value)
{
    struct intmap_slot *slot = find_slot(t, key);
    assert(value);
    t->used += !slot->value;
    *slot = (struct intmap_slot){key, value};
    if (2 * t->used > t->mask)
        grow(t);
}
