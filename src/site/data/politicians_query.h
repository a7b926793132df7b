/* The query of the page and the CSV of members. Private to src/site/data. */
#pragma once

#include "feed/feed.h"
#include "site/data/list_query.h"

/* Reads the query as list_query_read does, and sets the filter. */
bool politicians_query_read(
    struct page_call *call, struct str path, struct list_query *ret,
    struct feed_people_filter *ret_filter);
