/* GET /api/v1/politicians: profiles with counts, from the feed (decision 40). */
#include <assert.h>

#include "api/context.h"
#include "api/list.h"
#include "api/resources.h"
#include "noun/lists.h"

enum {
    FILTER_Q,
    FILTER_CHAMBER,
    FILTER_PARTY,
    FILTER_STATE,
    FILTER_IN_OFFICE,
    FILTER_HAS_TRADES,
};

static const struct param filters[] = {
    PARAM(
        FILTER_Q, PARAM_TYPE_SEARCH, "q",
        "Only politicians whose names contain each of these words or parts of words, the best "
        "match first: the name itself, names that begin with them, whole words, beginnings, other "
        "parts. If there are none, names that are spelled or sound alike. Former and legal names "
        "count; letter case, accents and punctuation do not.",
        "lindq"),
    PARAM(
        FILTER_CHAMBER, PARAM_TYPE_LISTED, "chamber",
        "Only politicians whose current or last chamber is this one.", "senate",
        .list = &shape_chambers),
    PARAM(
        FILTER_PARTY, PARAM_TYPE_PARTY, "party",
        "Only politicians whose current or last party is this one.", "Independent"),
    PARAM(
        FILTER_STATE, PARAM_TYPE_LISTED, "state",
        "Only politicians who represent this state, or represented it last.", "VT",
        .list = &shape_states),
    PARAM(
        FILTER_IN_OFFICE, PARAM_TYPE_LISTED, "in_office",
        "true: only politicians who serve today. false: only former ones.", "true",
        .list = &shape_truths),
    PARAM(
        FILTER_HAS_TRADES, PARAM_TYPE_LISTED, "has_trades",
        "true: only politicians with published trades. false: only those without.", "true",
        .list = &shape_truths),
};

const struct param_table people_params = PARAM_TABLE(filters);

_Static_assert((int)FEED_YES == SHAPE_TRUE && (int)FEED_NO == SHAPE_FALSE, "the same values");

static void read_filter(struct api_call *call, struct feed_people_filter *filter)
{
    const struct param_value *values = call->params.filters;
    *filter = FEED_PEOPLE_FILTER_NONE;
    if (!str_is_null(values[FILTER_Q].text) &&
        !param_fold(values[FILTER_Q].text, http_arena(call->x), &filter->q))
        assert(!"params_read checked that q can be folded");
    filter->chamber = (enum chamber)values[FILTER_CHAMBER].number;
    if (!str_is_null(values[FILTER_PARTY].text))
        filter->party = param_party(&values[FILTER_PARTY]);
    if (!str_is_null(values[FILTER_STATE].text))
        filter->state = shape_states.name_of((int)values[FILTER_STATE].number);
    filter->in_office = (enum feed_asked)values[FILTER_IN_OFFICE].number;
    filter->has_trades = (enum feed_asked)values[FILTER_HAS_TRADES].number;
}

void people_answer(struct api_call *call)
{
    const struct param_values *params = &call->params;
    struct feed_people_filter filter;
    MEM_UNFILLED struct feed_people_page page;
    struct list_end end;
    struct buf *body = http_body(call->x);

    if (!list_values_pass(call, true))
        return;
    read_filter(call, &filter);
    feed_people(
        call->api->config.feed, &filter, list_after(params), list_limit(params),
        instant_day_utc(http_now_ms(call->x)), &page);
    list_end(page.more ? &page.next : NULL, &end);
    buf_str(body, STR("{\"data\":["));
    for (size_t i = 0; i < page.count; i++) {
        if (i)
            buf_char(body, ',');
        list_ongoing(&page.rows[i], http_arena(call->x));
        shape_object_json(body, &shape_politician_summary, &page.rows[i]);
    }
    buf_str(body, end.after);
    reply_complete(call, MEDIA_JSON);
    list_link(call, &end);
}
