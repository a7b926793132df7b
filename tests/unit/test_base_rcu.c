/* Readers, and the writer that waits for them. */
#include "unit.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/rcu.h"

static atomic_bool waiting, waited;

static void *wait_for_readers(void *arg)
{
    atomic_store(&waiting, true);
    rcu_wait_readers();
    atomic_store(&waited, true);
    return NULL;
}

static pthread_t start_writer(void)
{
    pthread_t thread;
    atomic_store(&waiting, false);
    atomic_store(&waited, false);
    assert_int_equal(pthread_create(&thread, NULL, wait_for_readers, NULL), 0);
    while (!atomic_load(&waiting)) {
    }
    return thread;
}

static void writer_waits_for_end_of_read(void **state)
{
    rcu_thread_start();
    rcu_read_begin();
    pthread_t writer = start_writer();
    assert_false(atomic_load(&waited));
    rcu_read_end();
    pthread_join(writer, NULL);
    assert_true(atomic_load(&waited));
    rcu_thread_stop();
}

static void writer_waits_for_idle_reader_in_bursts(void **state)
{
    rcu_thread_start();
    rcu_thread_in_bursts();
    for (int burst = 0; burst < 3; burst++) {
        rcu_read_begin();
        rcu_read_end();
        pthread_t writer = start_writer();
        for (int i = 0; i < 1000; i++) {
            rcu_read_begin();
            assert_false(atomic_load(&waited));
            rcu_read_end();
        }
        rcu_idle();
        pthread_join(writer, NULL);
        assert_true(atomic_load(&waited));
    }
    rcu_thread_stop();
}

static void idle_reader_does_not_block_writer(void **state)
{
    rcu_thread_start();
    rcu_thread_in_bursts();
    pthread_t writer = start_writer();
    pthread_join(writer, NULL);
    rcu_idle(); /* a second time, without a read in between */
    rcu_thread_stop();
}

static void ended_thread_does_not_block_writer(void **state)
{
    rcu_thread_start();
    rcu_thread_in_bursts();
    rcu_read_begin();
    rcu_read_end();
    rcu_thread_stop();
    rcu_wait_readers();
    rcu_thread_start();
    rcu_read_begin(); /* no longer in bursts */
    rcu_read_end();
    rcu_wait_readers();
    rcu_thread_stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writer_waits_for_end_of_read),
        cmocka_unit_test(writer_waits_for_idle_reader_in_bursts),
        cmocka_unit_test(idle_reader_does_not_block_writer),
        cmocka_unit_test(ended_thread_does_not_block_writer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
