/* The second reading of a document, and its comparison with the first. */
#include "unit.h"

#include "paper/second_reading.h"

/* The table of an invented report, in the order in which the Clerk's system draws it: the second
 * row breaks over two pages, and so does its description. */
static const char report[] =
    "Name: Hon. Robin Vale\n"
    "ID Owner Asset Transaction Type Date Notification Date Amount Cap. Gains > $200?\n"
    "SP Harbor Tools, Inc. (HRBR)\n[ST]\nP 03/04/2024 03/05/2024 $1,001 - $15,000\n"
    "F S : New\nS O : Family trust\n\n"
    "2000115357 JT Abacus Corporation - Common\nS (partial) 03/06/2024 03/07/2024 $15,001 -\n\f"
    "ID Owner Asset Transaction Type Date Notification Date Amount Cap. Gains > $200?\n"
    "Stock (ABCS) [ST] $50,000\nF S : Amended\n"
    "D : A sale in three lots, of which the last was made by the broker on the next day,\n"
    "as the account shows.\n\n"
    "Vale County bonds [GS]\nP 03/08/2024 03/08/2024 Spouse/DC Over $1,000,000\nF S : New\n"
    "* For the complete list of asset type abbreviations, see the site.\n";

static const char page[] =
    "<table><tr><th>#</th><th>Transaction Date</th><th>Owner</th><th>Ticker</th>"
    "<th>Asset Name</th><th>Asset Type</th><th>Type</th><th>Amount</th><th>Comment</th></tr>"
    "<tr><td>2</td><td>03/04/2024</td><td>Self</td><td><a href=\"a>b\">HRBR</a></td>"
    "<td>Harbor Tools &amp;amp; Sons <!-- <td> --></td><td>Stock</td><td>Purchase</td>"
    "<td>$1,001 - $15,000</td><td>--</td></tr>"
    "<tr><td>1</td><td>03/05/2024</td><td>Joint</td><td>--</td><td>Vale bonds</td><td>Other</td>"
    "<td>Sale (Full)</td><td>$15,001 - $50,000</td><td>--</td></tr></table>"
    "<table><tr><td>1</td></tr></table>";

static void expect(const struct second_row *row, enum cell cell, const char *text)
{
    assert_str(row->cell[cell], text);
}

static void house_rows_are_read_across_pages(void **state)
{
    struct second_reading second;
    struct arena arena;
    arena_init(&arena);
    house_second_read(str_from(report), &arena, &second);
    assert_int_equal(second.row_count, 3);
    const struct second_row *row = second.rows;
    expect(&row[0], CELL_OWNER, "SP");
    expect(&row[0], CELL_ASSET, "Harbor Tools, Inc. (HRBR) [ST]");
    expect(&row[0], CELL_AMOUNT, "$1,001 - $15,000");
    expect(&row[0], CELL_SUBHOLDING, "Family trust");
    expect(&row[1], CELL_ID, "2000115357");
    expect(&row[1], CELL_OWNER, "JT");
    expect(&row[1], CELL_ASSET, "Abacus Corporation - Common Stock (ABCS) [ST]");
    expect(&row[1], CELL_TYPE, "S (partial)");
    expect(&row[1], CELL_NOTIFIED, "03/07/2024");
    expect(&row[1], CELL_AMOUNT, "$15,001 - $50,000");
    expect(&row[1], CELL_STATUS, "Amended");
    expect(
        &row[1], CELL_DESCRIPTION,
        "A sale in three lots, of which the last was made by the broker on the next day, as the "
        "account shows.");
    expect(&row[2], CELL_ASSET, "Vale County bonds [GS]");
    expect(&row[2], CELL_AMOUNT, "Spouse/DC Over $1,000,000");
    arena_finish(&arena);
}

/* The page ends behind "Over": boxes and a header stand before the rest of the asset and the sum.
 */
static void amount_goes_on_on_the_next_page(void **state)
{
    static const char text[] =
        "ID Owner Asset Transaction Type Date Notification Date Amount Cap. Gains > $200?\n"
        "JT Abacus Bonds\nE 01/02/2025 01/03/2025 over g\nf\ne\nd\nc\n\f"
        "ID Owner Asset Transaction Type Date Notification Date Amount Cap. Gains > $200?\n"
        "due 2030 [GS] $50,000,000\nF S : New\n\n"
        "Harbor Tools [ST]\nP 01/02/2025 01/03/2025 $1,001 - $15,000 g\nf\ne\nd\nc\nF S : New\n";
    struct second_reading second;
    struct arena arena;
    arena_init(&arena);
    house_second_read(str_from(text), &arena, &second);
    assert_int_equal(second.row_count, 2);
    expect(&second.rows[0], CELL_ASSET, "Abacus Bonds due 2030 [GS]");
    expect(&second.rows[0], CELL_AMOUNT, "Over $50,000,000");
    expect(&second.rows[1], CELL_ASSET, "Harbor Tools [ST]");
    expect(&second.rows[1], CELL_AMOUNT, "$1,001 - $15,000");
    arena_finish(&arena);
}

