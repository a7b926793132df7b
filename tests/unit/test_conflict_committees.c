/* The import of committees: its effect on the store, and its remarks. */
#include "store_sample.h"

#include "conflict/committees.h"
#include "people/members.h"
#include "shared_data.h"
#include "store/public/committee.h"
#include "store/public/publication.h"
#include "store/public/roster.h"
#include "store/row/change.h"
#include "store/row/meta.h"

#define FARMS                                                                                      \
    "{\"type\":\"house\",\"name\":\"House Committee on Farms\",\"thomas_id\":\"HSFA\","            \
    "\"subcommittees\":[{\"name\":\"Orchards\",\"thomas_id\":\"07\"}]}"
#define PRINTING                                                                                   \
    "{\"type\":\"joint\",\"name\":\"Joint Committee on Printing\",\"thomas_id\":\"JSPR\"}"
#define INDEX "[" FARMS "," PRINTING "]"

#define VALE "\"bioguide\":\"V000901\",\"name\":\"Robin Vale\""
#define HOLLIS "\"bioguide\":\"H000902\",\"name\":\"Dana Hollis\""
#define ADLER "\"bioguide\":\"A000903\",\"name\":\"Noa Adler\""

#define MEMBERSHIP                                                                                 \
    "{\"HSFA\":[{" VALE ",\"party\":\"majority\",\"rank\":1,\"title\":\"Chairman\"},"              \
    "{" ADLER ",\"party\":\"minority\",\"rank\":1,\"title\":\"Ranking Member\"}],"                 \
    "\"HSFA07\":[{" VALE ",\"party\":\"majority\",\"rank\":2,\"title\":\"Ex Officio\"}],"          \
    "\"JSPR\":[{" HOLLIS ",\"party\":\"majority\",\"rank\":1,\"chamber\":\"senate\"},"             \
    "{" VALE                                                                                       \
    ",\"party\":\"majority\",\"rank\":1,\"chamber\":\"house\",\"title\":\"Vice Chair\"}]}"

struct remarks {
    char text[1000];
    size_t count;
};

static void note_remark(void *ctx, const struct committees_remark *remark)
{
    struct remarks *remarks = ctx;
    size_t n = strlen(remarks->text);
    snprintf(
        remarks->text + n, sizeof remarks->text - n, "%.*s %.*s (%.*s) %zu: %.*s\n",
        STR_ARG(remark->committee), STR_ARG(remark->member), STR_ARG(remark->name), remark->seats,
        STR_ARG(remark->what));
    remarks->count++;
}

static enum err import(
    struct store_fixture *f, int32_t as_of, const char *index, const char *membership,
    struct remarks *remarks, struct committees_report *ret)
{
    const struct committees_import in = {
        .index = {STR("index"), str_from(index)},
        .membership = {STR("membership"), str_from(membership)},
        .as_of = as_of,
        .now_ms = 1000,
    };
    *remarks = (struct remarks){0};
    return committees_import(f->db, &in, note_remark, remarks, ret, &f->fail);
}

/* The same; must succeed. */
static struct committees_report imported(
    struct store_fixture *f, int32_t as_of, const char *index, const char *membership)
{
    struct remarks remarks;
    struct committees_report report;
    assert_ok(f, import(f, as_of, index, membership, &remarks, &report));
    assert_int_equal(
        remarks.count, report.members_unknown + report.entries_left_out + report.titles_unknown);
    return report;
}

static void make_members(struct store_fixture *f)
{
    store_sample_member(f, "V000901", "robin-vale");
    store_sample_member(f, "H000902", "dana-hollis");
    store_sample_member(f, "A000903", "noa-adler");
}

/* After all lists that ship with the program. */
enum { DAY = 20700, DAY_BEFORE = 20650 };

/* One line for each current seat of the invented members. */
static void note_seat(void *ctx, struct str member_id, const struct seat *seat)
{
    if (!str_starts(str_slice(member_id, 1, member_id.n), STR("00090")))
        return;
    buf_fmt(
        ctx, "%.*s %.*s %.*s %.*s\n", STR_ARG(member_id), STR_ARG(seat->id),
        STR_ARG(chamber_name(seat->chamber)), STR_ARG(seat_role_name(seat->role)));
}

