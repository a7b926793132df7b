/* Titles of committees, and names of roles. */
#include "unit.h"

#include "core/committee.h"

#define AGRICULTURE "House Committee on Agriculture"

static void titles_name_committee_kind(void **state)
{
    static const struct {
        const char *name, *parent, *title;
    } cases[] = {
        {AGRICULTURE, NULL, AGRICULTURE},
        {"Forestry", AGRICULTURE, "Subcommittee on Forestry of the " AGRICULTURE},
        {"Subcommittee on Nutrition", AGRICULTURE, "Subcommittee on Nutrition of the " AGRICULTURE},
        {"Task Force on Novelties", AGRICULTURE, "Task Force on Novelties of the " AGRICULTURE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char space[256];
        struct buf title = buf_over(space, sizeof space);
        committee_title(
            &title, str_from(cases[i].name),
            cases[i].parent ? str_from(cases[i].parent) : STR_NULL);
        assert_str(buf_view(&title), cases[i].title);
    }
}

static void roles_have_one_name_each(void **state)
{
    for (int role = SEAT_NONE + 1; role < SEAT_ROLE_COUNT; role++)
        assert_int_equal(seat_role_from_name(seat_role_name((enum seat_role)role)), role);
    assert_int_equal(seat_role_from_name(STR("Chairman")), SEAT_NONE);
    assert_true(str_is_null(seat_role_name(SEAT_NONE)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(titles_name_committee_kind),
        cmocka_unit_test(roles_have_one_name_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
