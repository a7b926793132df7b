/* The query of members; see politicians_query.h. */
#include "site/data/politicians_query.h"

#include "noun/lists.h"
#include "site/frame/reader.h"

enum { FIELD_Q, FIELD_CHAMBER, FIELD_PARTY, FIELD_STATE, FIELD_IN_OFFICE, FIELD_HAS_TRADES };

/* As in the API. */
static const struct param fields[] = {
    [FIELD_Q] = {.name = STR_INIT("q"), .type = PARAM_TYPE_SEARCH},
    [FIELD_CHAMBER] =
        {.name = STR_INIT("chamber"), .type = PARAM_TYPE_LISTED, .list = &shape_chambers},
    [FIELD_PARTY] = {.name = STR_INIT("party"), .type = PARAM_TYPE_PARTY},
    [FIELD_STATE] = {.name = STR_INIT("state"), .type = PARAM_TYPE_LISTED, .list = &shape_states},
    [FIELD_IN_OFFICE] =
        {.name = STR_INIT("in_office"), .type = PARAM_TYPE_LISTED, .list = &shape_truths},
    [FIELD_HAS_TRADES] =
        {.name = STR_INIT("has_trades"), .type = PARAM_TYPE_LISTED, .list = &shape_truths},
};

static const struct param_table params = PARAM_TABLE(fields);

static struct feed_people_filter filter_of(
    const struct page_call *call, const struct list_query *query)
{
    const struct param_value *values = query->values;
    struct feed_people_filter filter = FEED_PEOPLE_FILTER_NONE;
    if (query->is_given[FIELD_Q])
        (void)param_fold(values[FIELD_Q].text, call->arena, &filter.q);
    if (query->is_given[FIELD_PARTY])
        filter.party = param_party(&values[FIELD_PARTY]);
    if (query->is_given[FIELD_STATE])
        filter.state = shape_states.name_of((int)values[FIELD_STATE].number);
    filter.chamber = (enum chamber)values[FIELD_CHAMBER].number;
    filter.in_office = (enum feed_asked)values[FIELD_IN_OFFICE].number;
    filter.has_trades = (enum feed_asked)values[FIELD_HAS_TRADES].number;
    filter.until_ms = reader_until(call);
    return filter;
}

bool politicians_query_read(
    struct page_call *call, struct str path, struct list_query *ret,
    struct feed_people_filter *ret_filter)
{
    bool valid = list_query_read(call, path, &params, CURSOR_POLITICIANS, ret);
    *ret_filter = filter_of(call, ret);
    return valid;
}
