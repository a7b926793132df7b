/* Chooses the rows of a filter; see walk.h. */
#include "feed/walk.h"

void walk_between(struct walk *w, const struct cursor *after, int64_t since_ms, int64_t until_ms)
{
    w->high = after ? series_bound(&w->view, after->at_ms, cursor_id(after)) : w->view.count;
    w->low = since_ms == INSTANT_NONE ? 0 : series_bound_at(&w->view, since_ms);
    if (until_ms != INSTANT_NONE) {
        uint32_t high = series_bound_at(&w->view, until_ms);
        w->high = high < w->high ? high : w->high;
    }
}

uint32_t walk_high(const struct series_view *v, int64_t until_ms)
{
    return until_ms == INSTANT_NONE ? v->count : series_bound_at(v, until_ms);
}

/* False: no trades of such a filing. */
static bool walk_filing(const struct edition *e, struct str filing, struct walk *w)
{
    const struct filing_place *place = filing_index_find(&e->filing_index, filing);
    w->runs = place ? atomic_load_explicit(&place->runs, memory_order_acquire) : NULL;
    return w->runs != NULL;
}

/* False: no signal names the committee. */
static bool walk_topics(const struct edition *e, const struct feed_filter *filter, struct walk *w)
{
    w->choice = (struct topic_choice){.industry = filter->industry};
    w->choice.of_committee = !str_is_null(filter->committee);
    w->by_topic = w->choice.industry || w->choice.of_committee;
    if (w->choice.of_committee)
        w->choice.committee = topics_committee_with(&e->topics, filter->committee);
    return w->choice.committee != UINT32_MAX;
}

/* 0: unknown. */
typedef uint32_t walk_number(const struct edition *e, struct str name);

static uint32_t person_number(const struct edition *e, struct str name)
{
    const struct person *person = people_find(&e->people, name);
    return person ? person->index : 0;
}

static uint32_t symbol_number(const struct edition *e, struct str name)
{
    const struct symbol *symbol = symbols_find(&e->symbols, name);
    return symbol ? symbol->index : 0;
}

/* The numbers of those that are known; one number 0 if none is given. */
static size_t numbers_of(
    const struct edition *e, struct str names, walk_number *number,
    uint32_t ret[static FILTER_VALUES_MAX])
{
    struct str name;
    size_t n = 0;
    if (str_is_null(names))
        ret[n++] = 0;
    while (n < FILTER_VALUES_MAX && str_split(&names, ',', &name)) {
        ret[n] = number(e, name);
        n += ret[n] != 0;
    }
    return n;
}

/* Joins the lists of all pairs. */
static void merge(
    struct walk *w, const struct postings *lists, const posting_key *keys, size_t key_count)
{
    uint32_t words = w->view.count / 64 + 1, n = 0;
    MEM_FREED uint64_t *bits = mem_array(words, sizeof *bits);
    for (size_t k = 0; k < key_count; k++) {
        const struct posting_view list = postings_find(lists, keys[k]);
        for (uint32_t i = 0; i < list.n && posting_at(&list, i) < w->view.count; i++) {
            uint32_t ordinal = posting_at(&list, i);
            n += !(bits[ordinal / 64] >> ordinal % 64 & 1);
            bits[ordinal / 64] |= UINT64_C(1) << ordinal % 64;
        }
    }
    w->merged = mem_array(n + 1, sizeof *w->merged);
    w->list = (struct posting_view){.n = n, .dead = n, .items = w->merged};
    n = 0;
    for (uint32_t word = 0; word < words; word++)
        for (uint64_t left = bits[word]; left; left &= left - 1)
            w->merged[n++] = 64 * word + (uint32_t)__builtin_ctzll(left);
}

bool walk_trades(const struct edition *e, const struct feed_filter *filter, struct walk *ret)
{
    MEM_UNFILLED uint32_t people[FILTER_VALUES_MAX], symbols[FILTER_VALUES_MAX];
    *ret = (struct walk){.view = series_view(&e->trades), .line_ms = filter->line_ms};
    bool several = filter->politicians.p || filter->tickers.p;
    size_t n = numbers_of(
        e, filter->politicians.p ? filter->politicians : filter->politician, person_number, people);
    size_t m =
        numbers_of(e, filter->tickers.p ? filter->tickers : filter->ticker, symbol_number, symbols);
    if (!n || !m)
        return false;
    if (!str_is_null(filter->filing) && !walk_filing(e, filter->filing, ret))
        return false;
    if (!walk_topics(e, filter, ret))
        return false;
    ret->listed =
        people[0] || symbols[0] || filter->chamber != CHAMBER_NONE || filter->conflicts_only;
    ret->conflicts_only = filter->conflicts_only;
    if (several) {
        posting_key *keys = mem_array(n * m, sizeof *keys);
        for (size_t i = 0; i < n * m; i++)
            keys[i] = posting_key_of(
                people[i / m], symbols[i % m], filter->chamber, filter->conflicts_only);
        merge(ret, &e->trade_lists, keys, n * m);
        mem_free(keys);
    } else if (ret->listed) {
        ret->list = postings_find(
            &e->trade_lists,
            posting_key_of(people[0], symbols[0], filter->chamber, filter->conflicts_only));
    }
    return true;
}

