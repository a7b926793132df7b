/* Committees and seats: one complete list per day. */
#include "store_sample.h"

#include "store/public/committee.h"

static const struct committee ENERGY = {
    .id = STR_INIT("SSEG"),
    .name = STR_INIT("Senate Committee on Energy"),
    .chamber = CHAMBER_SENATE,
};
static const struct committee FARMS = {
    .id = STR_INIT("HSFA"),
    .name = STR_INIT("House Committee on Farms"),
    .chamber = CHAMBER_HOUSE,
};
static const struct committee PRINTING = {
    .id = STR_INIT("JSPR"),
    .name = STR_INIT("Joint Committee on Printing"),
};

static struct committee part_of_farms(const char *name)
{
    return (struct committee){STR("HSFA07"), str_from(name), CHAMBER_HOUSE, STR("HSFA")};
}

/* Begins a transaction with the version of that day; one byte stands for its content. */
static int64_t begin(struct store_fixture *f, int32_t as_of, uint8_t content)
{
    uint8_t sha256[SHA256_SIZE] = {content};
    int64_t no = -1;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, committee_version_begin(f->db, as_of, sha256, 1000, &no, &f->fail));
    return no;
}

static void commit(struct store_fixture *f)
{
    assert_ok(f, db_commit(f->db, &f->fail));
}

static void list(struct store_fixture *f, int64_t version, struct committee committee)
{
    assert_ok(f, committee_list(f->db, version, &committee, &f->fail));
}

static enum err add(
    struct store_fixture *f, int64_t version, const char *committee, const char *member,
    enum chamber chamber, enum seat_role role)
{
    const struct committee_seat_new seat = {
        .committee = str_from(committee),
        .member = str_from(member),
        .chamber = chamber,
        .role = role,
        .side = STR("majority"),
        .rank = 1,
    };
    return committee_seat_add(f->db, version, &seat, &f->fail);
}

/* A version of FARMS with that subcommittee, where "m1" has seats. */
static void make_version(
    struct store_fixture *f, int32_t as_of, uint8_t content, const char *part, enum seat_role role)
{
    int64_t no = begin(f, as_of, content);
    assert_true(no > 0);
    list(f, no, FARMS);
    list(f, no, part_of_farms(part));
    assert_ok(f, add(f, no, "HSFA", "m1", CHAMBER_HOUSE, role));
    assert_ok(f, add(f, no, "HSFA07", "m1", CHAMBER_HOUSE, SEAT_MEMBER));
    commit(f);
}

struct seats {
    struct committee_held *items;
    size_t count;
};

static struct seats seats_of(struct store_fixture *f, const char *member)
{
    struct member found;
    struct seats seats;
    assert_ok(f, member_find(f->db, str_from(member), &f->arena, &found, &f->fail));
    assert_ok(
        f, committee_seats_of(f->db, found.no, &f->arena, &seats.items, &seats.count, &f->fail));
    return seats;
}

static void lookup_without_version_is_empty(void **state)
{
    struct store_fixture *f = *state;
    struct committee_version *versions;
    size_t count = 1;
    store_sample_member(f, "m1", "robin-vale");
    assert_ok(f, committee_versions(f->db, &f->arena, &versions, &count, &f->fail));
    assert_int_equal(count, 0);
    assert_int_equal(seats_of(f, "m1").count, 0);
}

static void seat_reads_back_as_listed(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    make_version(f, 100, 1, "Orchards", SEAT_RANKING_MEMBER);
    struct seats seats = seats_of(f, "m1");
    assert_int_equal(seats.count, 2);
    assert_str(seats.items[0].member, "m1");
    assert_str(seats.items[0].id, "HSFA");
    assert_str(seats.items[0].name, "House Committee on Farms");
    assert_str(seats.items[0].title, "House Committee on Farms");
    assert_false(seats.items[0].subcommittee);
    assert_int_equal(seats.items[0].chamber, CHAMBER_HOUSE);
    assert_int_equal(seats.items[0].role, SEAT_RANKING_MEMBER);
    assert_str(seats.items[1].id, "HSFA07");
    assert_str(seats.items[1].name, "Orchards");
    assert_str(seats.items[1].title, "Subcommittee on Orchards of the House Committee on Farms");
    assert_true(seats.items[1].subcommittee);
    assert_int_equal(seats.items[1].role, SEAT_MEMBER);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM committee_seat WHERE side = 'majority' AND rank = 1"),
        2);
}

