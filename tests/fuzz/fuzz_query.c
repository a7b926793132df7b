/* Any bytes as a query string: the reader stays inside them, and encoding the pairs and reading
 * them again gives the same pairs. */
#include "fuzz.h"

#include "rule/query.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct buf again;
    struct query_pairs first, second;
    arena_init(&arena);
    buf_init(&again, 1 << 20);

    query_read(str_of((const char *)data, size), &arena, &first);
    for (size_t i = 0; i < first.count; i++) {
        buf_char(&again, '&');
        query_encode(&again, first.pairs[i].name);
        if (!str_is_null(first.pairs[i].value)) {
            buf_char(&again, '=');
            query_encode(&again, first.pairs[i].value);
        }
    }
    assert(query_read(buf_view(&again), &arena, &second) == QUERY_OK);
    assert(second.count == first.count);
    for (size_t i = 0; i < first.count; i++) {
        assert(str_eq(first.pairs[i].name, second.pairs[i].name));
        assert(str_eq(first.pairs[i].value, second.pairs[i].value));
    }

    buf_finish(&again);
    arena_finish(&arena);
    return 0;
}
