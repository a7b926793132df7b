/* Counts of the trades that a filter chooses; see feed.h. */
#include "feed/feed.h"

#include <assert.h>

#include "feed/feed_internal.h"
#include "feed/sieve.h"
#include "feed/trade_filter.h"
#include "feed/walk.h"

/* Counts that are being made, newest rows first. */
struct counting {
    const struct edition *e;
    const struct walk *w;
    const struct sieve *sieve;
    struct feed_counts *counts;
    bool trades_only;
};

static void count_late(struct counting *c, const struct series_facts *facts)
{
    enum late_status late = series_late(facts, c->w->line_ms);
    c->counts->late += late == LATE_LATE;
    c->counts->late_unknown += late == LATE_UNKNOWN;
}

static void count_row(struct counting *c, uint32_t ordinal)
{
    const struct series_view *v = &c->w->view;
    const struct series_facts *facts = &series_record(v, ordinal)->facts;
    struct feed_counts *n = c->counts;
    uint32_t tail = series_tail(v, ordinal);
    if (!walk_keeps_tail(c->w, c->e, tail) || !series_is_live(v, ordinal) ||
        !sieve_keeps(
            c->sieve, series_record(v, ordinal), tail,
            series_listed(series_chunk(v, ordinal), ordinal)))
        return;
    n->trades++;
    n->buys += facts->side == SIDE_BUY;
    n->sells += facts->side == SIDE_SELL_FULL || facts->side == SIDE_SELL_PARTIAL;
    n->exchanges += facts->side == SIDE_EXCHANGE;
    n->conflicts += tail != TAILS_NONE;
    n->conflicts_later += mark_basis(tails_mark(tail)) == CONFLICT_LATER_LIST;
    n->grades[mark_grade(tails_mark(tail))]++;
    count_late(c, facts);
    n->first_activity = series_at(v, ordinal);
    if (n->last_activity == INSTANT_NONE)
        n->last_activity = n->first_activity;
}

static const struct slice_test counted[] = {
    {SLICE_SIDE, SLICE_EQUAL, SIDE_BUY},
    {SLICE_SIDE, SLICE_IN, 1 << SIDE_SELL_FULL | 1 << SIDE_SELL_PARTIAL},
    {SLICE_SIDE, SLICE_EQUAL, SIDE_EXCHANGE},
    {SLICE_SIGNAL, SLICE_AT_LEAST, 1},
    {SLICE_LATE, SLICE_EQUAL, LATE_LATE},
    {SLICE_LATE, SLICE_EQUAL, LATE_UNKNOWN},
    {SLICE_SIGNAL, SLICE_IN, MARKS_LATER},
    {SLICE_LATE, SLICE_EQUAL, LATE_BY_READER},
    {SLICE_SIGNAL, SLICE_EQUAL, MARK_A},
    {SLICE_SIGNAL, SLICE_EQUAL, MARK_B},
    {SLICE_SIGNAL, SLICE_IN, MARKS_C},
};

enum {
    COUNTED = sizeof counted / sizeof *counted,
    COUNTED_SIGNAL = 3,
    COUNTED_BY_READER = 7,
    COUNTED_GRADES = 7
};

/* The compiler's own calls a function for each word where it cannot know that the processor has an
 * instruction. */
static inline uint64_t ones(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return x * UINT64_C(0x0101010101010101) >> 56;
}

static int64_t bits_in(const struct slice_mask *a, const struct slice_mask *b)
{
    uint64_t n = 0;
    for (int word = 0; word < SLICE_WORDS; word++)
        n += ones(a->words[word] & b->words[word]);
    return (int64_t)n;
}

static void keep_only(struct slice_mask *a, const struct slice_mask *b)
{
    for (int word = 0; word < SLICE_WORDS; word++)
        a->words[word] &= b->words[word];
}

/* The lowest and the highest row; false: none. */
static bool ends_of(const struct slice_mask *mask, uint32_t *ret_low, uint32_t *ret_high)
{
    bool any = false;
    *ret_low = *ret_high = 0;
    for (int word = 0; word < SLICE_WORDS; word++) {
        uint64_t rows = mask->words[word];
        if (!rows)
            continue;
        if (!any)
            *ret_low = (uint32_t)word * 64 + (uint32_t)__builtin_ctzll(rows);
        *ret_high = (uint32_t)word * 64 + 63 - (uint32_t)__builtin_clzll(rows);
        any = true;
    }
    return any;
}

/* Counts the rows of a chunk from its slices; false: a code changed meanwhile, nothing is counted.
 */
