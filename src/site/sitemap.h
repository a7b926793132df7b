/*
 * A sitemap (sitemaps.org). If there are more URLs than a file may have, it has several parts and
 * an index. Private to src/site.
 */
#pragma once

#include "base/buf.h"

enum {
    SITEMAP_PART_MAX = 50000,         /* addresses in a part, by the rules of the format */
    SITEMAP_PART_BYTES_MAX = 8 << 20, /* well below HTTP_REPLY_MAX */
    SITEMAP_PARTS_MAX = 20,           /* further addresses are left out */
};

struct sitemap {
    struct str base_url;
    size_t part_max;
    size_t part_count, in_part;          /* parts; addresses in the last one */
    struct buf parts[SITEMAP_PARTS_MAX]; /* lines */
};

void sitemap_init(struct sitemap *map, struct str base_url, size_t part_max);
void sitemap_finish(struct sitemap *map);
void sitemap_reset(struct sitemap *map); /* without addresses */

/* changed_at: an instant, whose day in UTC is printed; INSTANT_NONE: not known. */
void sitemap_add(struct sitemap *map, struct str path, int64_t changed_at);

/* All addresses, or the index of the parts. */
void sitemap_put(const struct sitemap *map, struct buf *b);
/* Part 1 and so on; false: there is no such part. */
bool sitemap_put_part(const struct sitemap *map, int64_t number, struct buf *b);

/* The addresses of /sitemap.xml, kept until they change. */
struct sitemap_cache;

struct sitemap_cache *sitemap_cache_create(struct str base_url); /* borrowed */
void sitemap_cache_destroy(struct sitemap_cache *cache);         /* NULL is ignored */
