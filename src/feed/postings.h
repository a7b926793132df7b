/*
 * For each value of each combination of filters the ordinals of its rows, ascending, so that a page
 * with any filters walks one list and never intersects two (docs/architecture.md, "The feed").
 *
 * Readers find a list without a lock. It may hold ordinals above what they see and withdrawn rows
 * that are not cut out yet; both they pass over. A list is appended to in place; anything else
 * writes a new one and swaps it. A list of one ordinal costs no memory beside its slot. The table
 * is many small ones, so that growing one is short whatever the whole holds.
 */
#pragma once

#include <stdatomic.h>

#include "base/rcu.h"
#include "core/model.h"

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

/* Readers: a list as it stood; items is NULL where `one` is the only item. */
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

/* How many of its items are below the ordinal. */
uint32_t posting_bound(const struct posting_view *v, uint32_t ordinal);

/* The writer. */

/* Brings the lists of the keys into the cache: with so many of them a list is nearly always cold,
 * and waiting for all at once is much shorter than for one after the other. */
void postings_warm(const struct postings *p, const posting_key *keys, size_t n);

/* The ordinal is above all others in the list. */
void postings_append(struct postings *p, posting_key key, uint32_t ordinal);

struct posting_edit {
    posting_key key;
    uint32_t ordinal;
    bool add; /* false: cut out */
};

typedef bool posting_is_live(const void *ctx, uint32_t ordinal);

/* Adds and cuts out anywhere, each list written anew once; sorts the edits. Adding what is there
 * and cutting out what is not changes nothing. What is not live falls out of the lists on the way.
 */
void postings_edit(
    struct postings *p, struct posting_edit *edits, size_t n, posting_is_live *is_live,
    const void *ctx);

/* The row has just been withdrawn: it is cut out of a short list now, and out of a long one
 * together with others, so that no list ever holds more than POSTING_DEAD_MAX of them. */
void postings_bury(
    struct postings *p, posting_key key, uint32_t ordinal, posting_is_live *is_live,
    const void *ctx);

enum { POSTING_DEAD_MAX = 64 };
