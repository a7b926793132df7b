/* Politicians and their lists; see feed.h. */
#include <assert.h>

#include "feed/feed_internal.h"
#include "feed/walk.h"

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
        .in_office = profile->office_until != DAY_NONE && profile->office_until >= today,
        .committees_json =
            str_is_null(profile->committees_json) ? STR("[]") : profile->committees_json,
        .counts = FEED_COUNTS_NONE,
    };
}

/* The person's filings before the instant: all without the later ones, which are few. */
static int64_t filings_before(
    const struct edition *e, const struct person *person, int64_t until_ms)
{
    struct series_view v = series_view(&e->filings);
    int64_t n = tally_read(&person->filings);
    for (uint32_t at = walk_high(&v, until_ms); at < v.count; at++)
        if (series_is_live(&v, at) && series_record(&v, at)->facts.politician == person->index)
            n--;
    return n > 0 ? n : 0;
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
    filter.until_ms = until_ms;
    feed_counts(feed, &filter, &ret->counts);
    ret->filings = filings_before(feed_read(feed), person, until_ms);
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
    uint32_t first, last;
    return walk_ends(&v, &list, walk_high(&v, until_ms), &first, &last);
}

static bool is_asked(enum feed_asked asked, bool is)
{
    return asked == FEED_ANY || is == (asked == FEED_YES);
}

static bool passes(
    const struct edition *e, const struct feed_people_filter *filter, const struct person *person,
    const struct feed_politician *p)
{
    return (filter->chamber == CHAMBER_NONE || p->chamber == filter->chamber) &&
           (str_is_null(filter->party) ||
            (!str_is_null(p->party) && str_eq_nocase(p->party, filter->party))) &&
           (str_is_null(filter->state) ||
            (!str_is_null(p->state) && str_eq_nocase(p->state, filter->state))) &&
           is_asked(filter->in_office, p->in_office) &&
           (filter->has_trades == FEED_ANY ||
            is_asked(filter->has_trades, has_trades(e, person, filter->until_ms)));
}

/* The next place with this rank; without words every place has the first one. */
static uint32_t next_place(
    const struct name_order *order, uint32_t from, struct str words, enum name_rank rank)
{
    if (words.n)
        return name_order_find(order, from, words, rank);
    return rank == NAME_EXACT ? from : order->n;
}

void feed_people(
    const struct feed *feed, const struct feed_people_filter *filter, const struct cursor *after,
    size_t limit, int32_t today, struct feed_people_page *ret)
{
    const struct edition *e = feed_read(feed);
    const struct name_order *order = people_order(&e->people);
    enum name_rank rank = NAME_EXACT, last_rank = NAME_EXACT;
    uint32_t last = 0;
    assert(limit >= 1 && limit <= FEED_PAGE_MAX);
    ret->count = 0;
    ret->more = false;
    uint32_t i = after ? people_order_after(order, after, &rank) : 0;
    bool alike = !after || rank == NAME_ALIKE;
    for (; rank < NAME_RANK_COUNT && (rank < NAME_ALIKE || alike); rank++, i = 0) {
        for (;; i++) {
            i = next_place(order, i, filter->q, rank);
            if (i >= order->n)
                break;
            const struct person *person = order->items[i];
            struct feed_politician p;
            read_profile(person, today, &p);
            if (!passes(e, filter, person, &p))
                continue;
            if (ret->count == limit) {
                ret->more = true;
                ret->next = people_order_cursor(order, last, last_rank);
                return;
            }
            read_counts(feed, person, filter->until_ms, &p);
            ret->rows[ret->count++] = p;
            last = i;
            last_rank = rank;
            alike = alike && rank == NAME_ALIKE;
        }
    }
}
