/* The newest edition of the files under /compat (record/compat.h). Private to src/site. */
#pragma once

struct compat_cache;

struct compat_cache *compat_cache_create(void);
void compat_cache_destroy(struct compat_cache *cache); /* NULL is ignored */
