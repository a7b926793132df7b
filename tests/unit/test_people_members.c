#include "store_fixture.h"

#include <time.h>

#include "people/members.h"
#include "progress_seen.h"
#include "shared_data.h"
#include "store/row/change.h"
#include "store/row/meta.h"

#define HEADER                                                                                     \
    "last_name,first_name,middle_name,suffix,nickname,full_name,birthday,type,state,district,"     \
    "party,bioguide_id\n"

#define PERSON(id, first, last, born, start, end)                                                  \
    "{\"id\":{\"bioguide\":\"" id "\"},\"name\":{\"first\":\"" first "\",\"last\":\"" last         \
    "\"},\"bio\":{\"birthday\":\"" born "\"},\"terms\":[{\"type\":\"sen\",\"start\":\"" start      \
    "\",\"end\":\"" end "\",\"state\":\"OR\",\"class\":1,\"party\":\"Independent\"}]}"

static enum err import(
    struct store_fixture *f, const char *const *texts, size_t count, struct members_report *ret)
{
    static const char *const names[] = {"one", "two", "three"};
    struct import_file files[3];
    for (size_t i = 0; i < count; i++)
        files[i] = (struct import_file){str_from(names[i]), str_from(texts[i])};
    return members_import(f->db, files, count, NULL, ret, &f->fail);
}

static void import_tells_bytes_read_and_people_written(void **state)
{
    struct store_fixture *f = *state;
    struct members_report report;
    struct progress_seen seen = {.phase = 0};
    const struct progress_hook hook = progress_seen_hook(&seen);
    const struct import_file files[] = {
        {STR("one"),
         STR("[" PERSON(
             "A000001", "Ada", "Winterhall", "1970-01-01", "2015-01-03", "2027-01-03") "]")},
        {STR("two"),
         STR(HEADER "Ferncastle,Ben,Q.,,,Ben Ferncastle,1950-02-03,rep,ME,2,Whig,B000001\n")},
    };
    assert_ok(f, members_import(f->db, files, 2, &hook, &report, &f->fail));
    assert_phase_ended(&seen, IMPORT_READ, files[0].text.n + files[1].text.n);
    assert_phase_ended(&seen, IMPORT_WRITE, 2);
}

static struct str slug_of(struct store_fixture *f, const char *id)
{
    struct member member;
    assert_ok(f, member_find(f->db, str_from(id), &f->arena, &member, &f->fail));
    return member.slug;
}

static int64_t member_rows(struct store_fixture *f)
{
    int64_t count;
    assert_ok(f, member_count(f->db, &count, &f->fail));
    return count;
}

static void importing_again_changes_nothing(void **state)
{
    struct store_fixture *f = *state;
    struct members_report report;
    const char *texts[] = {
        "[" PERSON("A000001", "Ada", "Winterhall", "1970-01-01", "2015-01-03", "2027-01-03") "]",
        HEADER "Ferncastle,Ben,Q.,Jr.,Bo,Ben Q. Ferncastle Jr.,1950-02-03,rep,ME,2,Whig,B000001\n"};
    assert_ok(f, import(f, texts, 2, &report));
    assert_int_equal(report.people, 2);
    assert_int_equal(report.added, 2);
    assert_int_equal(report.change_seq, 1);
    assert_ok(f, import(f, texts, 2, &report));
    assert_int_equal(report.people, 2);
    assert_int_equal(report.added + report.changed, 0);
    assert_int_equal(report.change_seq, 0);
    assert_int_equal(member_rows(f), 2);
}

static void store_holds_the_content_of_the_files(void **state)
{
    struct store_fixture *f = *state;
    struct members_report report;
    struct member_list list;
    const char *texts[] = {HEADER "Ferncastle,Ben,Q.,Jr.,Bo,,1950-02-03,rep,ME,2,Whig,B000001\n"};
    assert_ok(f, import(f, texts, 1, &report));
    assert_ok(f, member_load(f->db, &f->arena, &list, &f->fail));
    const struct member *m = &list.items[0];
    assert_str(m->slug, "ben-ferncastle");
    assert_str(m->name, "Ben Q. Ferncastle Jr.");
    assert_int_equal(m->term_count, 1);
    assert_int_equal(m->terms[0].chamber, CHAMBER_HOUSE);
    assert_int_equal(m->terms[0].district, 2);
    assert_int_equal(m->terms[0].start, DAY_NONE);
    assert_str(m->terms[0].party, "Whig");
    assert_int_equal(m->name_count, 2);
    assert_str(m->names[1].first, "Bo");
    assert_true(str_is_null(m->names[1].last));
}

