/* The tests of a page; see sieve.h. */
#include "feed/sieve.h"

#include <assert.h>

#include "feed/edition.h"

bool sieve_init(struct sieve *ret, const struct edition *e, const struct feed_filter *filter)
{
    assert(filter->test_count <= PARAM_TABLE_MAX);
    ret->n = 1;
    ret->needs_records = false;
    ret->late = 0;
    ret->by_lists = false;
    ret->listed = (struct listed_test){0};
    ret->lists = &e->listed;
    ret->line_ms = filter->line_ms;
    ret->tests[0] = (struct slice_test){SLICE_LIVE, SLICE_EQUAL, 1};
    for (size_t i = 0; i < filter->test_count; i++) {
        const struct trade_filter *row = filter->tests[i].filter;
        struct slice_test *test = &ret->tests[ret->n];
        ret->by_lists |= row->list != NULL;
        if (row->list && !row->list(e, &filter->tests[i].value, &ret->listed))
            return false;
        if (row->list)
            continue;
        if (!row->test(e, &filter->tests[i].value, test))
            return false;
        ret->n++;
        if (test->field == SLICE_LATE && test->compare == SLICE_IN) {
            ret->late = test->value;
            ret->needs_records |= tally_read(&e->tally.late[LATE_BY_READER]) > 0;
        }
        ret->needs_records |= slice_test_is_shared(test);
    }
    return true;
}

bool sieve_lists(
    const struct sieve *sieve, const struct series_chunk *chunk, struct slice_mask *rows)
{
    uint32_t last = 0;
    bool lists = listed_passes(sieve->lists, &sieve->listed, last);
    uint64_t any = 0;
    for (uint32_t word = 0; word < SLICE_WORDS; word++) {
        for (uint64_t left = rows->words[word], bit; left; left ^= bit) {
            bit = left & -left;
            uint32_t is = series_listed(chunk, 64 * word + (uint32_t)__builtin_ctzll(left));
            if (is != last)
                lists = listed_passes(sieve->lists, &sieve->listed, is);
            last = is;
            rows->words[word] ^= lists ? 0 : bit;
        }
        any |= rows->words[word];
    }
    return any;
}
