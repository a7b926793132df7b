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

/* The state of the database that counts are of. */
struct coverage_key {
    int64_t change_seq; /* of the newest notice (change.h) */
    int64_t documents;  /* reports that the ledger has; they are never deleted, other entries are */
};

/* Visits the kept counts. False: they are of another state, and nothing is visited. */
bool coverage_cache_visit(
    struct coverage_cache *cache, const struct coverage_key *key, document_count_visit *visit,
    void *ctx);

/* Keeps a copy of the counts. */
void coverage_cache_keep(
    struct coverage_cache *cache, const struct coverage_key *key,
    const struct document_count *counts, size_t count);

/* The same for public filings by how they were reviewed, which change with published data only. */
bool coverage_cache_reviews(
    struct coverage_cache *cache, int64_t change_seq, struct review_counts *ret);
void coverage_cache_keep_reviews(
    struct coverage_cache *cache, int64_t change_seq, const struct review_counts *counts);
