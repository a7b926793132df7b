/* Texts of cells. The code of an owner is read in spite of a misread letter, if no other code is
 * meant. */
#include "unit.h"

#include "base/mem.h"
#include "scan/cell_text.h"

static void owners_are_read_like_their_codes(void **state)
{
    static const struct {
        const char *text;
        int sure;
        const char *owner; /* NULL: not read */
        bool unsure;
    } cases[] = {
        {"SP", 90, "SP"},       {"JT", 90, "JT"},       {"DC", 90, "DC"},
        {"pc", 50, "DC", true}, {"De", 50, "DC", true}, {"5P", 50, "SP", true},
        {"IT", 50, "JT", true}, {"sr", 90, "SP", true}, {"jt", 50, "JT"},
        {"SP", 10, NULL},       {"OO", 90, NULL},       {"DP", 90, NULL},
        {"S", 90, NULL},        {"", 90, NULL},         {"SPP", 90, NULL},
        {"II", 90, NULL},       {"58", 90, NULL},       {"JC", 90, NULL},
        {"DT", 90, NULL},       {"S\xff", 90, NULL},
    };
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct sheet_reading reading = {
            .text = str_from(cases[i].text), .least = cases[i].sure, .mean = cases[i].sure};
        struct str owner;
        struct cell_source source;
        cell_text_owner(&reading, false, &arena, &owner, &source);
        assert_int_equal(source.how, cases[i].owner ? CELL_FROM_TEXT : CELL_NOT_READ);
        assert_int_equal(cell_source_is_unsure(&source), cases[i].unsure);
        cell_text_owner(&reading, true, &arena, &owner, &source);
        assert_false(cell_source_is_unsure(&source));
        if (cases[i].owner)
            assert_str(owner, cases[i].owner);
        else
            assert_true(str_is_null(owner) && source.reason.n > 0);
    }
    arena_finish(&arena);
}

static void names_on_the_senates_form_have_a_doubt(void **state)
{
    struct arena arena;
    arena_init(&arena);
    struct scan_row row = {
        .cell[CELL_ASSET] = STR("2 | (S) Garden Mills"),
        .source[CELL_ASSET] = {.how = CELL_FROM_TEXT}};
    cell_text_senate(&arena, &row);
    assert_str(row.cell[CELL_ASSET], "Garden Mills");
    assert_str(row.cell[CELL_OWNER], "Spouse");
    assert_true(cell_source_is_unsure(&row.source[CELL_ASSET]));
    assert_false(cell_source_is_unsure(&row.source[CELL_OWNER]));
    arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(owners_are_read_like_their_codes),
        cmocka_unit_test(names_on_the_senates_form_have_a_doubt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
