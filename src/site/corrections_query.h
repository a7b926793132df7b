/* The query of the pages and feeds of corrections. Private to src/site. */
#pragma once

#include "html/link.h"
#include "site/correction_view.h"

enum { CORRECTIONS_GIVEN_MAX = 4 };

struct corrections_query {
    struct correction_range range;
    struct link_param given[CORRECTIONS_GIVEN_MAX]; /* for links */
    size_t given_count;
};

/* Reads the query and puts the form into the view. False: it is faulty, or the reply is a redirect;
 * the handler returns OK without rows. */
bool corrections_query_read(struct page_call *call, struct str path, struct corrections_query *ret);

/* The cursor after the list; null: there is nothing after it. */
struct str corrections_next(struct arena *arena, const struct correction_list *list);
