/* Numbers of pairs; see group_pairs.h. */
#include "feed/group_pairs.h"

#include "base/mem.h"

enum { BITS_FIRST = 10, BITS_STEP = 2 };

static void allocate(struct group_pairs *p, uint32_t bits)
{
    size_t slots = (size_t)1 << bits;
    mem_free(p->slots);
    mem_free(p->numbers);
    p->bits = bits;
    p->room = slots / 2;
    p->slots = mem_array(slots, sizeof *p->slots);
    p->numbers = mem_array(slots, sizeof *p->numbers);
    p->pairs = mem_realloc(p->pairs, p->room * sizeof *p->pairs);
    p->newest = mem_realloc(p->newest, p->room * sizeof *p->newest);
}

void group_pairs_init(struct group_pairs *p)
{
    *p = (struct group_pairs){.count = 0};
    allocate(p, BITS_FIRST);
}

void group_pairs_finish(struct group_pairs *p)
{
    mem_free(p->slots);
    mem_free(p->numbers);
    mem_free(p->pairs);
    mem_free(p->newest);
}

static void put(struct group_pairs *p, uint64_t pair, uint32_t number)
{
    uint32_t at = group_pairs_slot(p, pair);
    p->slots[at] = pair;
    p->numbers[at] = number;
}

uint32_t group_pairs_number(struct group_pairs *p, uint64_t pair, uint32_t ordinal)
{
    uint32_t number = group_pairs_at(p, pair);
    if (number)
        return number;
    if (p->count + 1 == p->room) {
        allocate(p, p->bits + BITS_STEP);
        for (number = 1; number <= p->count; number++)
            put(p, p->pairs[number], number);
    }
    number = ++p->count;
    p->pairs[number] = pair;
    p->newest[number] = ordinal;
    put(p, pair, number);
    return number;
}
