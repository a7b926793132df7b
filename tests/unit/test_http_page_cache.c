#include "unit.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "http/page_cache.h"

enum { CACHE_SIZE = 64 * 1024, BODY_SIZE = 1000 };

static struct str tag_of(int n, char room[static 16])
{
    return str_of(room, (size_t)snprintf(room, 16, "\"%08d\"", n));
}

static void put(struct page_cache *cache, int n)
{
    char tag[16], body[BODY_SIZE];
    memset(body, 'a' + n % 26, sizeof body);
    page_cache_put(cache, tag_of(n, tag), str_of(body, sizeof body));
}

static bool has(struct page_cache *cache, int n)
{
    char tag[16];
    struct buf b;
    buf_init(&b, 4 * BODY_SIZE);
    bool found = page_cache_get(cache, tag_of(n, tag), &b);
    assert_int_equal(b.n, found ? BODY_SIZE : 0);
    for (size_t i = 0; i < b.n; i++)
        assert_int_equal(b.p[i], 'a' + n % 26);
    buf_finish(&b);
    return found;
}

static void stored_page_is_found(void **state)
{
    struct page_cache *cache = page_cache_create(CACHE_SIZE);
    struct page_cache_stats stats;
    assert_false(has(cache, 1));
    put(cache, 1);
    put(cache, 2);
    assert_true(has(cache, 1));
    assert_true(has(cache, 2));
    assert_false(has(cache, 3));
    page_cache_stats(cache, &stats);
    assert_int_equal(stats.hits, 2);
    assert_int_equal(stats.misses, 2);
    assert_int_equal(stats.entries, 2);
    page_cache_destroy(cache);
}

static void second_put_replaces_page(void **state)
{
    struct page_cache *cache = page_cache_create(CACHE_SIZE);
    struct page_cache_stats stats;
    put(cache, 1);
    put(cache, 1);
    page_cache_stats(cache, &stats);
    assert_int_equal(stats.entries, 1);
    assert_true(has(cache, 1));
    page_cache_destroy(cache);
}

static void least_recently_used_page_is_evicted(void **state)
{
    struct page_cache *cache = page_cache_create(CACHE_SIZE);
    struct page_cache_stats stats;
    for (int n = 0; n < 1000; n++) {
        put(cache, n);
        assert_true(has(cache, 0)); /* used throughout */
    }
    page_cache_stats(cache, &stats);
    assert_true(stats.bytes <= CACHE_SIZE && stats.entries >= 40);
    for (int n = 1; n < 1000; n++)
        assert_int_equal(has(cache, n), n > 1000 - (int)stats.entries);
    page_cache_destroy(cache);
}

static void oversized_body_is_not_cached(void **state)
{
    struct page_cache *cache = page_cache_create(CACHE_SIZE);
    char *body = mem_zalloc(CACHE_SIZE);
    struct buf b;
    buf_init(&b, CACHE_SIZE);
    put(cache, 1);
    page_cache_put(cache, STR("\"large\""), str_of(body, CACHE_SIZE / 4));
    assert_false(page_cache_get(cache, STR("\"large\""), &b));
    assert_true(has(cache, 1));
    buf_finish(&b);
    mem_free(body);
    page_cache_destroy(cache);
}

static void *use(void *arg)
{
    for (int n = 0; n < 2000; n++) {
        if (!has(arg, n % 100))
            put(arg, n % 100);
    }
    return NULL;
}

static void cache_is_thread_safe(void **state)
{
    struct page_cache *cache = page_cache_create(CACHE_SIZE);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use, cache), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    struct page_cache_stats stats;
    page_cache_stats(cache, &stats);
    assert_int_equal(stats.hits + stats.misses, 8000);
    page_cache_destroy(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_page_is_found),
        cmocka_unit_test(second_put_replaces_page),
        cmocka_unit_test(least_recently_used_page_is_evicted),
        cmocka_unit_test(oversized_body_is_not_cached),
        cmocka_unit_test(cache_is_thread_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
