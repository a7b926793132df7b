/* The growing buffer; see buf.h. */
#include "base/buf.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/mem.h"

enum { BUF_FIRST_SIZE = 256 };

void buf_init(struct buf *b, size_t max)
{
    *b = (struct buf){.max = max};
}

void buf_init_front(struct buf *b, size_t max, size_t front)
{
    *b = (struct buf){.max = max, .front = front};
}

void buf_finish(struct buf *b)
{
    if (b->p)
        mem_free(b->p - b->front);
    *b = (struct buf){.max = b->max, .front = b->front};
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
    if (b->cap - b->n < n || !b->p) { /* an empty reservation needs an address too */
        size_t cap = b->cap ? b->cap : BUF_FIRST_SIZE;
        while (cap - b->n < n)
            cap = cap > b->max / 2 ? b->max : cap * 2;
        if (cap > b->max)
            cap = b->max; /* memory never exceeds the maximum */
        b->p = (char *)mem_realloc(b->p ? b->p - b->front : NULL, b->front + cap) + b->front;
        b->cap = cap;
    }
    return b->p + b->n;
}

void buf_commit(struct buf *b, size_t n)
{
    assert(n <= b->cap - b->n);
    b->n += n;
}

char *digits_put(char *to, uint64_t value)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    size_t n = 1;
    for (uint64_t power = 10; n < DIGITS_MAX_U64 && value >= power; power *= 10)
        n++;
    size_t i = n;
    for (; i >= 2; i -= 2, value /= 100)
        memcpy(to + i - 2, pairs + 2 * (value % 100), 2);
    if (i)
        *to = (char)('0' + value);
    return to + n;
}

void buf_put(struct buf *b, const void *p, size_t n)
{
    if (n == 0)
        return;
    /* There is nearly always room; otherwise buf_reserve makes some. */
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

void buf_u64(struct buf *b, uint64_t value)
{
    char space[DIGITS_MAX_U64];
    buf_put(b, space, (size_t)(digits_put(space, value) - space));
}

void buf_i64(struct buf *b, int64_t value)
{
    if (value < 0)
        buf_char(b, '-');
    buf_u64(b, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void buf_seconds(struct buf *b, int64_t ms)
{
    buf_fmt(b, "%lld.%lld", (long long)(ms / 1000), (long long)(ms % 1000 / 100));
}

void buf_camel(struct buf *b, const char *name)
{
    for (const char *p = name; *p; p++) {
        if (p > name && ascii_lower(*p) != *p)
            buf_char(b, ' ');
        buf_char(b, ascii_lower(*p));
    }
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
