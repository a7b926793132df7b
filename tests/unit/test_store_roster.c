/* The lists that ship, imported spans and imported lists as one. The members m1 and m2 are
 * invented; Z000001 stands for a member of the shipped lists where one is needed. */
#include "conflict_sample.h"

#include "db/db_driver.h"
#include "store/public/committee_span.h"
#include "store/public/roster.h"
#include "store/row/meta.h"

#define SCIENCE "HSSY", "House Committee on Science, Space, and Technology", NULL
#define SPACE "HSSY16", "Space", "HSSY"
#define CHAIR_OF_SPANS "C009901" /* an invented member with imported spans */

static int64_t number_of(struct store_fixture *f, const char *member)
{
    struct member found;
    assert_ok(f, member_find(f->db, str_from(member), &f->arena, &found, &f->fail));
    return found.no;
}

static struct conflict_seats seats_of(struct store_fixture *f, const char *member)
{
    const struct roster *roster;
    struct conflict_seats seats;
    assert_ok(f, roster_load(f->db, &f->arena, &roster, &f->fail));
    assert_ok(f, roster_seats_of(f->db, roster, number_of(f, member), &f->arena, &seats, &f->fail));
    return seats;
}

/* "2014-06-01 in_force: HSAG 2014-01-10..2015-01-03, " */
static void check_day(
    struct store_fixture *f, const char *member, const char *on, const char *expected)
{
    struct conflict_seats seats = seats_of(f, member);
    struct conflict_list list = conflict_list_of(&seats, CHAMBER_HOUSE, day_from(on));
    char space[2000], day[DAY_TEXT_SIZE];
    struct buf text = buf_over(space, sizeof space);
    if (list.basis != CONFLICT_NO_LIST) {
        day_print(seats.days[list.index], day);
        buf_fmt(&text, "%.*s", DAY_TEXT_SIZE, day);
        buf_fmt(&text, " %.*s: ", STR_ARG(conflict_basis_name(list.basis)));
    }
    for (size_t i = 0; i < seats.count; i++)
        if (conflict_seat_counts(&seats.items[i], &list, CHAMBER_HOUSE)) {
            char to[DAY_TEXT_SIZE] = "now-------";
            int32_t end = conflict_seat_to(&seats, &seats.items[i]);
            day_print(conflict_seat_from(&seats, &seats.items[i]), day);
            if (end != DAY_NONE)
                day_print(end, to);
            buf_fmt(
                &text, "%.*s %.*s..%.*s, ", STR_ARG(seats.items[i].id), DAY_TEXT_SIZE, day,
                DAY_TEXT_SIZE, to);
        }
    assert_str(buf_view(&text), expected);
}

static void fresh_database_has_the_lists_that_ship(void **state)
{
    struct store_fixture *f = *state;
    const struct roster *roster;
    size_t count;
    assert_ok(f, roster_load(f->db, &f->arena, &roster, &f->fail));
    assert_int_equal(roster_days(roster, &count)[0], day_from("2012-11-09"));
    assert_true(count > 150);
    store_sample_member(f, "H001036", "jeb-hensarling");
    check_day(f, "H001036", "2014-06-01", "2014-03-29 in_force: HSBA 2013-03-20..2015-01-03, ");
    /* January lists of the old Congress do not count. */
    check_day(f, "H001036", "2013-01-20", "2013-03-20 later_list: HSBA 2013-03-20..2015-01-03, ");
}

static void invented_data_knows_its_own_lists_only(void **state)
{
    struct store_fixture *f = *state;
    const struct roster *roster;
    size_t count;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, meta_data_claim(f->db, META_DATA_DEMO, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_ok(f, roster_load(f->db, &f->arena, &roster, &f->fail));
    roster_days(roster, &count);
    assert_int_equal(count, 0);
}

/* A day between two shipped lists: until the next one, the imported list counts. */
static void imported_list_counts_until_the_next_list(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "H001036", "jeb-hensarling");
    SAMPLE_VERSION(f, "2014-04-10", {"H001036", SAMPLE_AGRICULTURE, CHAMBER_HOUSE, SEAT_MEMBER});
    check_day(f, "H001036", "2014-04-09", "2014-03-29 in_force: HSBA 2013-03-20..2015-01-03, ");
    /* It has no seats on HSBA at all: left out, so they continue. */
    check_day(
        f, "H001036", "2014-04-10",
        "2014-04-10 in_force: HSBA 2013-03-20..2015-01-03, HSAG 2014-04-10..2014-09-12, ");
    check_day(f, "H001036", "2014-09-12", "2014-09-12 in_force: HSBA 2013-03-20..2015-01-03, ");
}

