/* The delay before keys are purged a second time. */
#include "purge/purge.h"

#include "unit.h"

struct purges {
    struct purge_again again;
    struct buf batch;
};

static void start(struct purges *p)
{
    purge_again_init(&p->again);
    buf_init(&p->batch, PURGE_BATCH_BYTES + 1);
}

static void end(struct purges *p)
{
    purge_again_finish(&p->again);
    buf_finish(&p->batch);
}

/* `expected` NULL: nothing is due. */
static void assert_due(struct purges *p, int64_t now_ms, const char *expected)
{
    bool due = purge_again_take(&p->again, now_ms, &p->batch);
    assert_int_equal(due, expected != NULL);
    if (expected)
        assert_true(str_eq(buf_view(&p->batch), str_from(expected)));
}

static void keys_wait_for_the_delay(void **state)
{
    struct purges p;
    start(&p);
    assert_due(&p, 0, NULL);
    purge_again_add(&p.again, STR("p-a f-1"), 100);
    assert_due(&p, 100, NULL);
    assert_due(&p, 99 + PURGE_AGAIN_MS, NULL);
    assert_due(&p, 100 + PURGE_AGAIN_MS, "p-a f-1");
    assert_due(&p, 1000 * PURGE_AGAIN_MS, NULL);
    end(&p);
}

static void keys_that_come_while_others_wait_have_their_own_delay(void **state)
{
    struct purges p;
    start(&p);
    purge_again_add(&p.again, STR("p-a"), 0);
    assert_due(&p, 1, NULL);
    purge_again_add(&p.again, STR("p-b"), PURGE_AGAIN_MS - 1);
    assert_due(&p, PURGE_AGAIN_MS, "p-a");
    assert_due(&p, PURGE_AGAIN_MS, NULL);
    assert_due(&p, 2 * PURGE_AGAIN_MS - 2, NULL);
    assert_due(&p, 2 * PURGE_AGAIN_MS - 1, "p-b");
    end(&p);
}

static void steady_changes_do_not_postpone_a_key(void **state)
{
    struct purges p;
    int64_t now_ms = 0;
    bool found = false;
    start(&p);
    purge_again_add(&p.again, STR("p-a"), now_ms);
    while (!found) {
        if (purge_again_take(&p.again, now_ms, &p.batch))
            found = str_find(buf_view(&p.batch), STR("p-a")) >= 0;
        purge_again_add(&p.again, STR("p-b"), now_ms);
        now_ms += 100;
        assert_true(now_ms < 2 * PURGE_AGAIN_MS + 200);
    }
    end(&p);
}

static void failed_batch_is_due_at_once(void **state)
{
    struct purges p;
    start(&p);
    purge_again_add(&p.again, STR("p-a"), 0);
    assert_due(&p, PURGE_AGAIN_MS, "p-a");
    purge_again_return(&p.again, STR("p-a"));
    assert_due(&p, PURGE_AGAIN_MS + 1, "p-a");
    end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_wait_for_the_delay),
        cmocka_unit_test(keys_that_come_while_others_wait_have_their_own_delay),
        cmocka_unit_test(steady_changes_do_not_postpone_a_key),
        cmocka_unit_test(failed_batch_is_due_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
