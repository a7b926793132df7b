/*
 * Posting lists: for each combination of filter values the ordinals of its rows, ascending, so that
 * any page walks one list and never intersects two (docs/architecture.md, "The feed").
 *
 * Readers find a list without a lock. A list may contain ordinals above the reader's view and
 * withdrawn rows that are not removed yet; readers skip both. Appending changes a list in place;
 * any other change writes a new list and swaps it in. A list of one ordinal is stored in its slot.
 * The table is split into many small ones, so that growing one takes little time.
 */
#pragma once

#include <stdatomic.h>

#include "base/rcu.h"
#include "rule/model.h"

/* A combination of filters as a number; never 0. */
typedef uint64_t posting_key;

enum { POSTING_INDEX_BITS = 24 };

static inline posting_key posting_key_of(
    uint32_t politician, uint32_t ticker, enum chamber chamber, bool conflicts_only)
{
    return (uint64_t)politician << 40 | (uint64_t)ticker << 16 | (uint64_t)chamber << 2 |
           (uint64_t)conflicts_only << 1 | 1;
}

enum { POSTING_SHARDS = 1024 };

struct posting_table;

struct postings {
    struct {
        _Atomic(struct posting_table *) table;
        uint32_t used;
    } shards[POSTING_SHARDS];
    struct rcu_retired *retired;
    _Atomic size_t bytes;
};

void postings_init(struct postings *p, struct rcu_retired *retired);
void postings_finish(struct postings *p);

/* For readers: a snapshot of a list; items is NULL if `one` is the only item. */
struct posting_view {
    uint32_t n;
    uint32_t dead; /* withdrawn rows among them */
    uint32_t one;
    const uint32_t *items;
};

struct posting_view postings_find(const struct postings *p, posting_key key); /* n 0: none */

static inline uint32_t posting_at(const struct posting_view *v, uint32_t i)
{
    return v->items ? v->items[i] : v->one;
}

/* The number of items below the ordinal. */
uint32_t posting_bound(const struct posting_view *v, uint32_t ordinal);

/* Writer only. */

/* Prefetches the lists of the keys. With so many lists, each is usually not in the cache, and
 * fetching all at once is much faster than one after the other. */
void postings_warm(const struct postings *p, const posting_key *keys, size_t n);

/* The ordinal must be above all others in the list. */
void postings_append(struct postings *p, posting_key key, uint32_t ordinal);

struct posting_edit {
    posting_key key;
    uint32_t ordinal;
    bool add; /* false: remove */
};

typedef bool posting_is_live(const void *ctx, uint32_t ordinal);

/* Applies the edits, which it sorts; each list is rewritten once. Adding an existing ordinal or
 * removing a missing one changes nothing. Rows that are not live are dropped from the rewritten
 * lists. */
void postings_edit(
    struct postings *p, struct posting_edit *edits, size_t n, posting_is_live *is_live,
    const void *ctx);

/* Call after a row was withdrawn. It leaves a short list at once, and a long list together with
 * others, so that no list holds more than POSTING_DEAD_MAX withdrawn rows. */
void postings_bury(
    struct postings *p, posting_key key, uint32_t ordinal, posting_is_live *is_live,
    const void *ctx);

enum { POSTING_DEAD_MAX = 64 };