static void imported_list_beats_the_shipped_one_of_its_day(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "H001036", "jeb-hensarling");
    store_sample_member(f, "m2", "dana-hollis");
    SAMPLE_VERSION(
        f, "2014-03-29",
        {"m2", "HSBA", "House Committee on Financial Services", NULL, CHAMBER_HOUSE, SEAT_CHAIR});
    /* The committee is in the list, and the member is not: the newest list with the member. */
    check_day(f, "H001036", "2014-04-01", "2014-03-16 in_force: HSBA 2013-03-20..2014-03-29, ");
    check_day(f, "m2", "2014-04-01", "2014-03-29 in_force: HSBA 2014-03-29..2015-01-03, ");
}

/* 2027-01-05: the list is that of the 119th Congress but for one committee. */
static void imported_january_list_of_the_old_congress_does_not_count(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    store_sample_member(f, "m2", "dana-hollis");
    SAMPLE_VERSION(
        f, "2026-12-01", {"m1", SCIENCE, CHAMBER_HOUSE, SEAT_MEMBER},
        {"m2", SCIENCE, CHAMBER_HOUSE, SEAT_CHAIR},
        {"m1", SAMPLE_AGRICULTURE, CHAMBER_HOUSE, SEAT_MEMBER});
    SAMPLE_VERSION(
        f, "2027-01-05", {"m1", SCIENCE, CHAMBER_HOUSE, SEAT_MEMBER},
        {"m1", SAMPLE_AGRICULTURE, CHAMBER_HOUSE, SEAT_MEMBER},
        {"m2", SAMPLE_AGRICULTURE, CHAMBER_HOUSE, SEAT_MEMBER});
    SAMPLE_VERSION(f, "2027-02-01", {"m2", SCIENCE, CHAMBER_HOUSE, SEAT_MEMBER});
    check_day(f, "m1", "2027-01-04", "2027-01-05 later_list: HSAG 2027-01-05..now-------, ");
    check_day(f, "m2", "2027-01-20", "2027-01-05 in_force: HSAG 2027-01-05..now-------, ");
    check_day(
        f, "m2", "2027-02-20",
        "2027-02-01 in_force: HSAG 2027-01-05..now-------, HSSY 2027-02-01..now-------, ");
    check_day(f, "m2", "2026-12-31", "2026-12-01 in_force: HSSY 2026-12-01..2027-01-03, ");
}

/* A subcommittee whose id was given to another one is another seat. */
static void renamed_subcommittee_is_another_seat(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    SAMPLE_VERSION(
        f, "2026-06-01", {"m1", SCIENCE, CHAMBER_HOUSE, SEAT_MEMBER},
        {"m1", SPACE, CHAMBER_HOUSE, SEAT_MEMBER});
    SAMPLE_VERSION(
        f, "2026-07-01", {"m1", SCIENCE, CHAMBER_HOUSE, SEAT_CHAIR},
        {"m1", "HSSY16", "Weevils", "HSSY", CHAMBER_HOUSE, SEAT_MEMBER});
    SAMPLE_VERSION(f, "2026-08-01", {"m1", SCIENCE, CHAMBER_HOUSE, SEAT_CHAIR});
    check_day(
        f, "m1", "2026-06-02",
        "2026-06-01 in_force: HSSY 2026-06-01..now-------, HSSY16 2026-06-01..2026-07-01, ");
    /* The last list has the committee without this subcommittee. */
    check_day(
        f, "m1", "2026-07-02",
        "2026-07-01 in_force: HSSY 2026-06-01..now-------, HSSY16 2026-07-01..2026-08-01, ");
    struct conflict_seats seats = seats_of(f, "m1");
    assert_str(
        seats.items[3].title,
        "Subcommittee on Weevils of the House Committee on Science, Space, and Technology");
}

/* --- imported spans */

