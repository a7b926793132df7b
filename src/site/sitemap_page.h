/* The addresses of /sitemap.xml, kept until they change; see sitemap_page.c. Private to src/site.
 */
#pragma once

#include "base/str.h"

struct sitemap_cache;

struct sitemap_cache *sitemap_cache_create(struct str base_url); /* borrowed */
void sitemap_cache_destroy(struct sitemap_cache *cache);         /* NULL is ignored */
