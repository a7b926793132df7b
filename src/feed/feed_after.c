/* Trades after a position; see feed_after.h. */
#include "feed/feed_after.h"

#include <assert.h>

#include "feed/feed_internal.h"
#include "feed/sieve.h"
#include "feed/walk.h"

/* Rows that one call looks at: in slices 256 cost little more than one row by itself. */
enum { ROWS_MAX = 2048, SLICED_ROWS_MAX = 256 * SLICE_ROWS };

static struct cursor place_of(const struct series_view *v, uint32_t ordinal)
{
    return cursor_at(
        CURSOR_TRADES, series_at(v, ordinal), series_record_id(series_record(v, ordinal)));
}

struct cursor feed_trades_end(const struct feed *feed)
{
    struct series_view v = series_view(&feed_read(feed)->trades);
    int64_t at_ms = v.count ? series_at(&v, v.count - 1) + 1 : 0;
    return cursor_at(CURSOR_TRADES, at_ms, STR("0")); /* below every id */
}

/* The first row after the place, whose own row need not exist. */
static uint32_t first_after(const struct series_view *v, const struct cursor *place)
{
    uint32_t ordinal;
    if (series_find(v, place->at_ms, cursor_id(place), &ordinal))
        return ordinal + 1;
    return series_bound(v, place->at_ms, cursor_id(place));
}

/* A page that is being filled upward. */
struct climb {
    const struct edition *e;
    struct walk walk;
    struct sieve sieve; /* n is 0 without tests */
    size_t limit;
    uint32_t next; /* the first row that was not looked at */
    struct feed_after *page;
};

static void look_at(struct climb *c, uint32_t ordinal)
{
    const struct series_view *v = &c->walk.view;
    const struct series_record *record = series_record(v, ordinal);
    uint32_t tail = series_tail(v, ordinal);
    struct feed_after *page = c->page;
    c->next = ordinal + 1;
    if (!series_is_live(v, ordinal) || !walk_is_of_filing(&c->walk, ordinal) ||
        !walk_keeps_tail(&c->walk, c->e, tail) ||
        (c->sieve.n &&
         !sieve_keeps(&c->sieve, record, tail, series_listed(series_chunk(v, ordinal), ordinal))))
        return;
    page->places[page->count] = place_of(v, ordinal);
    page->rows[page->count++] = feed_row_of(c->e, record, tail, c->walk.line_ms);
}

static bool is_full(const struct climb *c)
{
    return c->page->count == c->limit;
}

static void climb_list(struct climb *c)
{
    const struct posting_view *list = &c->walk.list;
    uint32_t i = posting_bound(list, c->walk.low), looked = 0;
    for (; i < list->n && posting_at(list, i) < c->walk.high; i++) {
        if (is_full(c) || looked++ == ROWS_MAX)
            return;
        look_at(c, posting_at(list, i));
    }
    c->next = c->walk.high;
}

static void climb_all(struct climb *c)
{
    uint32_t end = c->walk.high - c->walk.low > ROWS_MAX ? c->walk.low + ROWS_MAX : c->walk.high;
    while (c->next < end && !is_full(c))
        look_at(c, c->next);
}

/* The rows of one chunk from c->next on that pass the sieve's slices. */
static void climb_chunk(struct climb *c, uint32_t first, uint32_t end)
{
    struct slice_mask mask;
    if (!sieve_mask(&c->sieve, series_chunk(&c->walk.view, first), &mask)) {
        c->next = end;
        return;
    }
    while (c->next < end && !is_full(c)) {
        uint32_t row = c->next - first;
        uint64_t rest = mask.words[row / 64] >> row % 64;
        if (rest & 1)
            look_at(c, c->next);
        else if (rest)
            c->next += (uint32_t)__builtin_ctzll(rest);
        else
            c->next += 64 - row % 64;
    }
    if (c->next > end)
        c->next = end;
}

static void climb_sliced(struct climb *c)
{
    uint32_t from = c->walk.low;
    while (c->next < c->walk.high && c->next - from < SLICED_ROWS_MAX && !is_full(c)) {
        uint32_t first = c->next / SERIES_CHUNK_ROWS * SERIES_CHUNK_ROWS;
        uint32_t end = first + SERIES_CHUNK_ROWS;
        climb_chunk(c, first, end < c->walk.high ? end : c->walk.high);
    }
}

static void climb(struct climb *c)
{
    if (c->walk.listed)
        climb_list(c);
    else if (c->sieve.n)
        climb_sliced(c);
    else
        climb_all(c);
}

void feed_trades_after(
    const struct feed *feed, const struct feed_filter *filter, const struct cursor *place,
    size_t limit, struct feed_after *ret)
{
    const struct edition *e = feed_read(feed);
    struct climb c = {.e = e, .limit = limit, .page = ret};
    struct walk *w = &c.walk;
    assert(limit >= 1 && limit <= FEED_AFTER_MAX);
    ret->count = 0;
    ret->place = *place;
    bool any = walk_trades(e, filter, w);
    w->low = first_after(&w->view, place);
    w->high = w->view.count;
    if (filter->since_ms != INSTANT_NONE) {
        uint32_t low = series_bound_at(&w->view, filter->since_ms);
        w->low = low > w->low ? low : w->low;
    }
    if (filter_until(filter) != INSTANT_NONE) {
        uint32_t high = series_bound_at(&w->view, filter_until(filter));
        w->high = high < w->high ? high : w->high;
    }
    ret->more = false;
    if (w->low >= w->high) {
        walk_finish(w);
        return;
    }
    c.next = w->low;
    /* without a list or a possible match, nothing so far is kept */
    if (any && (!filter->test_count || sieve_init(&c.sieve, e, filter)))
        climb(&c);
    else
        c.next = w->high;
    ret->more = c.next < w->high;
    if (c.next > w->low)
        ret->place = place_of(&w->view, c.next - 1);
    walk_finish(w);
}
