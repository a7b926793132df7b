/* Any bytes as CSV: the reader stays inside them, and writing the records with every field quoted
 * and reading them again gives the same records. */
#include "fuzz.h"

#include "base/buf.h"
#include "base/csv_in.h"

static void put_field(struct buf *b, struct str field)
{
    buf_char(b, '"');
    for (size_t i = 0; i < field.n; i++) {
        if (field.p[i] == '"')
            buf_char(b, '"');
        buf_char(b, field.p[i]);
    }
    buf_char(b, '"');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct buf again;
    struct csv_in first, second;
    arena_init(&arena);
    buf_init(&again, 8 << 20);

    csv_in_init(&first, str_of((const char *)data, size), &arena);
    while (csv_in_next(&first)) {
        for (int i = 0; i < first.count; i++) {
            if (i)
                buf_char(&again, ',');
            put_field(&again, first.field[i]);
        }
        buf_text(&again, "\r\n");
    }
    assert(!again.overflow);
    csv_in_init(&first, str_of((const char *)data, size), &arena);
    csv_in_init(&second, buf_view(&again), &arena);
    while (csv_in_next(&first)) {
        assert(csv_in_next(&second) && first.count == second.count);
        for (int i = 0; i < first.count; i++)
            assert(str_eq(first.field[i], second.field[i]));
    }
    assert(!csv_in_next(&second) && !second.error);

    buf_finish(&again);
    arena_finish(&arena);
    return 0;
}