static struct str today(struct store_fixture *f)
{
    struct buf text;
    buf_init(&text, 10000);
    assert_ok(f, roster_each_current(f->db, note_seat, &text, &f->fail));
    struct str kept = arena_str(&f->arena, buf_view(&text));
    buf_finish(&text);
    return kept;
}

static int64_t versions(struct store_fixture *f)
{
    return store_fixture_number(f, "SELECT count(*) FROM committee_version");
}

static int64_t last_change(struct store_fixture *f)
{
    int64_t seq = -1;
    assert_ok(f, change_last(f->db, &seq, &f->fail));
    return seq;
}

static void every_seat_is_imported_with_role_and_chamber(void **state)
{
    struct store_fixture *f = *state;
    make_members(f);
    struct committees_report report = imported(f, DAY, INDEX, MEMBERSHIP);
    assert_int_equal(report.committees, 2);
    assert_int_equal(report.subcommittees, 1);
    assert_int_equal(report.seats, 5);
    assert_int_equal(report.members, 3);
    assert_int_equal(report.seats_left_out + report.members_unknown + report.titles_unknown, 0);
    assert_false(report.unchanged);
    assert_int_equal(report.change_seq, last_change(f));
    assert_str(
        today(f), "A000903 HSFA house ranking_member\n"
                  "H000902 JSPR senate member\n"
                  "V000901 HSFA house chair\n"
                  "V000901 HSFA07 house member\n"
                  "V000901 JSPR house vice_chair\n");
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM committee_seat WHERE side = 'minority' AND rank = 1"),
        1);
}

static void import_adds_one_notice(void **state)
{
    struct store_fixture *f = *state;
    make_members(f);
    int64_t before = last_change(f);
    imported(f, DAY, INDEX, MEMBERSHIP);
    assert_int_equal(last_change(f), before + 1);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM change WHERE noun = 'member'"), 1);
}

static void same_files_again_change_nothing(void **state)
{
    struct store_fixture *f = *state;
    make_members(f);
    imported(f, DAY, INDEX, MEMBERSHIP);
    int64_t before = last_change(f);
    struct committees_report report = imported(f, DAY, INDEX, MEMBERSHIP);
    assert_true(report.unchanged);
    assert_int_equal(report.seats, 5);
    assert_int_equal(report.change_seq, 0);
    assert_int_equal(last_change(f), before);
    assert_int_equal(versions(f), 1);
}

static void other_files_for_the_same_day_replace_the_version(void **state)
{
    struct store_fixture *f = *state;
    make_members(f);
    imported(f, DAY, INDEX, MEMBERSHIP);
    struct committees_report report =
        imported(f, DAY, INDEX, "{\"HSFA\":[{" ADLER ",\"title\":\"Chair\"}]}");
    assert_false(report.unchanged);
    assert_int_equal(report.seats, 1);
    assert_str(today(f), "A000903 HSFA house chair\n");
    assert_int_equal(versions(f), 1);
    /* The list of committees is part of the content. */
    assert_false(
        imported(f, DAY, "[" FARMS "]", "{\"HSFA\":[{" ADLER ",\"title\":\"Chair\"}]}").unchanged);
}

static void older_day_may_be_imported_later(void **state)
{
    struct store_fixture *f = *state;
    make_members(f);
    imported(f, DAY, INDEX, MEMBERSHIP);
    struct committees_report report = imported(f, DAY_BEFORE, INDEX, "{\"HSFA\":[{" HOLLIS "}]}");
    assert_false(report.unchanged);
    assert_true(report.change_seq > 0);
    assert_int_equal(versions(f), 2);
    assert_true(str_starts(today(f), STR("A000903 HSFA house ranking_member\n")));
}

