/* The documentation as HTML. Private to src/site. */
#pragma once

#include "site/page_call.h"
#include "site/site_state.h"

void docs_make(struct site *site);
void docs_finish(struct site *site);

/* "/docs" or "/docs/NAME" */
struct str docs_path(const struct doc *doc, struct arena *arena);

/* The members of the partial docs_sidebar but "q": all documents by group, with the headings of the
 * current one. `current`: its place in the list, or the length of the list. */
void docs_put_sidebar(struct page_call *call, size_t current);
