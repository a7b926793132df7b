/* Bounds on instants that become public (decision A). */
#include "store_sample.h"

#include "store/public/change_log.h"
#include "store/public/publication.h"
#include "store/row/credible.h"

static const int64_t NOW = INT64_C(1795162365000), YEAR_MS = 365 * (int64_t)DAY_MS;

static int64_t dice(int64_t below)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)(state >> 20) % below;
}

static enum err check(struct store_fixture *f, int64_t now_ms)
{
    return credible_check(f->db, now_ms, &f->fail);
}

static enum err publish(struct store_fixture *f, int64_t now_ms)
{
    struct publication p;
    assert_ok(f, db_begin(f->db, &f->fail));
    enum err err = publication_begin(f->db, PUBLICATION_LIVE, STR("e@x"), now_ms, &p, &f->fail);
    if (!err)
        err = publication_finish(f->db, &p, 0, NULL, &f->fail);
    return db_end(f->db, err, &f->fail);
}

static int64_t newest(struct store_fixture *f)
{
    return store_fixture_number(f, "SELECT max(at) FROM publication");
}

static int64_t beat(struct store_fixture *f, struct credible_witness *w, int64_t now_ms)
{
    int64_t ret = 0;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, credible_beat(f->db, w, now_ms, &ret, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    return ret;
}

/* This test comes before those that put the clocks into files. */
static void heartbeat_vouches_until_the_clock_jumps(void **state)
{
    struct store_fixture *f = *state;
    struct credible_witness w = {INSTANT_NONE}, again = {INSTANT_NONE}, set = {INSTANT_NONE};
    int64_t now_ms = clock_wall_ms();
    clock_check();
    if (db_kind(f->db) == DB_POSTGRESQL) {
        assert_int_equal(beat(f, &w, now_ms), INSTANT_NONE);
        assert_ok(f, check(f, now_ms));
        assert_int_equal(check(f, now_ms + HOUR_MS), ERR_REFUSED);
        return;
    }
    assert_ok(f, check(f, now_ms + YEAR_MS)); /* nothing is known of the time */
    assert_true(beat(f, &w, now_ms) <= now_ms);
    assert_ok(f, check(f, now_ms + 30 * SECOND_MS));
    assert_int_equal(check(f, now_ms + HOUR_MS), ERR_REFUSED);
    assert_true(beat(f, &w, now_ms + YEAR_MS) < now_ms + HOUR_MS);
    assert_int_equal(check(f, now_ms + YEAR_MS), ERR_REFUSED);
    assert_int_equal(beat(f, &again, now_ms + YEAR_MS), INSTANT_NONE); /* started again */
    assert_int_equal(check(f, now_ms + YEAR_MS), ERR_REFUSED);
    assert_true(beat(f, &set, now_ms + DAY_MS) >= now_ms + DAY_MS); /* set right, started again */
    assert_ok(f, check(f, now_ms + DAY_MS));
    assert_true(beat(f, &set, now_ms - DAY_MS) < now_ms);
    assert_int_equal(check(f, now_ms + DAY_MS), ERR_REFUSED);
}

static void put(const struct store_fixture *f, const char *name, int64_t ms, char path[128])
{
    char text[INSTANT_TEXT_SIZE];
    instant_print(ms, text);
    snprintf(path, 128, "%s-%s", f->folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, sizeof text, file), sizeof text);
    assert_int_equal(fclose(file), 0);
}

/* Paths that the clock keeps. */
static char wall_path[128], database_path[128];

static void year_is_the_bound_of_a_clock_that_nothing_vouches_for(void **state)
{
    struct store_fixture *f = *state;
    put(f, "wall", NOW, wall_path);
    assert_ok(f, clock_use_file(wall_path, &f->fail));
    assert_ok(f, publish(f, NOW));
    assert_ok(f, publish(f, NOW + YEAR_MS));
    assert_int_equal(publish(f, NOW + 2 * YEAR_MS + 2 * DAY_MS), ERR_REFUSED);
    assert_ok(f, publish(f, NOW)); /* set back: a millisecond later */
    assert_int_equal(newest(f), NOW + YEAR_MS + 1);
    assert_int_equal(publish(f, NOW - YEAR_MS), ERR_REFUSED); /* the newest is of the future */
}

static void thousand_jumps_store_nothing_beyond_the_bound(void **state)
{
    struct store_fixture *f = *state;
    int64_t stored = 0, refused = 0;
    put(f, "database", NOW, database_path);
    assert_ok(f, clock_use_database_file(database_path, &f->fail));
    assert_ok(f, publish(f, NOW));
    for (int i = 0; i < 1000; i++) {
        int64_t jump = i % 4 == 0 ? dice(2 * 120 * SECOND_MS) - 120 * SECOND_MS
                                  : dice(20 * YEAR_MS) - 10 * YEAR_MS;
        int64_t at = 0;
        enum err err;
        if (i % 2)
            err = publish(f, NOW + jump);
        else
            err = change_log_instant(f->db, NOW + jump, &at, &f->fail);
        assert_true(err == OK || err == ERR_REFUSED);
        assert_true((err == OK) == (jump <= CREDIBLE_AHEAD_MS));
        assert_true(at <= NOW + CREDIBLE_AHEAD_MS);
        *(err ? &refused : &stored) += 1;
    }
    assert_true(stored > 300 && refused > 300);
    assert_true(newest(f) <= NOW + CREDIBLE_AHEAD_MS);
}

static void operator_overrules_the_bound(void **state)
{
    struct store_fixture *f = *state;
    int64_t at = NOW + 10 * YEAR_MS;
    assert_ok(f, publish(f, NOW));
    assert_int_equal(publish(f, at), ERR_REFUSED);
    clock_overrule(at);
    assert_true(clock_wall_ms() >= at && clock_wall_ms() < at + HOUR_MS);
    assert_ok(f, publish(f, clock_wall_ms()));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(heartbeat_vouches_until_the_clock_jumps),
        store_test(year_is_the_bound_of_a_clock_that_nothing_vouches_for),
        store_test(thousand_jumps_store_nothing_beyond_the_bound),
        store_test(operator_overrules_the_bound),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(wall_path);
    unlink(database_path);
    return failed;
}
