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

/* On a dark copy the boxes of a form are not found: it looks like a list. Their sides still part
 * its lines. */
static void the_example_is_no_row_where_boxes_look_like_a_list(void **state)
{
    for (int sides = 0; sides < 2; sides++) {
        struct arena arena;
        struct drawing d = drawn_form(drawn_list, 5, false);
        int line = drawn_top(0) - DRAWN_EXAMPLE;
        drawn_text(&d, d.left[1] + 20, line + 14, 200);
        drawn_cross(&d, d.left[TYPE] + 14, line + 10, 24);
        drawn_cross(&d, d.left[AMOUNT] + 14, line + 10, 24);
        drawn_text(&d, d.left[DATE] + 20, line + 14, 80);
        for (int i = 0; i < 5 && sides; i++)
            drawn_ink(&d, d.left[0], drawn_top(i) + 16, d.left[d.columns] - d.left[0], DRAWN_THICK);
        arena_init(&arena);
        struct scan_page page = drawn_measure(&d, &arena);
        assert_int_equal(page.form, SCAN_FORM_HOUSE_LIST);
        assert_int_equal(page.row_count, sides ? 0 : 1);
        if (sides)
            assert_str(
                page.reason,
                "line 1 was left out: it stands where the form has its printed example");
        arena_finish(&arena);
        mem_free(d.dots);
    }
}

/* Takes out the line below this one, between the columns. */
static void draw_together(struct drawing *d, int line)
{
    for (int i = 0; i < d->columns; i++)
        drawn_blank(
            d, d->left[i] + DRAWN_THICK, drawn_top(line + 1),
            d->left[i + 1] - d->left[i] - DRAWN_THICK, DRAWN_THICK);
}

static void a_filled_line_that_is_taller_than_a_row_is_told(void **state)
{
    struct arena arena;
    struct drawing d = drawn_form(drawn_ruled, 8, false);
    for (int line = 0; line < 3; line++) {
        drawn_name(&d, line);
        drawn_mark(&d, line, TYPE);
        drawn_mark(&d, line, AMOUNT);
        drawn_date(&d, line, DATE);
    }
    draw_together(&d, 1);
    draw_together(&d, 4); /* empty */
    arena_init(&arena);
    struct scan_page page = drawn_measure(&d, &arena);
    assert_int_equal(page.form, SCAN_FORM_HOUSE_RULED);
    assert_int_equal(page.row_count, 1);
    assert_str(page.reason, "line 2 is taller than a row, perhaps two lines in one: not read");
    scan_page_text(&page, STR("5\t\n"), &arena);
    assert_non_null(page.reason.p);
    arena_finish(&arena);
    mem_free(d.dots);
}

/* Their boxes show where one line ends and the other begins. */
static void two_lines_with_boxes_and_no_rule_between_are_two_rows(void **state)
{
    enum { BOX_TYPE = 2, BOX_DATE = 6, BOX_AMOUNT = 8 };
    struct arena arena;
    struct drawing d = drawn_form(drawn_boxes, 6, true);
    for (int line = 1; line < 4; line++) {
        drawn_name(&d, line);
        drawn_mark(&d, line, BOX_TYPE + line % 2);
        drawn_mark(&d, line, BOX_AMOUNT + line);
        drawn_date(&d, line, BOX_DATE);
    }
    draw_together(&d, 2);
    arena_init(&arena);
    struct scan_page page = drawn_measure(&d, &arena);
    assert_int_equal(page.form, SCAN_FORM_HOUSE_BOXES);
    assert_int_equal(page.row_count, 3);
    assert_null(page.reason.p);
    assert_str(page.rows[1].cell[CELL_TYPE], "P");
    assert_str(page.rows[1].cell[CELL_AMOUNT], "$50,001 - $100,000");
    assert_str(page.rows[2].cell[CELL_TYPE], "S");
    assert_str(page.rows[2].cell[CELL_AMOUNT], "$100,001 - $250,000");
    arena_finish(&arena);
    mem_free(d.dots);
}

static void a_line_with_a_name_alone_is_told(void **state)
{
    struct arena arena;
    struct drawing d = drawn_form(drawn_ruled, 5, false);
    drawn_name(&d, 0);
    drawn_mark(&d, 0, TYPE);
    drawn_mark(&d, 0, AMOUNT);
    drawn_name(&d, 2);
    arena_init(&arena);
    struct scan_page page = drawn_measure(&d, &arena);
    assert_int_equal(page.row_count, 1);
    assert_str(page.reason, "line 3 has a name, and too few marks that can be read: not read");
    arena_finish(&arena);
    mem_free(d.dots);
}

static void a_dated_line_with_many_marks_in_amounts_is_a_row_if_they_have_boxes(void **state)
{
    enum { BOX_DATE = 6, BOX_AMOUNT = 8, MARKS = 8 };
    struct arena arena;
    struct drawing d = drawn_form(drawn_boxes, 5, true);
    for (int line = 0; line < 2; line++) {
        drawn_name(&d, line);
        for (int i = 0; i < MARKS; i++)
            drawn_mark(&d, line, BOX_AMOUNT + i);
    }
    drawn_mark(&d, 0, TYPE);
    drawn_date(&d, 0, BOX_DATE);
    arena_init(&arena);
    struct scan_page page = drawn_measure(&d, &arena);
    assert_int_equal(page.form, SCAN_FORM_HOUSE_BOXES);
    assert_int_equal(page.row_count, 1); /* the other line is a bar */
    assert_str(page.rows[0].cell[CELL_TYPE], "S");
    assert_str(page.rows[0].source[CELL_AMOUNT].reason, "more than one amount is marked");
    arena_finish(&arena);
    mem_free(d.dots);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rests_of_lines_are_no_marks_of_a_ruled_form),
        cmocka_unit_test(the_title_of_a_list_is_no_row),
        cmocka_unit_test(a_second_head_of_a_list_is_no_row),
        cmocka_unit_test(the_example_is_no_row_where_boxes_look_like_a_list),
        cmocka_unit_test(the_example_is_no_row_where_the_head_is_not_found),
        cmocka_unit_test(a_filled_line_that_is_taller_than_a_row_is_told),
        cmocka_unit_test(two_lines_with_boxes_and_no_rule_between_are_two_rows),
        cmocka_unit_test(a_line_with_a_name_alone_is_told),
        cmocka_unit_test(a_dated_line_with_many_marks_in_amounts_is_a_row_if_they_have_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