static void latest_service_gets_the_plain_slug_in_any_file_order(void **state)
{
    struct store_fixture *f = *state;
    struct members_report report;
    const char *texts[] = {
        HEADER "Winterhall,Ada,,,,,1850-02-03,sen,ME,,,A000009\n"
               "Winterhall,Ada,,,,,1950-02-03,sen,ME,,,A000008\n",
        "[" PERSON("A000007", "Ada", "Winterhall", "1970-01-01", "2015-01-03", "2027-01-03") "]"};
    assert_ok(f, import(f, texts, 2, &report));
    assert_str(slug_of(f, "A000007"), "ada-winterhall");
    assert_str(slug_of(f, "A000008"), "ada-winterhall-a000008");
    assert_str(slug_of(f, "A000009"), "ada-winterhall-a000009");
}

static void slug_never_changes(void **state)
{
    struct store_fixture *f = *state;
    struct members_report report;
    const char *old[] = {HEADER "Winterhall,Ada,,,,,1950-02-03,sen,ME,,,A000008\n"};
    const char *new[] = {
        "[" PERSON("A000008", "Adelaide", "Summerhall", "1950-02-03", "2015-01-03", "2027-01-03") "," PERSON(
            "A000007", "Ada", "Winterhall", "1970-01-01", "2015-01-03", "2029-01-03") "]"};
    struct member_list list;
    assert_ok(f, import(f, old, 1, &report));
    assert_ok(f, import(f, new, 1, &report));
    assert_int_equal(report.changed, 1);
    assert_int_equal(report.added, 1);
    assert_str(slug_of(f, "A000008"), "ada-winterhall");
    assert_str(slug_of(f, "A000007"), "ada-winterhall-a000007");
    /* The person is still found under the former name. */
    assert_ok(f, member_load(f->db, &f->arena, &list, &f->fail));
    assert_str(list.items[0].name, "Adelaide Summerhall");
    assert_str(list.items[0].names[0].last, "Winterhall");
    assert_str(list.items[0].names[1].last, "Summerhall");
}

/* A list of sitting members of that day, without the one whose number is `without`. */
static struct str sitting_list(struct arena *arena, int without)
{
    struct buf b;
    buf_init(&b, 1 << 20);
    for (int i = 0; i < 501; i++)
        if (i != without)
            buf_fmt(
                &b,
                "%s{\"id\":{\"bioguide\":\"A%06d\"},\"name\":{\"first\":\"Ada\",\"last\":\"N%d\"},"
                "\"terms\":[{\"type\":\"rep\",\"start\":\"%s\",\"end\":\"2027-01-03\",\"state\":"
                "\"OR\",\"district\":1}]}",
                b.n ? "," : "[", i, i, i ? "2025-01-03" : "2026-06-10");
    buf_char(&b, ']');
    struct str text = arena_str(arena, buf_view(&b));
    buf_finish(&b);
    return text;
}

static int32_t listed_on(struct store_fixture *f, const char *id)
{
    struct member member;
    assert_ok(f, member_find(f->db, str_from(id), &f->arena, &member, &f->fail));
    return member.listed_on;
}

static void list_of_sitting_members_says_who_left(void **state)
{
    struct store_fixture *f = *state;
    struct members_report report;
    int32_t day;
    assert_true(day_parse(STR("2026-06-10"), &day));
    const char *all[] = {
        sitting_list(&f->arena, -1).p,
        "[" PERSON("B000001", "Ben", "Ferncastle", "1950-02-03", "2025-01-03", "2031-01-03") "]"};
    const char *later[] = {sitting_list(&f->arena, 7).p};
    assert_ok(f, import(f, all, 2, &report));
    assert_int_equal(listed_on(f, "A000007"), day);
    assert_int_equal(listed_on(f, "B000001"), DAY_NONE);
    assert_ok(f, import(f, all, 2, &report));
    assert_int_equal(report.changed, 0);
    assert_ok(f, import(f, later, 1, &report));
    assert_int_equal(report.changed, 1);
    assert_int_equal(report.people, 500);
    assert_int_equal(listed_on(f, "A000006"), day);
    assert_int_equal(listed_on(f, "A000007"), day - 1);
    assert_ok(f, import(f, later, 1, &report));
    assert_int_equal(report.changed, 0);
    assert_ok(f, import(f, all, 2, &report)); /* back again */
    assert_int_equal(listed_on(f, "A000007"), day);
}

