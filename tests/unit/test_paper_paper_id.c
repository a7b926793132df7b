#include "unit.h"

#include "paper/paper_id.h"

static void house_ids_are_the_last_seven_or_eight_digits(void **state)
{
    static const struct {
        const char *name, *id;
    } cases[] = {
        {"20026537.pdf", "20026537"},
        {"8216974.pdf", "8216974"},
        {"A_10072764.pdf", "10072764"},
        {"20990001 (1).pdf", "20990001"},
        {"20990001-8216974.pdf", "8216974"},
        {"123456.pdf", NULL},
        {"123456789.pdf", NULL},
        {"report.pdf", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_str(paper_id_house(str_from(cases[i].name)), cases[i].id);
}

static void senate_ids_are_uuids_in_lower_case(void **state)
{
    static const struct {
        const char *name, *id;
    } cases[] = {
        {"5aa4f067-861b-466a-95e5-6d31e3d79ea1.html", "5aa4f067-861b-466a-95e5-6d31e3d79ea1"},
        {"ptr 5AA4F067-861B-466A-95E5-6D31E3D79EA1", "5aa4f067-861b-466a-95e5-6d31e3d79ea1"},
        {"5aa4f067-861b-466a-95e5-6d31e3d79ea", NULL},
        {"5aa4f067-861b-466a-95e5+6d31e3d79ea1", NULL},
        {"5aa4f067-861b-466a-95e5-6d31e3d79eg1", NULL},
        {"", NULL},
    };
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_str(paper_id_senate(str_from(cases[i].name), &arena), cases[i].id);
    arena_finish(&arena);
}

static void districts_are_a_state_and_a_number(void **state)
{
    struct str place;
    int district;
    assert_true(paper_id_district(STR("CA11"), &place, &district));
    assert_str(place, "CA");
    assert_int_equal(district, 11);
    assert_true(paper_id_district(STR("AK0"), &place, &district));
    assert_int_equal(district, 0);
    static const char *const bad[] = {"", "CA", "C11", "CA100", "CA-1", "CA1x", "1111"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (paper_id_district(str_from(bad[i]), &place, &district))
            fail_msg("taken: %s", bad[i]);
}

static void leading_zero_keeps_the_district(void **state)
{
    struct str place;
    int district;
    assert_true(paper_id_district(STR("OH00"), &place, &district));
    assert_int_equal(district, 0);
    assert_true(paper_id_district(STR("OH07"), &place, &district));
    assert_int_equal(district, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(house_ids_are_the_last_seven_or_eight_digits),
        cmocka_unit_test(senate_ids_are_uuids_in_lower_case),
        cmocka_unit_test(districts_are_a_state_and_a_number),
        cmocka_unit_test(leading_zero_keeps_the_district),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
