/* Reads the query of a page of trades; see trade_query.h. */
#include "site/trade_query.h"

#include <string.h>

#include "feed/trade_filter.h"
#include "site/list_query.h"
#include "site/reader.h"

/* False: a party that no trade has, as the API refuses it. */
static bool party_passes(
    struct page_call *call, const struct param *param, const struct param_value *value)
{
    enum { LISTED_MAX = 900 };
    const struct feed *feed = call->config->feed;
    struct buf parties;
    if (param->type != PARAM_TYPE_PARTY || value->number)
        return true;
    buf_init(&parties, 2 * LISTED_MAX);
    rcu_read_begin();
    bool known = feed_has_party(feed, value->text);
    feed_parties(feed, &parties, STR(", "), LISTED_MAX);
    rcu_read_end();
    if (!known)
        form_fault_text(
            call->query_form, param->name.p, "No trade has this party. Trades have: %.*s.",
            STR_ARG(buf_view(&parties)));
    buf_finish(&parties);
    return known;
}

bool trade_query_read(struct page_call *call, struct str path, struct trade_query *ret)
{
    struct list_query *list = ARENA_NEW(call->arena, struct list_query);
    bool valid = list_query_read(call, path, &trade_filter_params, CURSOR_TRADES, list);
    *ret = (struct trade_query){
        .filter = FEED_FILTER_NONE,
        .given_count = list->given_count,
        .has_cursor = list->has_cursor,
        .cursor = list->cursor,
    };
    memcpy(ret->given, list->given, sizeof ret->given);
    for (size_t i = 0; i < trade_filter_params.count; i++)
        if (list->is_given[i] &&
            party_passes(call, param_table_at(&trade_filter_params, i), &list->values[i]))
            trade_filter_add(trade_filter_at(i), &list->values[i], &ret->filter, ret->tests);
    int64_t until = reader_until(call);
    if (until != INSTANT_NONE &&
        (ret->filter.until_ms == INSTANT_NONE || ret->filter.until_ms > until))
        ret->filter.until_ms = until;
    return valid && !form_is_faulty(call->query_form);
}
