/* The query of a feed of trades, for the list and the stream. */
#pragma once

#include "api/api_call.h"
#include "feed/feed.h"

/* The filters of the call, which must outlive *filter. */
void trades_read_filters(
    const struct param_values *params, struct feed_filter *filter,
    struct feed_test tests[static PARAM_TABLE_MAX]);
