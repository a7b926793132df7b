/* Trades and their signals, one by one; see feed.h. */
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

struct visiting {
    const struct edition *e;
    feed_signal_visit *signal; /* one of the two */
    feed_trade_visit *trade;
    void *ctx;
};

static void visit_row(const struct visiting *v, const struct series_record *record, uint32_t tail)
{
    const struct series_facts *facts = &record->facts;
    if (v->signal) {
        const struct feed_signal signal = {tail, tails_get(&v->e->tails, tail)->topic};
        v->signal(v->ctx, signal, facts->politician);
        return;
    }
    const struct feed_facts told = {
        .politician = facts->politician,
        .ticker = facts->ticker,
        .side = (enum side)facts->side,
        .traded = facts->dated ? facts->day : DAY_NONE,
        .flagged = tail != TAILS_NONE,
    };
    struct feed_row row = feed_row_of(v->e, record, tail);
    v->trade(v->ctx, &told, &row);
}

static void visit_list(const struct visiting *v, const struct walk *w, const struct sieve *sieve)
{
    for (uint32_t i = posting_bound(&w->list, w->high); i > 0; i--) {
        uint32_t ordinal = posting_at(&w->list, i - 1);
        if (ordinal < w->low)
            return;
        if (i > 2 * AHEAD)
            __builtin_prefetch(series_row(&w->view, posting_at(&w->list, i - 1 - 2 * AHEAD)));
        if (i > AHEAD)
            __builtin_prefetch(series_record(&w->view, posting_at(&w->list, i - 1 - AHEAD)));
        const struct series_record *record = series_record(&w->view, ordinal);
        uint32_t tail = series_tail(&w->view, ordinal);
        if (series_is_live(&w->view, ordinal) && sieve_keeps(sieve, record, tail) &&
            walk_keeps_tail(w, v->e, tail) && walk_is_of_filing(w, ordinal))
            visit_row(v, record, tail);
    }
}

static void visit(
    const struct feed *feed, const struct feed_filter *filter, const struct visiting *how)
{
    struct visiting v = *how;
    MEM_UNFILLED struct sieve sieve;
    struct walk w;
    v.e = feed_read(feed);
    if (!walk_trades(v.e, filter, &w) || !sieve_init(&sieve, v.e, filter))
        return;
    if (v.signal)
        w.by_topic = false;
    walk_between(&w, NULL, filter->since_ms, filter->until_ms);
    visit_list(&v, &w, &sieve);
}

void feed_each_signal(
    const struct feed *feed, const struct feed_filter *filter, feed_signal_visit *visit_signal,
    void *ctx)
{
    assert(filter->conflicts_only);
    visit(feed, filter, &(struct visiting){.signal = visit_signal, .ctx = ctx});
}

void feed_each_trade(
    const struct feed *feed, const struct feed_filter *filter, feed_trade_visit *visit_trade,
    void *ctx)
{
    assert(filter->ticker.p || filter->politician.p);
    visit(feed, filter, &(struct visiting){.trade = visit_trade, .ctx = ctx});
}
