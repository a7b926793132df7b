/* Counts of the visible trades of one politician, of one ticker, or of all; readers may read them
 * while they change. */
#pragma once

#include <stdatomic.h>

#include "feed/tails.h"
#include "rule/lateness.h"
#include "rule/model.h"

/* The last one: readers who see publications later know another status than the others, until the
 * record's settled_at. */
enum { LATE_BY_READER = LATE_STATUS_COUNT, LATE_KINDS };

struct tally {
    _Atomic uint32_t trades;
    _Atomic uint32_t sides[SIDE_COUNT];
    _Atomic uint32_t conflicts[MARK_COUNT];
    _Atomic uint32_t late[LATE_KINDS];
};

/* step: 1 or -1 */
static inline void tally_count(
    struct tally *t, enum side side, enum signal_mark mark, uint8_t late, int step)
{
    atomic_fetch_add_explicit(&t->trades, (uint32_t)step, memory_order_relaxed);
    atomic_fetch_add_explicit(&t->sides[side], (uint32_t)step, memory_order_relaxed);
    atomic_fetch_add_explicit(&t->conflicts[mark], (uint32_t)step, memory_order_relaxed);
    atomic_fetch_add_explicit(&t->late[late], (uint32_t)step, memory_order_relaxed);
}

/* A trade's signal changes. */
static inline void tally_move(struct tally *t, enum signal_mark from, enum signal_mark to)
{
    atomic_fetch_sub_explicit(&t->conflicts[from], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&t->conflicts[to], 1, memory_order_relaxed);
}

static inline int64_t tally_read(const _Atomic uint32_t *count)
{
    return atomic_load_explicit(count, memory_order_relaxed);
}

static inline int64_t tally_sells(const struct tally *t)
{
    return tally_read(&t->sides[SIDE_SELL_FULL]) + tally_read(&t->sides[SIDE_SELL_PARTIAL]);
}