static void unknown_member_is_left_out_and_named(void **state)
{
    struct store_fixture *f = *state;
    struct remarks remarks;
    struct committees_report report;
    store_sample_member(f, "A000903", "noa-adler");
    store_sample_member(f, "H000902", "dana-hollis");
    assert_ok(f, import(f, DAY, INDEX, MEMBERSHIP, &remarks, &report));
    assert_int_equal(report.seats, 2);
    assert_int_equal(report.members, 2);
    assert_int_equal(report.seats_left_out, 3);
    assert_int_equal(report.members_unknown, 1);
    assert_string_equal(
        remarks.text, " V000901 (Robin Vale) 3: left out: not among the imported members\n");
    assert_str(today(f), "A000903 HSFA house ranking_member\nH000902 JSPR senate member\n");
}

static void member_imported_later_gets_the_missing_seats(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "A000903", "noa-adler");
    store_sample_member(f, "H000902", "dana-hollis");
    imported(f, DAY, INDEX, MEMBERSHIP);
    assert_true(imported(f, DAY, INDEX, MEMBERSHIP).unchanged);
    store_sample_member(f, "V000901", "robin-vale");
    struct committees_report report = imported(f, DAY, INDEX, MEMBERSHIP);
    assert_false(report.unchanged);
    assert_int_equal(report.seats, 5);
    assert_int_equal(versions(f), 1);
}

static void import_without_members_is_refused_with_the_command(void **state)
{
    struct store_fixture *f = *state;
    struct remarks remarks;
    struct committees_report report;
    assert_int_equal(import(f, DAY, INDEX, MEMBERSHIP, &remarks, &report), ERR_REFUSED);
    assert_string_equal(
        f->fail.text,
        "none of the 3 members with seats is known: run `stockact members import` first");
    assert_int_equal(versions(f), 0);
}

/* Reads like a judge: the days of the versions, then the seats in them. */
static void import_waits_for_a_publication(void **state)
{
    struct store_fixture *f = *state;
    struct remarks remarks;
    struct committees_report report;
    struct db *publishing = store_fixture_open(f);
    make_members(f);
    store_fixture_hurry(f);
    assert_ok(f, db_begin(publishing, &f->fail));
    assert_ok(f, publication_lock(publishing, &f->fail));
    assert_int_equal(import(f, DAY, INDEX, MEMBERSHIP, &remarks, &report), ERR_BUSY);
    db_rollback(publishing);
    db_close(publishing);
    imported(f, DAY, INDEX, MEMBERSHIP);
    assert_int_equal(versions(f), 1);
}

