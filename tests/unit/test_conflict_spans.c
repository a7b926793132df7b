/* Files of seats over time, and their import. Members and committees are invented but for the last
 * test, which reads the real file. */
#include "store_sample.h"

#include "conflict/spans.h"
#include "shared_data.h"
#include "store/public/roster.h"
#include "store/row/change.h"

enum { TODAY = 20700 /* 2026-09-04 */ };

#define HEAD "committee,bioguide,seen_from,seen_to,title\n"
#define GOOD HEAD "HSFA,V000901,2021-02-01,2022-03-01,Chair\nHSFA07,V000901,2021-02-01,,\n"
#define NAMES "committee,name,seen_from,seen_to\nHSFA07,Orchards,2021-01-01,\n"

struct odd_lines {
    char text[2000];
    size_t count;
};

static void note_odd(void *ctx, const struct spans_odd *odd)
{
    struct odd_lines *lines = ctx;
    size_t n = strlen(lines->text);
    snprintf(
        lines->text + n, sizeof lines->text - n, "%.*s %lld %.*s: %s\n", STR_ARG(odd->file),
        (long long)odd->line, STR_ARG(odd->committee), odd->what);
    lines->count++;
}

static enum err import(
    struct store_fixture *f, const char *seats, const char *names, struct odd_lines *lines,
    struct spans_report *ret)
{
    *lines = (struct odd_lines){.count = 0};
    const struct spans_import in = {
        .seats = {STR("seats"), str_from(seats)},
        .names = {STR("names"), names ? str_from(names) : STR_NULL},
        .today = TODAY,
        .odd = note_odd,
        .ctx = lines,
    };
    return spans_import(f->db, &in, ret, &f->fail);
}

static void spans_are_stored_with_one_notice(void **state)
{
    struct store_fixture *f = *state;
    struct odd_lines lines;
    struct spans_report report;
    assert_ok(f, import(f, GOOD, NAMES, &lines, &report));
    assert_int_equal(report.seats, 2);
    assert_int_equal(report.members, 1);
    assert_int_equal(report.lists, 2);
    assert_int_equal(report.lines_left_out + lines.count, 0);
    assert_false(report.unchanged);
    assert_true(report.change_seq > 0);
    assert_ok(f, import(f, GOOD, NAMES, &lines, &report));
    assert_true(report.unchanged);
    assert_int_equal(report.change_seq, 0);
    assert_ok(f, import(f, GOOD, NULL, &lines, &report));
    assert_false(report.unchanged); /* the names have gone */
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM change WHERE noun = 'member'"), 2);
}

static void odd_lines_are_left_out_and_named(void **state)
{
    struct store_fixture *f = *state;
    struct odd_lines lines;
    struct spans_report report;
    assert_ok(
        f, import(
               f,
               GOOD "hsfa,V000901,2021-02-01,,\n"
                    "HSFA,V901,2021-02-01,,\n"
                    "HSFA,A000903,2021-02-30,,\n"
                    "HSFA,A000903,2021-02-01,2021-02-01,\n"
                    "HSFA,A000903,2027-02-01,,\n"
                    "HSFA,A000903,1620-02-01,,\n"
                    "HSFA,V000901,2022-02-01,,\n"
                    "HSFA\n"
                    "HSFA,A000903,2021-02-01,,\n",
               NULL, &lines, &report));
    assert_string_equal(
        lines.text, "seats 4 hsfa: the committee is not an id such as HSAG or HSAG15\n"
                    "seats 5 HSFA: bioguide is not a letter and six digits\n"
                    "seats 6 HSFA: a day is not of the form YYYY-MM-DD\n"
                    "seats 7 HSFA: it ends before it begins\n"
                    "seats 8 HSFA: a day is in the future\n"
                    "seats 9 HSFA: it begins before the first Congress\n"
                    "seats 11 HSFA: bioguide is not a letter and six digits\n"
                    "seats 10 HSFA: the member already has a seat there\n");
    assert_int_equal(report.lines_left_out, 8);
    assert_int_equal(report.members, 2);
}

static void file_of_another_kind_changes_nothing(void **state)
{
    static const struct {
        const char *seats, *names, *reason;
    } cases[] = {
        {"", NULL, "seats: line 1: the file is empty"},
        {"a,b\n", NULL, "seats: line 1: there is no column \"committee\""},
        {HEAD, NULL, "seats: no line of it is valid"},
        {HEAD "HSFA,V901,2021-02-01,,\n", NULL, "seats: no line of it is valid"},
        {GOOD "\"HSFA", NULL, "seats: line 4: "},
        {GOOD, GOOD, "names: line 1: there is no column \"name\""},
    };
    struct store_fixture *f = *state;
    struct odd_lines lines;
    struct spans_report report;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(import(f, cases[i].seats, cases[i].names, &lines, &report), ERR_INVALID);
        assert_true(str_starts(str_from(f->fail.text), str_from(cases[i].reason)));
    }
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM committee_span"), 0);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM change"), 0);
}

/* The public file, imported over the same seats as shipped: nothing differs. */
static void real_spans_give_the_shipped_seats(void **state)
{
    struct store_fixture *f = *state;
    struct odd_lines lines = {.count = 0};
    struct spans_report report;
    const struct spans_import in = {
        .seats =
            {STR("seats"), shared_data_read(&f->arena, "congress-legislators/history/seats.csv")},
        .today = TODAY,
        .odd = note_odd,
        .ctx = &lines,
    };
    static const char *const members[] = {"L000594", "H001036", "M000355", "M000133"};
    struct conflict_seats before[4], after;
    const struct roster *roster;
    if (str_is_null(in.seats.text))
        skip();
    for (size_t i = 0; i < 4; i++) {
        struct member found;
        store_sample_member(f, members[i], members[i]);
        assert_ok(f, roster_load(f->db, &f->arena, &roster, &f->fail));
        assert_ok(f, member_find(f->db, str_from(members[i]), &f->arena, &found, &f->fail));
        assert_ok(f, roster_seats_of(f->db, roster, found.no, &f->arena, &before[i], &f->fail));
        assert_true(before[i].count > 0);
    }
    assert_ok(f, spans_import(f->db, &in, &report, &f->fail));
    assert_int_equal(report.lines_left_out, 0);
    assert_true(report.members > 1000);
    for (size_t i = 0; i < 4; i++) {
        struct member found;
        assert_ok(f, roster_load(f->db, &f->arena, &roster, &f->fail));
        assert_ok(f, member_find(f->db, str_from(members[i]), &f->arena, &found, &f->fail));
        assert_ok(f, roster_seats_of(f->db, roster, found.no, &f->arena, &after, &f->fail));
        assert_int_equal(after.count, before[i].count);
        for (size_t k = 0; k < after.count; k++) {
            assert_true(str_eq(after.items[k].title, before[i].items[k].title));
            assert_int_equal(
                conflict_seat_from(&after, &after.items[k]),
                conflict_seat_from(&before[i], &before[i].items[k]));
            assert_int_equal(
                conflict_seat_to(&after, &after.items[k]),
                conflict_seat_to(&before[i], &before[i].items[k]));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(spans_are_stored_with_one_notice),
        store_test(odd_lines_are_left_out_and_named),
        store_test(file_of_another_kind_changes_nothing),
        store_test(real_spans_give_the_shipped_seats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
