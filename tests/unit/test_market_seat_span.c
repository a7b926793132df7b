/* Spans of seats by Congress, and the spans that ship with the program. Members here are invented
 * but for the last tests, which read the shipped lists. */
#include "unit.h"

#include "market/congress.h"
#include "market/seats_shipped.h"

enum { SPANS_MAX = 16 };

static int32_t day(const char *text)
{
    int32_t day = DAY_NONE;
    assert_true(!*text || day_parse(str_from(text), &day));
    return day;
}

struct line {
    const char *committee, *member, *from, *to, *title;
};

/* The result as text: "HSAG m1 2013-05-06..2015-01-03". */
static void check(const struct line *lines, const char *newest, const char *expected)
{
    struct seat_span spans[SPANS_MAX];
    struct arena arena;
    char space[2000];
    struct buf text = buf_over(space, sizeof space);
    size_t n = 0, count;
    arena_init(&arena);
    for (; n < SPANS_MAX && lines[n].committee; n++)
        spans[n] = (struct seat_span){
            .committee = str_from(lines[n].committee),
            .member = str_from(lines[n].member),
            .title = str_from(lines[n].title ? lines[n].title : ""),
            .from = day(lines[n].from),
            .to = day(lines[n].to),
        };
    const struct seat_span *made = seat_spans_split(spans, n, day(newest), &arena, &count);
    for (size_t i = 0; i < count; i++) {
        char from[DAY_TEXT_SIZE], to[DAY_TEXT_SIZE] = "now-------";
        day_print(made[i].from, from);
        if (made[i].to != DAY_NONE)
            day_print(made[i].to, to);
        buf_fmt(
            &text, "%.*s %.*s %.*s..%.*s\n", STR_ARG(made[i].committee), STR_ARG(made[i].member),
            DAY_TEXT_SIZE, from, DAY_TEXT_SIZE, to);
    }
    assert_str(buf_view(&text), expected);
    arena_finish(&arena);
}

static void span_ends_with_its_congress(void **state)
{
    static const struct line lines[SPANS_MAX] = {
        {"HSAG", "m1", "2012-11-09", "", NULL},
        {"HSAG", "m2", "2012-11-09", "2015-02-24", NULL},
        {"HSAG", "m3", "2013-03-19", "", NULL}, /* the list of the 113th begins */
        {"HSAG", "m4", "2015-02-24", "", NULL}, /* and that of the 114th */
    };
    check(
        lines, "2015-03-18",
        "HSAG m1 2012-11-09..2013-01-03\n"
        "HSAG m1 2013-03-19..2015-01-03\n"
        "HSAG m1 2015-02-24..now-------\n"
        "HSAG m2 2012-11-09..2013-01-03\n"
        "HSAG m2 2013-03-19..2015-01-03\n"
        "HSAG m3 2013-03-19..2015-01-03\n"
        "HSAG m3 2015-02-24..now-------\n"
        "HSAG m4 2015-02-24..now-------\n");
}

/* In January 2013 the lists only lost the members who had left. */
static void list_that_only_loses_members_is_still_the_old_one(void **state)
{
    static const struct line lines[SPANS_MAX] = {
        {"HSAG", "m1", "2012-11-09", "2013-01-24", NULL},
        {"HSAG", "m2", "2012-11-09", "2013-02-14", NULL},
        {"HSAG", "m3", "2013-02-14", "", NULL},
    };
    check(
        lines, "2014-01-14",
        "HSAG m1 2012-11-09..2013-01-03\n"
        "HSAG m2 2012-11-09..2013-01-03\n"
        "HSAG m3 2013-02-14..now-------\n");
}

static void new_title_makes_a_list_new(void **state)
{
    static const struct line lines[SPANS_MAX] = {
        {"HSAG", "m1", "2012-11-09", "2013-02-14", "Ranking Member"},
        {"HSAG", "m1", "2013-02-14", "", "Chair"},
        {"HSAG", "m2", "2012-11-09", "", NULL},
    };
    check(
        lines, "2014-01-14",
        "HSAG m1 2012-11-09..2013-01-03\n"
        "HSAG m1 2013-02-14..now-------\n"
        "HSAG m2 2012-11-09..2013-01-03\n"
        "HSAG m2 2013-02-14..now-------\n");
}

/* A House committee that the new Congress did not fill is over; a Senate committee can continue
 * unchanged, and counts from the day by which half of the others have begun. */
