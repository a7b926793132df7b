/* Titles of committees, and names of roles. */
#include "unit.h"

#include "market/committee.h"
#include "market/seats_shipped.h"

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
        {"Ad Hoc Subcommittee on Drought", AGRICULTURE,
         "Ad Hoc Subcommittee on Drought of the " AGRICULTURE},
        {"National Seed Policy Study", AGRICULTURE,
         "National Seed Policy Study of the " AGRICULTURE},
        {"Select Revenue Measures", AGRICULTURE,
         "Subcommittee on Select Revenue Measures of the " AGRICULTURE},
        {"For Indigenous Peoples", AGRICULTURE,
         "Subcommittee for Indigenous Peoples of the " AGRICULTURE},
        {"to Investigate The Drought", AGRICULTURE,
         "Subcommittee to Investigate The Drought of the " AGRICULTURE},
        {"On the Interior", AGRICULTURE, "Subcommittee on the Interior of the " AGRICULTURE},
        {"The Constitution", AGRICULTURE, "Subcommittee on the Constitution of the " AGRICULTURE},
        {"the Constitution", AGRICULTURE, "Subcommittee on the Constitution of the " AGRICULTURE},
        {"Theaters", AGRICULTURE, "Subcommittee on Theaters of the " AGRICULTURE},
        {"Forestry and Oncology", AGRICULTURE,
         "Subcommittee on Forestry and Oncology of the " AGRICULTURE},
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

/* Every subcommittee in which a member sat since 2012, by its name of that day. */
static void titles_of_shipped_subcommittees_read_well(void **state)
{
    static const char *const wrong[] = {
        "  ",
        " on For ",
        " on The ",
        "Subcommittee on Ad Hoc",
        "Subcommittee on Permanent",
        "Subcommittee on National O"};
    size_t count, panels = 0;
    const struct seat_span *spans = seats_shipped_all(&count);
    for (size_t i = 0; i < count; i++) {
        if (!committee_id_is_panel(spans[i].committee))
            continue;
        char space[512];
        struct buf title = buf_over(space, sizeof space);
        subcommittee_title(&title, seats_shipped_name(spans[i].committee, spans[i].from));
        buf_char(&title, '\0');
        assert_false(title.overflow);
        assert_true(strstr(space, "Subcommittee ") || strstr(space, "Policy Study"));
        for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
            assert_null(strstr(space, wrong[k]));
        panels++;
    }
    assert_true(panels > 0);
}

static void roles_have_one_name_each(void **state)
{
    for (int role = SEAT_NONE + 1; role < SEAT_ROLE_COUNT; role++)
        assert_int_equal(seat_role_from_name(seat_role_name((enum seat_role)role)), role);
    assert_int_equal(seat_role_from_name(STR("Chairman")), SEAT_NONE);
    assert_true(str_is_null(seat_role_name(SEAT_NONE)));
}

static void every_title_has_one_role(void **state)
{
    static const struct {
        const char *title; /* NULL: none */
        enum seat_role role;
        bool known;
    } cases[] = {
        {NULL, SEAT_MEMBER, true},
        {"Chair", SEAT_CHAIR, true},
        {"Chairman", SEAT_CHAIR, true},
        {"chairwoman", SEAT_CHAIR, true},
        {"Cochairman", SEAT_CHAIR, true},
        {"Ranking Member", SEAT_RANKING_MEMBER, true},
        {"Vice Chair", SEAT_VICE_CHAIR, true},
        {"Vice Chairman", SEAT_VICE_CHAIR, true},
        {"Vice Chairwoman", SEAT_VICE_CHAIR, true},
        {"Vice Ranking Member", SEAT_MEMBER, true},
        {"Ex Officio", SEAT_MEMBER, true},
        {"Member", SEAT_MEMBER, true},
        {"Chairman Emeritus", SEAT_MEMBER, false},
        {"Grand Chair", SEAT_MEMBER, false},
        {"Ranking", SEAT_MEMBER, false},
        {"Vice-Chair", SEAT_VICE_CHAIR, true},
        {"Co-Chairman", SEAT_CHAIR, true},
        {"Chairperson", SEAT_CHAIR, true},
        {"Vice Chairperson", SEAT_VICE_CHAIR, true},
        {"Vice--Chair", SEAT_VICE_CHAIR, true},
        {"ViceChair", SEAT_MEMBER, false},
        {"-", SEAT_MEMBER, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum seat_role role = SEAT_NONE;
        if (seat_role_from_title(str_from(cases[i].title), &role) != cases[i].known)
            fail_msg("%s: known or not", cases[i].title);
        if (role != cases[i].role)
            fail_msg("%s: role %d", cases[i].title ? cases[i].title : "none", role);
    }
}

static void id_names_chamber_and_level(void **state)
{
    static const struct {
        const char *id;
        bool valid, panel, appropriations;
        enum chamber chamber;
    } cases[] = {
        {"HSAG", true, false, false, CHAMBER_HOUSE},  {"HSAG15", true, true, false, CHAMBER_HOUSE},
        {"SSAP", true, false, true, CHAMBER_SENATE},  {"HSAP02", true, true, true, CHAMBER_HOUSE},
        {"JSEC", true, false, false, CHAMBER_NONE},   {"hsag", false, false, false, CHAMBER_NONE},
        {"HSAG1", false, true, false, CHAMBER_HOUSE}, {"", false, false, false, CHAMBER_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str id = str_from(cases[i].id);
        assert_int_equal(committee_id_valid(id), cases[i].valid);
        assert_int_equal(committee_id_is_panel(id), cases[i].panel);
        assert_int_equal(committee_id_is_appropriations(id), cases[i].appropriations);
        assert_int_equal(committee_id_chamber(id), cases[i].chamber);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(titles_name_committee_kind),
        cmocka_unit_test(titles_of_shipped_subcommittees_read_well),
        cmocka_unit_test(roles_have_one_name_each),
        cmocka_unit_test(every_title_has_one_role),
        cmocka_unit_test(id_names_chamber_and_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
