/* The pace of the hourly upkeep, by a clock that the test holds. */
#include "delivery_sample.h"

#include "webhook/dispatcher.h"

enum { HOUR = 60 * 60 * 1000 };

static const int64_t start = INT64_C(1790000000000);

struct stand {
    uv_loop_t loop;
    uv_async_t wake;
    struct writer *writer;
    struct upkeep upkeep;
    int runs;
};

static void on_wake(uv_async_t *wake)
{
}

static void stand_open(struct stand *s, struct store_fixture *f)
{
    const struct writer_config writer = {.url = store_fixture_url(f)};
    s->runs = 0;
    uv_loop_init(&s->loop);
    uv_async_init(&s->loop, &s->wake, on_wake);
    assert_ok(f, writer_start(&writer, &s->writer, &f->fail));
    upkeep_init(&s->upkeep, s->writer, &s->wake);
}

static void stand_close(struct stand *s)
{
    writer_stop(s->writer);
    upkeep_finish(&s->upkeep);
    uv_close((uv_handle_t *)&s->wake, NULL);
    uv_run(&s->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&s->loop), 0);
}

/* Looks at this time; the number of runs so far, once a run that begins has ended. */
static int runs_after(struct stand *s, int64_t now_ms)
{
    upkeep_look(&s->upkeep, now_ms);
    s->runs += s->upkeep.errand.is_out;
    while (s->upkeep.errand.is_out) {
        uv_run(&s->loop, UV_RUN_ONCE);
        upkeep_take(&s->upkeep, true);
    }
    return s->runs;
}

static void upkeep_runs_at_start_and_every_hour(void **state)
{
    struct stand s;
    stand_open(&s, *state);
    assert_int_equal(runs_after(&s, start), 1);
    assert_int_equal(runs_after(&s, start), 1);
    assert_int_equal(runs_after(&s, start + HOUR - 1), 1);
    assert_int_equal(runs_after(&s, start + HOUR), 2);
    assert_int_equal(runs_after(&s, start + 2 * HOUR - 1), 2);
    assert_int_equal(runs_after(&s, start + 5 * HOUR), 3);
    stand_close(&s);
}

/* Otherwise it would wait until the clock is where it was. */
static void upkeep_runs_at_once_after_the_clock_was_set_back(void **state)
{
    struct stand s;
    stand_open(&s, *state);
    assert_int_equal(runs_after(&s, start), 1);
    assert_int_equal(runs_after(&s, start - 1), 2);
    assert_int_equal(runs_after(&s, start - 1), 2);
    assert_int_equal(runs_after(&s, start - 24 * (int64_t)HOUR), 3);
    assert_int_equal(runs_after(&s, start - 23 * (int64_t)HOUR - 1), 3);
    assert_int_equal(runs_after(&s, start - 23 * (int64_t)HOUR), 4);
    stand_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(upkeep_runs_at_start_and_every_hour),
        store_test(upkeep_runs_at_once_after_the_clock_was_set_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
