/* Symbols and their lists; see feed.h. */
#include <assert.h>

#include "feed/feed_internal.h"
#include "feed/walk.h"
#include "market/company_name.h"
#include "market/industry.h"

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
 * is not listed beside it (market/company.c) and is found by its name. */
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

/* All politicians without those whose first visible trade in the symbol is later: looks at the
 * later trades, from number `from` of the list on. */
static int64_t politicians_without_later(
    const struct edition *e, const struct symbol *symbol, const struct posting_view *list,
    uint32_t from)
{
    struct series_view v = series_view(&e->trades);
    int64_t n = tally_read(&symbol->politicians);
    for (uint32_t i = from; i < list->n && posting_at(list, i) < v.count; i++) {
        uint32_t ordinal = posting_at(list, i), first, last;
        uint32_t person = series_record(&v, ordinal)->facts.politician;
        struct posting_view pair = list_of(e, person, symbol->index);
        if (series_is_live(&v, ordinal) && walk_ends(&v, &pair, v.count, &first, &last) &&
            first == ordinal)
            n--;
    }
    return n > 0 ? n : 0;
}

/* The same by looking at each politician. */
static int64_t politicians_one_by_one(
    const struct edition *e, const struct symbol *symbol, uint32_t high)
{
    struct series_view v = series_view(&e->trades);
    const struct name_order *order = people_order(&e->people);
    int64_t n = 0;
    for (uint32_t i = 0; i < order->n; i++) {
        const struct person *person = order->items[i];
        struct posting_view pair = list_of(e, person->index, symbol->index);
        n += walk_any_before(&v, &pair, high);
    }
    return n;
}

/* The politicians with visible trades in the symbol before `high`. */
static int64_t politicians_before(
    const struct edition *e, const struct symbol *symbol, uint32_t high)
{
    struct posting_view list = list_of(e, 0, symbol->index);
    uint32_t from = posting_bound(&list, high);
    if (!from)
        return 0;
    return list.n - from > people_order(&e->people)->n / 4
               ? politicians_one_by_one(e, symbol, high)
               : politicians_without_later(e, symbol, &list, from);
}

/* A symbol that only trades from until_ms on have leaves no trace before. */
static bool known_before(const struct edition *e, const struct symbol *symbol, int64_t until_ms)
{
    struct series_view v = series_view(&e->trades);
    struct posting_view list = list_of(e, 0, symbol->index);
    return until_ms == INSTANT_NONE || posting_bound(&list, walk_high(&v, until_ms)) > 0;
}

/* *ret, or NULL: no imported list has the symbol. */
static const struct company_import *import_of(
    const struct symbol *symbol, struct company_import *ret)
{
    const struct symbol_company *entry =
        symbol ? atomic_load_explicit(&symbol->company, memory_order_acquire) : NULL;
    if (!entry)
        return NULL;
    *ret = (struct company_import){entry->name, entry->industry, entry->source};
    return ret;
}

struct conflict_asset feed_asset(
    const struct feed *feed, const struct feed_row *row, const struct trade *trade)
{
    struct company_import imported;
    const struct conflict_trade judged = {
        .chamber = trade->politician.chamber,
        .asset_type = trade->values.asset_type,
        .ticker = trade->values.ticker,
        .asset_name = trade->values.asset_name,
        .day = row->traded == DAY_NONE ? instant_day_new_york(row->report.filed_at) : row->traded,
    };
    const struct symbol *symbol =
        str_is_null(judged.ticker) ? NULL : symbols_find(&feed_read(feed)->symbols, judged.ticker);
    return conflict_asset_of(&judged, import_of(symbol, &imported));
}

bool feed_ticker(
    const struct feed *feed, struct str symbol_text, int64_t until_ms, struct feed_ticker *ret)
{
    const struct edition *e = feed_read(feed);
    const struct symbol *symbol = symbols_find(&e->symbols, symbol_text);
    struct company_import imported;
    const struct company_import *import = import_of(symbol, &imported);
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
    filter.line_ms = until_ms;
    feed_counts(feed, &filter, &ret->counts);
    ret->politicians = politicians_before(e, symbol, high);
    return ret->company_count > 0 || known_before(e, symbol, until_ms);
}

_Static_assert((int)FEED_FORMER_MAX == (int)RENAMES_CHAIN_MAX, "room for all of renames_of");

size_t feed_former_symbols(
    const struct feed *feed, struct str symbol, struct feed_former ret[static FEED_FORMER_MAX])
{
    const struct rename *renames[RENAMES_CHAIN_MAX];
    size_t n = renames_of(&feed_read(feed)->renames, symbol, renames);
    for (size_t i = 0; i < n; i++)
        ret[i] = (struct feed_former){renames[i]->old, renames[i]->before};
    return n;
}

