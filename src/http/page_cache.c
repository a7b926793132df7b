/* Compressed bodies, most recently used first; see page_cache.h. */
#include "http/page_cache.h"

#include <assert.h>

#include "base/crypto.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/thread.h"

enum {
    TAG_MAX = 64,
    BUCKETS_PER_MIB = 512, /* a compressed page has 2 to 4 KB */
    SHARE_MAX = 8,         /* a body may take this fraction of the whole */
};

struct page_cache_entry {
    struct page_cache_entry *next_in_bucket;
    struct page_cache_entry *newer, *older; /* by last use */
    uint64_t hash;
    size_t body_n;
    uint8_t tag_n;
    char tag[TAG_MAX];
    char body[];
};

struct page_cache {
    pthread_mutex_t lock;
    struct page_cache_entry **buckets;
    size_t mask;
    uint64_t seed;
    struct page_cache_entry *newest, *oldest;
    size_t bytes, bytes_max; /* entries including their headers */
    struct page_cache_stats stats;
};

struct page_cache *page_cache_create(size_t bytes_max)
{
    struct page_cache *cache = MEM_NEW(struct page_cache);
    size_t buckets = 64;
    while (buckets < (bytes_max >> 20) * BUCKETS_PER_MIB)
        buckets *= 2;
    pthread_mutex_init(&cache->lock, NULL);
    cache->buckets = mem_array(buckets, sizeof *cache->buckets);
    cache->mask = buckets - 1;
    cache->bytes_max = bytes_max;
    random_bytes(&cache->seed, sizeof cache->seed);
    return cache;
}

static void unlink_use(struct page_cache *cache, struct page_cache_entry *e)
{
    *(e->newer ? &e->newer->older : &cache->newest) = e->older;
    *(e->older ? &e->older->newer : &cache->oldest) = e->newer;
}

static void link_newest(struct page_cache *cache, struct page_cache_entry *e)
{
    e->newer = NULL;
    e->older = cache->newest;
    *(e->older ? &e->older->newer : &cache->oldest) = e;
    cache->newest = e;
}

static void drop(struct page_cache *cache, struct page_cache_entry *e)
{
    struct page_cache_entry **link = &cache->buckets[e->hash & cache->mask];
    while (*link != e)
        link = &(*link)->next_in_bucket;
    *link = e->next_in_bucket;
    unlink_use(cache, e);
    cache->bytes -= sizeof *e + e->body_n;
    cache->stats.entries--;
    mem_free(e);
}

void page_cache_destroy(struct page_cache *cache)
{
    if (!cache)
        return;
    while (cache->newest)
        drop(cache, cache->newest);
    pthread_mutex_destroy(&cache->lock);
    mem_free(cache->buckets);
    mem_free(cache);
}

static struct page_cache_entry *find(const struct page_cache *cache, uint64_t hash, struct str tag)
{
    struct page_cache_entry *e = cache->buckets[hash & cache->mask];
    while (e && !(e->hash == hash && str_eq(str_of(e->tag, e->tag_n), tag)))
        e = e->next_in_bucket;
    return e;
}

bool page_cache_get(struct page_cache *cache, struct str tag, struct buf *ret_body)
{
    uint64_t hash = hash_seeded(tag, cache->seed);
    LOCKED(&cache->lock);
    struct page_cache_entry *e = find(cache, hash, tag);
    if (e) {
        unlink_use(cache, e);
        link_newest(cache, e);
        buf_put(ret_body, e->body, e->body_n);
        cache->stats.hits++;
    } else {
        cache->stats.misses++;
    }
    return e != NULL;
}

static struct page_cache_entry *make_entry(uint64_t hash, struct str tag, struct str body)
{
    struct page_cache_entry *e = mem_alloc(sizeof *e + body.n);
    *e = (struct page_cache_entry){.hash = hash, .body_n = body.n, .tag_n = (uint8_t)tag.n};
    memcpy(e->tag, tag.p, tag.n);
    if (body.n)
        memcpy(e->body, body.p, body.n);
    return e;
}

void page_cache_put(struct page_cache *cache, struct str tag, struct str body)
{
    assert(tag.n <= TAG_MAX);
    size_t size = sizeof(struct page_cache_entry) + body.n;
    if (size > cache->bytes_max / SHARE_MAX)
        return;
    uint64_t hash = hash_seeded(tag, cache->seed);
    struct page_cache_entry *e = make_entry(hash, tag, body);
    LOCKED(&cache->lock);
    struct page_cache_entry *same =
        find(cache, hash, tag); /* another thread may have stored it meanwhile */
    if (same)
        drop(cache, same);
    while (cache->bytes + size > cache->bytes_max)
        drop(cache, cache->oldest);
    e->next_in_bucket = cache->buckets[hash & cache->mask];
    cache->buckets[hash & cache->mask] = e;
    link_newest(cache, e);
    cache->bytes += size;
    cache->stats.entries++;
}

void page_cache_stats(struct page_cache *cache, struct page_cache_stats *ret)
{
    LOCKED(&cache->lock);
    *ret = cache->stats;
    ret->bytes = cache->bytes;
}
