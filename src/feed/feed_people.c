/* Politicians and their lists; see feed.h. */
#include <assert.h>

#include "feed/feed_internal.h"
#include "feed/walk.h"

bool feed_index_years(const struct feed *feed, enum chamber chamber, int *ret_first, int *ret_last)
{
    const struct edition *e = feed_read(feed);
    *ret_first = atomic_load_explicit(&e->index_first[chamber], memory_order_relaxed);
    *ret_last = atomic_load_explicit(&e->index_last[chamber], memory_order_relaxed);
    return *ret_first > 0;
}

int64_t feed_waiting(const struct feed *feed)
{
    return atomic_load_explicit(&feed_read(feed)->waiting, memory_order_relaxed);
}

/* A member whom no index names is covered by indexes that begin while the member was in office. */
static int64_t indexed_of(
    const struct feed *feed, const struct person *person, const struct feed_politician *p)
{
    int64_t indexed = atomic_load_explicit(&person->indexed, memory_order_relaxed);
    int first, last;
    if (indexed)
        return indexed;
    if (!p->service_count || !feed_index_years(feed, p->service[0].chamber, &first, &last))
        return -1;
    int32_t until = p->service[0].until;
    return until != DAY_NONE && day_year(until) < first ? -1 : 0;
}

static void read_profile(const struct person *person, int32_t today, struct feed_politician *ret)
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
        .in_office = member_service_has(profile->service, profile->service_count, today),
        .service = profile->service,
        .service_count = profile->service_count,
        .committees_json = profile->committees_json,
        .counts = FEED_COUNTS_NONE,
    };
    if (str_is_null(ret->committees_json) || !ret->in_office)
        ret->committees_json = STR("[]");
}

static int64_t filings_before(
    const struct edition *e, const struct person *person, int64_t until_ms)
{
    struct series_view v = series_view(&e->filings);
    struct posting_view list =
        postings_find(&e->filing_lists, posting_key_of(person->index, 0, CHAMBER_NONE, false));
    uint32_t end = posting_bound(&list, walk_high(&v, until_ms));
    int64_t n = 0;
    if (!list.dead)
        return end;
    for (uint32_t i = 0; i < end; i++)
        n += series_is_live(&v, posting_at(&list, i));
    return n;
}

bool feed_has_member_party(const struct feed *feed, struct str party)
{
    const struct name_order *order = people_order(&feed_read(feed)->people);
    for (uint32_t i = 0; i < order->n; i++) {
        const struct person *person = order->items[i];
        struct str is = atomic_load_explicit(&person->profile, memory_order_acquire)->party;
        if (!str_is_null(is) && str_eq_nocase(is, party))
            return true;
    }
    return false;
}

static void read_counts(
    const struct feed *feed, const struct person *person, int64_t until_ms,
    struct feed_politician *ret)
{
    struct feed_filter filter = FEED_FILTER_NONE;
    filter.politician = person->slug;
    filter.line_ms = until_ms;
    feed_counts(feed, &filter, &ret->counts);
    ret->filings = filings_before(feed_read(feed), person, until_ms);
    ret->waiting = atomic_load_explicit(&person->waiting, memory_order_relaxed);
    ret->indexed = indexed_of(feed, person, ret);
}

bool feed_politician(
    const struct feed *feed, struct str slug_or_id, int32_t today, int64_t until_ms,
    struct feed_politician *ret)
{
    const struct person *person = people_find(&feed_read(feed)->people, slug_or_id);
    if (!person)
        return false;
    read_profile(person, today, ret);
    read_counts(feed, person, until_ms, ret);
    return true;
}

static bool has_trades(const struct edition *e, const struct person *person, int64_t until_ms)
{
    struct series_view v = series_view(&e->trades);
    struct posting_view list =
        postings_find(&e->trade_lists, posting_key_of(person->index, 0, CHAMBER_NONE, false));
    return walk_any_before(&v, &list, walk_high(&v, until_ms));
}

static bool is_asked(enum feed_asked asked, bool is)
{
    return asked == FEED_ANY || is == (asked == FEED_YES);
}

struct people_asked {
    const struct feed *feed;
    const struct edition *e;
    const struct feed_people_filter *filter;
    int32_t today;
};

static bool is_text(struct str is, struct str asked)
{
    return str_is_null(asked) || (!str_is_null(is) && str_eq_nocase(is, asked));
}

static bool keeps(const void *item, void *ctx)
{
    const struct people_asked *asked = ctx;
    const struct feed_people_filter *filter = asked->filter;
    const struct person *person = item;
    struct feed_politician p;
    read_profile(person, asked->today, &p);
    return (filter->chamber == CHAMBER_NONE || p.chamber == filter->chamber) &&
           is_text(p.party, filter->party) && is_text(p.state, filter->state) &&
           is_asked(filter->in_office, p.in_office) &&
           (filter->has_trades == FEED_ANY ||
            is_asked(filter->has_trades, has_trades(asked->e, person, filter->until_ms)));
}

static void count_item(const void *item, void *ctx, struct feed_counts *ret)
{
    const struct people_asked *asked = ctx;
    struct feed_filter filter = FEED_FILTER_NONE;
    filter.politician = ((const struct person *)item)->slug;
    filter.line_ms = asked->filter->until_ms;
    feed_counts(asked->feed, &filter, ret);
}

void feed_people(
    const struct feed *feed, const struct feed_people_filter *filter, const struct cursor *after,
    size_t limit, int32_t today, struct feed_people_page *ret)
{
    const struct edition *e = feed_read(feed);
    const struct name_order *order = people_order(&e->people);
    struct people_asked asked = {feed, e, filter, today};
    struct name_search search = {
        .words = filter->q, .begins = !after, .keeps = keeps, .ctx = &asked};
    struct name_hit hits[FEED_PAGE_MAX + 1];
    assert(limit >= 1 && limit <= FEED_PAGE_MAX);
    if (after)
        search.after.place = people_order_after(order, after, &search.after.rank);
    const struct ranked_list list = {order, filter->rank, filter->total, count_item};
    MEM_UNFILLED struct ranked_page ranked;
    bool by_rank = ranked_read(&list, &search, after, limit + 1, &ranked);
    size_t found = by_rank ? ranked.count : name_order_search(order, &search, limit + 1, hits);
    for (size_t i = 0; i < found && by_rank; i++)
        hits[i] = (struct name_hit){NAME_EXACT, ranked.items[i].place};
    ret->total = ranked.total;
    ret->more = found > limit;
    ret->count = ret->more ? limit : found;
    for (size_t i = 0; i < ret->count; i++) {
        const struct person *person = order->items[hits[i].place];
        read_profile(person, today, &ret->rows[i]);
        read_counts(feed, person, filter->until_ms, &ret->rows[i]);
    }
    if (ret->more)
        ret->next = people_order_cursor(order, hits[limit - 1].place, hits[limit - 1].rank);
    if (ret->more && by_rank)
        ret->next = ranked_cursor(filter->rank, ranked.items[limit - 1], &ret->next);
}
