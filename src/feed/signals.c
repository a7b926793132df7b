/* The signals of trades, one by one; see feed.h. */
#include <assert.h>

#include "feed/feed.h"
#include "feed/feed_internal.h"
#include "feed/sieve.h"
#include "feed/walk.h"

const struct topics *feed_topics(const struct feed *feed)
{
    return &feed_read(feed)->topics;
}

/* Rows lie far apart in memory: they are fetched this many before they are read. */
enum { AHEAD = 16 };

void feed_each_signal(
    const struct feed *feed, const struct feed_filter *filter, feed_signal_visit *visit, void *ctx)
{
    const struct edition *e = feed_read(feed);
    MEM_UNFILLED struct sieve sieve;
    struct walk w;
    assert(filter->conflicts_only);
    if (!walk_trades(e, filter, &w) || !sieve_init(&sieve, e, filter))
        return;
    w.by_topic = false;
    walk_between(&w, NULL, filter->since_ms, filter->until_ms);
    for (uint32_t i = posting_bound(&w.list, w.high); i > 0; i--) {
        uint32_t ordinal = posting_at(&w.list, i - 1);
        if (ordinal < w.low)
            return;
        if (i > 2 * AHEAD)
            __builtin_prefetch(series_row(&w.view, posting_at(&w.list, i - 1 - 2 * AHEAD)));
        if (i > AHEAD)
            __builtin_prefetch(series_record(&w.view, posting_at(&w.list, i - 1 - AHEAD)));
        const struct series_record *record = series_record(&w.view, ordinal);
        uint32_t tail = series_tail(&w.view, ordinal);
        if (series_is_live(&w.view, ordinal) && sieve_keeps(&sieve, record, tail) &&
            walk_keeps_tail(&w, e, tail) && walk_is_of_filing(&w, ordinal))
            visit(
                ctx, (struct feed_signal){tail, tails_get(&e->tails, tail)->topic},
                record->facts.politician);
    }
}
