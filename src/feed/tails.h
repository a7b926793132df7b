/*
 * The ends of Trades, interned: conflictSignal and conflictReason as JSON, each reason of a
 * politician once, with the number of its trades. Number 0 means "no signal". A number never
 * changes while the table exists, so that a change of signal is one store of a number into the row.
 * The highest bits of a number are the signal's mark.
 */
#pragma once

#include <stdatomic.h>

#include "market/conflict.h"

struct signal_topic;

enum { TAILS_NONE = 0, TAILS_SEGMENTS = 22, TAILS_FIRST_SEGMENT = 64 };

/* Basis and grade of a signal in three bits. Evidence of a rule before there were grades has none,
 * until a sweep has judged its trades again. */
enum signal_mark {
    MARK_NONE, /* no signal */
    MARK_IN_FORCE,
    MARK_LATER,
    MARK_A,
    MARK_B,
    MARK_C,
    MARK_C_LATER,
    MARK_COUNT,
    MARK_SHIFT = 29,
    /* sets of marks */
    MARKS_LATER = 1 << MARK_LATER | 1 << MARK_C_LATER,
    MARKS_C = 1 << MARK_C | 1 << MARK_C_LATER,
};

static inline enum signal_mark tails_mark(uint32_t number)
{
    return (enum signal_mark)(number >> MARK_SHIFT);
}

/* CONFLICT_NO_LIST: no signal. */
static inline enum conflict_basis mark_basis(enum signal_mark mark)
{
    return mark == MARK_NONE         ? CONFLICT_NO_LIST
           : MARKS_LATER >> mark & 1 ? CONFLICT_LATER_LIST
                                     : CONFLICT_IN_FORCE;
}

static inline enum conflict_grade mark_grade(enum signal_mark mark)
{
    return MARKS_C >> mark & 1 ? CONFLICT_GRADE_C
           : mark == MARK_A    ? CONFLICT_GRADE_A
           : mark == MARK_B    ? CONFLICT_GRADE_B
                               : CONFLICT_NO_GRADE;
}

/* The number as an index from 1 to below tails_count. */
static inline uint32_t tails_index(uint32_t number)
{
    return number & ((UINT32_C(1) << MARK_SHIFT) - 1);
}

struct tail {
    uint64_t tag; /* hash of the JSON */
    struct str json;
    struct str reason; /* null: no signal */
    /* What it is about, by the newest evidence with this reason; NULL: not known. */
    _Atomic(const struct signal_topic *) topic;
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

/* Writer only: the number of a reason, new or existing; null: TAILS_NONE. It has the topic from now
 * on, which must live as long as the table. */
uint32_t tails_intern(
    struct tails *t, struct str reason, uint32_t politician, const struct signal_topic *topic);
/* Writer only: a trade with this end appears (step 1) or disappears (-1). */
void tails_step(struct tails *t, uint32_t number, int step);
