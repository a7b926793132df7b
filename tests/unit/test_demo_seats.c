#include "unit.h"

#include "demo/fill.h"
#include "demo/maker.h"
#include "market/industry.h"

enum { AS_OF = 20717 /* 2026-09-21 */ };

static struct arena arena;
static const struct member *people;

static int setup(void **state)
{
    arena_init(&arena);
    people = demo_people(&arena, AS_OF);
    return 0;
}

static int teardown(void **state)
{
    arena_finish(&arena);
    return 0;
}

static const struct committee *committee_of(const struct demo_seats *seats, struct str id)
{
    for (size_t i = 0; i < seats->committee_count; i++)
        if (str_eq(seats->committees[i].id, id))
            return &seats->committees[i];
    fail_msg("no committee %.*s", STR_ARG(id));
    return NULL;
}

static bool sits(const struct demo_seats *seats, struct str member, struct str committee)
{
    for (size_t i = 0; i < seats->seat_count; i++)
        if (str_eq(seats->seats[i].member, member) && str_eq(seats->seats[i].committee, committee))
            return true;
    return false;
}

static void member_in_office_has_three_to_eight_seats(void **state)
{
    const struct demo_seats seats = demo_seats_make(&arena, people, DEMO_MEMBERS, AS_OF);
    size_t serving = 0;
    assert_int_equal(seats.day, AS_OF);
    for (int i = 0; i < DEMO_MEMBERS; i++) {
        size_t n = 0;
        for (size_t k = 0; k < seats.seat_count; k++)
            n += str_eq(seats.seats[k].member, people[i].id);
        bool serves = people[i].terms[0].start <= seats.day && seats.day <= people[i].terms[0].end;
        assert_true(serves ? n >= DEMO_SEATS_MIN && n <= DEMO_SEATS_MAX : n == 0);
        serving += serves;
    }
    assert_true(serving > DEMO_MEMBERS * 9 / 10);
    assert_true(serving < DEMO_MEMBERS);
}

static void seats_are_in_the_members_chamber_with_the_panels_committee(void **state)
{
    const struct demo_seats seats = demo_seats_make(&arena, people, DEMO_MEMBERS, AS_OF);
    size_t panels = 0;
    for (size_t i = 0; i < seats.seat_count; i++) {
        const struct committee_seat_new *seat = &seats.seats[i];
        const struct committee *committee = committee_of(&seats, seat->committee);
        assert_int_equal(committee->chamber, seat->chamber);
        assert_int_equal(
            seat->chamber == CHAMBER_SENATE, str_cmp(seat->member, STR("demo-0101")) < 0);
        if (str_is_null(committee->parent))
            continue;
        assert_true(sits(&seats, seat->member, committee->parent));
        assert_true(committee_of(&seats, committee->parent) < committee);
        panels++;
    }
    assert_true(panels > seats.seat_count / 4);
    for (size_t i = 0; i < seats.committee_count; i++) {
        size_t entries;
        industry_of_committee(seats.committees[i].id, &entries);
        assert_true(entries > 0);
        for (size_t k = 0; k < i; k++)
            assert_false(str_eq(seats.committees[i].id, seats.committees[k].id));
    }
}

static void committee_has_one_chair_one_ranking_member_and_distinct_ranks(void **state)
{
    const struct demo_seats seats = demo_seats_make(&arena, people, DEMO_MEMBERS, AS_OF);
    for (size_t i = 0; i < seats.committee_count; i++) {
        struct str id = seats.committees[i].id;
        int majority = 0, minority = 0, chairs = 0, ranking = 0;
        int64_t ranks[2] = {0};
        for (size_t k = 0; k < seats.seat_count; k++) {
            const struct committee_seat_new *seat = &seats.seats[k];
            if (!str_eq(seat->committee, id))
                continue;
            bool is_majority = str_eq(seat->side, STR("majority"));
            assert_true(is_majority || str_eq(seat->side, STR("minority")));
            assert_int_equal(
                seat->rank == 1, seat->role == SEAT_CHAIR || seat->role == SEAT_RANKING_MEMBER);
            majority += is_majority;
            minority += !is_majority;
            chairs += seat->role == SEAT_CHAIR && is_majority;
            ranking += seat->role == SEAT_RANKING_MEMBER && !is_majority;
            ranks[is_majority] += seat->rank;
        }
        assert_int_equal(chairs, majority > 0);
        assert_int_equal(ranking, minority > 0);
        assert_int_equal(ranks[true], majority * (majority + 1) / 2);
        assert_int_equal(ranks[false], minority * (minority + 1) / 2);
    }
}

static bool equal(const struct demo_seats *a, const struct demo_seats *b)
{
    bool same = a->seat_count == b->seat_count;
    for (size_t i = 0; same && i < a->seat_count; i++)
        same = str_eq(a->seats[i].member, b->seats[i].member) &&
               str_eq(a->seats[i].committee, b->seats[i].committee) &&
               a->seats[i].role == b->seats[i].role && a->seats[i].rank == b->seats[i].rank;
    return same;
}

static void same_day_gives_the_same_seats(void **state)
{
    const struct demo_seats one = demo_seats_make(&arena, people, DEMO_MEMBERS, AS_OF);
    const struct demo_seats same = demo_seats_make(&arena, people, DEMO_MEMBERS, AS_OF);
    const struct demo_seats other =
        demo_seats_make(&arena, demo_people(&arena, AS_OF + 1), DEMO_MEMBERS, AS_OF + 1);
    assert_true(equal(&one, &same));
    assert_false(equal(&one, &other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(member_in_office_has_three_to_eight_seats),
        cmocka_unit_test(seats_are_in_the_members_chamber_with_the_panels_committee),
        cmocka_unit_test(committee_has_one_chair_one_ranking_member_and_distinct_ranks),
        cmocka_unit_test(same_day_gives_the_same_seats),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
