/* Lines of text are rows if their looks agree on a name, dates and an amount; nothing else is. */
#include "unit.h"

#include "base/mem.h"
#include "scan/text_rows.h"

/* The line in its looks; a missing one is like the first. */
static bool read_line(
    const char *const text[static TEXT_LOOKS], struct arena *arena, struct scan_row *ret)
{
    struct sheet_reading readings[TEXT_LOOKS];
    const struct sheet_reading *looks[TEXT_LOOKS];
    for (int i = 0; i < TEXT_LOOKS; i++) {
        readings[i] = (struct sheet_reading){.text = str_from(text[i] ? text[i] : text[0])};
        looks[i] = &readings[i];
    }
    *ret = (struct scan_row){.place = {0}};
    return text_row_read(looks, arena, ret);
}

static void assert_cell(const struct scan_row *row, enum cell cell, const char *value)
{
    assert_int_equal(row->source[cell].how, value ? CELL_FROM_TEXT : CELL_NOT_READ);
    if (value)
        assert_str(row->cell[cell], value);
    else
        assert_true(str_is_null(row->cell[cell]));
}

static void lines_with_a_name_dates_and_an_amount_are_rows(void **state)
{
    static const struct {
        const char *text[TEXT_LOOKS];
        const char *owner, *type, *date, *notified, *amount; /* NULL: not read */
    } cases[] = {
        {{"Garden Mills Com 9/26/17 $1,001-15,000"},
         NULL,
         NULL,
         "09/26/2017",
         NULL,
         "$1,001 - $15,000"},
        {{"| SP Garden Mills, Inc. P 09/11/2025 10/01/2025 = $15,001- $50,000 C }"},
         "SP",
         "P",
         "09/11/2025",
         "10/01/2025",
         "$15,001 - $50,000"},
        {{"JT Garden Mills \xE2\x80\x98S (partial) 09/11/2025 | 10/01/2025 $1,000,001 \xE2\x80\x94 "
          "$5,000,000"},
         "JT",
         "S (partial)",
         "09/11/2025",
         "10/01/2025",
         "$1,000,001 - $5,000,000"},
        /* the letter of a class is no type */
        {{"Garden Mills Class S 09/11/2025 10/01/2025 $1,001 - $15,000"},
         NULL,
         NULL,
         "09/11/2025",
         "10/01/2025",
         "$1,001 - $15,000"},
        /* the amount goes on in the next line */
        {{"SP Garden Mills S 09/11/2025 10/01/2025 $15,001 -"},
         "SP",
         "S",
         "09/11/2025",
         "10/01/2025",
         NULL},
        {{"Garden Mills 9/26/17 $1,001 - $50,000"}, NULL, NULL, "09/26/2017", NULL, NULL},
        /* one look does not see it, or sees something else */
        {{"Garden Mills 9/26/17 $1,001-15,000", "Garden Mls 9/26/17 $1,001-15,000", "Garden"},
         NULL,
         NULL,
         NULL,
         NULL,
         "$1,001 - $15,000"},
        {{"SP Oak P 9/1/25 9/9/25 $1,001 - $15,000", "SP Oak P 9/1/25 9/9/25 $1,001 - $15,000",
          "JT Oak S 9/7/25 9/9/25 $15,001 - $50,000"},
         NULL,
         NULL,
         NULL,
         "09/09/2025",
         NULL},
        {{"Oak Mills 13/26/17 $1,001-15,000"}, NULL, NULL, NULL, NULL, "$1,001 - $15,000"},
    };
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scan_row row;
        print_message("%s\n", cases[i].text[0]);
        assert_true(read_line(cases[i].text, &arena, &row));
        assert_cell(&row, CELL_OWNER, cases[i].owner);
        assert_cell(&row, CELL_TYPE, cases[i].type);
        assert_cell(&row, CELL_DATE, cases[i].date);
        assert_cell(&row, CELL_NOTIFIED, cases[i].notified);
        assert_cell(&row, CELL_AMOUNT, cases[i].amount);
        assert_cell(&row, CELL_ASSET, NULL);
        assert_true(row.source[CELL_ASSET].reason.n > 0);
    }
    arena_finish(&arena);
}

static void other_lines_are_no_rows(void **state)
{
    static const char *const lines[] = {
        "",
        "Description Date Amount of Transaction",
        "Garden Mills 9/26/17",
        "Garden Mills $1,001-15,000",
        "9/26/17 $1,001-15,000",
        "I sold shares on 9/26/17 for $1,001",
        "On 9/26/17 I bought shares of $12,345 - $20,000",
        "Garden Mills 9/26/17 9/27/17 9/28/17 $1,001-15,000",
        "Garden Mills 9/26/17 bought for $1,001-15,000",
        "Garden Mills 9/26/17 $99999999999999999999-15,000",
    };
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct scan_row row;
        print_message("%s\n", lines[i]);
        assert_false(read_line((const char *[TEXT_LOOKS]){lines[i]}, &arena, &row));
    }
    /* a row in one look only */
    static const char *const once[TEXT_LOOKS] = {
        "Garden Mills 9/26/17 $1,001-15,000", "Garden Mills", "Garden Mills 9/26/17 $1,0"};
    struct scan_row row;
    assert_false(read_line(once, &arena, &row));
    arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_with_a_name_dates_and_an_amount_are_rows),
        cmocka_unit_test(other_lines_are_no_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
