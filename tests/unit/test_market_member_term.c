/* The ends of terms: the rule, and every day of the lists that ship with the program. */
#include "unit.h"
#include "day_from.h"

#include "market/congress.h"
#include "market/member_term.h"
#include "people/members.h"
#include "source_file.h"

static struct member_term term(
    enum chamber chamber, const char *state, int seat, const char *start, const char *end)
{
    bool senate = chamber == CHAMBER_SENATE;
    return (struct member_term){
        .chamber = chamber,
        .state = str_from(state),
        .district = senate ? MEMBER_DISTRICT_NONE : seat,
        .senate_class = senate ? seat : 0,
        .start = day_from(start),
        .end = day_from(end)};
}

static void term_ends_before_the_successor_begins(void **state)
{
    (void)state;
    struct member_term left[] = {
        term(CHAMBER_HOUSE, "OK", 1, "1987-01-06", "1989-01-03"),
        term(CHAMBER_HOUSE, "OK", 1, "1989-01-03", "1994-11-15"),
        term(CHAMBER_SENATE, "OK", 2, "1994-11-16", "2021-01-03"),
        term(CHAMBER_SENATE, "OK", 2, "2021-01-03", "2027-01-03")};
    struct member_term next[] = {term(CHAMBER_SENATE, "OK", 2, "2023-01-03", "2027-01-03")};
    struct member_term other[] = {term(CHAMBER_SENATE, "OK", 3, "2023-01-03", "2029-01-03")};
    struct member_terms members[] = {
        {STR("L"), DAY_NONE, left, 4},
        {STR("N"), DAY_NONE, next, 1},
        {STR("O"), DAY_NONE, other, 1}};
    struct member_service service[4];
    member_terms_end(members, 3);
    assert_int_equal(left[3].end, day_from("2023-01-03"));
    assert_int_equal(next[0].end, day_from("2027-01-03"));
    assert_int_equal(member_terms_service(left, 4, service), 2);
    assert_int_equal(service[0].chamber, CHAMBER_SENATE);
    assert_int_equal(service[0].from, day_from("1994-11-16"));
    assert_int_equal(service[0].until, day_from("2023-01-03"));
    assert_int_equal(service[1].chamber, CHAMBER_HOUSE);
    assert_int_equal(service[1].from, day_from("1987-01-06"));
    assert_int_equal(service[1].until, day_from("1994-11-15"));
}

static void member_whom_the_newest_list_lacks_has_left(void **state)
{
    (void)state;
    struct member_term seen[] = {term(CHAMBER_HOUSE, "GA", 13, "2025-01-03", "2027-01-03")};
    struct member_term unseen[] = {term(CHAMBER_HOUSE, "TX", 23, "2025-01-03", "2027-01-03")};
    struct member_term newer[] = {term(CHAMBER_HOUSE, "CA", 14, "2026-07-01", "2027-01-03")};
    struct member_term sits[] = {term(CHAMBER_HOUSE, "FL", 20, "2025-01-03", "2027-01-03")};
    struct member_terms members[] = {
        {STR("S"), day_from("2026-03-01"), seen, 1},
        {STR("U"), DAY_NONE, unseen, 1},
        {STR("N"), DAY_NONE, newer, 1},
        {STR("I"), day_from("2026-06-10"), sits, 1}};
    member_terms_end(members, 4);
    assert_int_equal(seen[0].end, day_from("2026-03-02"));
    assert_int_equal(unseen[0].end, day_from("2026-06-10"));
    assert_int_equal(newer[0].end, day_from("2027-01-03"));
    assert_int_equal(sits[0].end, day_from("2027-01-03"));
}

struct told {
    int count;
    struct str id, other;
    int32_t day;
};

static void tell(
    void *ctx, const struct member_term *term, struct str id, struct str other, int32_t on)
{
    struct told *told = ctx;
    (void)term;
    *told = (struct told){told->count + 1, id, other, on};
}

static void seat_with_too_many_holders_is_told(void **state)
{
    (void)state;
    struct member_term a[] = {term(CHAMBER_SENATE, "VT", 1, "2013-01-03", "2019-01-03")};
    struct member_term b[] = {term(CHAMBER_SENATE, "VT", 3, "2011-01-03", "2017-01-03")};
    struct member_term c[] = {term(CHAMBER_SENATE, "VT", 0, "2015-05-01", "2016-01-03")};
    struct member_term d[] = {term(CHAMBER_HOUSE, "VT", 0, "2013-01-03", "2015-01-03")};
    struct member_term old[] = {term(CHAMBER_HOUSE, "VT", 0, "2009-01-03", "2011-01-03")};
    struct member_term old_too[] = {term(CHAMBER_HOUSE, "VT", 0, "2009-01-03", "2011-01-03")};
    struct member_terms members[] = {
        {STR("A"), DAY_NONE, a, 1}, {STR("B"), DAY_NONE, b, 1},   {STR("C"), DAY_NONE, c, 1},
        {STR("D"), DAY_NONE, d, 1}, {STR("E"), DAY_NONE, old, 1}, {STR("F"), DAY_NONE, old_too, 1}};
    struct told told = {0};
    member_terms_end(members, 6);
    member_seats_check(members, 2, tell, &told);
    assert_int_equal(told.count, 0);
    member_seats_check(members, 6, tell, &told);
    assert_int_equal(told.count, 1);
    assert_str(told.id, "C");
    assert_int_equal(told.day, day_from("2015-05-01"));
}

