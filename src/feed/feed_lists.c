/* The parameters of the lists of members and of symbols, and their pages by a count; see feed.h. */
#include "feed/feed.h"

#include <assert.h>
#include <string.h>

#include "feed/feed_internal.h"
#include "noun/group.h"
#include "noun/lists.h"

/* --- parameters */

enum {
    PEOPLE_Q,
    PEOPLE_CHAMBER,
    PEOPLE_PARTY,
    PEOPLE_STATE,
    PEOPLE_IN_OFFICE,
    PEOPLE_HAS_TRADES,
    PEOPLE_SORT,
    PEOPLE_ORDER,
};

#define HAS_TRADES_PARAM(id, of)                                                                   \
    PARAM(                                                                                         \
        id, PARAM_TYPE_LISTED, "has_trades",                                                       \
        "true: only " of " with published trades. false: only those without.", "true",             \
        .list = &shape_truths)
#define SORT_PARAM(id, by_name)                                                                    \
    PARAM(                                                                                         \
        id, PARAM_TYPE_LISTED, "sort",                                                             \
        "name: " by_name ". trades, conflicts, late: by this count, equal ones by name. Cursors "  \
        "of one order are invalid in another.",                                                    \
        "trades", .shows = true, .list = &shape_ranks, .absent_text = STR_INIT("name"))
#define ORDER_PARAM(id)                                                                            \
    PARAM(                                                                                         \
        id, PARAM_TYPE_LISTED, "order",                                                            \
        "Of counts: desc, the largest first, or asc. Names always ascend.", "desc", .shows = true, \
        .list = &shape_group_orders, .absent_text = STR_INIT("desc"))

static const struct param people_rows[] = {
    PARAM(
        PEOPLE_Q, PARAM_TYPE_SEARCH, "q",
        "Only politicians whose names contain each of these words or parts of words, the best "
        "match first: the name itself, names that begin with them, whole words, beginnings, other "
        "parts. If there are none, names that are spelled or sound alike. Former and legal names "
        "count; letter case, accents and punctuation do not.",
        "lindq"),
    PARAM(
        PEOPLE_CHAMBER, PARAM_TYPE_LISTED, "chamber",
        "Only politicians whose current or last chamber is this one.", "senate",
        .list = &shape_chambers),
    PARAM(
        PEOPLE_PARTY, PARAM_TYPE_PARTY, "party",
        "Only politicians whose current or last party is this one.", "Independent"),
    PARAM(
        PEOPLE_STATE, PARAM_TYPE_LISTED, "state",
        "Only politicians who represent this state, or represented it last.", "VT",
        .list = &shape_states),
    PARAM(
        PEOPLE_IN_OFFICE, PARAM_TYPE_LISTED, "in_office",
        "true: only politicians who serve today. false: only former ones.", "true",
        .list = &shape_truths),
    HAS_TRADES_PARAM(PEOPLE_HAS_TRADES, "politicians"),
    SORT_PARAM(PEOPLE_SORT, "by slug, or with q by fit"),
    ORDER_PARAM(PEOPLE_ORDER),
};

enum { TICKERS_Q, TICKERS_HAS_TRADES, TICKERS_SORT, TICKERS_ORDER };

static const struct param tickers_rows[] = {
    PARAM(
        TICKERS_Q, PARAM_TYPE_SEARCH, "q",
        "Only symbols that contain each of these words or parts of words in the symbol or in the "
        "names of its companies, the best match first: the symbol itself, symbols that begin with "
        "them, whole words, beginnings, other parts. If there are none, names that are spelled or "
        "sound alike.",
        "northwind"),
    HAS_TRADES_PARAM(TICKERS_HAS_TRADES, "symbols"),
    SORT_PARAM(TICKERS_SORT, "by symbol, or with q by fit"),
    ORDER_PARAM(TICKERS_ORDER),
};

const struct param_table feed_people_params = PARAM_TABLE(people_rows);
const struct param_table feed_tickers_params = PARAM_TABLE(tickers_rows);

_Static_assert((int)FEED_YES == SHAPE_TRUE && (int)FEED_NO == SHAPE_FALSE, "the same values");

static struct feed_rank rank_of(const struct param_value *sort, const struct param_value *order)
{
    return (struct feed_rank){(int)sort->number, order->number == GROUP_ASCENDING};
}

static struct str folded(const struct param_value *q, struct arena *arena)
{
    struct str ret = STR_NULL;
    if (!str_is_null(q->text) && !param_fold(q->text, arena, &ret))
        assert(!"the value of a parsed q can be folded");
    return ret;
}

