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
    ret->line_ms = filter->line_ms;
    ret->tests[0] = (struct slice_test){SLICE_LIVE, SLICE_EQUAL, 1};
    for (size_t i = 0; i < filter->test_count; i++) {
        struct slice_test *test = &ret->tests[ret->n++];
        if (!filter->tests[i].filter->test(e, &filter->tests[i].value, test))
            return false;
        if (test->field == SLICE_LATE && test->compare == SLICE_IN) {
            ret->late = test->value;
            ret->needs_records |= tally_read(&e->tally.late[LATE_BY_READER]) > 0;
        }
        ret->needs_records |= slice_test_is_shared(test);
    }
    return true;
}
