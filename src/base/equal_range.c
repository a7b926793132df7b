/* Binary search for the records of a key; see equal_range.h. */
#include "base/equal_range.h"

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
    size_t from = 0, to = count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (str_cmp(key_at(records, record_size, middle), key) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    while (to < count && str_eq(key_at(records, record_size, to), key))
        to++;
    *ret_count = to - from;
    return record_at(records, record_size, from);
}
