/* Symbols and their lists; see feed.h. */
#include <assert.h>

#include "core/company_name.h"
#include "core/industry.h"
#include "feed/feed_internal.h"
#include "feed/walk.h"

/* Trades that are looked at for one in a symbol itself, and not in a predecessor. */
enum { LOOK_MAX = 5000 };

static struct posting_view list_of(const struct edition *e, uint32_t person, uint32_t symbol)
{
    return postings_find(&e->trade_lists, posting_key_of(person, symbol, CHAMBER_NONE, false));
}

/* The day of the newest visible trade before `high` in exactly this symbol; false: none among those
 * looked at. */
static bool newest_trade_day(
    const struct edition *e, const struct symbol *symbol, uint32_t high, int32_t *ret)
{
    struct series_view v = series_view(&e->trades);
    struct posting_view list = list_of(e, 0, symbol->index);
    uint32_t at = posting_bound(&list, high), end = at > LOOK_MAX ? at - LOOK_MAX : 0;
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

/* The politicians with visible trades in the symbol before `high`: all without those whose first
 * one is later. */
static int64_t politicians_before(
    const struct edition *e, const struct symbol *symbol, uint32_t high)
{
    struct series_view v = series_view(&e->trades);
    struct posting_view list = list_of(e, 0, symbol->index);
    int64_t n = tally_read(&symbol->politicians);
    for (uint32_t i = posting_bound(&list, high); i < list.n && posting_at(&list, i) < v.count;
         i++) {
        uint32_t ordinal = posting_at(&list, i), first, last;
        uint32_t person = series_record(&v, ordinal)->facts.politician;
        struct posting_view pair = list_of(e, person, symbol->index);
        if (series_is_live(&v, ordinal) && walk_ends(&v, &pair, v.count, &first, &last) &&
            first == ordinal)
            n--;
    }
    return n > 0 ? n : 0;
}

bool feed_ticker(
    const struct feed *feed, struct str symbol_text, int64_t until_ms, struct feed_ticker *ret)
{
    const struct edition *e = feed_read(feed);
    const struct symbol *symbol = symbols_find(&e->symbols, symbol_text);
    const struct symbol_company *entry =
        symbol ? atomic_load_explicit(&symbol->company, memory_order_acquire) : NULL;
    const struct company_import imported = {
        entry ? entry->name : STR_NULL,
        entry ? entry->industry : STR_NULL,
        entry ? entry->source : STR_NULL,
    };
    const struct company_import *import = entry ? &imported : NULL;
    struct series_view v = series_view(&e->trades);
    uint32_t high = walk_high(&v, until_ms);
    struct feed_filter filter = FEED_FILTER_NONE;
    int32_t day;
    *ret = (struct feed_ticker){
        .symbol = symbol ? symbol->text : symbol_text,
        .counts = FEED_COUNTS_NONE,
    };
    ret->company_count = company_all(ret->symbol, import, ret->companies);
    if (!symbol) {
        ret->company = present_company(ret);
        return ret->company_count > 0;
    }
    ret->company = newest_trade_day(e, symbol, high, &day) ? company_of_day(ret, import, day)
                                                           : present_company(ret);
    filter.ticker = ret->symbol;
    filter.until_ms = until_ms;
    feed_counts(feed, &filter, &ret->counts);
    ret->politicians = politicians_before(e, symbol, high);
    return true;
}

static bool has_trades(const struct edition *e, const struct symbol *symbol, int64_t until_ms)
{
    struct series_view v = series_view(&e->trades);
    struct posting_view list = list_of(e, 0, symbol->index);
    uint32_t first, last;
    return walk_ends(&v, &list, walk_high(&v, until_ms), &first, &last);
}

static void read_row(
    const struct feed *feed, const struct symbol *symbol, int64_t until_ms,
    struct feed_ticker_row *ret)
{
    struct feed_ticker t;
    bool known = feed_ticker(feed, symbol->text, until_ms, &t);
    assert(known);
    *ret = (struct feed_ticker_row){
        .symbol = symbol->text,
        .company_name = t.company ? t.company->name : STR_NULL,
        .industry =
            t.company && t.company->industry ? industry_get(t.company->industry)->name : STR_NULL,
        .counts = t.counts,
        .politicians = t.politicians,
    };
}

/* The next place with this rank; without words every place has the first one. */
static uint32_t next_place(
    const struct name_order *order, uint32_t from, struct str words, enum name_rank rank)
{
    if (words.n)
        return name_order_find(order, from, words, rank);
    return rank == NAME_EXACT ? from : order->n;
}

void feed_tickers(
    const struct feed *feed, const struct feed_tickers_filter *filter, const struct cursor *after,
    size_t limit, struct feed_tickers_page *ret)
{
    const struct edition *e = feed_read(feed);
    const struct name_order *order = symbols_order(&e->symbols);
    enum name_rank rank = NAME_EXACT, last_rank = NAME_EXACT;
    uint32_t last = 0;
    assert(limit >= 1 && limit <= FEED_PAGE_MAX);
    ret->count = 0;
    ret->more = false;
    uint32_t i = after ? symbols_order_after(order, after, &rank) : 0;
    bool alike = !after || rank == NAME_ALIKE;
    for (; rank < NAME_RANK_COUNT && (rank < NAME_ALIKE || alike); rank++, i = 0) {
        for (;; i++) {
            i = next_place(order, i, filter->q, rank);
            if (i >= order->n)
                break;
            const struct symbol *symbol = order->items[i];
            if (filter->has_trades != FEED_ANY &&
                has_trades(e, symbol, filter->until_ms) != (filter->has_trades == FEED_YES))
                continue;
            if (ret->count == limit) {
                ret->more = true;
                ret->next = symbols_order_cursor(order, last, last_rank);
                return;
            }
            read_row(feed, symbol, filter->until_ms, &ret->rows[ret->count++]);
            last = i;
            last_rank = rank;
            alike = alike && rank == NAME_ALIKE;
        }
    }
}