static void joint_committee_has_seats_of_both_chambers(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    store_sample_member(f, "m2", "dana-hollis");
    int64_t no = begin(f, 100, 1);
    list(f, no, PRINTING);
    assert_ok(f, add(f, no, "JSPR", "m1", CHAMBER_HOUSE, SEAT_CHAIR));
    assert_ok(f, add(f, no, "JSPR", "m2", CHAMBER_SENATE, SEAT_VICE_CHAIR));
    commit(f);
    assert_int_equal(seats_of(f, "m1").items[0].chamber, CHAMBER_HOUSE);
    assert_int_equal(seats_of(f, "m2").items[0].chamber, CHAMBER_SENATE);
}

static void side_and_rank_may_be_unstated(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    int64_t no = begin(f, 100, 1);
    list(f, no, FARMS);
    const struct committee_seat_new seat = {
        .committee = FARMS.id, .member = STR("m1"), .chamber = CHAMBER_HOUSE, .role = SEAT_MEMBER};
    assert_ok(f, committee_seat_add(f->db, no, &seat, &f->fail));
    commit(f);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM committee_seat WHERE side IS NULL AND rank IS NULL"),
        1);
}

static void inconsistent_version_is_refused(void **state)
{
    struct store_fixture *f = *state;
    const struct committee orchards = part_of_farms("Orchards");
    store_sample_member(f, "m1", "robin-vale");
    /* Each in its own transaction: PostgreSQL rejects everything after an error. */
    int64_t no = begin(f, 100, 1);
    assert_int_equal(committee_list(f->db, no, &orchards, &f->fail), ERR_NOT_FOUND);
    db_rollback(f->db);

    no = begin(f, 100, 1);
    list(f, no, FARMS);
    assert_int_equal(committee_list(f->db, no, &FARMS, &f->fail), ERR_EXISTS);
    db_rollback(f->db);

    no = begin(f, 100, 1);
    list(f, no, FARMS);
    assert_int_equal(add(f, no, "SSEG", "m1", CHAMBER_SENATE, SEAT_MEMBER), ERR_NOT_FOUND);
    assert_int_equal(add(f, no, "HSFA", "m9", CHAMBER_HOUSE, SEAT_MEMBER), ERR_NOT_FOUND);
    db_rollback(f->db);

    no = begin(f, 100, 1);
    list(f, no, FARMS);
    assert_ok(f, add(f, no, "HSFA", "m1", CHAMBER_HOUSE, SEAT_MEMBER));
    assert_int_equal(add(f, no, "HSFA", "m1", CHAMBER_HOUSE, SEAT_CHAIR), ERR_EXISTS);
    db_rollback(f->db);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM committee_version"), 0);
}

static void parent_or_committee_of_another_version_is_invalid(void **state)
{
    struct store_fixture *f = *state;
    const struct committee orchards = part_of_farms("Orchards");
    store_sample_member(f, "m1", "robin-vale");
    make_version(f, 100, 1, "Orchards", SEAT_CHAIR);
    int64_t no = begin(f, 200, 2);
    list(f, no, ENERGY);
    assert_int_equal(add(f, no, "HSFA", "m1", CHAMBER_HOUSE, SEAT_CHAIR), ERR_NOT_FOUND);
    assert_int_equal(committee_list(f->db, no, &orchards, &f->fail), ERR_NOT_FOUND);
    db_rollback(f->db);
}

static void same_content_changes_nothing(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    make_version(f, 100, 1, "Orchards", SEAT_CHAIR);
    assert_int_equal(begin(f, 100, 1), 0);
    commit(f);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM committee_version"), 1);
}

static void new_content_replaces_whole_version_of_day(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    make_version(f, 100, 1, "Orchards", SEAT_CHAIR);
    make_version(f, 50, 1, "Orchards", SEAT_MEMBER);
    int64_t no = begin(f, 100, 2);
    assert_true(no > 0);
    list(f, no, ENERGY);
    assert_ok(f, add(f, no, "SSEG", "m1", CHAMBER_SENATE, SEAT_MEMBER));
    commit(f);
    struct seats seats = seats_of(f, "m1");
    assert_int_equal(seats.count, 3); /* two from the other day */
    assert_int_equal(seats.items[2].version_no, no);
    assert_str(seats.items[2].id, "SSEG");
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM committee_listed"), 2 + 1);
}

