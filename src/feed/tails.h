/*
 * The ends of Trades, interned: conflictSignal and conflictReason as JSON, each reason of a
 * politician once, with the number of its trades. Number 0 means "no signal". A number never
 * changes while the table exists, so that a change of signal is one store of a number into the row.
 * The highest bit of a number says that the signal rests on a list later than the trade.
 */
#pragma once

#include <stdatomic.h>

#include "base/mem.h"
#include "market/conflict.h"

struct signal_topic;

enum { TAILS_NONE = 0, TAILS_SEGMENTS = 24, TAILS_FIRST_SEGMENT = 64 };

#define TAILS_LATER (UINT32_C(1) << 31)

/* CONFLICT_NO_LIST: no signal. */
static inline enum conflict_basis tails_basis(uint32_t number)
{
    return number == TAILS_NONE   ? CONFLICT_NO_LIST
           : number & TAILS_LATER ? CONFLICT_LATER_LIST
                                  : CONFLICT_IN_FORCE;
}

/* The number as an index from 1 to below tails_count. */
static inline uint32_t tails_index(uint32_t number)
{
    return number & ~TAILS_LATER;
}

struct tail {
    uint64_t tag; /* hash of the JSON */
    struct str json;
    struct str reason;                /* null: no signal */
    const struct signal_topic *topic; /* what it is about; NULL: not known */
    uint32_t politician;
    _Atomic uint32_t trades; /* visible ones */
};

/* Segment k holds TAILS_FIRST_SEGMENT << k tails and never moves. */
struct tails {
    _Atomic(struct tail *) segments[TAILS_SEGMENTS];
    _Atomic uint32_t n;
    uint32_t *slots; /* writer only: a hash table of number + 1, 0: free */
    uint32_t mask;
    struct arena arena;
    size_t bytes;
};

void tails_init(struct tails *t);
void tails_finish(struct tails *t);

/* For readers, with a number from a row, or below tails_count. */
const struct tail *tails_get(const struct tails *t, uint32_t number);
uint32_t tails_count(const struct tails *t);

/* Writer only: the number of a reason, new or existing; null: TAILS_NONE. A new one has the topic,
 * which must live as long as the table. */
uint32_t tails_intern(
    struct tails *t, struct str reason, uint32_t politician, const struct signal_topic *topic);
/* Writer only: a trade with this end appears (step 1) or disappears (-1). */
void tails_step(struct tails *t, uint32_t number, int step);
