/*
 * What lists say of a trade beside its document: the industry of its asset (the sector), and the
 * committees on which the member sat on the day of the trade, by the list that the conflict rule
 * uses for that day (market/conflict.h). Both are one word of the row (series_chunk.listed).
 * Members share sets of committees, which are numbered and only ever added. Private to src/feed.
 */
#pragma once

#include <stdatomic.h>

#include "base/intmap.h"
#include "base/rcu.h"
#include "market/conflict.h"

enum {
    LISTED_SECTOR_BITS = 6, /* of the word; above it: the number of the set, 0: no seat known */
    LISTED_COMMITTEES_MAX = 4096,
};

/* Subcommittees with their committees, each once. */
struct listed_set {
    struct listed_set *same_hash;
    uint32_t number, count;
    uint16_t committees[]; /* numbers */
};

struct listed_member;

struct listed {
    /* writer only */
    struct arena arena;             /* of the seats, until the next listed_reset */
    struct listed_member **members; /* by index of people.h; NULL: no seats */
    size_t member_count;
    struct intmap by_hash;
    struct arena sets_arena;
    uint32_t set_count, set_room;
    struct rcu_retired *retired;
    /* readers too */
    _Atomic(const struct listed_set **) sets;
    _Atomic uint32_t committee_count;
    struct str committees[LISTED_COMMITTEES_MAX]; /* ids */
};

void listed_init(struct listed *s, struct rcu_retired *retired);
void listed_finish(struct listed *s);

/* --- writer only */

/* Forgets the seats of all members. */
void listed_reset(struct listed *s);
/* The seats, which live in s->arena. */
void listed_put(struct listed *s, uint32_t person, const struct conflict_seats *seats);
/* The word of a trade of the person. */
uint32_t listed_of(
    struct listed *s, uint32_t person, const struct conflict_trade *trade,
    const struct company_import *imported);

/* --- readers */

static inline uint32_t listed_sector(uint32_t word)
{
    return word & ((1 << LISTED_SECTOR_BITS) - 1);
}

/* NULL: of a word without seats. */
static inline const struct listed_set *listed_seats(const struct listed *s, uint32_t word)
{
    return atomic_load_explicit(&s->sets, memory_order_acquire)[word >> LISTED_SECTOR_BITS];
}

/* The number of a committee, in capital letters; UINT32_MAX: no member has a seat on it. */
uint32_t listed_committee(const struct listed *s, struct str id);

/* What a filter asks for. */
struct listed_test {
    uint32_t sector; /* 0: any */
    bool of_seat;
    uint32_t committee; /* with of_seat: itself, or one of its subcommittees */
};

bool listed_passes(const struct listed *s, const struct listed_test *test, uint32_t word);