void feed_people_read(
    const struct param_value *values, struct arena *arena, struct feed_people_filter *ret)
{
    *ret = FEED_PEOPLE_FILTER_NONE;
    ret->q = folded(&values[PEOPLE_Q], arena);
    ret->chamber = (enum chamber)values[PEOPLE_CHAMBER].number;
    if (!str_is_null(values[PEOPLE_PARTY].text))
        ret->party = param_party(&values[PEOPLE_PARTY]);
    if (!str_is_null(values[PEOPLE_STATE].text))
        ret->state = shape_states.name_of((int)values[PEOPLE_STATE].number);
    ret->in_office = (enum feed_asked)values[PEOPLE_IN_OFFICE].number;
    ret->has_trades = (enum feed_asked)values[PEOPLE_HAS_TRADES].number;
    ret->rank = rank_of(&values[PEOPLE_SORT], &values[PEOPLE_ORDER]);
}

void feed_tickers_read(
    const struct param_value *values, struct arena *arena, struct feed_tickers_filter *ret)
{
    *ret = FEED_TICKERS_FILTER_NONE;
    ret->q = folded(&values[TICKERS_Q], arena);
    ret->has_trades = (enum feed_asked)values[TICKERS_HAS_TRADES].number;
    ret->rank = rank_of(&values[TICKERS_SORT], &values[TICKERS_ORDER]);
}

/* --- ranks */

enum { RANK_BITS = 4 };

static bool is_by_name(struct feed_rank rank)
{
    return rank.by <= SHAPE_RANK_NAME;
}

/* Below all that a cursor by name has. */
static int64_t mark_of(struct feed_rank rank, int64_t value)
{
    return INT64_MIN + (value << RANK_BITS | rank.by << 1 | rank.ascending);
}

bool feed_rank_fits(struct feed_rank rank, const struct cursor *after)
{
    if (!after || is_by_name(rank))
        return !after || after->at_ms >= 0;
    return after->at_ms < 0 && ((after->at_ms ^ mark_of(rank, 0)) & ((1 << RANK_BITS) - 1)) == 0;
}

static int64_t value_of(struct feed_rank rank, const struct feed_counts *counts)
{
    return rank.by == SHAPE_RANK_TRADES      ? counts->trades
           : rank.by == SHAPE_RANK_CONFLICTS ? counts->conflicts
                                             : counts->late;
}

/* Equal values by their places in the order of names. */
static bool is_before(struct feed_rank rank, struct ranked_item a, struct ranked_item b)
{
    if (a.value == b.value)
        return a.place < b.place;
    return rank.ascending ? a.value < b.value : a.value > b.value;
}

/* In its place, if it is among the first `max`. */
static void add(
    struct feed_rank rank, struct ranked_item item, size_t max, struct ranked_page *page)
{
    size_t at = page->count;
    while (at > 0 && is_before(rank, item, page->items[at - 1]))
        at--;
    if (at == max)
        return;
    page->count += page->count < max;
    memmove(&page->items[at + 1], &page->items[at], (page->count - 1 - at) * sizeof *page->items);
    page->items[at] = item;
}

bool ranked_read(
    const struct ranked_list *list, const struct name_search *search, const struct cursor *after,
    size_t max, struct ranked_page *ret)
{
    bool by_name = is_by_name(list->rank);
    struct name_search all = *search;
    *ret = (struct ranked_page){.total = 0};
    if (by_name && !list->total)
        return false;
    struct name_hit *hits = mem_array(list->order->n + 1, sizeof *hits);
    struct ranked_item last = {after ? (after->at_ms - INT64_MIN) >> RANK_BITS : 0, 0};
    last.place = search->after.place; /* the first behind that of the cursor */
    all.begins = true;
    ret->total = (int64_t)name_order_search(list->order, &all, list->order->n + 1, hits);
    for (int64_t i = 0; i < ret->total && !by_name; i++) {
        struct ranked_item item = {0, hits[i].place};
        struct feed_counts counts;
        list->count(list->order->items[item.place], search->ctx, &counts);
        item.value = value_of(list->rank, &counts);
        if (!after || !is_before(list->rank, item, last))
            add(list->rank, item, max, ret);
    }
    mem_free(hits);
    return !by_name;
}

struct cursor ranked_cursor(
    struct feed_rank rank, struct ranked_item item, const struct cursor *by_name)
{
    struct cursor cursor = *by_name;
    cursor.at_ms = mark_of(rank, item.value);
    return cursor;
}
