/* Reads the two files of committees: titles, and the errors for invalid files. */
#include "unit.h"

#include "conflict/committees_read.h"

#define FARMS                                                                                      \
    "{\"type\":\"house\",\"name\":\"House Committee on Farms\",\"thomas_id\":\"HSFA\","            \
    "\"subcommittees\":[{\"name\":\"Orchards\",\"thomas_id\":\"07\"}]}"
#define PRINTING                                                                                   \
    "{\"type\":\"joint\",\"name\":\"Joint Committee on Printing\",\"thomas_id\":\"JSPR\"}"
#define INDEX "[" FARMS "," PRINTING "]"

#define VALE "\"bioguide\":\"V000901\",\"name\":\"Robin Vale\""
#define ADLER "\"bioguide\":\"A000903\",\"name\":\"Noa Adler\""

#define MEMBERSHIP "{\"HSFA\":[{" VALE "},{" ADLER "}]}"

static void values_are_consistent(void **state)
{
    static const struct import_file index = {STR_INIT("index"), STR_INIT(INDEX)};
    static const struct import_file membership = {
        STR_INIT("membership"),
        STR_INIT("{\"HSFA07\":[{" VALE ",\"party\":\"minority\",\"rank\":4,\"title\":\"Chair\"}],"
                 "\"JSPR\":[{" ADLER ",\"chamber\":\"senate\"},{" VALE
                 ",\"chamber\":\"house\"}]}")};
    struct fail fail = {0};
    struct arena arena;
    struct committees_read r;
    (void)state;
    arena_init(&arena);
    committees_read_init(&r, &arena);
    if (committees_read(&r, &index, &membership, &fail))
        fail_msg("%s", fail.text);
    assert_int_equal(r.committee_count, 3);
    assert_int_equal(r.subcommittee_count, 1);
    assert_str(r.committees[0].id, "HSFA");
    assert_str(r.committees[0].name, "House Committee on Farms");
    assert_int_equal(r.committees[0].chamber, CHAMBER_HOUSE);
    assert_str(r.committees[1].id, "HSFA07");
    assert_str(r.committees[1].parent, "HSFA");
    assert_int_equal(r.committees[1].chamber, CHAMBER_HOUSE);
    assert_int_equal(r.committees[2].chamber, CHAMBER_NONE);
    assert_int_equal(r.seat_count, 3);
    assert_ptr_equal(r.seats[0].committee, &r.committees[1]);
    assert_ptr_equal(r.seats[0].member, r.members);
    assert_int_equal(r.seats[0].role, SEAT_CHAIR);
    assert_str(r.seats[0].side, "minority");
    assert_int_equal(r.seats[0].rank, 4);
    assert_int_equal(r.seats[1].chamber, CHAMBER_SENATE);
    assert_true(str_is_null(r.seats[1].side));
    assert_int_equal(r.seats[1].rank, 0);
    assert_int_equal(r.seats[2].chamber, CHAMBER_HOUSE);
    assert_int_equal(r.member_count, 2);
    assert_str(r.members->name, "Robin Vale");
    assert_int_equal(r.members->seats, 2);
    assert_str(r.members->next->id, "A000903");
    committees_read_finish(&r);
    arena_finish(&arena);
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
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum seat_role role = SEAT_NONE;
        if (committees_role(str_from(cases[i].title), &role) != cases[i].known)
            fail_msg("%s: known or not", cases[i].title);
        if (role != cases[i].role)
            fail_msg("%s: role %d", cases[i].title ? cases[i].title : "none", role);
    }
}