static bool count_slices(struct counting *c, uint32_t first, struct slice_mask rows)
{
    const struct slices *slices = &series_chunk(&c->w->view, first)->slices;
    struct slice_mask passed, masks[COUNTED];
    struct feed_counts *n = c->counts;
    uint32_t low, high;
    if (!slices_read(slices, c->sieve->tests, c->sieve->n, &passed))
        return false;
    if (c->sieve->by_lists)
        sieve_lists(c->sieve, series_chunk(&c->w->view, first), &passed);
    if (c->trades_only) {
        if (c->w->conflicts_only && !slices_read(slices, &counted[COUNTED_SIGNAL], 1, &masks[0]))
            return false;
        if (c->w->conflicts_only)
            keep_only(&rows, &masks[0]);
        n->trades += bits_in(&rows, &passed);
        return true;
    }
    for (int i = 0; i < COUNTED; i++)
        if (!slices_read(slices, &counted[i], 1, &masks[i]))
            return false;
    keep_only(&rows, &passed);
    if (c->w->conflicts_only)
        keep_only(&rows, &masks[COUNTED_SIGNAL]);
    if (!ends_of(&rows, &low, &high))
        return true;
    n->trades += bits_in(&rows, &rows);
    n->buys += bits_in(&rows, &masks[0]);
    n->sells += bits_in(&rows, &masks[1]);
    n->exchanges += bits_in(&rows, &masks[2]);
    n->conflicts += bits_in(&rows, &masks[COUNTED_SIGNAL]);
    n->late += bits_in(&rows, &masks[4]);
    n->late_unknown += bits_in(&rows, &masks[5]);
    n->conflicts_later += bits_in(&rows, &masks[6]);
    for (int grade = CONFLICT_GRADE_A; grade < CONFLICT_GRADE_COUNT; grade++)
        n->grades[grade] += bits_in(&rows, &masks[COUNTED_GRADES + grade]);
    keep_only(&masks[COUNTED_BY_READER], &rows);
    for (uint32_t row = low; row <= high; row++)
        if (masks[COUNTED_BY_READER].words[row / 64] >> row % 64 & 1)
            count_late(c, &series_record(&c->w->view, first + row)->facts);
    n->first_activity = series_at(&c->w->view, first + low);
    if (n->last_activity == INSTANT_NONE)
        n->last_activity = series_at(&c->w->view, first + high);
    return true;
}

static void count_chunk(void *ctx, uint32_t first, const struct slice_mask *rows)
{
    struct counting *c = ctx;
    if (!c->w->by_topic && !c->sieve->needs_records && count_slices(c, first, *rows))
        return;
    for (uint32_t row = SERIES_CHUNK_ROWS; row-- > 0;)
        if (rows->words[row / 64] >> row % 64 & 1)
            count_row(c, first + row);
}

static void count_walk(
    const struct edition *e, const struct walk *w, const struct sieve *sieve,
    struct feed_counts *ret)
{
    struct counting c = {e, w, sieve, ret, false};
    walk_chunks(w, count_chunk, &c);
}

static int64_t left(int64_t all, int64_t later)
{
    return all > later ? all - later : 0; /* less after a change between the two readings */
}

/* The kept counts without the trades from the walk's end on. */
static void counts_before(
    const struct edition *e, const struct tally *tally, const struct walk *w,
    struct feed_counts *ret)
{
    struct feed_counts later = FEED_COUNTS_NONE, by_reader = FEED_COUNTS_NONE;
    struct sieve sieve = {
        .n = 1,
        .tests = {{SLICE_LIVE, SLICE_EQUAL, 1}, {SLICE_LATE, SLICE_EQUAL, LATE_BY_READER}},
    };
    struct walk rest = *w, all = *w;
    all.high = w->view.count;
    rest.low = w->high;
    rest.high = w->view.count;
    if (rest.high > rest.low)
        count_walk(e, &rest, &sieve, &later);
    sieve.n = 2;
    if (tally_read(&tally->late[LATE_BY_READER]) > 0)
        count_walk(e, &all, &sieve, &by_reader);
    int64_t flagged = 0, on_later = 0, grades[CONFLICT_GRADE_COUNT] = {0};
    for (int mark = MARK_IN_FORCE; mark < MARK_COUNT; mark++) {
        int64_t n = tally_read(&tally->conflicts[mark]);
        flagged += n;
        on_later += MARKS_LATER >> mark & 1 ? n : 0;
        grades[mark_grade((enum signal_mark)mark)] += n;
    }
    *ret = (struct feed_counts){
        .trades = left(tally_read(&tally->trades), later.trades),
        .buys = left(tally_read(&tally->sides[SIDE_BUY]), later.buys),
        .sells = left(tally_sells(tally), later.sells),
        .exchanges = left(tally_read(&tally->sides[SIDE_EXCHANGE]), later.exchanges),
        .conflicts = left(flagged, later.conflicts),
        .conflicts_later = left(on_later, later.conflicts_later),
        .late = left(tally_read(&tally->late[LATE_LATE]) + by_reader.late, later.late),
        .late_unknown = left(
            tally_read(&tally->late[LATE_UNKNOWN]) + by_reader.late_unknown, later.late_unknown),
        .first_activity = INSTANT_NONE,
        .last_activity = INSTANT_NONE,
    };
    for (int grade = CONFLICT_GRADE_A; grade < CONFLICT_GRADE_COUNT; grade++)
        ret->grades[grade] = left(grades[grade], later.grades[grade]);
}

