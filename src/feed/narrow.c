/* Filters without a list; see narrow.h. */
#include "feed/narrow.h"

#include <string.h>

bool narrow_init(struct narrow *ret, const struct edition *e, const struct feed_narrow *wish)
{
    *ret = (struct narrow){.wish = wish};
    if (str_is_null(wish->party))
        return true;
    ret->party = parties_find(&e->parties, wish->party);
    return ret->party != 0;
}

static bool is_of_state(const struct series_facts *facts, struct str state)
{
    return state.n == sizeof facts->state && memcmp(facts->state, state.p, state.n) == 0;
}

static bool is_in_days(const struct series_facts *facts, const struct feed_narrow *wish)
{
    if (wish->traded_from == DAY_NONE && wish->traded_to == DAY_NONE)
        return true;
    return facts->dated && (wish->traded_from == DAY_NONE || facts->day >= wish->traded_from) &&
           (wish->traded_to == DAY_NONE || facts->day <= wish->traded_to);
}

bool narrow_matches(const struct narrow *n, const struct series_facts *facts, uint32_t tail)
{
    const struct feed_narrow *wish = n->wish;
    return (wish->side == SIDE_NONE || facts->side == wish->side) &&
           (wish->owner == OWNER_NONE || facts->owner == wish->owner) &&
           (wish->asset_type == ASSET_NONE || facts->asset_type == wish->asset_type) &&
           (n->party == 0 || facts->party == n->party) &&
           (str_is_null(wish->state) || is_of_state(facts, wish->state)) &&
           bracket_info((enum bracket)facts->bracket)->min >= wish->amount_min &&
           (!wish->without_conflict || tail == TAILS_NONE) && is_in_days(facts, wish);
}
