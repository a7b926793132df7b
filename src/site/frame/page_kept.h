/*
 * The last whole replies of the pages that only the store can make (page.kept): the first page of
 * the corrections and its feeds, the coverage. Each page keeps one reply, that of visitors, which
 * says since when it is. While the store is lost it is shown instead of a page without its parts.
 * For any number of threads.
 */
#pragma once

#include "site/frame/page_call.h"

struct page_kept;

struct page_kept *page_kept_create(size_t page_count);
void page_kept_destroy(struct page_kept *kept); /* NULL is ignored */

/* Whether the reply of this call is one to keep. A kept one is renewed after PAGE_KEPT_MS, so that
 * few replies are made twice: for the reader, and with their time to be kept. */
enum { PAGE_KEPT_MS = 5000 };
bool page_kept_wants(const struct page_call *call);

/* Keeps a copy. */
void page_kept_put(const struct page_call *call, struct str body);

/* Puts the kept reply in place of the body. False: there is none, and the body stays. */
bool page_kept_get(struct page_call *call);
