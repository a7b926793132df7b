/* Kept counts of filings; see coverage_cache.h. */
#include "store/public/coverage_cache.h"

#include <pthread.h>
#include <string.h>

#include "base/mem.h"

struct coverage_cache {
    pthread_mutex_t lock;
    /* Under lock; NULL: nothing is kept. */
    struct document_count *counts;
    size_t count;
    struct coverage_key key;
    bool has_reviews;
    struct review_counts reviews;
    int64_t reviews_change_seq;
};

struct coverage_cache *coverage_cache_create(void)
{
    struct coverage_cache *cache = MEM_NEW(struct coverage_cache);
    pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

void coverage_cache_destroy(struct coverage_cache *cache)
{
    if (!cache)
        return;
    pthread_mutex_destroy(&cache->lock);
    mem_free(cache->counts);
    mem_free(cache);
}

static bool is_same(const struct coverage_key *a, const struct coverage_key *b)
{
    return a->change_seq == b->change_seq && a->documents == b->documents;
}

bool coverage_cache_visit(
    struct coverage_cache *cache, const struct coverage_key *key, document_count_visit *visit,
    void *ctx)
{
    pthread_mutex_lock(&cache->lock);
    bool found = cache->counts && is_same(&cache->key, key);
    for (size_t i = 0; found && i < cache->count; i++)
        visit(ctx, &cache->counts[i]);
    pthread_mutex_unlock(&cache->lock);
    return found;
}

void coverage_cache_keep(
    struct coverage_cache *cache, const struct coverage_key *key,
    const struct document_count *counts, size_t count)
{
    struct document_count *copy = mem_array(count + 1, sizeof *copy);
    if (count)
        memcpy(copy, counts, count * sizeof *copy);
    pthread_mutex_lock(&cache->lock);
    struct document_count *old = cache->counts;
    cache->counts = copy;
    cache->count = count;
    cache->key = *key;
    pthread_mutex_unlock(&cache->lock);
    mem_free(old);
}

bool coverage_cache_reviews(
    struct coverage_cache *cache, int64_t change_seq, struct review_counts *ret)
{
    pthread_mutex_lock(&cache->lock);
    bool found = cache->has_reviews && cache->reviews_change_seq == change_seq;
    if (found)
        *ret = cache->reviews;
    pthread_mutex_unlock(&cache->lock);
    return found;
}

void coverage_cache_keep_reviews(
    struct coverage_cache *cache, int64_t change_seq, const struct review_counts *counts)
{
    pthread_mutex_lock(&cache->lock);
    cache->has_reviews = true;
    cache->reviews = *counts;
    cache->reviews_change_seq = change_seq;
    pthread_mutex_unlock(&cache->lock);
}
