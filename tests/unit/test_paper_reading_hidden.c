#include "unit.h"

#include "paper/reading.h"

static struct reading_row rows[] = {
    {.row = 1, .cell[CELL_ASSET] = STR_INIT("Harbor Tools\xc2\xa0")},
    {.row = 2,
     .cell[CELL_ASSET] = STR_INIT("Harbor \xe2\x80\xae"),
     .cell[CELL_COMMENT] = STR_INIT("\xf3\xa0\x81\x81")},
    {.row = 7, .cell[CELL_DESCRIPTION] = STR_INIT("a\x1b[2J")},
};

static struct reading reading_of(size_t row_count)
{
    struct reading r = {
        .kind = READING_SENATE_PTR,
        .filer = STR("The Honorable Dana Hollis"),
        .rows = rows,
        .row_count = row_count,
    };
    reading_check_add(&r, STR("rows_total"), true, STR_NULL);
    return r;
}

static void reading_without_hidden_characters_passes(void **state)
{
    struct arena arena;
    struct reading r = reading_of(1);
    arena_init(&arena);
    reading_hidden_check(&r, STR("Hollis, Dana"), &arena);
    assert_int_equal(r.check_count, 2);
    assert_str(r.checks[1].name, "no_hidden_characters");
    assert_true(r.checks[1].passed);
    arena_finish(&arena);
}

static void detail_names_row_cell_and_character(void **state)
{
    struct arena arena;
    struct reading r = reading_of(3);
    arena_init(&arena);
    reading_hidden_check(&r, STR_NULL, &arena);
    assert_false(r.checks[1].passed);
    assert_str(
        r.checks[1].detail, "row 2 asset: U+202E (bidirectional control), row 2 comment: U+E0041 "
                            "(tag character), row 7 description: U+001B (control character)");
    r = reading_of(3);
    r.filer = STR("Dana\xc2\xad Hollis");
    r.report_date = STR("\xc2\x85");
    reading_hidden_check(&r, STR("\xe2\x80\x8bHollis, Dana"), &arena);
    assert_str(
        r.checks[1].detail,
        "filer: U+00AD (soft hyphen), report_date: U+0085 (control character), filer of the index: "
        "U+200B (zero-width character), row 2 asset: U+202E (bidirectional control) and 2 more");
    arena_finish(&arena);
}

static void scan_has_the_check_only_if_it_fails(void **state)
{
    struct arena arena;
    struct reading r = {.kind = READING_HOUSE_SCAN};
    arena_init(&arena);
    reading_hidden_check(&r, STR("Vale, Robin"), &arena);
    assert_int_equal(r.check_count, 0);
    reading_hidden_check(
        &r,
        STR("Vale, Ro\xe2\x80\x8d"
            "bin"),
        &arena);
    assert_int_equal(r.check_count, 1);
    assert_false(r.checks[0].passed);
    arena_finish(&arena);
}

static void result_of_the_reader_stays(void **state)
{
    struct arena arena;
    struct reading r = reading_of(1);
    arena_init(&arena);
    reading_check_add(&r, STR("no_hidden_characters"), false, STR("page: U+001B"));
    reading_hidden_check(&r, STR_NULL, &arena);
    assert_int_equal(r.check_count, 2);
    assert_false(r.checks[1].passed);
    arena_finish(&arena);
}

static void first_entry_of_an_index_is_named(void **state)
{
    static struct reading_entry entries[] = {
        {.last = STR_INIT("Vale"), .document_id = STR_INIT("20990001")},
        {.last = STR_INIT("Ro\xe1\x85\xa0ok"), .document_id = STR_INIT("20990002")},
    };
    struct arena arena;
    struct reading r = {.kind = READING_HOUSE_INDEX, .entries = entries, .entry_count = 1};
    arena_init(&arena);
    assert_true(str_is_null(reading_hidden_entry(&r, &arena)));
    r.entry_count = 2;
    assert_str(reading_hidden_entry(&r, &arena), "20990002 last: U+1160 (blank filler)");
    arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_without_hidden_characters_passes),
        cmocka_unit_test(detail_names_row_cell_and_character),
        cmocka_unit_test(scan_has_the_check_only_if_it_fails),
        cmocka_unit_test(result_of_the_reader_stays),
        cmocka_unit_test(first_entry_of_an_index_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
