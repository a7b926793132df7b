/* The one table of pages: the router, the gate, counts for /metrics and the tests read it. */
#pragma once

#include "base/buf.h"
#include "http/route.h"
#include "site/page.h"

extern const struct page pages[];
extern const size_t pages_count;

/* One JSON object per line for each page: path, access, get, post, reauth, json (it has a twin).
 * For tests: `stockact help --pages --json`. */
void pages_put_json(struct buf *b);

struct page_call;
bool page_may(const struct page_call *call, enum page_access access); /* whether the visitor may */

/* True under /account, /admin and /desk, where the same address answers JSON to a program. */
bool page_has_json(struct str path);

/* True under /account/api, which answers nothing else (decision 22). */
bool page_is_json(struct str path);
