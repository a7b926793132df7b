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

bool walk_trades(const struct edition *e, const struct feed_filter *filter, struct walk *ret)
{
    uint32_t politician = 0, ticker = 0;
    *ret = (struct walk){.view = series_view(&e->trades)};
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
    if (!str_is_null(filter->filing) && !walk_filing(e, filter->filing, ret))
        return false;
    ret->listed = politician || ticker || filter->chamber != CHAMBER_NONE || filter->conflicts_only;
    ret->conflicts_only = filter->conflicts_only;
    ret->signal = filter->signal;
    if (ret->listed)
        ret->list = postings_find(
            &e->trade_lists,
            posting_key_of(politician, ticker, filter->chamber, filter->conflicts_only));
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
           (!w->signal ||
            w->signal->keeps(
                w->signal->ctx, (struct feed_signal){tail, tails_get(&e->tails, tail)->tag}));
}

bool walk_lists(const struct posting_view *list, uint32_t ordinal)
{
    uint32_t i = posting_bound(list, ordinal);
    return i < list->n && posting_at(list, i) == ordinal;
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
