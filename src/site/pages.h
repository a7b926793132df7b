/* The one table of pages: the router, the gate, counts for /metrics and the tests read it. */
#pragma once

#include "http/route.h"
#include "site/frame/page.h"

extern const struct page pages[];
extern const size_t pages_count;

/* One JSON object per line for each page: path, access, get, post, reauth, json (it has a twin).
 * For tests: `stockact help --pages --json`. */
void pages_put_json(struct buf *b);
