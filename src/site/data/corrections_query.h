/* The query of the page and the feeds of corrections. Private to src/site/data. */
#pragma once

#include "site/data/correction_view.h"
#include "site/data/list_query.h"

/* Reads the query as list_query_read does, and sets the range that it selects. */
bool corrections_query_read(
    struct page_call *call, struct str path, struct list_query *ret,
    struct correction_range *ret_range);

/* The cursor after the list; null: there is nothing after it. */
struct str corrections_next(struct arena *arena, const struct correction_list *list);
