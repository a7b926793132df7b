/* The read side of the feed; see feed.h. */
#include "feed/feed.h"

#include <assert.h>

#include "feed/feed_internal.h"
#include "feed/sieve.h"
#include "feed/walk.h"
#include "store/public/trade.h"

struct feed *feed_create(void)
{
    struct feed *feed = MEM_NEW(struct feed);
    struct edition *empty = edition_create();
    empty->shared = true;
    atomic_init(&feed->edition, empty);
    return feed;
}

void feed_destroy(struct feed *feed)
{
    if (!feed)
        return;
    edition_destroy(atomic_load(&feed->edition));
    mem_free(feed);
}

void feed_on_damage(struct feed *feed, feed_damage_fn *found, void *ctx)
{
    feed->damage = found;
    feed->damage_ctx = ctx;
}

void feed_damaged(const struct feed *feed, struct edition *e, const struct feed_damage *damage)
{
    atomic_fetch_add_explicit(&e->withheld, damage->count, memory_order_relaxed);
    if (feed->damage)
        feed->damage(feed->damage_ctx, damage);
}

void feed_changed(struct feed *feed)
{
    atomic_fetch_add_explicit(&feed->version, 1, memory_order_release);
}

uint64_t feed_version(const struct feed *feed)
{
    return atomic_load_explicit(&feed->version, memory_order_acquire);
}

struct edition *feed_edition(struct feed *feed)
{
    return atomic_load_explicit(&feed->edition, memory_order_relaxed);
}

void feed_swap(struct feed *feed, struct edition *fresh)
{
    fresh->shared = true;
    struct edition *old = atomic_exchange_explicit(&feed->edition, fresh, memory_order_acq_rel);
    feed_changed(feed);
    rcu_wait_readers();
    edition_destroy(old);
}

/* Collects up to `want` visible ordinals, newest first. Inlined although it has two callers: every
 * page runs it. */
static inline __attribute__((always_inline)) size_t walk_collect(
    const struct walk *w, size_t want, uint32_t *ret)
{
    size_t n = 0;
    if (!w->listed) {
        uint32_t high = w->high;
        while (n < want && series_live_below(&w->view, w->low, high, &high))
            ret[n++] = high;
        return n;
    }
    uint32_t end = posting_bound(&w->list, w->high);
    /* The rows lie far apart in memory: fetch them all at once instead of one after the other. */
    for (uint32_t i = 1; i <= want && i <= end; i++)
        __builtin_prefetch(series_row(&w->view, posting_at(&w->list, end - i)));
    for (uint32_t i = end; i > 0 && n < want; i--) {
        uint32_t ordinal = posting_at(&w->list, i - 1);
        if (ordinal < w->low)
            break;
        if (series_is_live(&w->view, ordinal) &&
            (!w->conflicts_only || series_tail(&w->view, ordinal) != TAILS_NONE))
            ret[n++] = ordinal;
    }
    return n;
}

static struct feed_row filing_row_of(const struct series_record *record)
{
    return (struct feed_row){
        .head = series_record_json(record),
        .details = STR(""),
        .tail = STR(""),
        .tag = record->tag,
        .traded = DAY_NONE,
        .report = record->facts.report};
}

static void fill_page(
    const struct edition *e, const struct walk *w, enum cursor_resource resource, size_t limit,
    struct feed_page *ret)
{
    uint32_t ordinals[FEED_PAGE_MAX + 1];
    const struct series_record *records[FEED_PAGE_MAX];
    assert(limit >= 1 && limit <= FEED_PAGE_MAX);
    size_t found = walk_collect(w, limit + 1, ordinals);
    ret->more = found > limit;
    ret->count = ret->more ? limit : found;
    for (size_t i = 0; i < ret->count; i++) {
        records[i] = series_record(&w->view, ordinals[i]);
        __builtin_prefetch(records[i]);
    }
    for (size_t i = 0; i < ret->count; i++) {
        if (resource == CURSOR_TRADES)
            ret->rows[i] =
                feed_row_of(e, records[i], series_tail(&w->view, ordinals[i]), w->line_ms);
        else
            ret->rows[i] = filing_row_of(records[i]);
    }
    if (ret->count) {
        size_t last = ret->count - 1;
        ret->next = cursor_at(
            resource, series_at(&w->view, ordinals[last]), series_record_id(records[last]));
    }
}

