#include "unit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/rcu.h"

struct item {
    uint64_t key;
    uint64_t twice;
};

static uint64_t key_hash(uint64_t key)
{
    return hash_str(str_of((const char *)&key, sizeof key));
}

static uint64_t item_hash(const void *item)
{
    return key_hash(((const struct item *)item)->key);
}

static bool item_equal(const void *item, const void *key)
{
    return ((const struct item *)item)->key == *(const uint64_t *)key;
}

static const struct rcumap_type item_type = {item_hash, item_equal};

enum { ITEMS = 20000 };

struct shared {
    struct rcumap *map;
    _Atomic uint64_t inserted;
};

static struct item *item_create(uint64_t key, uint64_t twice)
{
    struct item *item = MEM_NEW(struct item);
    *item = (struct item){key, twice};
    return item;
}

static void item_free(void *item, void *ctx)
{
    mem_free(item);
}

static void *reader(void *arg)
{
    struct shared *shared = arg;
    rcu_thread_start();
    for (uint64_t i = 0; i < ITEMS * 4; i++) {
        rcu_read_begin();
        uint64_t n = atomic_load_explicit(&shared->inserted, memory_order_acquire);
        if (n) {
            uint64_t key = i * 7919 % n;
            struct item *item = rcumap_find(shared->map, key_hash(key), &key);
            if (!item || item->twice != 2 * key)
                abort();
        }
        rcu_read_end();
    }
    rcu_thread_stop();
    return NULL;
}

static void readers_find_everything_while_the_table_grows(void **state)
{
    struct rcu_retired retired = {0};
    struct shared shared = {.map = rcumap_create(&item_type, 0, &retired)};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, reader, &shared), 0);
    for (uint64_t key = 0; key < ITEMS; key++) {
        rcumap_insert(shared.map, item_create(key, 2 * key));
        atomic_store_explicit(&shared.inserted, key + 1, memory_order_release);
        if (key % 1000 == 0)
            rcu_retired_free(&retired);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(rcumap_count(shared.map), ITEMS);
    rcumap_each(shared.map, item_free, NULL);
    rcu_retired_free(&retired);
    rcumap_destroy(shared.map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_find_everything_while_the_table_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
