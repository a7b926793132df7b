/* The keys of what a change notice is about. */
#include "purge/purge.h"

#include <time.h>

#include "unit.h"
#include "feed_maker.h"

/* A feed with one filing of so many trades. */
static struct feed *make(uint64_t rows)
{
    struct feed *feed = feed_create();
    for (uint64_t n = 0; n < rows; n++)
        maker_push(feed_edition(feed), n, 1000);
    edition_show(feed_edition(feed));
    return feed;
}

static struct str id_of(struct maker_trade *t, uint64_t n)
{
    maker_make(t, n, 1000);
    return t->trade.id;
}

static void assert_has(const struct purge_keys *keys, const char *key)
{
    assert_true(str_find(buf_view(&keys->text), str_from(key)) >= 0);
}

static void trade_has_its_own_keys_only(void **state)
{
    struct feed *feed = make(50);
    struct purge_keys keys;
    struct maker_trade t;
    char text[64];
    purge_keys_init(&keys);
    changed_by_notice(feed, NULL, STR("trade"), id_of(&t, 7), &keys);
    assert_has(&keys, " f-house-1 ");
    assert_has(&keys, " list-trades ");
    snprintf(text, sizeof text, " p-%.*s ", STR_ARG(t.trade.politician.slug));
    assert_has(&keys, text);
    struct str other = buf_view(&keys.text);
    other = str_slice(other, (size_t)str_find(other, STR(" p-")) + 1, other.n);
    assert_int_equal(str_find(other, STR(" p-")), -1);
    purge_keys_finish(&keys);
    feed_destroy(feed);
}

/* CPU time of notices about so many trades of a filing. */
static int64_t cost_of(const struct feed *feed, uint64_t notices)
{
    struct timespec from, to;
    struct purge_keys keys;
    struct maker_trade t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
    for (uint64_t n = 0; n < notices; n++) {
        purge_keys_init(&keys);
        changed_by_notice(feed, NULL, STR("trade"), id_of(&t, n), &keys);
        assert_true(purge_keys_any(&keys));
        purge_keys_finish(&keys);
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
    return (to.tv_sec - from.tv_sec) * 1000000000LL + to.tv_nsec - from.tv_nsec;
}

/* Other processes can make a round dearer, but not cheaper. */
static int64_t least_cost_of(const struct feed *feed, uint64_t notices)
{
    int64_t least = INT64_MAX;
    for (int round = 0; round < 3; round++) {
        int64_t cost = cost_of(feed, notices);
        least = cost < least ? cost : least;
    }
    return least;
}

static void cost_of_a_trade_does_not_grow_with_its_filing(void **state)
{
    enum { FEW = 200, MANY = 20000 };
    struct feed *small = make(FEW), *large = make(MANY);
    int64_t cost_small = least_cost_of(small, FEW), cost_large = least_cost_of(large, FEW);
    assert_true(cost_large < 10 * cost_small);
    feed_destroy(small);
    feed_destroy(large);
}

int main(void)
{
    rcu_thread_start();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trade_has_its_own_keys_only),
        cmocka_unit_test(cost_of_a_trade_does_not_grow_with_its_filing),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rcu_thread_stop();
    return failed;
}