/* The kept counts of a filter that is one politician, one ticker, or nothing at all, apart from its
 * end in time; NULL: the rows have to be counted. */
static const struct tally *kept_counts(const struct edition *e, const struct feed_filter *filter)
{
    bool politician = !str_is_null(filter->politician), ticker = !str_is_null(filter->ticker);
    if (!filter_has_kept_counts(filter) || filter->conflicts_only || (politician && ticker))
        return NULL;
    if (politician)
        return &people_find(&e->people, filter->politician)->tally;
    return ticker ? &symbols_find(&e->symbols, filter->ticker)->tally : &e->tally;
}

static void add_activity(const struct walk *w, struct feed_counts *ret)
{
    uint32_t low = 0, high = w->high;
    if (w->listed) {
        if (walk_ends(&w->view, &w->list, w->high, &low, &high)) {
            ret->first_activity = series_at(&w->view, low);
            ret->last_activity = series_at(&w->view, high);
        }
        return;
    }
    if (!series_live_below(&w->view, 0, w->high, &high))
        return;
    while (!series_is_live(&w->view, low))
        low++;
    ret->first_activity = series_at(&w->view, low);
    ret->last_activity = series_at(&w->view, high);
}

static void count_trades(
    const struct feed *feed, const struct feed_filter *filter, bool trades_only,
    struct feed_counts *ret)
{
    const struct edition *e = feed_read(feed);
    MEM_UNFILLED struct sieve sieve;
    struct walk w;
    *ret = FEED_COUNTS_NONE;
    if (!walk_trades(e, filter, &w))
        return;
    walk_between(&w, NULL, filter->since_ms, filter_until(filter));
    const struct tally *tally = kept_counts(e, filter);
    if (tally && w.view.count - w.high <= w.high) {
        counts_before(e, tally, &w, ret);
        add_activity(&w, ret);
    } else if (sieve_init(&sieve, e, filter)) {
        struct counting c = {e, &w, &sieve, ret, trades_only};
        walk_chunks(&w, count_chunk, &c);
    }
    walk_finish(&w);
}

void feed_counts(const struct feed *feed, const struct feed_filter *filter, struct feed_counts *ret)
{
    count_trades(feed, filter, false, ret);
}

int64_t feed_trade_count(const struct feed *feed, const struct feed_filter *filter)
{
    struct feed_counts counts;
    count_trades(feed, filter, true, &counts);
    return counts.trades;
}

/* --- brackets */

static bool test_bracket(
    const struct edition *e, const struct param_value *value, struct slice_test *ret)
{
    *ret = (struct slice_test){SLICE_BRACKET, SLICE_EQUAL, (uint64_t)value->number};
    return true;
}

void feed_bracket_counts(
    const struct feed *feed, const struct feed_filter *filter, int64_t ret[static BRACKET_COUNT])
{
    static const struct trade_filter of_bracket = {.test = test_bracket};
    MEM_UNFILLED struct feed_test tests[PARAM_TABLE_MAX];
    struct feed_filter one = *filter;
    assert(filter->test_count < PARAM_TABLE_MAX);
    for (size_t i = 0; i < filter->test_count; i++)
        tests[i] = filter->tests[i];
    one.tests = tests;
    one.test_count = filter->test_count + 1;
    for (int bracket = 0; bracket < BRACKET_COUNT; bracket++) {
        const struct param_value value = {STR_NULL, bracket};
        struct feed_counts counts;
        tests[filter->test_count] = (struct feed_test){&of_bracket, value};
        feed_counts(feed, &one, &counts);
        ret[bracket] = counts.trades;
    }
}
