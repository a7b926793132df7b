/* The query of filings; see filings_query.h. */
#include "site/data/filings_query.h"

#include "noun/lists.h"
#include "site/frame/reader.h"

enum { FIELD_POLITICIAN, FIELD_CHAMBER };

/* As in the API, without `status`, which has one value. */
static const struct param fields[] = {
    [FIELD_POLITICIAN] =
        {.name = STR_INIT("politician_slug"),
         .alias = STR_INIT("politician"),
         .type = PARAM_TYPE_SLUG},
    [FIELD_CHAMBER] =
        {.name = STR_INIT("chamber"), .type = PARAM_TYPE_LISTED, .list = &shape_chambers},
};

static const struct param_table params = PARAM_TABLE(fields);

bool filings_query_read(
    struct page_call *call, struct str path, struct list_query *ret,
    struct feed_filings_filter *ret_filter)
{
    bool valid = list_query_read(call, path, &params, CURSOR_FILINGS, ret);
    *ret_filter = FEED_FILINGS_FILTER_NONE;
    ret_filter->until_ms = reader_until(call);
    if (ret->is_given[FIELD_POLITICIAN])
        ret_filter->politician = ret->values[FIELD_POLITICIAN].text;
    if (ret->is_given[FIELD_CHAMBER])
        ret_filter->chamber = (enum chamber)ret->values[FIELD_CHAMBER].number;
    return valid;
}