static void invented_and_real_data_never_mix(void **state)
{
    struct store_fixture *f = *state;
    struct remarks remarks;
    struct committees_report report;
    make_members(f);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, meta_data_claim(f->db, META_DATA_DEMO, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_int_equal(import(f, DAY, INDEX, MEMBERSHIP, &remarks, &report), ERR_REFUSED);
    assert_int_equal(versions(f), 0);
}

static void unknown_title_counts_as_member_with_a_remark(void **state)
{
    struct store_fixture *f = *state;
    struct remarks remarks;
    struct committees_report report;
    make_members(f);
    assert_ok(
        f, import(
               f, DAY, INDEX, "{\"HSFA07\":[{" VALE ",\"title\":\"Harvest Queen\"}]}", &remarks,
               &report));
    assert_int_equal(report.titles_unknown, 1);
    assert_string_equal(
        remarks.text,
        "HSFA07 V000901 (Robin Vale) 1: unknown title \"Harvest Queen\" counts as member\n");
    assert_str(today(f), "V000901 HSFA07 house member\n");
}

static void odd_entries_are_left_out_and_named(void **state)
{
    struct store_fixture *f = *state;
    struct remarks remarks;
    struct committees_report report;
    make_members(f);
    assert_ok(
        f,
        import(
            f, DAY, INDEX, "{\"HSFA\":[{" VALE "},{" VALE "}],\"HSBA20\":[{" ADLER "},{" VALE "}]}",
            &remarks, &report));
    assert_int_equal(report.seats, 1);
    assert_int_equal(report.entries_left_out, 2);
    assert_string_equal(
        remarks.text,
        "HSFA  () 1: left out: membership: record 2 (HSFA): V000901 already has a seat there\n"
        "HSBA20  () 2: left out: membership: HSBA20: index does not list this committee\n");
    assert_str(today(f), "V000901 HSFA house member\n");
}

static void optional_fields_may_be_missing(void **state)
{
    struct store_fixture *f = *state;
    make_members(f);
    struct committees_report report = imported(
        f, DAY, "\xef\xbb\xbf [" FARMS "]",
        "{\"HSFA\":[{\"bioguide\":\"V000901\",\"party\":null,\"title\":\"\"}],\"HSFA07\":[]}");
    assert_int_equal(report.seats, 1);
    assert_str(today(f), "V000901 HSFA house member\n");
}

static void damaged_file_changes_nothing(void **state)
{
    struct store_fixture *f = *state;
    struct remarks remarks;
    struct committees_report report;
    make_members(f);
    imported(f, DAY, INDEX, MEMBERSHIP);
    int64_t before = last_change(f);
    assert_int_equal(
        import(f, DAY, INDEX, "{\"HSFA\":[{" VALE "},", &remarks, &report), ERR_INVALID);
    assert_true(str_starts(str_from(f->fail.text), STR("membership: line 1: not JSON")));
    assert_int_equal(remarks.count, 0);
    assert_int_equal(last_change(f), before);
    assert_true(imported(f, DAY, INDEX, MEMBERSHIP).unchanged);
}

static void real_files_are_imported_completely(void **state)
{
    struct store_fixture *f = *state;
    struct remarks remarks;
    struct members_report members;
    struct committees_report report;
    const struct import_file legislators = {
        STR("members"),
        shared_data_read(&f->arena, "congress-legislators/legislators-current.json")};
    const struct committees_import in = {
        .index =
            {STR("index"),
             shared_data_read(&f->arena, "congress-legislators/committees-current.json")},
        .membership =
            {STR("membership"),
             shared_data_read(&f->arena, "congress-legislators/committee-membership-current.json")},
        .as_of = 20000,
        .now_ms = 1000,
    };
    if (str_is_null(legislators.text) || str_is_null(in.index.text) ||
        str_is_null(in.membership.text))
        skip();
    remarks = (struct remarks){0};
    assert_ok(f, members_import(f->db, &legislators, 1, NULL, &members, &f->fail));
    assert_ok(f, committees_import(f->db, &in, note_remark, &remarks, &report, &f->fail));
    assert_string_equal(remarks.text, "");
    assert_int_equal(report.committees, 49);
    assert_int_equal(report.subcommittees, 181);
    assert_int_equal(report.seats, 3879);
    assert_int_equal(report.members, 528);
    assert_int_equal(report.seats_left_out, 0);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM committee_listed"), 230);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM committee_seat"), 3879);
    static const struct {
        const char *sql;
        int64_t count;
    } roles[] = {
        {"SELECT count(*) FROM committee_seat WHERE role = 'chair'", 227},
        {"SELECT count(*) FROM committee_seat WHERE role = 'ranking_member'", 217},
        {"SELECT count(*) FROM committee_seat WHERE role = 'vice_chair'", 49},
        {"SELECT count(*) FROM committee_seat WHERE side = 'majority'", 2159},
    };
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        assert_int_equal(store_fixture_number(f, roles[i].sql), roles[i].count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(every_seat_is_imported_with_role_and_chamber),
        store_test(import_adds_one_notice),
        store_test(same_files_again_change_nothing),
        store_test(other_files_for_the_same_day_replace_the_version),
        store_test(older_day_may_be_imported_later),
        store_test(unknown_member_is_left_out_and_named),
        store_test(member_imported_later_gets_the_missing_seats),
        store_test(import_without_members_is_refused_with_the_command),
        store_test(import_waits_for_a_publication),
        store_test(invented_and_real_data_never_mix),
        store_test(unknown_title_counts_as_member_with_a_remark),
        store_test(odd_entries_are_left_out_and_named),
        store_test(optional_fields_may_be_missing),
        store_test(damaged_file_changes_nothing),
        store_test(real_files_are_imported_completely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
