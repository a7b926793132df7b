/* Tables on a terminal: aligned, wrapped, flowing and folded, and no text is lost in any. */
#include "unit.h"

#include "cmd/term/grid.h"

struct printed {
    struct grid grid;
    struct terminal terminal;
    struct buf text;
};

static void begin(struct printed *p, int columns)
{
    *p = (struct printed){.terminal = {.is_tty = true, .columns = columns}};
    grid_init(&p->grid);
    buf_init(&p->text, 1 << 20);
}

static void row(struct printed *p, const char *id, const char *name, int64_t count)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%lld", (long long)count);
    grid_cell(&p->grid, "id", str_from(id), PAINT_NONE, false);
    grid_cell(&p->grid, "tradeCount", str_from(digits), PAINT_NONE, true);
    grid_cell(&p->grid, "fullName", str_from(name), PAINT_NONE, false);
    grid_row_end(&p->grid);
}

static void assert_printed(struct printed *p, const char *expected)
{
    grid_print(&p->grid, &p->terminal, &p->text);
    assert_str(buf_view(&p->text), expected);
    buf_finish(&p->text);
    grid_finish(&p->grid);
}

static void columns_align_by_width_on_screen_and_numbers_on_the_right(void **state)
{
    struct printed p;
    begin(&p, 80);
    row(&p, "a", "Núñez", 7);
    row(&p, "株式", "Ada Example", 1200);
    row(&p, "ccc", "-", 12);
    assert_printed(
        &p, "id    trade count  full name\n"
            "a               7  Núñez\n"
            "株式         1200  Ada Example\n"
            "ccc            12  -\n");
}

static void cells_wrap_at_blanks_if_the_table_is_too_wide(void **state)
{
    struct printed p;
    begin(&p, 30);
    row(&p, "first", "one two three four", 7);
    row(&p, "second", "five", 12);
    assert_printed(
        &p, "id      trade  full name\n"
            "        count\n"
            "first       7  one two three\n"
            "               four\n"
            "second     12  five\n");
}

static void last_column_flows_over_the_edge(void **state)
{
    struct printed p;
    begin(&p, 40);
    row(&p, "a", "https://example.org/a/path/that/is/longer/than/the/line", 7);
    assert_printed(
        &p, "id  trade  full name\n"
            "    count\n"
            "a       7  https://example.org/a/path/that/is/longer/than/the/line\n");
}

static void other_cells_beside_a_long_word_wrap_at_the_edge(void **state)
{
    struct printed p;
    begin(&p, 40);
    row(&p, "a", "see https://example.org/a/path/that/is/longer/than/the/line there", 7);
    row(&p, "b", "a note that is longer than the room beside", 7);
    assert_printed(
        &p, "id  trade  full name\n"
            "    count\n"
            "a       7  see\n"
            "           https://example.org/a/path/that/is/longer/than/the/line\n"
            "           there\n"
            "b       7  a note that is longer than\n"
            "           the room beside\n");
}

static void rows_fold_if_nothing_else_fits(void **state)
{
    struct printed p;
    begin(&p, 40);
    grid_cell(&p.grid, "id", STR("acc_0123456789abcdef"), PAINT_NONE, false);
    grid_cell(&p.grid, "email", STR("somebody@example.org"), PAINT_NONE, false);
    grid_cell(&p.grid, "disabledAt", STR("-"), PAINT_NONE, false);
    grid_cell(&p.grid, "plan", STR("pack"), PAINT_NONE, false);
    grid_cell(&p.grid, "hasPassword", STR("yes"), PAINT_NONE, false);
    grid_cell(
        &p.grid, "note", STR("words of the owner that need more than one line"), PAINT_NONE, false);
    grid_row_end(&p.grid);
    assert_printed(
        &p, "acc_0123456789abcdef  somebody@example.org\n"
            "    plan pack | has password yes\n"
            "    note words of the owner that need\n"
            "         more than one line\n");
}

static void later_rows_keep_the_layout_and_print_no_second_header(void **state)
{
    struct printed p;
    begin(&p, 80);
    row(&p, "a", "Ada", 1);
    grid_print(&p.grid, &p.terminal, &p.text);
    row(&p, "a longer id", "Ben", 2);
    assert_printed(
        &p, "id  trade count  full name\n"
            "a             1  Ada\n"
            "a             2  Ben\n"
            "longer\n"
            "id\n");
}

static void other_columns_begin_another_table(void **state)
{
    struct printed p;
    begin(&p, 80);
    row(&p, "a", "Ada", 1);
    grid_cell(&p.grid, "state", STR("published"), PAINT_NONE, false);
    assert_false(grid_same_columns(&p.grid));
    grid_print(&p.grid, &p.terminal, &p.text);
    grid_restart(&p.grid);
    grid_row_end(&p.grid);
    assert_printed(
        &p, "id  trade count  full name\n"
            "a             1  Ada\n"
            "state\n"
            "published\n");
}

static void a_block_aligns_its_values(void **state)
{
    struct printed p;
    begin(&p, 30);
    row(&p, "a", "one two three four five", 7);
    row(&p, "b", "Ben", 8);
    grid_print_blocks(&p.grid, &p.terminal, &p.text);
    assert_printed(
        &p, "id           a\n"
            "trade count  7\n"
            "full name    one two three four five\n"
            "\n"
            "id           b\n"
            "trade count  8\n"
            "full name    Ben\n");
}

static void a_full_table_is_printed_before_it_ends(void **state)
{
    struct printed p;
    begin(&p, 80);
    for (int i = 0; i < GRID_ROWS_MAX; i++) {
        assert_false(grid_is_full(&p.grid));
        row(&p, "a", "Ada", i);
    }
    assert_true(grid_is_full(&p.grid));
    grid_print(&p.grid, &p.terminal, &p.text);
    assert_false(grid_is_full(&p.grid));
    buf_finish(&p.text);
    grid_finish(&p.grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_align_by_width_on_screen_and_numbers_on_the_right),
        cmocka_unit_test(cells_wrap_at_blanks_if_the_table_is_too_wide),
        cmocka_unit_test(last_column_flows_over_the_edge),
        cmocka_unit_test(other_cells_beside_a_long_word_wrap_at_the_edge),
        cmocka_unit_test(rows_fold_if_nothing_else_fits),
        cmocka_unit_test(later_rows_keep_the_layout_and_print_no_second_header),
        cmocka_unit_test(other_columns_begin_another_table),
        cmocka_unit_test(a_block_aligns_its_values),
        cmocka_unit_test(a_full_table_is_printed_before_it_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
