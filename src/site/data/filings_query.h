/* The query of the page, the feeds and the CSV of filings. Private to src/site/data. */
#pragma once

#include "feed/feed.h"
#include "site/data/list_query.h"

/* As list_query_read. *ret_filter has the filings that the visitor may see, and also the valid
 * filters of a faulty query. */
bool filings_query_read(
    struct page_call *call, struct str path, struct list_query *ret,
    struct feed_filings_filter *ret_filter);
