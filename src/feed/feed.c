/* The read side of the feed; see feed.h. */
#include "feed/feed.h"

#include <assert.h>

#include "core/company_name.h"
#include "feed/feed_internal.h"
#include "feed/sieve.h"

/* Trades that are looked at for one in a symbol itself, and not in a predecessor. */
enum { LOOK_MAX = 5000 };

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

struct edition *feed_edition(struct feed *feed)
{
    return atomic_load_explicit(&feed->edition, memory_order_relaxed);
}

void feed_swap(struct feed *feed, struct edition *fresh)
{
    fresh->shared = true;
    struct edition *old = atomic_exchange_explicit(&feed->edition, fresh, memory_order_acq_rel);
    rcu_wait_readers();
    edition_destroy(old);
}

static const struct edition *edition_of(const struct feed *feed)
{
    return atomic_load_explicit(&feed->edition, memory_order_acquire);
}

/* Collects up to `want` visible ordinals, newest first. Inlined although it has two callers: every
 * page runs it. */
static inline __attribute__((always_inline)) size_t walk_collect(
    const struct feed_walk *w, size_t want, uint32_t *ret)
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

struct feed_row feed_row_of(
    const struct edition *e, const struct series_record *record, uint32_t tail_number)
{
    const struct tail *tail = tails_get(&e->tails, tail_number);
    return (struct feed_row){
        series_record_json(record), series_record_details(record), tail->json,
        record->tag ^ tail->tag};
}

static void fill_page(
    const struct edition *e, const struct feed_walk *w, enum cursor_resource resource, size_t limit,
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
            ret->rows[i] = feed_row_of(e, records[i], series_tail(&w->view, ordinals[i]));
        else
            ret->rows[i] = (struct feed_row){
                series_record_json(records[i]), STR(""), STR(""), records[i]->tag};
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
    const struct feed_walk *w;
    const struct sieve *sieve;
    size_t limit;
    struct feed_page *page;
    uint32_t last; /* ordinal of the page's last row */
};

/* Shows the row, unless it changed since its slices were read. False: the page is full, and this is
 * the row after it. */
