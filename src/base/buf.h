/*
 * A growing buffer with a maximum. A write past the maximum sets `overflow`, and further writes do
 * nothing: check the flag once at the end. The contents do not end in NUL.
 *
 *     p-front ........ p ........ p+n ........ p+cap          n <= cap <= max
 *     |  the owner's   |  written  |  room      |
 */
#pragma once

#include "base/str.h"

struct buf {
    char *p;
    size_t n;
    size_t cap;
    size_t max;
    size_t front;  /* bytes before p (once p exists) that the owner of the buffer may use */
    bool overflow; /* sticky: a write did not fit */
};

void buf_init(struct buf *b, size_t max);
void buf_init_front(struct buf *b, size_t max, size_t front);
void buf_finish(struct buf *b); /* frees; the buffer may be initialised again */
/* Declares an empty buffer that is freed where its block ends. */
#define BUF_SCOPED(name, size_max)                                                                 \
    struct buf name __attribute__((cleanup(buf_finish))) = {.max = (size_max)}
void buf_reset(struct buf *b); /* empty again, memory kept, overflow cleared */

/* A buffer in the caller's memory: never grows, never freed, needs no buf_finish. */
static inline struct buf buf_over(void *p, size_t size)
{
    return (struct buf){.p = p, .cap = size, .max = size};
}

enum { DIGITS_MAX_U64 = 20 };

/* Writes the decimal digits of a number and returns the place after them, for callers without a
 * buf. It writes the digits directly in place: copying bytes that were just written one by one
 * stalls the processor until all earlier writes have left its store buffer. */
char *digits_put(char *to, uint64_t value);

void buf_put(struct buf *b, const void *p, size_t n);
void buf_str(struct buf *b, struct str s);
void buf_text(struct buf *b, const char *text);
void buf_i64(struct buf *b, int64_t value);
void buf_u64(struct buf *b, uint64_t value);
void buf_seconds(struct buf *b, int64_t ms);     /* 4250 as "4.2" */
void buf_camel(struct buf *b, const char *name); /* "createdAt" as "created at" */
void buf_fmt(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* In the header because it is nearly always one store. */
static inline void buf_char(struct buf *b, char c)
{
    if (b->n < b->cap && !b->overflow)
        b->p[b->n++] = c;
    else
        buf_put(b, &c, 1);
}

/* Returns at least n writable bytes; call buf_commit with the number of bytes written. NULL if the
 * buffer would exceed its maximum (overflow is set). */
char *buf_reserve(struct buf *b, size_t n);
void buf_commit(struct buf *b, size_t n);

static inline struct str buf_view(const struct buf *b)
{
    return (struct str){b->n ? b->p : "", b->n};
}
