/*
 * The row tests of one page, resolved against the edition that the page reads. Each edition numbers
 * names differently, so the same test may need another number in the next edition.
 */
#pragma once

#include "feed/trade_filter.h"

struct sieve {
    size_t n;
    struct {
        bool (*keeps)(const struct param_value *, const struct series_record *, uint32_t tail);
        struct param_value value;
    } tests[PARAM_TABLE_MAX];
};

/* false: no trade of the edition can match. Texts of the filter must outlive *ret. */
bool sieve_init(struct sieve *ret, const struct edition *e, const struct feed_filter *filter);

static inline bool sieve_keeps(
    const struct sieve *sieve, const struct series_record *record, uint32_t tail)
{
    for (size_t i = 0; i < sieve->n; i++)
        if (!sieve->tests[i].keeps(&sieve->tests[i].value, record, tail))
            return false;
    return true;
}