static void name_in_brackets_is_another_name(void **state)
{
    struct store_fixture *f = *state;
    struct members_report report;
    struct member_list list;
    const char *texts[] = {
        "[{\"id\":{\"bioguide\":\"V000001\"},\"name\":{\"first\":\"R.J. (Robin)\","
        "\"middle\":\"(Jules)\",\"last\":\"Vale\",\"official_full\":\"R.J. Vale\"},"
        "\"terms\":[{\"type\":\"sen\",\"start\":\"2015-01-03\",\"end\":\"2021-01-03\","
        "\"state\":\"OR\",\"party\":\"Independent\"}]}]"};
    assert_ok(f, import(f, texts, 1, &report));
    assert_ok(f, member_load(f->db, &f->arena, &list, &f->fail));
    const struct member *m = &list.items[0];
    assert_str(m->slug, "rj-robin-vale");
    assert_str(m->name, "R.J. Vale");
    assert_int_equal(m->name_count, 3);
    assert_str(m->names[0].first, "R.J. (Robin) (Jules)");
    assert_str(m->names[1].first, "R.J.");
    assert_str(m->names[2].first, "Robin Jules");
    assert_true(str_is_null(m->names[2].last));
}

static void undated_term_never_replaces_a_dated_one(void **state)
{
    struct store_fixture *f = *state;
    struct members_report report;
    struct member_list list;
    const char *dated[] = {
        "[" PERSON("A000001", "Ada", "Winterhall", "1970-01-01", "2015-01-03", "2021-01-03") "]"};
    const char *undated[] = {HEADER "Winterhall,Ada,,,,,1970-01-01,sen,OR,,Independent,A000001\n"};
    assert_ok(f, import(f, dated, 1, &report));
    assert_ok(f, import(f, undated, 1, &report));
    assert_int_equal(report.added + report.changed, 0);
    assert_ok(f, member_load(f->db, &f->arena, &list, &f->fail));
    assert_int_equal(list.items[0].term_count, 1);
    assert_true(list.items[0].terms[0].start != DAY_NONE);
}

#define CHANGER(parties)                                                                           \
    "[{\"id\":{\"bioguide\":\"C000001\"},\"name\":{\"first\":\"Cal\",\"last\":\"Marlow\"},"        \
    "\"terms\":[{\"type\":\"rep\",\"start\":\"2019-01-03\",\"end\":\"2021-01-03\",\"state\":"      \
    "\"ME\","                                                                                      \
    "\"district\":2,\"party\":\"Libertarian\",\"party_affiliations\":[" parties "]}]}]"
#define PARTY(start, party) "{\"start\":\"" start "\",\"end\":\"x\",\"party\":\"" party "\"}"

static void expect_part(
    const struct member *m, size_t i, const char *start, const char *end, const char *party)
{
    int32_t from, to;
    assert_true(day_parse(str_from(start), &from));
    assert_true(day_parse(str_from(end), &to));
    assert_int_equal(m->terms[i].start, from);
    assert_int_equal(m->terms[i].end, to);
    if (party)
        assert_str(m->terms[i].party, party);
    else
        assert_true(str_is_null(m->terms[i].party));
    assert_int_equal(m->terms[i].district, 2);
}

