/* Checks that hold for every reading of any reader, whatever its input. */
#pragma once

#include "fuzz.h"

#include "base/buf.h"
#include "paper/reading.h"

static inline void reading_check_rows(const struct reading *r)
{
    assert(r->row_count <= READING_ROWS_MAX && r->check_count <= SELF_CHECKS_READ_MAX);
    for (size_t i = 0; i < r->row_count; i++) {
        assert(r->rows[i].row >= 1 && r->rows[i].row <= READING_ROWS_MAX);
        assert(i == 0 || r->rows[i].row > r->rows[i - 1].row);
    }
    bool failed = r->kind == READING_REFUSED || r->kind == READING_UNREADABLE;
    assert(!failed || (r->reason.n > 0 && r->row_count == 0 && r->entry_count == 0));
}

/* The reading reaches the parent unchanged. */
static inline void reading_check_travels(const struct reading *r, struct arena *arena)
{
    struct buf there, back;
    struct reading parsed;
    struct fail fail = {0};
    buf_init(&there, READING_INDEX_SIZE_MAX);
    buf_init(&back, READING_INDEX_SIZE_MAX);
    reading_put(&there, r);
    assert(!there.overflow);
    assert(reading_parse(buf_view(&there), arena, &parsed, &fail) == OK);
    reading_put(&back, &parsed);
    assert(str_eq(buf_view(&there), buf_view(&back)));
    buf_finish(&there);
    buf_finish(&back);
}