static void damaged_file_fails_with_its_place(void **state)
{
    static const struct {
        const char *index, *membership; /* NULL: a valid one */
        const char *reason;
    } cases[] = {
        {MEMBERSHIP, INDEX,
         "index: line 1: not a list of committees: pass the list first, the membership second"},
        {"", NULL, "index: line 1: not JSON"},
        {"{}", NULL, "index: line 1: not a JSON array"},
        {"[", NULL, "index: line 1: not JSON"},
        {"[]", NULL, "index: lists 0 committees, not 1 to 5000"},
        {"[7]", NULL, "index: record 1: it is not an object"},
        {"[{\"id\":{\"bioguide\":\"V000901\"},\"terms\":[]}]", NULL,
         "index: record 1: \"thomas_id\" is missing"},
        {"[{\"thomas_id\":\"HSF\"}]", NULL, "index: record 1: \"thomas_id\" is not four"},
        {"[{\"thomas_id\":\"HSFA07\"}]", NULL, "index: record 1: \"thomas_id\" is not four"},
        {"[{\"thomas_id\":\"hsfa\"}]", NULL, "index: record 1: \"thomas_id\" is not four"},
        {"[{\"thomas_id\":\"HSFA\",\"type\":\"house\"}]", NULL,
         "index: record 1 (HSFA): \"name\" is missing"},
        {"[{\"thomas_id\":\"HSFA\",\"type\":\"house\",\"name\":\"\"}]", NULL,
         "index: record 1 (HSFA): \"name\" is not a line of 1 to 300 bytes"},
        {"[{\"thomas_id\":\"HSFA\",\"type\":\"house\",\"name\":\"A\\nB\"}]", NULL,
         "index: record 1 (HSFA): \"name\" is not a line of 1 to 300 bytes"},
        {"[{\"thomas_id\":\"HSFA\",\"name\":\"Farms\"}]", NULL,
         "index: record 1 (HSFA): \"type\" is missing"},
        {"[{\"thomas_id\":\"HSFA\",\"type\":\"duma\",\"name\":\"Farms\"}]", NULL,
         "index: record 1 (HSFA): \"type\" is not "},
        {"[" PRINTING "," FARMS "," PRINTING "]", NULL,
         "index: record 3 (JSPR): JSPR is listed twice"},
        {"[{\"thomas_id\":\"HSFA\",\"type\":\"house\",\"name\":\"F\",\"subcommittees\":{}}]", NULL,
         "index: record 1 (HSFA): \"subcommittees\" is not an array"},
        {"[{\"thomas_id\":\"HSFA\",\"type\":\"house\",\"name\":\"F\",\"subcommittees\":[1]}]", NULL,
         "index: record 1 (HSFA): a subcommittee is not an object"},
        {"[{\"thomas_id\":\"HSFA\",\"type\":\"house\",\"name\":\"F\",\"subcommittees\":"
         "[{\"thomas_id\":\"7\",\"name\":\"G\"}]}]",
         NULL, "index: record 1 (HSFA): \"thomas_id\" of a subcommittee is not two digits"},
        {"[{\"thomas_id\":\"HSFA\",\"type\":\"house\",\"name\":\"F\",\"subcommittees\":"
         "[{\"thomas_id\":\"07\",\"name\":\"G\"},{\"thomas_id\":\"07\",\"name\":\"H\"}]}]",
         NULL, "index: record 1 (HSFA): HSFA07 is listed twice"},
        {NULL, "", "membership: line 1: not JSON"},
        {NULL, "[]", "membership: line 1: not a JSON object"},
        {NULL, INDEX, "membership: line 1: not a JSON object"},
        {NULL, "{}", "membership: no committee has a seat"},
        {NULL, "{\"HSFA\":[]}", "membership: no committee has a seat"},
        {NULL, "{\"HSFA\":[],\"HSFA\":[]}", "membership: line 1: not JSON: duplicate object key"},
        {NULL, "{\"openapi\":\"3\"}", "membership: a key is not a committee id"},
        {NULL, "{\"HSZZ\":[]}", "membership: HSZZ: index does not list this committee"},
        {NULL, "{\"HSFA08\":[]}", "membership: HSFA08: index does not list this committee"},
        {NULL, "{\"HSFA\":{}}", "membership: HSFA: not an array"},
        {NULL, "{\"HSFA\":[{" VALE "},1]}", "membership: record 2 (HSFA): it is not an object"},
        {NULL, "{\"HSFA\":[{\"name\":\"Robin Vale\"}]}",
         "membership: record 1 (HSFA): \"bioguide\" is missing"},
        {NULL, "{\"HSFA\":[{\"bioguide\":\"V901\"}]}",
         "membership: record 1 (HSFA): \"bioguide\" is not a letter and six digits"},
        {NULL, "{\"HSFA\":[{" VALE ",\"party\":\"Whig\"}]}",
         "membership: record 1 (HSFA): \"party\" is neither"},
        {NULL, "{\"HSFA\":[{" VALE ",\"rank\":\"1\"}]}",
         "membership: record 1 (HSFA): \"rank\" is not a whole number"},
        {NULL, "{\"HSFA\":[{" VALE ",\"rank\":0}]}",
         "membership: record 1 (HSFA): \"rank\" is not 1 to 1000"},
        {NULL, "{\"HSFA\":[{" VALE ",\"title\":3}]}",
         "membership: record 1 (HSFA): \"title\" is not a string"},
        {NULL, "{\"HSFA\":[{" VALE ",\"title\":\"A\\u0007\"}]}",
         "membership: record 1 (HSFA): \"title\" is not a line of at most 100 bytes"},
        {NULL, "{\"HSFA\":[{" VALE ",\"chamber\":\"senate\"}]}",
         "membership: record 1 (HSFA): \"chamber\" is not the committee's"},
        {NULL, "{\"JSPR\":[{" VALE ",\"chamber\":\"duma\"}]}",
         "membership: record 1 (JSPR): \"chamber\" is neither"},
        {NULL, "{\"JSPR\":[{" VALE "}]}", "membership: record 1 (JSPR): \"chamber\" is missing"},
        {NULL, "{\"HSFA\":[{" VALE "},{" ADLER "},{" VALE "}]}",
         "membership: record 3 (HSFA): V000901 already has a seat there"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fail fail = {0};
        struct arena arena;
        struct committees_read read;
        const char *index = cases[i].index ? cases[i].index : INDEX;
        const char *membership = cases[i].membership ? cases[i].membership : MEMBERSHIP;
        const struct import_file files[] = {
            {STR("index"), str_from(index)}, {STR("membership"), str_from(membership)}};
        arena_init(&arena);
        committees_read_init(&read, &arena);
        enum err err = committees_read(&read, &files[0], &files[1], &fail);
        if (err != ERR_INVALID || !str_starts(str_from(fail.text), str_from(cases[i].reason)))
            fail_msg("case %zu: err %d: %s", i, err, fail.text);
        committees_read_finish(&read);
        arena_finish(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_consistent),
        cmocka_unit_test(every_title_has_one_role),
        cmocka_unit_test(damaged_file_fails_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
