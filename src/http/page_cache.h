/*
 * Compressed bodies by entity tag: bounded in bytes; what was used longest ago makes room. A tag
 * stands for its content, so nothing here is ever out of date. Any thread; one lock.
 */
#pragma once

#include "base/buf.h"

struct page_cache;

struct page_cache *page_cache_create(size_t bytes_max);
void page_cache_destroy(struct page_cache *cache); /* NULL is fine */

/* Appends the body kept under the tag (at most 64 bytes long); false when there is none. */
bool page_cache_get(struct page_cache *cache, struct str tag, struct buf *ret_body);

/* Keeps a copy. A body of more than an eighth of the cache is not kept. */
void page_cache_put(struct page_cache *cache, struct str tag, struct str body);

struct page_cache_stats {
    uint64_t hits, misses;
    size_t entries, bytes;
};

void page_cache_stats(struct page_cache *cache, struct page_cache_stats *ret);