static void put_spans(struct store_fixture *f, const char *name, bool expect_change)
{
    static const struct seat_span spans[] = {
        {STR_INIT("HSAG"), STR_INIT(CHAIR_OF_SPANS), STR_INIT("Chairman"), 16000, 16100},
        {STR_INIT("HSSY16"), STR_INIT(CHAIR_OF_SPANS), STR_INIT(""), 16050, DAY_NONE},
        {STR_INIT("HSAG"), STR_INIT("H001036"), STR_INIT(""), 16000, DAY_NONE},
    };
    static const int32_t days[] = {16000, 16050, 16100}; /* 2013-10-22, 2013-12-11, 2014-01-30 */
    const struct committee_naming naming = {STR("HSSY16"), str_from(name), 16000};
    const struct committee_spans all = {spans, 3, &naming, 1, days, 3};
    bool changed;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, committee_span_put(f->db, &all, NULL, &changed, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_int_equal(changed, expect_change);
}

static void imported_spans_replace_the_shipped_ones_on_their_days(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "H001036", "jeb-hensarling");
    store_sample_member(f, CHAIR_OF_SPANS, "robin-vale");
    put_spans(f, "Weevils", true);
    put_spans(f, "Weevils", false);
    check_day(f, "H001036", "2013-10-21", "2013-08-19 in_force: HSBA 2013-03-20..2013-10-22, ");
    check_day(f, "H001036", "2014-01-31", "2014-01-30 in_force: HSAG 2013-10-22..2014-02-13, ");
    check_day(f, "H001036", "2014-02-13", "2014-02-13 in_force: HSBA 2014-02-13..2015-01-03, ");
    check_day(
        f, CHAIR_OF_SPANS, "2014-01-29",
        "2013-12-11 in_force: HSAG 2013-10-22..2014-01-30, HSSY16 2013-12-11..2014-02-13, ");
    struct conflict_seats seats = seats_of(f, CHAIR_OF_SPANS);
    assert_str(seats.items[1].name, "Weevils");
    assert_int_equal(seats.items[0].role, SEAT_CHAIR);
    put_spans(f, "Vineyards", true);
    assert_str(seats_of(f, CHAIR_OF_SPANS).items[1].name, "Vineyards");
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM committee_span"), 3);
    /* An imported list of one of the days beats them. */
    SAMPLE_VERSION(f, "2014-01-30", {"H001036", SCIENCE, CHAMBER_HOUSE, SEAT_MEMBER});
    check_day(
        f, "H001036", "2014-01-31",
        "2014-01-30 in_force: HSAG 2013-10-22..2014-02-13, HSSY 2014-01-30..2014-02-13, ");
}

/* --- the seats of today */

static void note_seat(void *ctx, struct str member_id, const struct seat *seat)
{
    if (str_starts(member_id, STR("m")))
        buf_fmt(ctx, "%.*s %.*s, ", STR_ARG(member_id), STR_ARG(seat->id));
}

static void count_seat(void *ctx, struct str member_id, const struct seat *seat)
{
    *(int *)ctx += 1;
}

static void current_seats_are_those_of_the_newest_list(void **state)
{
    struct store_fixture *f = *state;
    char space[500];
    struct buf text = buf_over(space, sizeof space);
    int before = 0, after = 0;
    store_sample_member(f, "m1", "robin-vale");
    store_sample_member(f, "m2", "dana-hollis");
    assert_ok(f, roster_each_current(f->db, count_seat, &before, &f->fail));
    assert_in_range(before, 3000, 5000);
    SAMPLE_VERSION(f, "2014-04-10", {"m1", SCIENCE, CHAMBER_HOUSE, SEAT_MEMBER});
    assert_ok(f, roster_each_current(f->db, note_seat, &text, &f->fail));
    assert_str(buf_view(&text), ""); /* the newest list ships with the program */
    SAMPLE_VERSION(
        f, "2026-08-01", {"m1", SCIENCE, CHAMBER_HOUSE, SEAT_MEMBER},
        {"m2", SCIENCE, CHAMBER_HOUSE, SEAT_CHAIR}, {"m2", SPACE, CHAMBER_HOUSE, SEAT_MEMBER});
    assert_ok(f, roster_each_current(f->db, note_seat, &text, &f->fail));
    assert_str(buf_view(&text), "m1 HSSY, m2 HSSY, m2 HSSY16, ");
    assert_ok(f, roster_each_current(f->db, count_seat, &after, &f->fail));
    assert_in_range(after, before - 300, before); /* all other committees were left out */
    put_spans(f, "Weevils", true);
    buf_reset(&text);
    assert_ok(f, roster_each_current(f->db, note_seat, &text, &f->fail));
    assert_str(buf_view(&text), "m1 HSSY, m2 HSSY, m2 HSSY16, ");
}

