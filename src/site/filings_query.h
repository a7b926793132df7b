/* The filters of the page and the feeds of filings. Private to src/site. */
#pragma once

#include "core/model.h"
#include "site/list_query.h"

extern const struct param_table filings_query_params;

static inline enum chamber filings_query_chamber(const struct list_query *query)
{
    return query->is_given[0] ? (enum chamber)query->values[0].number : CHAMBER_NONE;
}