bool walk_filings(
    const struct edition *e, struct str politician, enum chamber chamber, struct walk *ret)
{
    const struct person *person = NULL;
    *ret = (struct walk){.view = series_view(&e->filings)};
    if (!str_is_null(politician)) {
        person = people_find(&e->people, politician);
        if (!person)
            return false;
    }
    ret->listed = person || chamber != CHAMBER_NONE;
    if (ret->listed)
        ret->list = postings_find(
            &e->filing_lists, posting_key_of(person ? person->index : 0, 0, chamber, false));
    return true;
}

bool walk_is_of_filing(const struct walk *w, uint32_t ordinal)
{
    bool is = !w->runs;
    for (uint32_t i = 0; !is && i < w->runs->n; i++)
        is = ordinal >= w->runs->items[i].first &&
             ordinal < atomic_load_explicit(&w->runs->items[i].end, memory_order_acquire);
    return is;
}

bool walk_keeps_tail(const struct walk *w, const struct edition *e, uint32_t tail)
{
    if (!w->conflicts_only)
        return true;
    return tail != TAILS_NONE &&
           (!w->by_topic || topics_keep(&e->topics, &w->choice, tails_get(&e->tails, tail)->topic));
}

bool walk_lists(const struct posting_view *list, uint32_t ordinal)
{
    uint32_t i = posting_bound(list, ordinal);
    return i < list->n && posting_at(list, i) == ordinal;
}

bool walk_any_before(const struct series_view *v, const struct posting_view *list, uint32_t high)
{
    bool found = false;
    for (uint32_t i = 0; !found && i < list->n && posting_at(list, i) < high; i++)
        found = !list->dead || series_is_live(v, posting_at(list, i));
    return found;
}

bool walk_ends(
    const struct series_view *v, const struct posting_view *list, uint32_t high,
    uint32_t *ret_first, uint32_t *ret_last)
{
    uint32_t from = 0, to = posting_bound(list, high);
    while (from < to && !series_is_live(v, posting_at(list, from)))
        from++;
    while (from < to && !series_is_live(v, posting_at(list, to - 1)))
        to--;
    if (from == to)
        return false;
    *ret_first = posting_at(list, from);
    *ret_last = posting_at(list, to - 1);
    return true;
}

static uint32_t first_of(uint32_t ordinal)
{
    return ordinal - ordinal % SERIES_CHUNK_ROWS;
}

static void mask_add(struct slice_mask *mask, uint32_t row)
{
    mask->words[row / 64] |= UINT64_C(1) << row % 64;
}

static uint64_t ones_below(uint32_t n)
{
    return n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
}

/* All rows of [low, high), or those of them that are in the list too. */
static void chunks_between(
    const struct walk *w, uint32_t low, uint32_t high, walk_chunk *visit, void *ctx)
{
    for (uint32_t first; high > low; high = first > low ? first : low) {
        first = first_of(high - 1);
        struct slice_mask rows = {{0}};
        for (uint32_t word = 0; word < SLICE_WORDS; word++) {
            uint32_t at = first + 64 * word;
            rows.words[word] =
                ones_below(high > at ? high - at : 0) & ~ones_below(low > at ? low - at : 0);
        }
        for (uint32_t at = high; w->listed && at > first && at > low; at--)
            if (!walk_lists(&w->list, at - 1))
                rows.words[(at - 1 - first) / 64] &= ~(UINT64_C(1) << (at - 1 - first) % 64);
        visit(ctx, first, &rows);
    }
}

static void chunks_of_list(const struct walk *w, walk_chunk *visit, void *ctx)
{
    const struct posting_view *list = &w->list;
    uint32_t i = posting_bound(list, w->high);
    while (i > 0 && posting_at(list, i - 1) >= w->low) {
        uint32_t first = first_of(posting_at(list, i - 1));
        uint32_t low = first > w->low ? first : w->low;
        struct slice_mask rows = {{0}};
        for (; i > 0 && posting_at(list, i - 1) >= low; i--)
            mask_add(&rows, posting_at(list, i - 1) - first);
        visit(ctx, first, &rows);
    }
}

void walk_chunks(const struct walk *w, walk_chunk *visit, void *ctx)
{
    if (!w->runs && w->listed)
        chunks_of_list(w, visit, ctx);
    else if (!w->runs)
        chunks_between(w, w->low, w->high, visit, ctx);
    for (uint32_t i = w->runs ? w->runs->n : 0; i > 0; i--) {
        const struct filing_run *run = &w->runs->items[i - 1];
        uint32_t end = atomic_load_explicit(&run->end, memory_order_acquire);
        chunks_between(
            w, run->first > w->low ? run->first : w->low, end < w->high ? end : w->high, visit,
            ctx);
    }
}
