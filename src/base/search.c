/* search. */
#include "base/search.h"

/* Binary search for the records of a key. */

static const void *record_at(const void *records, size_t record_size, size_t i)
{
    return (const char *)records + i * record_size;
}

static struct str key_at(const void *records, size_t record_size, size_t i)
{
    return *(const struct str *)record_at(records, record_size, i);
}

const void *equal_range(
    const void *records, size_t count, size_t record_size, struct str key, size_t *ret_count)
{
    size_t from = FIRST_NOT(i, count, str_cmp(key_at(records, record_size, i), key) < 0), to = from;
    while (to < count && str_eq(key_at(records, record_size, to), key))
        to++;
    *ret_count = to - from;
    return record_at(records, record_size, from);
}
