/* The row tests of a page; see sieve.h. */
#include "feed/sieve.h"

#include <assert.h>

bool sieve_init(struct sieve *ret, const struct edition *e, const struct feed_filter *filter)
{
    assert(filter->test_count <= PARAM_TABLE_MAX);
    ret->n = filter->test_count;
    for (size_t i = 0; i < ret->n; i++) {
        const struct trade_filter *row = filter->tests[i].filter;
        ret->tests[i].keeps = row->keeps;
        ret->tests[i].value = filter->tests[i].value;
        if (row->resolve && !row->resolve(e, &ret->tests[i].value))
            return false;
    }
    return true;
}
