/* Reads the two files of committees: titles, and the errors for invalid files. */
#include "unit.h"

#include "conflict/committees.h"

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

struct read_case {
    const char *index, *membership; /* NULL: a valid one */
    const char *reason;
};

/* Reads the files of a case; both need finishing. */
static enum err read_files(
    const struct read_case *c, struct committees_read *read, struct arena *arena, struct fail *fail)
{
    const struct import_file files[] = {
        {STR("index"), str_from(c->index ? c->index : INDEX)},
        {STR("membership"), str_from(c->membership ? c->membership : MEMBERSHIP)}};
    *fail = (struct fail){OK, ""};
    arena_init(arena);
    committees_read_init(read, arena);
    return committees_read(read, &files[0], &files[1], fail);
}

static void file_of_another_kind_fails_with_its_place(void **state)
{
    static const struct read_case cases[] = {
        {MEMBERSHIP, INDEX,
         "index: line 1: not a list of committees: pass the list first, the membership second"},
        {"", NULL, "index: line 1: not JSON"},
        {"{}", NULL, "index: line 1: not a JSON array"},
        {"[", NULL, "index: line 1: not JSON"},
        {"[]", NULL, "index: lists 0 committees, not 1 to 5000"},
        {NULL, "", "membership: line 1: not JSON"},
        {NULL, "[]", "membership: line 1: not a JSON object"},
        {NULL, INDEX, "membership: line 1: not a JSON object"},
        {NULL, "{}", "membership: no committee has a seat"},
        {NULL, "{\"HSFA\":[]}", "membership: no committee has a seat"},
        {NULL, "{\"HSFA\":[],\"HSFA\":[]}", "membership: line 1: not JSON: duplicate object key"},
        {NULL, "{\"HSFA\":[{\"bioguide\":\"V901\"}]}",
         "membership: no committee has a seat: membership: record 1 (HSFA): \"bioguide\" is not"},
        {"[7]", NULL, "index: no committee in it is one: index: record 1: it is not an object"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fail fail;
        struct arena arena;
        struct committees_read read;
        enum err err = read_files(&cases[i], &read, &arena, &fail);
        if (err != ERR_INVALID || !str_starts(str_from(fail.text), str_from(cases[i].reason)))
            fail_msg("case %zu: err %d: %s", i, err, fail.text);
        committees_read_finish(&read);
        arena_finish(&arena);
    }
}

/* Each in a file with nothing else wrong, or with nothing else in it: then the file fails. */
static void odd_entry_is_left_out_and_named(void **state)
{
    static const struct read_case cases[] = {
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
        {NULL, "{\"openapi\":\"3\"}", "membership: the key \"openapi\" is not a committee id"},
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
         "membership: record 1 (HSFA): \"title\" has U+0007 (control character)"},
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
        struct fail fail;
        struct arena arena;
        struct committees_read read;
        enum err err = read_files(&cases[i], &read, &arena, &fail);
        struct str what = read.odd ? read.odd->what : STR("nothing was left out");
        if (read.odd_count == 0 || !str_starts(what, str_from(cases[i].reason)))
            fail_msg("case %zu: %.*s", i, STR_ARG(what));
        if (err && str_find(str_from(fail.text), what) < 0)
            fail_msg("case %zu: err %d: %s", i, err, fail.text);
        committees_read_finish(&read);
        arena_finish(&arena);
    }
}

/* The list of a day with every kind of entry that real lists were refused for. */
static void the_rest_of_an_odd_list_is_read(void **state)
{
    static const struct read_case odd = {
        "[" FARMS "," PRINTING ",{\"type\":\"house\",\"name\":\"House Committee on Weevils\","
        "\"thomas_id\":\"HSWE\",\"subcommittees\":[{\"name\":\"Odd\",\"thomas_id\":\"1x\"},"
        "{\"name\":\"Even\",\"thomas_id\":\"02\"}]}]",
        "{\"HSFA\":[{" VALE "},{" VALE ",\"title\":\"Chair\"},{" ADLER "}],\"HSBA20\":[{" VALE
        "},{" ADLER "}],\"JSPR\":[{" VALE "},{" ADLER ",\"chamber\":\"senate\"}],"
        "\"HSWE02\":[{" VALE "}],\"HSWE1x\":[{" ADLER "}]}",
        NULL};
    static const struct {
        const char *committee; /* NULL: none */
        size_t seats;
    } left_out[] = {{"HSWE1x", 0}, {"HSFA", 1}, {"HSBA20", 2}, {"JSPR", 1}, {NULL, 1}};
    struct fail fail;
    struct arena arena;
    struct committees_read read;
    size_t i = 0;
    (void)state;
    if (read_files(&odd, &read, &arena, &fail))
        fail_msg("%s", fail.text);
    assert_int_equal(read.committee_count, 5);
    assert_int_equal(read.subcommittee_count, 2);
    assert_int_equal(read.seat_count, 4);
    assert_int_equal(read.seats[0].role, SEAT_MEMBER); /* the first of two counts */
    assert_int_equal(read.odd_count, sizeof left_out / sizeof *left_out);
    for (const struct committees_odd *o = read.odd; o; o = o->next, i++) {
        assert_true(str_eq(o->committee, str_from(left_out[i].committee)));
        assert_int_equal(o->seats, left_out[i].seats);
    }
    committees_read_finish(&read);
    arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_consistent),
        cmocka_unit_test(file_of_another_kind_fails_with_its_place),
        cmocka_unit_test(odd_entry_is_left_out_and_named),
        cmocka_unit_test(the_rest_of_an_odd_list_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
