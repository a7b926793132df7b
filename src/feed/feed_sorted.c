/*
 * Pages of trades in another order than the newest first; see feed.h. No list has these orders:
 * each page looks at all trades of the filter, and keeps the first ones after its cursor. A trade's
 * place is the code of its day (slices.h; 0 if the order is by disclosure) above its ordinal, and
 * its complement if the order ascends: a page has the greatest places below that of its cursor.
 */
#include <assert.h>
#include <stdlib.h>

#include "feed/feed_internal.h"
#include "feed/sieve.h"
#include "feed/walk.h"

enum { CODE_BITS = SLICE_DAY_BITS, KEPT_MAX = 2048, ORDINAL_BITS = 32, WINDOW = 8192 };

struct sorting {
    const struct edition *e;
    const struct walk *w;
    const struct sieve *sieve;
    enum feed_order order;
    size_t limit;
    bool by_record;     /* slices do not tell whether a row passes */
    uint64_t low, high; /* of places: those at or below `low` are on no page so far */
    size_t n;
    uint64_t kept[KEPT_MAX];
};

/* Days that are not stated come last in both orders. */
static uint64_t place_of(enum feed_order order, uint64_t code, uint32_t ordinal)
{
    bool ascends = order != FEED_NEWEST_TRADED;
    uint64_t day = ascends && order != FEED_OLDEST && !code ? UINT64_C(1) << CODE_BITS : code;
    uint64_t place = (day + 1) << ORDINAL_BITS | ordinal;
    return ascends ? ~place : place;
}

static uint64_t code_at(const struct sorting *s, uint32_t ordinal)
{
    const struct series_key *key = &series_keys(&s->w->view, ordinal)[ordinal % SERIES_CHUNK_ROWS];
    uint64_t code = atomic_load_explicit(&key->code, memory_order_relaxed);
    return s->order == FEED_OLDEST ? 0 : code >> SLICE_DAY_SHIFT & ((1 << SLICE_DAY_BITS) - 1);
}

static uint32_t ordinal_of(const struct sorting *s, uint64_t place)
{
    return (uint32_t)(s->order == FEED_NEWEST_TRADED ? place : ~place);
}

/* Whether the row is as the filter wants it, by its record. */
static bool passes(const struct sorting *s, uint32_t ordinal)
{
    const struct series_view *v = &s->w->view;
    uint32_t tail = series_tail(v, ordinal);
    return series_is_live(v, ordinal) && walk_keeps_tail(s->w, s->e, tail) &&
           sieve_keeps(
               s->sieve, series_record(v, ordinal), tail,
               series_listed(series_chunk(v, ordinal), ordinal));
}

static int greatest_first(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x < *y) - (*x > *y);
}

/* Keeps what can be on the page. */
static void settle(struct sorting *s)
{
    qsort(s->kept, s->n, sizeof *s->kept, greatest_first);
    if (s->n > s->limit + 1) {
        s->n = s->limit + 1;
        s->low = s->kept[s->limit];
    }
}

static void look_at_chunk(void *ctx, uint32_t first, const struct slice_mask *chosen)
{
    struct sorting *s = ctx;
    struct slice_mask rows;
    sieve_mask(s->sieve, series_chunk(&s->w->view, first), &rows);
    for (uint32_t word = 0; word < SLICE_WORDS; word++)
        for (uint64_t left = rows.words[word] & chosen->words[word]; left; left &= left - 1) {
            uint32_t ordinal = first + 64 * word + (uint32_t)__builtin_ctzll(left);
            uint64_t place = place_of(s->order, code_at(s, ordinal), ordinal);
            if (place <= s->low || place >= s->high || (s->by_record && !passes(s, ordinal)))
                continue;
            if (s->n == KEPT_MAX)
                settle(s);
            s->kept[s->n++] = place;
        }
}

/* The place of a cursor, whose row need not exist any more. */
static uint64_t place_after(const struct sorting *s, const struct cursor *after)
{
    uint64_t code = (uint64_t)after->at_ms & ((1 << CODE_BITS) - 1);
    int64_t at_ms = after->at_ms >> CODE_BITS;
    uint32_t ordinal = series_bound(&s->w->view, at_ms, cursor_id(after)), found;
    uint64_t place = place_of(s->order, code, ordinal);
    bool exists = series_find(&s->w->view, at_ms, cursor_id(after), &found);
    return place + (s->order != FEED_NEWEST_TRADED && !exists);
}

static void fill(const struct sorting *s, struct feed_page *ret)
{
    size_t n = s->n > s->limit ? s->limit : s->n;
    ret->more = s->n > n;
    for (size_t i = 0; i < n; i++) {
        uint32_t ordinal = ordinal_of(s, s->kept[i]);
        const struct series_record *record = series_record(&s->w->view, ordinal);
        if (passes(s, ordinal)) /* else it changed meanwhile */
            ret->rows[ret->count++] =
                feed_row_of(s->e, record, series_tail(&s->w->view, ordinal), s->w->line_ms);
        int64_t at_ms = series_at(&s->w->view, ordinal);
        ret->next = cursor_at(
            (enum cursor_resource)(CURSOR_TRADES_SORTED + s->order - FEED_OLDEST),
            (int64_t)((uint64_t)at_ms << CODE_BITS | code_at(s, ordinal)),
            series_record_id(record));
    }
}

/* In windows, the oldest first if the order ascends: few rows are kept in vain. */
static void look_at_all(struct sorting *s, struct walk *w)
{
    uint32_t high = w->high, low = w->low;
    bool ascends = s->order != FEED_NEWEST_TRADED;
    for (; low < high; low = w->high) {
        w->low = low;
        w->high = ascends && high - low > WINDOW ? low + WINDOW : high;
        walk_chunks(w, look_at_chunk, s);
        settle(s);
        if (s->order == FEED_OLDEST && s->n > s->limit)
            break;
    }
}

void feed_trades_sorted(
    const struct feed *feed, const struct feed_filter *filter, enum feed_order order,
    const struct cursor *after, size_t limit, struct feed_page *ret)
{
    if (order == FEED_NEWEST) {
        feed_trades(feed, filter, after, limit, ret);
        return;
    }
    const struct edition *e = feed_read(feed);
    MEM_UNFILLED struct sieve sieve;
    MEM_UNFILLED struct sorting s;
    SCOPED(walk_finish) struct walk w;
    ret->count = 0;
    ret->more = false;
    assert(limit >= 1 && limit <= FEED_PAGE_MAX);
    if (walk_trades(e, filter, &w) && sieve_init(&sieve, e, filter)) {
        walk_between(&w, NULL, filter->since_ms, filter_until(filter));
        uint32_t low = w.low;
        s.e = e;
        s.w = &w;
        s.sieve = &sieve;
        s.order = order;
        s.limit = limit;
        s.low = s.n = 0;
        s.high = UINT64_MAX;
        if (after)
            s.high = place_after(&s, after);
        if (after && order == FEED_OLDEST)
            w.low = series_bound(&w.view, after->at_ms >> CODE_BITS, cursor_id(after));
        if (w.low < low)
            w.low = low;
        s.by_record = w.by_topic || sieve.needs_records;
        look_at_all(&s, &w);
        fill(&s, ret);
    }
}