static bool sift_row(struct sifting *s, uint32_t ordinal)
{
    const struct feed_walk *w = s->w;
    const struct series_record *record = series_record(&w->view, ordinal);
    uint32_t tail = series_tail(&w->view, ordinal);
    if (!series_is_live(&w->view, ordinal) || !sieve_keeps(s->sieve, record, tail) ||
        (w->conflicts_only && tail == TAILS_NONE))
        return true;
    if (s->page->count == s->limit) {
        s->page->more = true;
        return false;
    }
    s->page->rows[s->page->count++] = feed_row_of(s->e, record, tail);
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
    const struct feed_walk *w = s->w;
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

static void empty_page(struct feed_page *ret)
{
    ret->count = 0;
    ret->more = false;
}

/* A separate function, so that other pages pay nothing for it. */
static __attribute__((noinline)) void sifted_page(
    const struct edition *e, const struct feed_walk *w, const struct feed_filter *filter,
    size_t limit, struct feed_page *ret)
{
    MEM_UNFILLED struct sieve sieve;
    struct sifting s = {.e = e, .w = w, .sieve = &sieve, .limit = limit, .page = ret};
    empty_page(ret);
    if (!sieve_init(&sieve, e, filter))
        return;
    if (w->listed)
        sift_list(&s);
    else
        sift_all(&s);
    if (ret->count)
        ret->next = cursor_at(
            CURSOR_TRADES, series_at(&w->view, s.last),
            series_record_id(series_record(&w->view, s.last)));
}

/* Sets the bounds of a walk whose list is already chosen. */
static void walk_between(
    struct feed_walk *w, const struct cursor *after, int64_t since_ms, int64_t until_ms)
{
    w->high = after ? series_bound(&w->view, after->at_ms, cursor_id(after)) : w->view.count;
    w->low = since_ms == INSTANT_NONE ? 0 : series_bound_at(&w->view, since_ms);
    if (until_ms != INSTANT_NONE) {
        uint32_t high = series_bound_at(&w->view, until_ms);
        w->high = high < w->high ? high : w->high;
    }
}

bool feed_walk_filter(
    const struct edition *e, const struct feed_filter *filter, struct feed_walk *w)
{
    uint32_t politician = 0, ticker = 0;
    if (!str_is_null(filter->politician)) {
        const struct person *person = people_find(&e->people, filter->politician);
        if (!person)
            return false;
        politician = person->index;
    }
    if (!str_is_null(filter->ticker)) {
        const struct symbol *symbol = symbols_find(&e->symbols, filter->ticker);
        if (!symbol)
            return false;
        ticker = symbol->index;
    }
    w->listed = politician || ticker || filter->chamber != CHAMBER_NONE || filter->conflicts_only;
    w->conflicts_only = filter->conflicts_only;
    if (w->listed)
        w->list = postings_find(
            &e->trade_lists,
            posting_key_of(politician, ticker, filter->chamber, filter->conflicts_only));
    return true;
}

void feed_trades(
    const struct feed *feed, const struct feed_filter *filter, const struct cursor *after,
    size_t limit, struct feed_page *ret)
{
    const struct edition *e = edition_of(feed);
    struct feed_walk w = {.view = series_view(&e->trades)};
    if (!feed_walk_filter(e, filter, &w)) {
        empty_page(ret);
        return;
    }
    walk_between(&w, after, filter->since_ms, filter->until_ms);
    if (filter->test_count)
        sifted_page(e, &w, filter, limit, ret);
    else
        fill_page(e, &w, CURSOR_TRADES, limit, ret);
}

bool feed_has_party(const struct feed *feed, struct str party)
{
    return parties_find(&edition_of(feed)->parties, party) != 0;
}

void feed_parties(const struct feed *feed, struct buf *b, struct str between, size_t size_max)
{
    parties_put(&edition_of(feed)->parties, b, between, size_max);
}

void feed_filings(
    const struct feed *feed, enum chamber chamber, const struct cursor *after, size_t limit,
    struct feed_page *ret)
{
    const struct edition *e = edition_of(feed);
    struct feed_walk w = {.view = series_view(&e->filings), .listed = chamber != CHAMBER_NONE};
    if (w.listed)
        w.list = postings_find(&e->filing_lists, posting_key_of(0, 0, chamber, false));
    walk_between(&w, after, INSTANT_NONE, INSTANT_NONE);
    fill_page(e, &w, CURSOR_FILINGS, limit, ret);
}

/* Reads disclosedAt of the oldest and the newest visible row of a list. */
static void activity(
    const struct edition *e, posting_key key, int64_t *ret_first, int64_t *ret_last)
{
    struct series_view v = series_view(&e->trades);
    struct posting_view list = postings_find(&e->trade_lists, key);
    uint32_t from = 0, to = posting_bound(&list, v.count);
    *ret_first = *ret_last = INSTANT_NONE;
    while (from < to && !series_is_live(&v, posting_at(&list, from)))
        from++;
    while (from < to && !series_is_live(&v, posting_at(&list, to - 1)))
        to--;
    if (from < to) {
        *ret_first = series_at(&v, posting_at(&list, from));
        *ret_last = series_at(&v, posting_at(&list, to - 1));
    }
}

static int64_t sells(const struct tally *tally)
{
    return tally_read(&tally->sides[SIDE_SELL_FULL]) + tally_read(&tally->sides[SIDE_SELL_PARTIAL]);
}

static void profile_of(const struct person *person, int32_t today, struct feed_politician *ret)
{
    const struct people_profile *profile =
        atomic_load_explicit(&person->profile, memory_order_acquire);
    *ret = (struct feed_politician){
        .id = person->id,
        .slug = person->slug,
        .name = profile->name,
        .chamber = profile->chamber,
        .party = profile->party,
        .state = profile->state,
        .district = profile->district,
        .in_office = profile->office_until != DAY_NONE && profile->office_until >= today,
        .committees_json =
            str_is_null(profile->committees_json) ? STR("[]") : profile->committees_json,
        .last_activity = INSTANT_NONE,
    };
}

bool feed_politician(
    const struct feed *feed, struct str slug_or_id, int32_t today, struct feed_politician *ret)
{
    const struct edition *e = edition_of(feed);
    const struct person *person = people_find(&e->people, slug_or_id);
    int64_t first;
    if (!person)
        return false;
    profile_of(person, today, ret);
    ret->trades = tally_read(&person->tally.trades);
    ret->buys = tally_read(&person->tally.sides[SIDE_BUY]);
    ret->sells = sells(&person->tally);
    ret->exchanges = tally_read(&person->tally.sides[SIDE_EXCHANGE]);
    ret->conflicts = tally_read(&person->tally.conflicts);
    ret->filings = tally_read(&person->filings);
    activity(e, posting_key_of(person->index, 0, CHAMBER_NONE, false), &first, &ret->last_activity);
    return true;
}

void feed_people(
    const struct feed *feed, const struct feed_people_filter *filter, const struct cursor *after,
    size_t limit, int32_t today, struct feed_people_page *ret)
{
    const struct people_order *order = people_order(&edition_of(feed)->people);
    uint32_t last = 0;
    assert(limit >= 1 && limit <= FEED_PAGE_MAX);
    ret->count = 0;
    ret->more = false;
    for (uint32_t i = after ? people_order_after(order, after) : 0;; i++) {
        i = people_order_find(order, i, filter->q);
        if (i >= order->n)
            return;
        const struct person *person = order->items[i];
        const struct people_profile *profile =
            atomic_load_explicit(&person->profile, memory_order_acquire);
        if (filter->chamber != CHAMBER_NONE && profile->chamber != filter->chamber)
            continue;
        if (ret->count == limit) {
            ret->more = true;
            ret->next = people_order_cursor(order, last);
            return;
        }
        profile_of(person, today, &ret->rows[ret->count++]);
        last = i;
    }
}

/* The day of the newest visible trade in exactly this symbol; false: none among those looked at. */
static bool newest_trade_day(const struct edition *e, const struct symbol *symbol, int32_t *ret)
{
    struct series_view v = series_view(&e->trades);
    struct posting_view list =
        postings_find(&e->trade_lists, posting_key_of(0, symbol->index, CHAMBER_NONE, false));
    uint32_t at = posting_bound(&list, v.count), end = at > LOOK_MAX ? at - LOOK_MAX : 0;
    while (at-- > end) {
        uint32_t ordinal = posting_at(&list, at);
        const struct series_facts *facts = &series_record(&v, ordinal)->facts;
        if (!series_is_live(&v, ordinal) || facts->ticker != symbol->index)
            continue;
        *ret = facts->day;
        return true;
    }
    return false;
}

/* The listed company that had the symbol on that day; NULL: none. A late list of the same company
 * is not listed beside it (core/company.c) and is found by its name. */
static const struct company *company_of_day(
    const struct feed_ticker *t, const struct company_import *imported, int32_t day)
{
    struct company on;
    const struct company *same_name = NULL;
    if (!company_on(t->symbol, day, imported, &on))
        return NULL;
    for (size_t i = 0; i < t->company_count; i++) {
        if (t->companies[i].origin == on.origin)
            return &t->companies[i];
        if (company_name_compare(t->companies[i].name, on.name) != COMPANY_NAME_OTHER)
            same_name = &t->companies[i];
    }
    return same_name;
}

/* The company that has the symbol now; NULL: none. */
static const struct company *present_company(const struct feed_ticker *t)
{
    for (size_t i = 0; i < t->company_count; i++)
        if (t->companies[i].to == DAY_NONE)
            return &t->companies[i];
    return NULL;
}

bool feed_ticker(const struct feed *feed, struct str symbol_text, struct feed_ticker *ret)
{
    const struct edition *e = edition_of(feed);
    const struct symbol *symbol = symbols_find(&e->symbols, symbol_text);
    const struct symbol_company *entry =
        symbol ? atomic_load_explicit(&symbol->company, memory_order_acquire) : NULL;
    const struct company_import imported = {
        entry ? entry->name : STR_NULL,
        entry ? entry->industry : STR_NULL,
        entry ? entry->source : STR_NULL,
    };
    const struct company_import *import = entry ? &imported : NULL;
    int32_t day;
    *ret = (struct feed_ticker){
        .symbol = symbol ? symbol->text : symbol_text,
        .first_activity = INSTANT_NONE,
        .last_activity = INSTANT_NONE,
    };
    ret->company_count = company_all(ret->symbol, import, ret->companies);
    if (!symbol) {
        ret->company = present_company(ret);
        return ret->company_count > 0;
    }
    ret->company =
        newest_trade_day(e, symbol, &day) ? company_of_day(ret, import, day) : present_company(ret);
    ret->trades = tally_read(&symbol->tally.trades);
    ret->buys = tally_read(&symbol->tally.sides[SIDE_BUY]);
    ret->sells = sells(&symbol->tally);
    ret->exchanges = tally_read(&symbol->tally.sides[SIDE_EXCHANGE]);
    ret->conflicts = tally_read(&symbol->tally.conflicts);
    ret->politicians = tally_read(&symbol->politicians);
    activity(
        e, posting_key_of(0, symbol->index, CHAMBER_NONE, false), &ret->first_activity,
        &ret->last_activity);
    return true;
}

struct feed_stats feed_stats(const struct feed *feed)
{
    const struct edition *e = edition_of(feed);
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