static void senate_rows_are_read_from_tags(void **state)
{
    struct second_reading second;
    struct arena arena;
    arena_init(&arena);
    senate_second_read(str_from(page), &arena, &second);
    assert_int_equal(second.row_count, 2);
    assert_int_equal(second.rows[0].row, 1);
    expect(&second.rows[0], CELL_ASSET, "Vale bonds");
    expect(&second.rows[1], CELL_TICKER, "HRBR");
    expect(&second.rows[1], CELL_ASSET, "Harbor Tools & Sons");
    expect(&second.rows[1], CELL_AMOUNT, "$1,001 - $15,000");
    arena_finish(&arena);
}

/* The first reading of the same report, with everything right. */
static void make_first(const struct second_reading *second, struct arena *arena, struct reading *r)
{
    *r = (struct reading){.kind = READING_HOUSE_PTR, .row_count = second->row_count};
    r->rows = ARENA_ARRAY(arena, struct reading_row, second->row_count);
    for (size_t i = 0; i < second->row_count; i++) {
        r->rows[i].row = (int)i + 1;
        for (int c = 0; c < CELL_COUNT; c++)
            r->rows[i].cell[c] = second->rows[i].cell[c];
    }
}

static void every_cell_that_differs_is_noted(void **state)
{
    static const enum cell cells[] = {CELL_ID,       CELL_OWNER,       CELL_ASSET,  CELL_TYPE,
                                      CELL_DATE,     CELL_NOTIFIED,    CELL_AMOUNT, CELL_SUBHOLDING,
                                      CELL_LOCATION, CELL_DESCRIPTION, CELL_COMMENT};
    struct arena arena;
    arena_init(&arena);
    struct second_reading second;
    house_second_read(str_from(report), &arena, &second);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        struct reading first;
        make_first(&second, &arena, &first);
        first.rows[1].cell[cells[i]] = STR("03/06/2025");
        second_reading_check(&first, &second, &arena);
        assert_int_equal(first.check_count, 1);
        assert_true(first.checks[0].passed);
        assert_null(first.rows[0].second);
        assert_non_null(first.rows[1].second);
        for (int c = 0; c < CELL_COUNT; c++)
            assert_int_equal(str_is_null(first.rows[1].second[c]), c != (int)cells[i]);
    }
    arena_finish(&arena);
}

static void white_space_does_not_differ(void **state)
{
    struct arena arena;
    arena_init(&arena);
    struct second_reading second;
    struct reading first;
    house_second_read(str_from(report), &arena, &second);
    make_first(&second, &arena, &first);
    first.rows[0].cell[CELL_ASSET] = STR("Harbor Tools,\xc2\xa0 Inc.(HRBR)[ST]");
    second_reading_check(&first, &second, &arena);
    assert_null(first.rows[0].second);
    assert_str(first.checks[0].detail, "rows: 3, cells: 42, different: 0");
    arena_finish(&arena);
}

static void cells_that_were_not_compared_are_counted(void **state)
{
    struct arena arena;
    arena_init(&arena);
    struct second_reading second;
    struct reading first;
    house_second_read(str_from(report), &arena, &second);
    make_first(&second, &arena, &first);
    first.rows[1].cell[CELL_ASSET] = STR("Another");
    second.rows[1].unread[CELL_ASSET] = second.rows[1].unread[CELL_OWNER] = true;
    second_reading_check(&first, &second, &arena);
    assert_null(first.rows[1].second);
    assert_true(first.checks[0].passed);
    assert_str(first.checks[0].detail, "rows: 3, cells: 40, different: 0, not compared: 2");
    arena_finish(&arena);
}

static void another_number_of_rows_fails_the_check(void **state)
{
    struct arena arena;
    arena_init(&arena);
    struct second_reading second;
    struct reading first;
    house_second_read(str_from(report), &arena, &second);
    make_first(&second, &arena, &first);
    first.row_count = 2;
    second_reading_check(&first, &second, &arena);
    assert_str(first.checks[0].name, "second_reading");
    assert_false(first.checks[0].passed);
    assert_str(first.checks[0].detail, "rows: 2, in the second reading: 3");
    arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(house_rows_are_read_across_pages),
        cmocka_unit_test(amount_goes_on_on_the_next_page),
        cmocka_unit_test(senate_rows_are_read_from_tags),
        cmocka_unit_test(every_cell_that_differs_is_noted),
        cmocka_unit_test(white_space_does_not_differ),
        cmocka_unit_test(cells_that_were_not_compared_are_counted),
        cmocka_unit_test(another_number_of_rows_fails_the_check),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