size_t feed_later_symbols(
    const struct feed *feed, struct str symbol, struct feed_former ret[static FEED_FORMER_MAX])
{
    const struct renames *renames = &feed_read(feed)->renames;
    size_t count, n = 0;
    const struct rename *items = renames_from(renames, symbol, &count);
    for (size_t i = 0; i < count; i++) {
        struct str later[RENAMES_CHAIN_MAX];
        size_t chain = renames_successors(renames, items[i].new, items[i].before, later);
        for (size_t j = 0; j < chain && n < FEED_FORMER_MAX; j++)
            ret[n++] = (struct feed_former){later[j], items[i].before};
    }
    return n;
}

static bool has_trades(const struct edition *e, const struct symbol *symbol, int64_t until_ms)
{
    struct series_view v = series_view(&e->trades);
    struct posting_view list = list_of(e, 0, symbol->index);
    return walk_any_before(&v, &list, walk_high(&v, until_ms));
}

static void read_row(
    const struct feed *feed, const struct symbol *symbol, int64_t until_ms,
    struct feed_ticker_row *ret)
{
    struct feed_ticker t;
    feed_ticker(feed, symbol->text, until_ms, &t);
    *ret = (struct feed_ticker_row){
        .symbol = symbol->text,
        .company_name = t.company ? t.company->name : STR_NULL,
        .industry =
            t.company && t.company->industry ? industry_get(t.company->industry)->name : STR_NULL,
        .counts = t.counts,
        .politicians = t.politicians,
    };
}

static bool known(const struct edition *e, const struct symbol *symbol, int64_t until_ms)
{
    struct company companies[COMPANIES_MAX];
    return known_before(e, symbol, until_ms) ||
           atomic_load_explicit(&symbol->company, memory_order_acquire) ||
           company_all(symbol->text, NULL, companies) > 0;
}

struct symbols_asked {
    const struct feed *feed;
    const struct edition *e;
    const struct feed_tickers_filter *filter;
};

static bool keeps(const void *item, void *ctx)
{
    const struct symbols_asked *asked = ctx;
    const struct feed_tickers_filter *filter = asked->filter;
    if (filter->has_trades != FEED_ANY &&
        has_trades(asked->e, item, filter->until_ms) != (filter->has_trades == FEED_YES))
        return false;
    return filter->has_trades == FEED_YES || known(asked->e, item, filter->until_ms);
}

static void count_item(const void *item, void *ctx, struct feed_counts *ret)
{
    const struct symbols_asked *asked = ctx;
    struct feed_filter filter = FEED_FILTER_NONE;
    filter.ticker = ((const struct symbol *)item)->text;
    filter.line_ms = asked->filter->until_ms;
    feed_counts(asked->feed, &filter, ret);
}

void feed_tickers(
    const struct feed *feed, const struct feed_tickers_filter *filter, const struct cursor *after,
    size_t limit, struct feed_tickers_page *ret)
{
    const struct edition *e = feed_read(feed);
    const struct name_order *order = symbols_order(&e->symbols);
    struct symbols_asked asked = {feed, e, filter};
    struct name_search search = {
        .words = filter->q, .begins = !after, .keeps = keeps, .ctx = &asked};
    struct name_hit hits[FEED_PAGE_MAX + 1];
    assert(limit >= 1 && limit <= FEED_PAGE_MAX);
    if (after)
        search.after.place = symbols_order_after(order, after, &search.after.rank);
    const struct ranked_list list = {order, filter->rank, filter->total, count_item};
    MEM_UNFILLED struct ranked_page ranked;
    bool by_rank = ranked_read(&list, &search, after, limit + 1, &ranked);
    size_t found = by_rank ? ranked.count : name_order_search(order, &search, limit + 1, hits);
    for (size_t i = 0; i < found && by_rank; i++)
        hits[i] = (struct name_hit){NAME_EXACT, ranked.items[i].place};
    ret->total = ranked.total;
    ret->more = found > limit;
    ret->count = ret->more ? limit : found;
    for (size_t i = 0; i < ret->count; i++)
        read_row(feed, order->items[hits[i].place], filter->until_ms, &ret->rows[i]);
    if (ret->more)
        ret->next = symbols_order_cursor(order, hits[limit - 1].place, hits[limit - 1].rank);
    if (ret->more && by_rank)
        ret->next = ranked_cursor(filter->rank, ranked.items[limit - 1], &ret->next);
}
