/*
 * What document_coverage found in bulk history, and review_count in all public filings, kept for
 * the next call. Adding it up reads every filing: 50 ms for 120,000. It changes only with published
 * data, of which there is a notice each time, or with a new document. For any number of threads.
 */
#pragma once

#include "store/public/document.h"

struct coverage_cache;

struct coverage_cache *coverage_cache_create(void);
void coverage_cache_destroy(struct coverage_cache *cache); /* NULL is ignored */
