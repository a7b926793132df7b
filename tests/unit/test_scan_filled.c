/* Lines of paper forms that are no rows, though there is ink where marks and dates stand: drawn as
 * noise, blur and dark copies leave real ones. */
#include "unit.h"

#include <string.h>

#include "drawn_form.h"

enum { TYPE = 3, DATE = 5, AMOUNT = 8, LIST_LAST = 17 };

/* The page has so many rows, all of them on lines from `first` on. */
static void assert_rows(struct drawing *d, enum scan_form form, size_t count, int first)
{
    struct arena arena;
    arena_init(&arena);
    struct scan_page page = drawn_measure(d, &arena);
    assert_int_equal(page.form, form);
    assert_int_equal(page.row_count, count);
    for (size_t i = 0; i < count; i++)
        assert_true(
            page.rows[i].place.top * DRAWN_HEIGHT / PAGE_PLACE_WHOLE > drawn_top(first) - 4);
    arena_finish(&arena);
    mem_free(d->dots);
}

/* What is left of a line that was taken out of the picture. */
static void draw_rest(struct drawing *d, int line, int column, int width)
{
    drawn_ink(d, d->left[column] + 20, drawn_top(line) + 40, width, 6);
}

static struct drawing list(void)
{
    struct drawing d = drawn_form(drawn_list, 6, false);
    for (int i = 0; i < d.columns; i++) /* lists have no example */
        drawn_blank(
            &d, d.left[i] + 5, drawn_top(0) - DRAWN_EXAMPLE + 5, d.left[i + 1] - d.left[i] - 7,
            DRAWN_EXAMPLE - 7);
    return d;
}

static void rests_of_lines_are_no_marks_of_a_ruled_form(void **state)
{
    struct drawing d = drawn_form(drawn_ruled, 5, false);
    drawn_name(&d, 0); /* "see attached" */
    draw_rest(&d, 0, TYPE, 7);
    draw_rest(&d, 0, AMOUNT, 8);
    drawn_name(&d, 1);
    draw_rest(&d, 1, DATE, 14);
    draw_rest(&d, 1, AMOUNT, 8);
    drawn_name(&d, 2); /* a row */
    drawn_mark(&d, 2, TYPE);
    drawn_date(&d, 2, DATE);
    drawn_name(&d, 3); /* a row without a date */
    drawn_mark(&d, 3, TYPE);
    drawn_mark(&d, 3, AMOUNT);
    assert_rows(&d, SCAN_FORM_HOUSE_RULED, 2, 2);
}

static void the_title_of_a_list_is_no_row(void **state)
{
    struct drawing d = list();
    drawn_name(&d, 0);
    drawn_text(&d, d.left[TYPE] + 8, drawn_top(0) + 30, 36);
    drawn_text(&d, d.left[TYPE] + 8, drawn_top(0) + 50, 36);
    draw_rest(&d, 0, LIST_LAST, 6);
    drawn_name(&d, 1); /* a row */
    drawn_mark(&d, 1, TYPE);
    drawn_mark(&d, 1, LIST_LAST);
    assert_rows(&d, SCAN_FORM_HOUSE_LIST, 1, 1);
}

static void a_second_head_of_a_list_is_no_row(void **state)
{
    struct drawing d = list();
    drawn_name(&d, 0);
    drawn_mark(&d, 0, TYPE);
    for (int i = AMOUNT; i < LIST_LAST; i++)
        drawn_text(&d, d.left[i] + 14, drawn_top(0) + 30, 20);
    drawn_ink(&d, d.left[LIST_LAST] + 10, drawn_top(0) + 15, 50, 46); /* its label is the longest */
    drawn_name(&d, 1);                                                /* a row */
    drawn_mark(&d, 1, TYPE);
    drawn_mark(&d, 1, AMOUNT);
    assert_rows(&d, SCAN_FORM_HOUSE_LIST, 1, 1);
}

static void the_example_is_no_row_where_the_head_is_not_found(void **state)
{
    struct drawing d = drawn_form(drawn_ruled, 5, false);
    drawn_blank(
        &d, DRAWN_LEFT, DRAWN_TOP + DRAWN_THICK, DRAWN_WIDTH - DRAWN_LEFT,
        DRAWN_HEAD - DRAWN_THICK);
    drawn_text(&d, d.left[DATE] + 20, drawn_top(0) - DRAWN_EXAMPLE + 14, 80);
    drawn_name(&d, 0); /* a row */
    drawn_mark(&d, 0, TYPE);
    drawn_mark(&d, 0, AMOUNT);
    assert_rows(&d, SCAN_FORM_HOUSE_RULED, 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rests_of_lines_are_no_marks_of_a_ruled_form),
        cmocka_unit_test(the_title_of_a_list_is_no_row),
        cmocka_unit_test(a_second_head_of_a_list_is_no_row),
        cmocka_unit_test(the_example_is_no_row_where_the_head_is_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
