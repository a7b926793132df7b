/* Rows in the plain text of a House report. */
#include "unit.h"

#include "paper/readers.h"

struct plain {
    struct arena arena;
    struct reading reading;
};

static int setup(void **state)
{
    struct plain *p = MEM_NEW(struct plain);
    arena_init(&p->arena);
    *state = p;
    return 0;
}

static int teardown(void **state)
{
    struct plain *p = *state;
    arena_finish(&p->arena);
    mem_free(p);
    return 0;
}

static const struct reading *read_text(struct plain *p, const char *text)
{
    house_plain_read(str_from(text), &p->arena, &p->reading);
    return &p->reading;
}

static void expect(
    const struct reading *r, size_t i, int page, const char *type, const char *date,
    const char *notified, const char *amount)
{
    assert_true(i < r->row_count);
    const struct reading_row *row = &r->rows[i];
    assert_int_equal(row->row, i + 1);
    assert_int_equal(row->page, page);
    assert_str(row->cell[CELL_TYPE], type);
    assert_str(row->cell[CELL_DATE], date);
    assert_str(row->cell[CELL_NOTIFIED], notified);
    assert_str(row->cell[CELL_AMOUNT], amount);
}

static void rows_are_found_wherever_lines_break(void **state)
{
    const struct reading *r = read_text(
        *state, "SP Abacus Corporation (ABC) S (partial) 03/1/2024 03/05/2024 $1,001 - $15,000\n"
                "FILINg STaTUS: New\n\fDC Bellows p\n12/31/202301/02/2024$15,001 -\n$50,000\n"
                "Cobalt E 01/01/2020 01/02/2020 Spouse/DC\nOver $1,000,000\n"
                "Dunlin Fund S\n(partial)\n1/2/2020\n1/3/2020\n$770.32\n");
    assert_int_equal(r->kind, READING_HOUSE_PTR);
    assert_int_equal(r->row_count, 4);
    expect(r, 0, 1, "S (partial)", "03/1/2024", "03/05/2024", "$1,001");
    expect(r, 1, 2, "P", "12/31/2023", "01/02/2024", "$15,001");
    expect(r, 2, 2, "E", "01/01/2020", "01/02/2020", "$1,000,000");
    expect(r, 3, 2, "S (partial)", "1/2/2020", "1/3/2020", "$770.32");
}

static void incomplete_patterns_are_no_rows(void **state)
{
    static const char *const texts[] = {
        "P 03/01/2024 $1,001 - $15,000",    /* one date */
        "P 03/01/24 03/05/24 $1,001",       /* two digits of a year */
        "P 03/01/2024 03/05/2024 1,001",    /* no dollars */
        "P 03/01/2024 03/05/2024 $",        /* no figure */
        "GAP 03/01/2024 03/05/2024 $1,001", /* the end of another word */
        "S (whole) 03/01/2024 03/05/2024 $1,001" /* another word */,
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(read_text(*state, texts[i])->row_count, 0);
}

static void document_without_text_is_a_scan(void **state)
{
    assert_int_equal(read_text(*state, " \n\f\n")->kind, READING_HOUSE_SCAN);
    assert_int_equal(read_text(*state, "")->kind, READING_HOUSE_SCAN);
    assert_int_equal(read_text(*state, "Candidate report")->kind, READING_HOUSE_PTR);
}

#define plain_test(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        plain_test(rows_are_found_wherever_lines_break),
        plain_test(incomplete_patterns_are_no_rows),
        plain_test(document_without_text_is_a_scan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
