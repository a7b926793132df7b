/* The line of a progress bar: what it says, and that it fits. */
#include "unit.h"

#include "base/instant.h"
#include "cmd/term/layout.h"
#include "cmd/term/progress.h"

static const struct progress_label files = {"Importing", "file", "files"};
static const struct progress_label scans = {"Importing", "file", "files", "page"};
static const struct progress_label bytes = {"Copying", NULL, NULL};

static void assert_line(
    const struct progress_label *label, struct progress_state state, int columns, bool utf8,
    const char *expected)
{
    const struct terminal t = {.is_tty = true, .utf8 = utf8, .columns = columns};
    struct buf line;
    buf_init(&line, 4096);
    progress_put(&line, &t, label, &state);
    assert_str(buf_view(&line), expected);
    assert_true(layout_columns(buf_view(&line)) < (size_t)columns);
    buf_finish(&line);
}

static void line_has_amount_rate_and_time_left(void **state)
{
    const struct progress_state half = {600, 1200, 6 * SECOND_MS, 500, 5 * SECOND_MS};
    assert_line(
        &files, half, 80, true,
        "Importing  ███████░░░░░░░  600 of 1,200 files  50%  100/s  6 s left");
    assert_line(
        &files, half, 80, false,
        "Importing  #######.......  600 of 1,200 files  50%  100/s  6 s left");
}

static void line_without_a_total_has_no_bar_and_the_time_so_far(void **state)
{
    assert_line(
        &files, (struct progress_state){2500, 0, 61 * SECOND_MS, 10, 4 * SECOND_MS}, 80, true,
        "Importing  2,500 files  2.5/s  1 min 1 s");
    assert_line(
        &files, (struct progress_state){0, 0, 3 * SECOND_MS, 0, 3 * SECOND_MS}, 80, true,
        "Importing  3 s");
}

static void slow_work_has_a_rate_in_minutes_and_hours_left(void **state)
{
    assert_line(
        &files, (struct progress_state){10, 7942, 20 * SECOND_MS, 5, 10 * SECOND_MS}, 100, false,
        "Importing  ..............................  10 of 7,942 files  0%  30/min  4 h 24 min "
        "left");
    assert_line(
        &files, (struct progress_state){1, INT64_MAX / 1000, HOUR_MS, 1, HOUR_MS}, 80, false,
        "Importing  1 of 9,223,372,036,854,775 files  0%  1/h  days left");
}

static void last_step_is_named_while_it_lasts(void **state)
{
    assert_line(
        &files, (struct progress_state){8, 8, 12 * SECOND_MS, 8, 8 * SECOND_MS}, 64, false,
        "Importing  8 of 8 files  100%  1.0/s  finishing, 12 s");
    assert_line(
        &files, (struct progress_state){7, 8, 4 * SECOND_MS, 70, 4 * SECOND_MS}, 40, false,
        "Importing  7 of 8 files  87%  1 s left");
}

static void part_of_a_long_one_is_named(void **state)
{
    const struct progress_state state_of = {3, 12, 20 * SECOND_MS, 1, 10 * SECOND_MS, 137};
    assert_line(
        &scans, state_of, 80, true,
        "Importing  ██░░░░░░░░  3 of 12 files  page 137  25%  6/min  1 min 30 s left");
    assert_line(
        &files, state_of, 80, false,
        "Importing  #####...............  3 of 12 files  25%  6/min  1 min 30 s left");
}

static void amounts_without_a_unit_are_bytes(void **state)
{
    const int64_t mib = 1024 * 1024;
    assert_line(
        &bytes, (struct progress_state){512 * mib, 1024 * mib, 4 * SECOND_MS, 512 * mib, 4000}, 80,
        false, "Copying  ######......  512.0 MiB of 1.0 GiB  50%  128.0 MiB/s  4 s left");
}

static void narrow_line_keeps_the_amount_first(void **state)
{
    const struct progress_state half = {600, 1200, 6 * SECOND_MS, 500, 5 * SECOND_MS};
    assert_line(&files, half, 50, false, "Importing  600 of 1,200 files  50%  6 s left");
    assert_line(&files, half, 32, false, "Importing  600 of 1,200 files");
    assert_line(&files, half, 20, false, "Importing  6 s left");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_has_amount_rate_and_time_left),
        cmocka_unit_test(line_without_a_total_has_no_bar_and_the_time_so_far),
        cmocka_unit_test(slow_work_has_a_rate_in_minutes_and_hours_left),
        cmocka_unit_test(last_step_is_named_while_it_lasts),
        cmocka_unit_test(part_of_a_long_one_is_named),
        cmocka_unit_test(amounts_without_a_unit_are_bytes),
        cmocka_unit_test(narrow_line_keeps_the_amount_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