/* A page that is filled with the rows that pass a sieve. */
struct sifting {
    const struct edition *e;
    const struct walk *w;
    const struct sieve *sieve;
    size_t limit;
    struct feed_page *page;
    uint32_t last; /* ordinal of the page's last row */
};

/* Shows the row, unless it changed since its slices were read. False: the page is full, and this is
 * the row after it. */
static bool sift_row(struct sifting *s, uint32_t ordinal)
{
    const struct walk *w = s->w;
    const struct series_record *record = series_record(&w->view, ordinal);
    uint32_t tail = series_tail(&w->view, ordinal);
    if (!walk_keeps_tail(w, s->e, tail) || !series_is_live(&w->view, ordinal) ||
        !sieve_keeps(
            s->sieve, record, tail, series_listed(series_chunk(&w->view, ordinal), ordinal)))
        return true;
    if (s->page->count == s->limit) {
        s->page->more = true;
        return false;
    }
    s->page->rows[s->page->count++] = feed_row_of(s->e, record, tail, w->line_ms);
    s->last = ordinal;
    return true;
}

/* All rows of [low, high), a chunk at a time. */
static void sift_all(struct sifting *s)
{
    for (uint32_t high = s->w->high; high > s->w->low;) {
        uint32_t first = (high - 1) / SERIES_CHUNK_ROWS * SERIES_CHUNK_ROWS;
        struct slice_mask mask;
        if (first > s->w->low)
            sieve_prefetch(s->sieve, series_chunk(&s->w->view, first - 1));
        bool any = sieve_mask(s->sieve, series_chunk(&s->w->view, first), &mask);
        for (int word = SLICE_WORDS - 1; any && word >= 0; word--) {
            for (uint64_t rows = mask.words[word]; rows;) {
                uint32_t bit = 63 - (uint32_t)__builtin_clzll(rows);
                uint32_t ordinal = first + (uint32_t)word * 64 + bit;
                rows &= ~(UINT64_C(1) << bit);
                if (ordinal >= high)
                    continue;
                if (ordinal < s->w->low || !sift_row(s, ordinal))
                    return;
            }
        }
        high = first;
    }
}

/* The rows of the list in [low, high). The slices of a chunk are read once for all its rows. */
static void sift_list(struct sifting *s)
{
    const struct walk *w = s->w;
    uint32_t chunk = UINT32_MAX;
    struct slice_mask mask;
    for (uint32_t i = posting_bound(&w->list, w->high); i > 0; i--) {
        uint32_t ordinal = posting_at(&w->list, i - 1), row = ordinal % SERIES_CHUNK_ROWS;
        if (ordinal < w->low)
            return;
        if (ordinal / SERIES_CHUNK_ROWS != chunk) {
            chunk = ordinal / SERIES_CHUNK_ROWS;
            if (chunk)
                sieve_prefetch(s->sieve, series_chunk(&w->view, ordinal - row - 1));
            sieve_mask(s->sieve, series_chunk(&w->view, ordinal), &mask);
        }
        if (mask.words[row / 64] >> row % 64 & 1 && !sift_row(s, ordinal))
            return;
    }
}

/* The rows of a filing in [low, high) that are in the list too. A filing has at most 9,999. */
static void sift_runs(struct sifting *s)
{
    const struct walk *w = s->w;
    for (uint32_t i = w->runs->n; i > 0; i--) {
        const struct filing_run *run = &w->runs->items[i - 1];
        uint32_t end = atomic_load_explicit(&run->end, memory_order_acquire);
        uint32_t low = run->first > w->low ? run->first : w->low;
        for (uint32_t at = end < w->high ? end : w->high; at > low; at--)
            if ((!w->listed || walk_lists(&w->list, at - 1)) && !sift_row(s, at - 1))
                return;
    }
}

static void empty_page(struct feed_page *ret)
{
    ret->count = 0;
    ret->more = false;
}

/* A separate function, so that other pages pay nothing for it. */
static __attribute__((noinline)) void sifted_page(
    const struct edition *e, const struct walk *w, const struct feed_filter *filter, size_t limit,
    struct feed_page *ret)
{
    MEM_UNFILLED struct sieve sieve;
    struct sifting s = {.e = e, .w = w, .sieve = &sieve, .limit = limit, .page = ret};
    empty_page(ret);
    if (!sieve_init(&sieve, e, filter))
        return;
    if (w->runs)
        sift_runs(&s);
    else if (w->listed)
        sift_list(&s);
    else
        sift_all(&s);
    if (ret->count)
        ret->next = cursor_at(
            CURSOR_TRADES, series_at(&w->view, s.last),
            series_record_id(series_record(&w->view, s.last)));
}

