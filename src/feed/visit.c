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
    int64_t trades;            /* for `signal` */
    feed_trade_visit *trade;
    void *ctx;
    int64_t line_ms;
    bool records; /* they are needed: each is a cache miss of its own */
};

static void visit_signal(const struct visiting *v, uint32_t number, int64_t trades)
{
    const struct tail *tail = tails_get(&v->e->tails, number);
    const struct feed_signal signal = {tails_index(number), tail->politician, tail->topic};
    v->signal(v->ctx, &signal, trades);
}

static void visit_trade(const struct visiting *v, const struct series_record *record, uint32_t tail)
{
    const struct series_facts *facts = &record->facts;
    const struct feed_facts told = {
        .politician = facts->politician,
        .ticker = facts->ticker,
        .side = (enum side)facts->side,
        .bracket = (enum bracket)facts->bracket,
        .traded = series_traded(facts),
        .basis = mark_basis(tails_mark(tail)),
        .grade = mark_grade(tails_mark(tail)),
        .id = series_record_id(record),
    };
    struct feed_row row = feed_row_of(v->e, record, tail, v->line_ms);
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
        if (v->records && i > AHEAD)
            __builtin_prefetch(series_record(&w->view, posting_at(&w->list, i - 1 - AHEAD)));
        uint32_t tail = series_tail(&w->view, ordinal);
        if (!series_is_live(&w->view, ordinal) || !walk_keeps_tail(w, v->e, tail) ||
            !walk_is_of_filing(w, ordinal))
            continue;
        const struct series_record *record = v->records ? series_record(&w->view, ordinal) : NULL;
        if (record &&
            !sieve_keeps(
                sieve, record, tail, series_listed(series_chunk(&w->view, ordinal), ordinal)))
            continue;
        if (v->signal)
            visit_signal(v, tail, v->trades);
        else
            visit_trade(v, record, tail);
    }
}

static void visit(
    const struct feed *feed, const struct feed_filter *filter, const struct visiting *how)
{
    struct visiting v = *how;
    MEM_UNFILLED struct sieve sieve;
    struct walk w;
    v.e = feed_read(feed);
    if (!walk_trades(v.e, filter, &w) || !sieve_init(&sieve, v.e, filter)) {
        walk_finish(&w);
        return;
    }
    if (v.signal)
        w.by_topic = false;
    v.line_ms = filter->line_ms;
    v.records = v.trade || filter->test_count;
    walk_between(&w, NULL, filter->since_ms, filter_until(filter));
    visit_list(&v, &w, &sieve);
    walk_finish(&w);
}

/* All signals with their kept counts, and then the trades from the end on, which are in them. */
static void visit_kept(
    const struct feed *feed, int64_t until_ms, feed_signal_visit *visit_one, void *ctx)
{
    struct feed_filter later = FEED_FILTER_NONE;
    const struct visiting v = {.e = feed_read(feed), .signal = visit_one, .trades = -1, .ctx = ctx};
    uint32_t count = tails_count(&v.e->tails);
    for (uint32_t number = TAILS_NONE + 1; number < count; number++)
        visit_signal(
            &v, number,
            atomic_load_explicit(&tails_get(&v.e->tails, number)->trades, memory_order_relaxed));
    later.conflicts_only = true;
    later.since_ms = until_ms;
    if (until_ms != INSTANT_NONE)
        visit(feed, &later, &v);
}

void feed_each_signal(
    const struct feed *feed, const struct feed_filter *filter, feed_signal_visit *visit_one,
    void *ctx)
{
    assert(filter->conflicts_only);
    if (filter_has_kept_counts(filter) && str_is_null(filter->politician) &&
        str_is_null(filter->ticker))
        visit_kept(feed, filter_until(filter), visit_one, ctx);
    else
        visit(feed, filter, &(struct visiting){.signal = visit_one, .trades = 1, .ctx = ctx});
}

void feed_each_trade(
    const struct feed *feed, const struct feed_filter *filter, feed_trade_visit *visit_one,
    void *ctx)
{
    assert(filter->ticker.p || filter->politician.p);
    visit(feed, filter, &(struct visiting){.trade = visit_one, .ctx = ctx});
}