/* --- the shipped lists */

struct shipped {
    struct arena arena;
    struct members_read read;
    struct member_list list;
    size_t sitting; /* of read.items, the first ones */
    int32_t listed_on;
    struct member_terms *terms;
};

static void open_shipped(struct shipped *s)
{
    static const char *const names[] = {
        "data/setup/members.json", "data/setup/former-members.json"};
    struct fail fail = {0};
    struct aliases aliases;
    struct member_list none = {0};
    struct members_merged merged;
    *s = (struct shipped){0};
    arena_init(&s->arena);
    s->read.arena = &s->arena;
    for (size_t i = 0; i < 2; i++) {
        struct import_file file = {str_from(names[i]), source_file_read(&s->arena, names[i])};
        if (members_read_json(&s->read, &file, &fail))
            fail_msg("%s", fail.text);
        s->sitting = i ? s->sitting : s->read.count;
    }
    s->listed_on = s->read.items[0].listed_on;
    aliases_read(&s->arena, &aliases);
    members_merge(&s->arena, &s->read, &none, &aliases, &merged);
    s->list = (struct member_list){merged.items, merged.count};
    s->terms = member_end_terms(&s->list, &s->arena);
}

static void close_shipped(struct shipped *s)
{
    members_read_finish(&s->read);
    arena_finish(&s->arena);
}

/* The term of a member in office on that day; NULL: not in office. */
static const struct member_term *term_on(const struct member *m, int32_t day)
{
    struct member_service service[64];
    const struct member_term *found = NULL;
    size_t count = member_terms_service(m->terms, m->term_count, service);
    if (!member_service_has(service, count, day))
        return NULL;
    for (size_t i = 0; i < m->term_count; i++)
        if (m->terms[i].start <= day)
            found = &m->terms[i];
    return found;
}

enum { STATES = 26 * 26, DISTRICTS = 100 };

static void every_day_has_at_most_one_holder_of_a_seat(void **state)
{
    (void)state;
    struct shipped s;
    static uint8_t senators[STATES], members[STATES][DISTRICTS];
    open_shipped(&s);
    for (int32_t on = day_from("2012-11-01"); on <= s.listed_on; on++) {
        int in_senate = 0, in_house = 0;
        memset(senators, 0, sizeof senators);
        memset(members, 0, sizeof members);
        for (size_t i = 0; i < s.list.count; i++) {
            const struct member_term *t = term_on(&s.list.items[i], on);
            if (!t)
                continue;
            int place = (t->state.p[0] - 'A') * 26 + t->state.p[1] - 'A';
            bool senate = t->chamber == CHAMBER_SENATE;
            uint8_t *holders = senate ? &senators[place] : &members[place][t->district];
            if (++*holders > (senate ? 2 : 1))
                fail_msg("%.*s: day %d", STR_ARG(s.list.items[i].id), on);
            *(senate ? &in_senate : &in_house) += 1;
        }
        /* For some Congresses the lists have the first or the last session as the day. */
        bool begins = congress_of(on - 3) != congress_of(on + 3);
        assert_in_range(in_senate, begins ? 85 : 95, 100);
        assert_in_range(in_house, begins ? 360 : 425, 441);
    }
    close_shipped(&s);
}

static void those_in_office_on_the_day_of_the_list_are_those_in_it(void **state)
{
    (void)state;
    struct shipped s;
    size_t in_office = 0;
    open_shipped(&s);
    for (size_t i = 0; i < s.list.count; i++) {
        const struct member *m = &s.list.items[i];
        bool listed = false;
        for (size_t k = 0; k < s.sitting && !listed; k++)
            listed = str_eq(s.read.items[k].id, m->id);
        if (listed != !!term_on(m, s.listed_on))
            fail_msg("%.*s", STR_ARG(m->id));
        in_office += listed;
    }
    assert_int_equal(in_office, s.sitting);
    close_shipped(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(term_ends_before_the_successor_begins),
        cmocka_unit_test(member_whom_the_newest_list_lacks_has_left),
        cmocka_unit_test(seat_with_too_many_holders_is_told),
        cmocka_unit_test(every_day_has_at_most_one_holder_of_a_seat),
        cmocka_unit_test(those_in_office_on_the_day_of_the_list_are_those_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