void feed_trades(
    const struct feed *feed, const struct feed_filter *filter, const struct cursor *after,
    size_t limit, struct feed_page *ret)
{
    const struct edition *e = feed_read(feed);
    struct walk w;
    if (!walk_trades(e, filter, &w)) {
        empty_page(ret);
        return;
    }
    walk_between(&w, after, filter->since_ms, filter_until(filter));
    if (filter->test_count || w.runs || w.by_topic)
        sifted_page(e, &w, filter, limit, ret);
    else
        fill_page(e, &w, CURSOR_TRADES, limit, ret);
    walk_finish(&w);
}

/* A run has the rows of one or more publications. In each of them the ids ascend. */
static bool find_in_run(
    const struct series_view *v, const struct filing_run *run, struct str id, uint32_t *ret)
{
    uint32_t end = atomic_load_explicit(&run->end, memory_order_acquire);
    uint32_t first = run->first;
    end = end < v->count ? end : v->count;
    while (first < end) {
        int64_t at_ms = series_at(v, first);
        if (series_find(v, at_ms, id, ret))
            return true;
        first = series_bound_at(v, at_ms + 1);
    }
    return false;
}

bool feed_trade(const struct feed *feed, struct str id, struct feed_row *ret)
{
    const struct edition *e = feed_read(feed);
    struct series_view v = series_view(&e->trades);
    const struct filing_place *place = filing_index_find(&e->filing_index, trade_id_filing(id));
    const struct filing_runs *runs =
        place ? atomic_load_explicit(&place->runs, memory_order_acquire) : NULL;
    uint32_t ordinal = 0;
    bool found = false;
    for (uint32_t i = 0; runs && i < runs->n && !found; i++)
        found = find_in_run(&v, &runs->items[i], id, &ordinal);
    if (!found || !series_is_live(&v, ordinal))
        return false;
    *ret = feed_row_of(e, series_record(&v, ordinal), series_tail(&v, ordinal), INSTANT_NONE);
    return true;
}

void feed_filings(
    const struct feed *feed, const struct feed_filings_filter *filter, const struct cursor *after,
    size_t limit, struct feed_page *ret)
{
    const struct edition *e = feed_read(feed);
    struct walk w = {0};
    if (!walk_filings(e, filter->politician, filter->chamber, &w)) {
        empty_page(ret);
        return;
    }
    walk_between(&w, after, INSTANT_NONE, filter->until_ms);
    fill_page(e, &w, CURSOR_FILINGS, limit, ret);
}

bool feed_filing(const struct feed *feed, struct str id, int64_t until_ms, struct feed_filing *ret)
{
    const struct edition *e = feed_read(feed);
    struct series_view v = series_view(&e->filings);
    const struct filing_place *place = filing_index_find(&e->filing_index, id);
    uint32_t ordinal =
        place ? atomic_load_explicit(&place->ordinal, memory_order_acquire) : UINT32_MAX;
    if (ordinal >= walk_high(&v, until_ms) || !series_is_live(&v, ordinal))
        return false;
    *ret = (struct feed_filing){
        .id = place->id,
        .row = filing_row_of(series_record(&v, ordinal)),
        .published_at = series_at(&v, ordinal)};
    return true;
}

struct feed_stats feed_stats(const struct feed *feed)
{
    const struct edition *e = feed_read(feed);
    struct series_view v = series_view(&e->trades);
    struct posting_view signals =
        postings_find(&e->trade_lists, posting_key_of(0, 0, CHAMBER_NONE, true));
    return (struct feed_stats){
        .trades = atomic_load_explicit(&e->trades.live, memory_order_relaxed),
        .signals = signals.n - signals.dead,
        .filings = atomic_load_explicit(&e->filings.live, memory_order_relaxed),
        .bytes = (int64_t)edition_bytes(e),
        .last_disclosed_at = v.count ? series_at(&v, v.count - 1) : INSTANT_NONE,
        .loads = atomic_load_explicit(&feed->loads, memory_order_relaxed),
        .withheld = atomic_load_explicit(&e->withheld, memory_order_relaxed),
    };
}
