/*
 * Compressed bodies by entity tag, least recently used evicted, bounded in bytes. A tag identifies
 * its content, so no entry is ever stale. Any thread; one lock.
 */
#pragma once

#include "base/buf.h"

struct page_cache;

struct page_cache *page_cache_create(size_t bytes_max);
void page_cache_destroy(struct page_cache *cache); /* NULL is ignored */

/* Appends the body stored under the tag (at most 64 bytes long); false if there is none. */
bool page_cache_get(struct page_cache *cache, struct str tag, struct buf *ret_body);

/* Stores a copy. A body larger than an eighth of the cache is not stored. */
void page_cache_put(struct page_cache *cache, struct str tag, struct str body);

struct page_cache_stats {
    uint64_t hits, misses;
    size_t entries, bytes;
};

void page_cache_stats(struct page_cache *cache, struct page_cache_stats *ret);
