/*
 * The filters of one page without a posting list, as tests of bit slices, resolved against the
 * edition that the page reads. Each edition numbers names differently, so the same filter may need
 * another number in the next edition.
 */
#pragma once

#include "feed/listed.h"
#include "feed/trade_filter.h"

struct sieve {
    size_t n;
    bool needs_records; /* a row that passes by its slices may fail by its record */
    uint64_t late;      /* the set that a row must have by what the reader knows; 0: any */
    int64_t line_ms;    /* of the filter */
    bool by_lists;      /* rows must pass `listed` too */
    struct listed_test listed;
    const struct listed *lists;
    struct slice_test tests[PARAM_TABLE_MAX + 1]; /* the first: the row is live */
};

/* false: no trade of the edition can match. */
bool sieve_init(struct sieve *ret, const struct edition *e, const struct feed_filter *filter);

/* Leaves out rows that fail by what lists say; false: none is left. */
bool sieve_lists(
    const struct sieve *sieve, const struct series_chunk *chunk, struct slice_mask *rows);

/* The rows of the chunk that pass, or all while one changes; false: none. */
static inline bool sieve_mask(
    const struct sieve *sieve, const struct series_chunk *chunk, struct slice_mask *ret)
{
    bool any = slices_match(&chunk->slices, sieve->tests, sieve->n, ret);
    return any && (!sieve->by_lists || sieve_lists(sieve, chunk, ret));
}

static inline void sieve_prefetch(const struct sieve *sieve, const struct series_chunk *chunk)
{
    for (size_t i = 0; i < sieve->n; i++)
        slices_prefetch(&chunk->slices, &sieve->tests[i]);
}

/* Whether a row with this record, tail and word of listed.h passes. */
static inline bool sieve_keeps(
    const struct sieve *sieve, const struct series_record *record, uint32_t tail, uint32_t listed)
{
    for (size_t i = 0; i < sieve->n; i++) {
        const struct slice_test *test = &sieve->tests[i];
        if (!slice_test_passes(test, series_value(&record->facts, tail, true, test->field)))
            return false;
    }
    if (sieve->by_lists && !listed_passes(sieve->lists, &sieve->listed, listed))
        return false;
    return !sieve->late || sieve->late >> series_late(&record->facts, sieve->line_ms) & 1;
}
