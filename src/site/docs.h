/* The documentation as HTML. Private to src/site. */
#pragma once

#include "site/docs_path.h"
#include "site/frame/page_call.h"
#include "site/frame/site_state.h"

void docs_init(struct site *site);
void docs_finish(struct site *site);

/* Makes the documentation, unless that is done: the first request for a page of it, as most servers
 * never get one. It takes milliseconds: on a worker. */
void docs_make(struct site *site);

static inline bool docs_ready(const struct site *site)
{
    return atomic_load_explicit(&site->docs_made, memory_order_acquire);
}

/* The members of the partial docs_sidebar but "q": all documents by group, with the headings of the
 * current one. `current`: its place in the list, or the length of the list. */
void docs_put_sidebar(struct page_call *call, size_t current);