static void versions_are_in_order_of_days_whatever_the_import(void **state)
{
    static const int32_t days[] = {-300, 100, 200}; /* one before 1970 */
    static const enum seat_role roles[] = {SEAT_VICE_CHAIR, SEAT_MEMBER, SEAT_CHAIR};
    struct store_fixture *f = *state;
    struct committee_version *versions;
    size_t count = 0;
    store_sample_member(f, "m1", "robin-vale");
    make_version(f, 200, 1, "Orchards", SEAT_CHAIR);
    make_version(f, -300, 2, "Orchards", SEAT_VICE_CHAIR);
    make_version(f, 100, 3, "Orchards", SEAT_MEMBER);
    assert_ok(f, committee_versions(f->db, &f->arena, &versions, &count, &f->fail));
    assert_int_equal(count, 3);
    struct seats seats = seats_of(f, "m1");
    assert_int_equal(seats.count, 6);
    for (size_t i = 0; i < seats.count; i++) {
        assert_int_equal(versions[i / 2].day, days[i / 2]);
        assert_int_equal(seats.items[i].version_no, versions[i / 2].no);
        assert_str(seats.items[i].id, i % 2 ? "HSFA07" : "HSFA");
        assert_int_equal(seats.items[i].role, i % 2 ? SEAT_MEMBER : roles[i / 2]);
    }
}

static void note_held(void *ctx, struct str committee, struct str member, enum seat_role role)
{
    buf_fmt(
        ctx, "%.*s %.*s %.*s, ", STR_ARG(committee), STR_ARG(member),
        STR_ARG(seat_role_name(role)));
}

static void note_seated(void *ctx, int64_t version_no, struct str committee)
{
    buf_fmt(ctx, "%.*s, ", STR_ARG(committee));
}

static void seats_of_all_members_are_visited(void **state)
{
    struct store_fixture *f = *state;
    char space[500];
    struct buf text = buf_over(space, sizeof space);
    struct committee_held *held;
    size_t count = 0;
    store_sample_member(f, "m1", "robin-vale");
    store_sample_member(f, "m2", "dana-hollis");
    make_version(f, 100, 1, "Orchards", SEAT_CHAIR);
    int64_t no = begin(f, 200, 2);
    list(f, no, ENERGY);
    list(f, no, FARMS); /* without a seat */
    assert_ok(f, add(f, no, "SSEG", "m2", CHAMBER_SENATE, SEAT_MEMBER));
    assert_ok(f, add(f, no, "SSEG", "m1", CHAMBER_SENATE, SEAT_CHAIR));
    commit(f);
    assert_ok(f, committee_each_seated(f->db, note_seated, &text, &f->fail));
    assert_str(buf_view(&text), "HSFA, HSFA07, SSEG, ");
    assert_ok(f, committee_seats_since(f->db, 150, &f->arena, &held, &count, &f->fail));
    assert_int_equal(count, 2);
    assert_str(held[0].member, "m1");
    assert_str(held[1].member, "m2");
    assert_ok(f, committee_seats_since(f->db, 100, &f->arena, &held, &count, &f->fail));
    assert_int_equal(count, 4);
    assert_str(held[2].id, "SSEG"); /* m1's, after those of the day before */
    buf_reset(&text);
    assert_ok(f, committee_each_seat(f->db, held[0].version_no, note_held, &text, &f->fail));
    assert_str(buf_view(&text), "HSFA m1 chair, HSFA07 m1 member, ");
}

static void renamed_subcommittee_keeps_old_name_in_its_version(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    make_version(f, 100, 1, "Orchards", SEAT_CHAIR);
    make_version(f, 200, 2, "Task Force on Weevils", SEAT_CHAIR);
    struct seats seats = seats_of(f, "m1");
    assert_int_equal(seats.count, 4);
    assert_str(seats.items[1].title, "Subcommittee on Orchards of the House Committee on Farms");
    assert_str(seats.items[3].title, "Task Force on Weevils of the House Committee on Farms");
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM committee"), 2);
}

static void versions_share_equal_texts(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    make_version(f, 100, 1, "Orchards", SEAT_CHAIR);
    make_version(f, 200, 2, "Weevils", SEAT_CHAIR);
    make_version(f, 300, 3, "Weevils", SEAT_MEMBER);
    struct seats seats = seats_of(f, "m1");
    assert_int_equal(seats.count, 6);
    assert_ptr_equal(seats.items[0].name.p, seats.items[4].name.p);
    assert_ptr_equal(seats.items[3].title.p, seats.items[5].title.p);
    assert_str(seats.items[1].name, "Orchards");
    assert_str(seats.items[5].name, "Weevils");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(lookup_without_version_is_empty),
        store_test(seat_reads_back_as_listed),
        store_test(joint_committee_has_seats_of_both_chambers),
        store_test(side_and_rank_may_be_unstated),
        store_test(inconsistent_version_is_refused),
        store_test(parent_or_committee_of_another_version_is_invalid),
        store_test(same_content_changes_nothing),
        store_test(new_content_replaces_whole_version_of_day),
        store_test(versions_are_in_order_of_days_whatever_the_import),
        store_test(renamed_subcommittee_keeps_old_name_in_its_version),
        store_test(versions_share_equal_texts),
        store_test(seats_of_all_members_are_visited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
