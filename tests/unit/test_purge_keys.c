/* The bounded set of surrogate keys. */
#include "purge/keys.h"

#include "base/mem.h"
#include "unit.h"

static void assert_taken(struct purge_keys *keys, const char *expected)
{
    struct buf batch;
    buf_init(&batch, PURGE_BATCH_BYTES + 1);
    purge_keys_take(keys, &batch);
    assert_true(str_eq(buf_view(&batch), str_from(expected)));
    buf_finish(&batch);
}

static void each_key_is_there_once(void **state)
{
    struct purge_keys keys;
    purge_keys_init(&keys);
    assert_false(purge_keys_any(&keys));
    purge_keys_add(&keys, "t", STR("AB"));
    purge_keys_add(&keys, "t", STR("A"));
    purge_keys_add(&keys, "t", STR("A"));
    purge_keys_add(&keys, "t", STR("ABC"));
    purge_keys_add(&keys, "t", STR("AB"));
    assert_true(purge_keys_any(&keys));
    assert_taken(&keys, "t-AB t-A t-ABC");
    assert_false(purge_keys_any(&keys));
    purge_keys_finish(&keys);
}

static void all_replaces_the_others(void **state)
{
    struct purge_keys keys, more;
    purge_keys_init(&keys);
    purge_keys_init(&more);
    purge_keys_add(&keys, "p", STR("jane-example"));
    purge_keys_add_all(&more);
    purge_keys_merge(&keys, &more);
    purge_keys_add(&keys, "p", STR("john-example"));
    assert_taken(&keys, "all");
    assert_false(purge_keys_any(&keys));
    purge_keys_add_batch(&keys, STR("f-1 all f-2"));
    assert_taken(&keys, "all");
    purge_keys_finish(&keys);
    purge_keys_finish(&more);
}

static void a_key_that_is_no_part_of_a_header_is_all(void **state)
{
    static const char *const bad[] = {"a b", "a\r\nX: y", "\xc3\xa9"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct purge_keys keys;
        purge_keys_init(&keys);
        purge_keys_add(&keys, "f", STR("1"));
        purge_keys_add(&keys, "f", str_from(bad[i]));
        assert_taken(&keys, "all");
        purge_keys_finish(&keys);
    }
}

static void fill(struct purge_keys *keys, int count)
{
    struct arena arena;
    arena_init(&arena);
    for (int i = 0; i < count; i++)
        purge_keys_add(keys, "t", arena_fmt(&arena, "SYMBOL%05d", i));
    arena_finish(&arena);
}

static void a_batch_is_bounded_and_loses_no_key(void **state)
{
    enum { COUNT = 2 * PURGE_BATCH_KEYS + 1 };
    struct purge_keys keys;
    struct buf batch;
    size_t batches = 0, count = 0;
    purge_keys_init(&keys);
    buf_init(&batch, PURGE_BATCH_BYTES + 1);
    fill(&keys, COUNT);
    while (purge_keys_any(&keys)) {
        purge_keys_take(&keys, &batch);
        assert_true(batch.n > 0 && batch.n <= PURGE_BATCH_BYTES);
        batches++;
        for (size_t i = 0; i < batch.n; i++)
            count += batch.p[i] == 't';
    }
    assert_int_equal(batches, 3);
    assert_int_equal(count, COUNT);
    buf_finish(&batch);
    purge_keys_finish(&keys);
}

static void too_many_keys_are_all(void **state)
{
    struct purge_keys keys;
    purge_keys_init(&keys);
    fill(&keys, PURGE_KEYS_BYTES / 10);
    assert_taken(&keys, "all");
    assert_false(purge_keys_any(&keys));
    purge_keys_finish(&keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_key_is_there_once),
        cmocka_unit_test(all_replaces_the_others),
        cmocka_unit_test(a_key_that_is_no_part_of_a_header_is_all),
        cmocka_unit_test(a_batch_is_bounded_and_loses_no_key),
        cmocka_unit_test(too_many_keys_are_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