static void unchanged_list_counts_in_the_senate_only(void **state)
{
    static const struct line lines[SPANS_MAX] = {
        {"HSXX", "m1", "2012-11-09", "", NULL},   {"HSAG", "m2", "2013-02-14", "", NULL},
        {"SSAA", "m3", "2012-11-09", "", NULL},   {"SSBB", "m4", "2013-01-24", "", NULL},
        {"SSCC", "m4", "2013-02-14", "", NULL},   {"SSDD", "m4", "2013-03-19", "", NULL},
        {"SSAA01", "m3", "2012-11-09", "", NULL}, {"JSXX", "m3", "2012-11-09", "", NULL},
    };
    check(
        lines, "2014-01-14",
        "HSXX m1 2012-11-09..2013-01-03\n"
        "HSAG m2 2013-02-14..now-------\n"
        "JSXX m3 2012-11-09..2013-01-03\n"
        "JSXX m3 2013-02-14..now-------\n"
        "SSAA m3 2012-11-09..2013-01-03\n"
        "SSAA m3 2013-02-14..now-------\n"
        "SSAA01 m3 2012-11-09..2013-01-03\n"
        "SSBB m4 2013-01-24..now-------\n"
        "SSCC m4 2013-02-14..now-------\n"
        "SSDD m4 2013-03-19..now-------\n");
}

static void no_span_gives_none(void **state)
{
    static const struct line none[SPANS_MAX] = {{NULL}};
    check(none, "2014-01-14", "");
}

/* --- the shipped spans */

static void shipped_spans_are_consistent(void **state)
{
    size_t day_count, count;
    const int32_t *days = seats_shipped_days(&day_count);
    const struct seat_span *spans = seats_shipped_all(&count);
    assert_int_equal(days[0], day("2012-11-09"));
    assert_true(day_count > 150 && count > 20000);
    for (size_t i = 1; i < day_count; i++)
        assert_true(days[i - 1] < days[i]);
    for (size_t i = 0; i < count; i++) {
        const struct seat_span *s = &spans[i];
        enum seat_role role;
        assert_true(committee_id_valid(s->committee));
        assert_true(seat_role_from_title(s->title, &role));
        assert_true(s->to == DAY_NONE || s->from < s->to);
        assert_true(s->to == DAY_NONE || congress_of(s->from) == congress_of(s->to - 1));
        assert_false(str_is_null(seats_shipped_name(s->committee, s->from)));
        if (committee_id_is_panel(s->committee))
            assert_false(str_is_null(
                seats_shipped_name(str_slice(s->committee, 0, COMMITTEE_ID_SIZE), s->from)));
        if (i > 0)
            assert_true(
                str_cmp(s[-1].member, s->member) < 0 ||
                str_cmp(s[-1].committee, s->committee) < 0 ||
                (s[-1].to != DAY_NONE && s[-1].to <= s->from));
    }
}

static bool held(const char *member, const char *committee, const char *on)
{
    size_t count;
    const struct seat_span *spans = seats_shipped_of(str_from(member), &count);
    for (size_t i = 0; i < count; i++)
        if (str_eq(spans[i].committee, str_from(committee)) && seat_span_covers(&spans[i], day(on)))
            return true;
    return false;
}

/* Facts that anybody can look up in the Congressional Record or the press of the day. */
static void shipped_spans_have_known_seats(void **state)
{
    size_t count;
    assert_true(held("L000594", "SSAF", "2020-06-01")); /* Loeffler, first listed 2020-05-19 */
    assert_false(held("L000594", "SSAF", "2020-05-18"));
    assert_false(held("L000594", "SSAF", "2021-01-03")); /* the next Congress */
    assert_true(held("H001036", "HSBA", "2014-06-01"));  /* Hensarling chaired Financial Services */
    assert_false(held("H001036", "HSBA", "2013-01-16")); /* that list was of the 112th Congress */
    assert_true(held("M000355", "SSAF", "2024-06-01"));
    /* The subcommittees of Senate Commerce got new ids in April 2019; lists kept the old ones too.
     */
    assert_true(held("M000934", "SSCM20", "2019-04-22"));
    assert_false(held("M000934", "SSCM20", "2019-09-25"));
    assert_true(held("M000934", "SSCM29", "2019-09-25"));
    seats_shipped_of(STR("Z999999"), &count);
    assert_int_equal(count, 0);
}

static void shipped_names_are_those_of_the_day(void **state)
{
    assert_str(seats_shipped_name(STR("HSSY16"), day("2014-01-01")), "Space");
    assert_str(seats_shipped_name(STR("HSSY16"), day("2020-01-01")), "Space and Aeronautics");
    assert_str(
        seats_shipped_name(STR("HSAG"), day("1990-01-01")), "House Committee on Agriculture");
    assert_true(str_is_null(seats_shipped_name(STR("HSZZ"), day("2020-01-01"))));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(span_ends_with_its_congress),
        cmocka_unit_test(list_that_only_loses_members_is_still_the_old_one),
        cmocka_unit_test(new_title_makes_a_list_new),
        cmocka_unit_test(unchanged_list_counts_in_the_senate_only),
        cmocka_unit_test(no_span_gives_none),
        cmocka_unit_test(shipped_spans_are_consistent),
        cmocka_unit_test(shipped_spans_have_known_seats),
        cmocka_unit_test(shipped_names_are_those_of_the_day),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
