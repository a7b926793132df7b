/* The query of a feed of trades, for the list and the stream. */
#pragma once

#include "api/api_call.h"
#include "feed/feed.h"

/* The thread that writes the rows of exports. */
struct export_queue;
struct export_queue *export_queue_create(void);
void export_queue_destroy(struct export_queue *q); /* no export is left */

/* The filters of the call, which must outlive *filter. */
void trades_read_filters(
    const struct param_values *params, struct feed_filter *filter,
    struct feed_test tests[static PARAM_TABLE_MAX]);
