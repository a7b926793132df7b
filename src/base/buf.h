/*
 * The one growing buffer. It has a maximum; writing past it sets `overflow`, writes nothing more,
 * and is checked once at the end. It does not end in NUL.
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
    size_t front;  /* bytes before p, once there is a p, for who made the buffer to use */
    bool overflow; /* sticky: something did not fit */
};

void buf_init(struct buf *b, size_t max);
void buf_init_front(struct buf *b, size_t max, size_t front);
void buf_finish(struct buf *b); /* frees; the buffer may be initialised again */
void buf_reset(struct buf *b);  /* empty again, memory kept, overflow cleared */

/* A buffer in memory that is the caller's: never grows, never freed, no buf_finish. */
static inline struct buf buf_over(void *p, size_t size)
{
    return (struct buf){.p = p, .cap = size, .max = size};
}

enum { DIGITS_MAX_U64 = 20 };

/* Writes the decimal digits of a number and returns the place after them, for whoever writes
 * without a buf. In their place at once: to copy bytes that were written one by one makes the
 * processor wait until all that was written before them has left its store buffer. */
char *digits_put(char *to, uint64_t value);

void buf_put(struct buf *b, const void *p, size_t n);
void buf_str(struct buf *b, struct str s);
void buf_text(struct buf *b, const char *text);
void buf_i64(struct buf *b, int64_t value);
void buf_u64(struct buf *b, uint64_t value);
void buf_fmt(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Here because nearly always it is one store. */
static inline void buf_char(struct buf *b, char c)
{
    if (b->n < b->cap && !b->overflow)
        b->p[b->n++] = c;
    else
        buf_put(b, &c, 1);
}

/* At least n bytes of room to write into directly, then buf_commit of what was written.
 * NULL when it would pass the maximum (overflow is set). */
char *buf_reserve(struct buf *b, size_t n);
void buf_commit(struct buf *b, size_t n);

static inline struct str buf_view(const struct buf *b)
{
    return (struct str){b->n ? b->p : "", b->n};
}