static void term_is_split_where_the_party_changes(void **state)
{
    struct store_fixture *f = *state;
    struct members_report report;
    struct member_list list;
    const char *changes[] = {CHANGER(PARTY("2020-05-01", "Libertarian") "," PARTY(
        "2019-01-03", "Republican") "," PARTY("2019-07-04", "Independent"))};
    assert_ok(f, import(f, changes, 1, &report));
    assert_ok(f, member_load(f->db, &f->arena, &list, &f->fail));
    assert_int_equal(list.items[0].term_count, 3);
    expect_part(&list.items[0], 0, "2019-01-03", "2019-07-03", "Republican");
    expect_part(&list.items[0], 1, "2019-07-04", "2020-04-30", "Independent");
    expect_part(&list.items[0], 2, "2020-05-01", "2021-01-03", "Libertarian");
    assert_ok(f, import(f, changes, 1, &report));
    assert_int_equal(report.changed, 0);

    /* outside of the term, and a beginning without a party */
    const char *odd[] = {CHANGER(PARTY("2021-06-01", "Green") "," PARTY("2019-02-01", "Whig"))};
    assert_ok(f, import(f, odd, 1, &report));
    assert_ok(f, member_load(f->db, &f->arena, &list, &f->fail));
    assert_int_equal(list.items[0].term_count, 2);
    expect_part(&list.items[0], 0, "2019-01-03", "2019-01-31", NULL);
    expect_part(&list.items[0], 1, "2019-02-01", "2021-01-03", "Whig");
    const char *before[] = {CHANGER(PARTY("2001-06-01", "Green") "," PARTY("2018-02-01", "Whig"))};
    assert_ok(f, import(f, before, 1, &report));
    assert_ok(f, member_load(f->db, &f->arena, &list, &f->fail));
    assert_int_equal(list.items[0].term_count, 1);
    expect_part(&list.items[0], 0, "2019-01-03", "2021-01-03", "Whig");
}

static void better_informed_file_wins_in_any_order(void **state)
{
    static const char planned[] =
        "[" PERSON("A000001", "Ada", "Winterhall", "1970-01-01", "2021-01-03", "2027-01-03") "]";
    static const char resigned[] =
        "[" PERSON("A000001", "Ada", "Winterhall", "1970-01-01", "2021-01-03", "2024-02-01") "]";
    static const char last_only[] = HEADER "Winterhall,Ada,,,,,1970-01-01,rep,TX,1,,A000001\n";
    static const char *const orders[][3] = {
        {planned, resigned, last_only},
        {last_only, planned, resigned},
        {resigned, last_only, planned},
        {last_only, resigned, planned}};
    struct store_fixture *f = *state;
    struct members_report report;
    struct member_list list;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        assert_ok(f, import(f, orders[i], 3, &report));
        assert_int_equal(report.added, i == 0);
        assert_int_equal(report.changed, 0);
        assert_ok(f, member_load(f->db, &f->arena, &list, &f->fail));
        assert_int_equal(list.items[0].term_count, 1);
        assert_int_equal(list.items[0].terms[0].chamber, CHAMBER_SENATE);
        assert_int_equal(list.items[0].terms[0].end, 19754); /* 2024-02-01 */
    }
}

