/*
 * Pairs of values, numbered from 1 as they are found: the groups of two dimensions. A hash table.
 * Private to src/feed.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct group_pairs {
    uint32_t count, bits; /* 1 << bits slots */
    uint64_t *slots;      /* a pair; 0: free */
    uint32_t *numbers;    /* of the slots */
    size_t room;
    uint64_t *pairs;  /* of a number */
    uint32_t *newest; /* ordinal of the trade that it was found by */
};

void group_pairs_init(struct group_pairs *p);
void group_pairs_finish(struct group_pairs *p);

/* Numbers of values, neither of them 0. */
static inline uint64_t group_pair(uint32_t a, uint32_t b)
{
    return (uint64_t)b << 32 | a;
}

static inline uint32_t group_pairs_slot(const struct group_pairs *p, uint64_t pair)
{
    uint32_t at = (uint32_t)(pair * UINT64_C(0x9e3779b97f4a7c15) >> (64 - p->bits));
    while (p->slots[at] && p->slots[at] != pair)
        at = (at + 1) & ((UINT32_C(1) << p->bits) - 1);
    return at;
}

/* 0: it has none. */
static inline uint32_t group_pairs_at(const struct group_pairs *p, uint64_t pair)
{
    return p->numbers[group_pairs_slot(p, pair)];
}

/* The pair gets one, if it has none. */
uint32_t group_pairs_number(struct group_pairs *p, uint64_t pair, uint32_t ordinal);
