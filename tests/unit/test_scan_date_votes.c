/* Dates that looks read differently count only if other rows of the column have them. */
#include "unit.h"

#include "base/mem.h"
#include "scan/date_votes.h"
#include "scan/sheet_items.h"

enum { ROWS = 8 };

/* As many rows as `sure` have the same date for sure, and as many as `other` another one; the looks
 * of the last row are given. */
static struct scan_row last_row(
    int sure, int other_sure, const char *const looks[DATE_LOOKS], bool blurred,
    struct arena *arena)
{
    struct sheet_text texts[ROWS * DATE_LOOKS];
    struct sheet_reading readings[ROWS * DATE_LOOKS];
    struct scan_row *rows = ARENA_ARRAY(arena, struct scan_row, ROWS);
    for (int i = 0; i < ROWS * DATE_LOOKS; i++) {
        int row = i / DATE_LOOKS, look = i % DATE_LOOKS;
        const char *other = row < sure                ? "10/15/2020"
                            : row < sure + other_sure ? "10/16/2020"
                            : look                    ? "11/12/2020"
                                                      : "11/17/2020";
        texts[i] =
            (struct sheet_text){.row = row, .cell = CELL_DATE, .look = sheet_date_looks[look]};
        readings[i].text = str_from(row == ROWS - 1 ? looks[look] : other);
    }
    const struct text_sheet sheet = {.text = texts, .count = ROWS * DATE_LOOKS};
    date_votes_read(&sheet, readings, rows, ROWS, blurred, arena);
    return rows[ROWS - 1];
}

static void dates_are_read_as_looks_and_other_rows_agree(void **state)
{
    static const struct {
        int sure, other; /* rows that have the date, and 10/16/2020 */
        const char *looks[DATE_LOOKS];
        const char *date; /* NULL: not read */
    } cases[] = {
        {0, 0, {"10/15/2020", "10/15/20", "10-15-2020", "10/15/2020", "10/15/2020"}, "10/15/2020"},
        {3, 0, {"10/15/2020", "10/15/2020", "10/18/2020", "1O/15", ""}, "10/15/2020"},
        {3, 0, {"10/15/2020", "10/18/2020", "10/15/2020", "10/16/2020", "x"}, "10/15/2020"},
        {3, 2, {"10/15/2020", "10/15/2020", "10/18/2020", "", ""}, "10/15/2020"},
        {3, 3, {"10/15/2020", "10/15/2020", "10/18/2020", "", ""}, NULL},
        {2, 0, {"10/15/2020", "10/15/2020", "10/18/2020", "", ""}, NULL},
        {0, 0, {"10/15/2020", "10/15/2020", "10/15/2020", "10/15/2020", ""}, NULL},
        {0, 1, {"10/15/2020", "10/15/2020", "10/15/2020", "10/15/2020", "10/15/2020"}, NULL},
        {0,
         1,
         {"10/17/2020", "10/17/2020", "10/17/2020", "10/17/2020", "10/17/2020"},
         "10/17/2020"},
        {3, 0, {"10/15/2020", "10/18/2020", "10/18/2020", "10/15/2020", ""}, NULL},
        {3, 0, {"10/18/2020", "10/18/2020", "10/18/2020", "10/18/2020", "10/15/2020"}, NULL},
        {3, 0, {"10/15/2020", "", "", "", ""}, NULL},
        {3, 0, {"", "", "", "", ""}, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena;
        arena_init(&arena);
        struct scan_row row =
            last_row(cases[i].sure, cases[i].other, cases[i].looks, false, &arena);
        if (cases[i].date)
            assert_str(row.cell[CELL_DATE], cases[i].date);
        else {
            assert_true(str_is_null(row.cell[CELL_DATE]));
            assert_int_equal(row.source[CELL_DATE].how, CELL_NOT_READ);
            assert_true(row.source[CELL_DATE].reason.n > 0);
        }
        assert_true(str_is_null(row.source[CELL_NOTIFIED].reason)); /* not on the sheet */
        arena_finish(&arena);
    }
}

/* In small letters that were blurred, an 8 may be read for a 9 in all looks. */
static void on_a_blurred_page_a_date_needs_another_row(void **state)
{
    static const char *const alike[DATE_LOOKS] = {
        "10/15/2020", "10/15/2020", "10/15/2020", "10/15/2020", "10/15/2020"};
    struct arena arena;
    arena_init(&arena);
    struct scan_row alone = last_row(0, 0, alike, true, &arena);
    assert_true(str_is_null(alone.cell[CELL_DATE]));
    assert_int_equal(alone.source[CELL_DATE].how, CELL_NOT_READ);
    assert_str(alone.source[CELL_DATE].reason, "\"10/15/2020\" is not clear");
    assert_str(last_row(1, 0, alike, true, &arena).cell[CELL_DATE], "10/15/2020");
    arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dates_are_read_as_looks_and_other_rows_agree),
        cmocka_unit_test(on_a_blurred_page_a_date_needs_another_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