static void one_damaged_file_blocks_the_import(void **state)
{
    struct store_fixture *f = *state;
    static const struct {
        const char *text;
        const char *reason;
    } cases[] = {
        {"",
         "two: line 1: neither a JSON array nor the CSV of legislators (no column \"last_name\")"},
        {"{}", "two: line 1: not a JSON array"},
        {"[1", "two: line 1: not JSON"},
        {"[{}]", "two: record 1: \"id\" is not an object"},
        {"[{\"id\":{\"bioguide\":\"A1\"}}]", "two: record 1: id.bioguide is not"},
        {"[{\"id\":{\"bioguide\":\"A000002\"},\"name\":{\"first\":\"A\",\"last\":\"B\"}}]",
         "two: record 1 (A000002): \"terms\" is missing"},
        {"[{\"id\":{\"bioguide\":\"A000002\"},\"name\":{\"first\":\"A\",\"last\":5}}]",
         "two: record 1 (A000002): \"last\" is not a string"},
        {"[" PERSON("A000002", "A", "B", "1970-02-30", "2015-01-03", "2021-01-03") "]",
         "two: record 1 (A000002): \"birthday\" is not a date"},
        {"[" PERSON("A000002", "A", "B", "1970-02-03", "2015-01-03", "2014-01-03") "]",
         "two: record 1 (A000002): a term ends before it starts"},
        {CHANGER("5"), "two: record 1 (C000001): a party affiliation is not an object"},
        {CHANGER("{\"party\":\"Whig\"}"), "two: record 1 (C000001): \"start\" is missing"},
        {CHANGER("{\"start\":\"2019-01-03\"}"), "two: record 1 (C000001): \"party\" is missing"},
        {"[" PERSON("A000002", "A", "B", "1970-02-03", "2015-01-03", "9e999") "]",
         "two: record 1 (A000002): \"end\" is not a date"},
        {"a,b\n1,2\n", "two: line 1: neither"},
        {HEADER "x,y\n", "two: line 2: the number of fields differs from the header"},
        {HEADER "Winterhall,Ada,,,,,1970-01-01,sen,OR,,,A000001\nWinterhall,\"Ada,,,,,1970",
         "two: line 3: a quoted field does not end"},
        {HEADER "Winterhall,\xff,,,,,1970-01-01,sen,OR,,,A000001\n", "two: line 2: not UTF-8 text"},
        {HEADER "Winterhall,Ada,,,,,1970-13-01,sen,OR,,,A000001\n", "two: line 2: birthday is not"},
        {HEADER "Winterhall,Ada,,,,,,gov,OR,,,A000001\n", "two: line 2: type is neither"},
        {HEADER "Winterhall,Ada,,,,,,rep,OR,99999999999999999999,,A000001\n",
         "two: line 2: district is not -1 to 99"},
        {HEADER "Winterhall,Ada,,,,,,sen,Oregon,,,A000001\n", "two: line 2: state is not"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct members_report report;
        const char *texts[] = {
            "[" PERSON(
                "A000001", "Ada", "Winterhall", "1970-01-01", "2015-01-03", "2021-01-03") "]",
            cases[i].text};
        assert_int_equal(import(f, texts, 2, &report), ERR_INVALID);
        if (!str_starts(str_from(f->fail.text), str_from(cases[i].reason)))
            fail_msg("case %zu: %s", i, f->fail.text);
        assert_int_equal(member_rows(f), 0);
    }
}

static void invented_and_real_people_never_mix(void **state)
{
    struct store_fixture *f = *state;
    struct members_report report;
    const char *texts[] = {
        "[" PERSON("A000001", "Ada", "Winterhall", "1970-01-01", "2015-01-03", "2021-01-03") "]"};
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, meta_data_claim(f->db, META_DATA_DEMO, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_int_equal(import(f, texts, 1, &report), ERR_REFUSED);
    assert_int_equal(member_rows(f), 0);
}

static int64_t milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void all_real_members_are_imported_with_a_slug_each(void **state)
{
    struct store_fixture *f = *state;
    struct members_report report;
    struct import_file files[] = {
        {STR("historical"),
         shared_data_read(&f->arena, "congress-legislators/legislators-historical.csv")},
        {STR("current"),
         shared_data_read(&f->arena, "congress-legislators/legislators-current.json")},
        {STR("former"),
         shared_data_read(
             &f->arena, "congress-legislators/history/former-members-since-2012.json")},
    };
    if (str_is_null(files[0].text) || str_is_null(files[1].text) || str_is_null(files[2].text))
        skip();
    int64_t start = milliseconds();
    assert_ok(f, members_import(f->db, files, 3, NULL, &report, &f->fail));
    int64_t first = milliseconds() - start;
    assert_int_equal(report.people, 12767);
    assert_int_equal(report.added, 12767);
    assert_int_equal(member_rows(f), 12767);
    assert_str(slug_of(f, "P000197"), "nancy-pelosi");
    assert_str(slug_of(f, "K000393"), "john-kennedy");
    assert_str(slug_of(f, "K000107"), "john-kennedy-k000107");
    assert_str(slug_of(f, "G000551"), "raul-grijalva");
    start = milliseconds();
    struct import_file reversed[] = {files[2], files[1], files[0]};
    assert_ok(f, members_import(f->db, reversed, 3, NULL, &report, &f->fail));
    print_message(
        "import %lld ms, again %lld ms\n", (long long)first, (long long)(milliseconds() - start));
    assert_int_equal(report.added + report.changed, 0);
    for (size_t i = 0; i < 3; i++) {
        assert_ok(f, members_import(f->db, &files[i], 1, NULL, &report, &f->fail));
        assert_int_equal(report.added + report.changed, 0);
    }
}

static void real_party_and_state_are_those_of_the_day(void **state)
{
    static const struct {
        const char *id;
        enum chamber chamber;
        const char *day, *party, *state;
    } cases[] = {
        {"M001183", CHAMBER_SENATE, "2016-05-10", "Democrat", "WV"}, /* Manchin */
        {"M001183", CHAMBER_SENATE, "2024-05-30", "Democrat", "WV"},
        {"M001183", CHAMBER_SENATE, "2024-05-31", "Independent", "WV"},
        {"M001183", CHAMBER_SENATE, "2025-02-01", "Independent", "WV"}, /* after leaving */
        {"V000133", CHAMBER_HOUSE, "2019-06-10", "Democrat", "NJ"},     /* Van Drew */
        {"V000133", CHAMBER_HOUSE, "2019-12-18", "Democrat", "NJ"},
        {"V000133", CHAMBER_HOUSE, "2019-12-19", "Republican", "NJ"},
        {"K000401", CHAMBER_HOUSE, "2025-11-10", "Republican", "CA"}, /* Kiley */
        {"K000401", CHAMBER_HOUSE, "2026-03-09", "Independent", "CA"},
        {"A000367", CHAMBER_HOUSE, "2019-07-03", "Republican", "MI"}, /* Amash */
        {"A000367", CHAMBER_HOUSE, "2019-07-04", "Independent", "MI"},
        {"A000367", CHAMBER_HOUSE, "2020-06-01", "Libertarian", "MI"},
        {"S001191", CHAMBER_SENATE, "2022-12-08", "Democrat", "AZ"}, /* Sinema */
        {"S001191", CHAMBER_SENATE, "2022-12-09", "Independent", "AZ"},
        {"S001191", CHAMBER_HOUSE, "2013-05-05", "Democrat", "AZ"},
        {"M001201", CHAMBER_HOUSE, "2020-12-13", "Republican", "MI"}, /* Mitchell */
        {"M001201", CHAMBER_HOUSE, "2020-12-14", "Independent", "MI"},
        {"S001177", CHAMBER_HOUSE, "2016-03-01", "Independent", "MP"}, /* Sablan, a delegate */
        {"S001177", CHAMBER_HOUSE, "2017-03-01", "Democrat", "MP"},
        {"K000383", CHAMBER_SENATE, "2020-03-01", "Independent", "ME"}, /* King, in a caucus */
        {"H000324", CHAMBER_HOUSE, "2017-03-01", "Democrat", "FL"},     /* Hastings */
    };
    struct store_fixture *f = *state;
    struct members_report report;
    struct import_file files[] = {
        {STR("former"),
         shared_data_read(
             &f->arena, "congress-legislators/history/former-members-since-2012.json")},
        {STR("current"),
         shared_data_read(&f->arena, "congress-legislators/legislators-current.json")},
    };
    if (str_is_null(files[0].text) || str_is_null(files[1].text))
        skip();
    assert_ok(f, members_import(f->db, files, 2, NULL, &report, &f->fail));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct member_term term;
        int32_t day;
        assert_true(day_parse(str_from(cases[i].day), &day));
        assert_ok(
            f,
            member_term_at(
                f->db, str_from(cases[i].id), cases[i].chamber, day, &f->arena, &term, &f->fail));
        assert_str(term.party, cases[i].party);
        assert_str(term.state, cases[i].state);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(importing_again_changes_nothing),
        store_test(import_tells_bytes_read_and_people_written),
        store_test(store_holds_the_content_of_the_files),
        store_test(latest_service_gets_the_plain_slug_in_any_file_order),
        store_test(slug_never_changes),
        store_test(list_of_sitting_members_says_who_left),
        store_test(name_in_brackets_is_another_name),
        store_test(undated_term_never_replaces_a_dated_one),
        store_test(term_is_split_where_the_party_changes),
        store_test(better_informed_file_wins_in_any_order),
        store_test(one_damaged_file_blocks_the_import),
        store_test(invented_and_real_people_never_mix),
        store_test(all_real_members_are_imported_with_a_slug_each),
        store_test(real_party_and_state_are_those_of_the_day),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