/* --- imports between two statements of a load */

/* Lets another connection import a list before one of the next statements. */
static struct meanwhile {
    struct db_driver driver;
    const struct db_driver *real;
    struct store_fixture other;
    const char *day;
    int statements; /* until the import; negative: it is done */
} meanwhile;

static enum err ready_after_import(struct db *db, struct fail *fail)
{
    if (meanwhile.statements-- == 0)
        SAMPLE_VERSION(
            &meanwhile.other, meanwhile.day, {"m2", SCIENCE, CHAMBER_HOUSE, SEAT_CHAIR},
            {"m2", SPACE, CHAMBER_HOUSE, SEAT_MEMBER});
    return meanwhile.real->ready(db, fail);
}

/* All that reads a roster, with an import of that day before statement `at`. False: it has not so
 * many statements. */
static bool read_with_import(struct store_fixture *f, const char *day, int at)
{
    const struct roster *roster;
    struct conflict_seats seats;
    int64_t member = number_of(f, "m1");
    int current = 0;
    meanwhile.day = day;
    meanwhile.statements = at;
    f->db->driver = &meanwhile.driver;
    assert_ok(f, roster_load(f->db, &f->arena, &roster, &f->fail));
    assert_ok(f, roster_seats_of(f->db, roster, member, &f->arena, &seats, &f->fail));
    assert_ok(f, roster_each_current(f->db, count_seat, &current, &f->fail));
    f->db->driver = meanwhile.real;
    assert_true(current > 0);
    for (size_t i = 0; i < seats.count; i++)
        assert_str(seats.items[i].id, "HSSY"); /* none of the other member */
    return meanwhile.statements < 0;
}

/* The two lists before each import. */
static void import_again(struct store_fixture *f)
{
    static const char *const tables[] = {"committee_seat", "committee_listed", "committee_version"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char sql[64];
        snprintf(sql, sizeof sql, "DELETE FROM %s", tables[i]);
        assert_ok(f, db_exec(f->db, sql, &f->fail));
    }
    SAMPLE_VERSION(f, "2014-04-10", {"m1", SCIENCE, CHAMBER_HOUSE, SEAT_MEMBER});
    SAMPLE_VERSION(f, "2015-01-20", {"m1", SCIENCE, CHAMBER_HOUSE, SEAT_MEMBER});
}

static void roster_can_be_imported_between_statements(void **state)
{
    /* before all lists, in a new Congress, after all lists, and in place of each */
    static const char *const days[] = {
        "2011-03-01", "2015-01-10", "2026-10-01", "2014-04-10", "2015-01-20"};
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    store_sample_member(f, "m2", "dana-hollis");
    meanwhile = (struct meanwhile){.driver = *f->db->driver, .real = f->db->driver};
    meanwhile.driver.ready = ready_after_import;
    meanwhile.other.db = store_fixture_open(f);
    for (size_t i = 0; i < sizeof days / sizeof *days; i++) {
        int at = 0;
        do
            import_again(f);
        while (read_with_import(f, days[i], at++));
        assert_true(at > 4);
    }
    db_close(meanwhile.other.db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(fresh_database_has_the_lists_that_ship),
        store_test(invented_data_knows_its_own_lists_only),
        store_test(imported_list_counts_until_the_next_list),
        store_test(imported_list_beats_the_shipped_one_of_its_day),
        store_test(imported_january_list_of_the_old_congress_does_not_count),
        store_test(renamed_subcommittee_is_another_seat),
        store_test(imported_spans_replace_the_shipped_ones_on_their_days),
        store_test(current_seats_are_those_of_the_newest_list),
        store_test(roster_can_be_imported_between_statements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
