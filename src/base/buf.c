/* The growing buffer; see buf.h. */
#include "base/buf.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

enum { BUF_FIRST_SIZE = 256 };

void buf_init(struct buf *b, size_t max)
{
    *b = (struct buf){.max = max};
}

void buf_finish(struct buf *b)
{
    mem_free(b->p);
    *b = (struct buf){.max = b->max};
}

void buf_reset(struct buf *b)
{
    b->n = 0;
    b->overflow = false;
}

char *buf_reserve(struct buf *b, size_t n)
{
    if (b->overflow || n > b->max - b->n) {
        b->overflow = true;
        return NULL;
    }
    if (b->cap - b->n < n || !b->p) { /* room for nothing is a place too */
        size_t cap = b->cap ? b->cap : BUF_FIRST_SIZE;
        while (cap - b->n < n)
            cap = cap > b->max / 2 ? b->max : cap * 2;
        if (cap > b->max)
            cap = b->max; /* so that what fits the memory fits the maximum */
        b->p = mem_realloc(b->p, cap);
        b->cap = cap;
    }
    return b->p + b->n;
}

void buf_commit(struct buf *b, size_t n)
{
    assert(n <= b->cap - b->n);
    b->n += n;
}

void buf_put(struct buf *b, const void *p, size_t n)
{
    if (n == 0)
        return;
    /* Nearly always there is room; buf_reserve does the rest. */
    char *to = n <= b->cap - b->n && !b->overflow ? b->p + b->n : buf_reserve(b, n);
    if (to) {
        memcpy(to, p, n);
        b->n += n;
    }
}

void buf_str(struct buf *b, struct str s)
{
    buf_put(b, s.p, s.n);
}

void buf_text(struct buf *b, const char *text)
{
    buf_put(b, text, strlen(text));
}

void buf_char(struct buf *b, char c)
{
    buf_put(b, &c, 1);
}

void buf_u64(struct buf *b, uint64_t value)
{
    char space[DIGITS_MAX_U64];
    buf_str(b, digits_u64(value, space));
}

void buf_i64(struct buf *b, int64_t value)
{
    if (value < 0)
        buf_char(b, '-');
    buf_u64(b, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void buf_fmt(struct buf *b, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    assert(n >= 0);
    char *to = buf_reserve(b, (size_t)n + 1);
    if (to) {
        vsnprintf(to, (size_t)n + 1, format, again);
        b->n += (size_t)n;
    }
    va_end(again);
}
