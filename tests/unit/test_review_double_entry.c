/* Two people type a paper filing: who may, what differs, and who decides. */
#include "review_sample.h"

#include "review/desk/double_entry.h"
#include "review/publish_draft.h"
#include "store/account/account.h"
#include "store/desk/draft_history.h"
#include "store/public/provenance.h"

#define BUY SIDE_BUY
#define LOW BRACKET_1K_15K
#define NOW REVIEW_NOW
#define ID STR("house-1")

enum { ANN, BEN, CID };

static struct desk desks[3];

/* A paper filing of two rows. */
static void insert(struct store_fixture *f)
{
    const struct draft_row_stored rows[] = {
        review_row(1, "Acorn Wells", BUY, LOW), review_row(2, "Birch Mills", BUY, LOW)};
    struct draft_new draft = review_report(CHAMBER_HOUSE, "house-1", 0);
    draft.manual = true;
    review_insert(f, &draft, ROWS(rows));
}

static int setup(void **state)
{
    static const char *const people[] = {"ann@example.org", "ben@example.org", "cid@example.org"};
    store_fixture_setup(state);
    struct store_fixture *f = *state;
    review_members(f);
    insert(f);
    for (size_t i = 0; i < 3; i++)
        desks[i] = (struct desk){
            .db = f->db, .by = str_from(people[i]), .now_ms = NOW, .double_entry = true};
    return 0;
}

static struct double_view show(struct store_fixture *f)
{
    struct double_view view;
    assert_ok(f, double_entry_show(f->db, ID, &f->arena, &view, &f->fail));
    return view;
}

static struct draft_row_stored row_of(struct store_fixture *f, int number)
{
    struct double_view view = show(f);
    for (size_t i = 0; i < view.rows.count; i++)
        if (view.rows.items[i].row == number)
            return view.rows.items[i];
    fail_msg("no row %d", number);
    return view.rows.items[0];
}

static enum double_role role(struct store_fixture *f, struct str by)
{
    enum double_role ret;
    struct double_view view = show(f);
    assert_ok(f, double_entry_role(f->db, &view.draft, by, &ret, &f->fail));
    return ret;
}

static bool hides(struct store_fixture *f, int who)
{
    bool ret;
    struct double_view view = show(f);
    assert_ok(f, double_entry_hides(f->db, &view.draft, desks[who].by, &ret, &f->fail));
    return ret;
}

static enum err accept(struct store_fixture *f, int who)
{
    enum draft_state state;
    return desk_accept(&desks[who], ID, STR_NULL, STR_NULL, &state, &f->fail);
}

static enum err set(struct store_fixture *f, int who, const char *field, const char *value)
{
    return desk_set(
        &desks[who], ID, 2, str_from(field), str_from(value), STR("looked again"), &f->fail);
}

/* Types the row as the draft has it, but for the asset and the side. */
static enum err type(
    struct store_fixture *f, int who, int row, const char *asset, enum side side,
    enum draft_entry *ret)
{
    struct draft_row_stored stored = row_of(f, row);
    struct blind_row typed = {.values = stored.values, .notified_date = stored.notified_date};
    typed.values.asset_name = str_from(asset);
    typed.values.side = side;
    return double_entry_type(&desks[who], ID, row, &typed, ret, &f->fail);
}

static enum err finish(struct store_fixture *f, int who, int rows, enum draft_entry *ret)
{
    return double_entry_count(&desks[who], ID, rows, ret, &f->fail);
}

static enum err decide(
    struct store_fixture *f, int who, int row, const char *field, const char *value,
    enum draft_entry *ret)
{
    return double_entry_decide(
        &desks[who], ID, row, str_from(field), str_from(value), ret, &f->fail);
}

/* Ann has entered it, Ben has typed it, with that asset and side in the second row. */
static enum draft_entry enter_twice(struct store_fixture *f, const char *asset, enum side side)
{
    enum draft_entry entry;
    assert_ok(f, accept(f, ANN));
    assert_ok(f, type(f, BEN, 1, "ACORN WELLS, INC", BUY, &entry));
    assert_ok(f, type(f, BEN, 2, asset, side, &entry));
    assert_ok(f, finish(f, BEN, 2, &entry));
    return entry;
}

struct counting {
    const char *field;
    int64_t of[ENTRY_OUTCOME_COUNT];
};

static void count(void *ctx, struct str field, enum entry_outcome outcome, int64_t n)
{
    struct counting *c = ctx;
    if (str_eq(field, str_from(c->field)))
        c->of[outcome] += n;
}

static int64_t outcomes(struct store_fixture *f, const char *field, enum entry_outcome outcome)
{
    struct counting c = {.field = field};
    assert_ok(f, second_entry_count(f->db, count, &c, &f->fail));
    return c.of[outcome];
}

/* --- who may */

static void draft_waits_for_a_second_person(void **state)
{
    struct store_fixture *f = *state;
    enum draft_entry entry;
    assert_int_equal(type(f, BEN, 1, "Acorn Wells", BUY, &entry), ERR_REFUSED);
    assert_ok(f, accept(f, ANN));
    struct double_view view = show(f);
    assert_int_equal(view.draft.entry, DRAFT_ENTRY_SECOND);
    assert_int_equal(view.draft.state, DRAFT_WAITING);
    assert_int_equal(role(f, STR("Ann@Example.org")), DOUBLE_FIRST);
    assert_int_equal(role(f, desks[BEN].by), DOUBLE_SECOND);
    assert_int_equal(accept(f, ANN), ERR_REFUSED);
    assert_int_equal(accept(f, BEN), ERR_REFUSED);
    assert_non_null(strstr(f->fail.text, "the second entry is missing"));
    assert_int_equal(type(f, ANN, 1, "Acorn Wells", BUY, &entry), ERR_REFUSED);
    struct publish_draft_result published;
    assert_int_equal(
        publish_draft(f->db, ID, desks[ANN].by, NOW, &published, &f->fail), ERR_REFUSED);
}

static void one_person_is_enough_if_the_setting_is_off(void **state)
{
    struct store_fixture *f = *state;
    assert_ok(f, accept(f, ANN));
    desks[BEN].double_entry = false;
    assert_ok(f, accept(f, BEN));
    struct double_view view = show(f);
    assert_int_equal(view.draft.state, DRAFT_ACCEPTED);
    assert_int_equal(view.draft.entry, DRAFT_ENTRY_NONE);
}

static void second_person_holds_the_draft(void **state)
{
    struct store_fixture *f = *state;
    enum draft_entry entry;
    assert_ok(f, accept(f, ANN));
    assert_ok(f, type(f, BEN, 1, "Acorn Wells", BUY, &entry));
    assert_int_equal(type(f, CID, 2, "Birch Mills", BUY, &entry), ERR_BUSY);
    desks[CID].now_ms += DESK_CLAIM_MS;
    assert_ok(f, type(f, CID, 2, "Birch Mills", BUY, &entry));
    assert_ok(f, finish(f, CID, 2, &entry)); /* what Ben typed counts */
    assert_int_equal(entry, DRAFT_ENTRY_TWICE);
    assert_str(show(f).draft.second_by, "cid@example.org");
}

/* --- agreement */

static void equal_entries_accept_the_draft(void **state)
{
    struct store_fixture *f = *state;
    assert_int_equal(enter_twice(f, "birch mills", BUY), DRAFT_ENTRY_TWICE);
    struct double_view view = show(f);
    assert_int_equal(view.draft.state, DRAFT_ACCEPTED);
    assert_str(view.draft.accepted_by, "ann@example.org");
    assert_str(view.draft.second_by, "ben@example.org");
    assert_true(str_is_null(view.draft.claimed_by));
    assert_int_equal(outcomes(f, "side", ENTRY_AGREED), 2);
    assert_int_equal(outcomes(f, "rows", ENTRY_AGREED), 1);
    struct publish_draft_result published;
    assert_false(hides(f, BEN) || hides(f, CID));
    assert_ok(f, publish_draft(f->db, ID, desks[ANN].by, NOW, &published, &f->fail));
    assert_int_equal(published.added, 2);
    for (int claimed = 0; claimed < 2; claimed++) { /* a claim takes the acceptances back */
        struct provenance p;
        assert_ok(f, provenance_find(f->db, ID, INT64_MAX, &f->arena, &p, &f->fail));
        assert_int_equal(p.entry, FILING_ENTRY_DOUBLE);
        assert_int_equal(p.reviewer_count, 2);
        if (!claimed) /* of a filing that was published before step 35 of the schema */
            assert_ok(f, db_exec(f->db, "UPDATE filing SET second_reviewed_at = NULL", &f->fail));
        assert_ok(f, desk_claim(&desks[BEN], ID, &f->fail));
    }
}

static void rows_are_counted_before_they_are_typed(void **state)
{
    struct store_fixture *f = *state;
    enum draft_entry entry;
    assert_ok(f, accept(f, ANN));
    assert_ok(f, finish(f, BEN, 2, &entry));
    assert_int_equal(entry, DRAFT_ENTRY_SECOND);
    assert_str(show(f).counted, "2");
    assert_ok(f, type(f, BEN, 1, "Acorn Wells", BUY, &entry));
    assert_ok(f, type(f, BEN, 2, "Birch Mills", BUY, &entry));
    assert_int_equal(double_entry_type(&desks[BEN], ID, 3, NULL, &entry, &f->fail), ERR_NOT_FOUND);
    assert_ok(f, finish(f, BEN, 2, &entry));
    assert_int_equal(entry, DRAFT_ENTRY_TWICE);
}

/* Only its last first person is in the draft; the others are in its history. */
static void person_who_entered_the_draft_neither_types_nor_decides(void **state)
{
    struct store_fixture *f = *state;
    enum draft_entry entry;
    assert_ok(f, set(f, ANN, "ticker", "BRCH"));
    assert_ok(f, accept(f, ANN));
    assert_ok(f, double_entry_take_over(&desks[BEN], ID, &f->fail));
    assert_ok(f, accept(f, BEN));
    assert_int_equal(role(f, desks[ANN].by), DOUBLE_FIRST);
    assert_int_equal(type(f, ANN, 1, "Acorn Wells", BUY, &entry), ERR_REFUSED);
    assert_ok(f, type(f, CID, 1, "Acorn Wells", BUY, &entry));
    assert_ok(f, type(f, CID, 2, "Birch Mills", SIDE_SELL_FULL, &entry));
    assert_ok(f, finish(f, CID, 2, &entry));
    assert_int_equal(entry, DRAFT_ENTRY_THIRD);
    assert_int_equal(decide(f, ANN, 2, "side", "buy", &entry), ERR_REFUSED);
}

static void another_address_is_not_another_person(void **state)
{
    struct store_fixture *f = *state;
    struct account ann;
    enum draft_entry entry;
    desks[CID].by = STR("Ann.Vale@example.org");
    assert_ok(
        f, account_create(ACT(f, .now_ms = NOW), desks[ANN].by, PLAN_SCOUT, ROLE_REVIEWER, &ann));
    assert_ok(f, accept(f, ANN));
    assert_ok(f, account_set_email(ACT(f), ann.no, desks[CID].by));
    assert_int_equal(type(f, CID, 1, "Acorn Wells", BUY, &entry), ERR_REFUSED);
    assert_int_equal(type(f, ANN, 1, "Acorn Wells", BUY, &entry), ERR_REFUSED);
    desks[CID].double_entry = false;
    desks[CID].second_reviewer = true;
    assert_int_equal(accept(f, CID), ERR_REFUSED);
    assert_non_null(strstr(f->fail.text, "you have already accepted"));
    assert_ok(f, account_erase(ACT(f, .now_ms = NOW), ann.no));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM account_address"), 0);
}

static void draft_is_hidden_from_people_who_may_still_type_it(void **state)
{
    struct store_fixture *f = *state;
    enum draft_entry entry;
    assert_false(hides(f, ANN) || hides(f, BEN)); /* nobody has begun */
    assert_ok(f, set(f, ANN, "ticker", "BRCH"));
    assert_true(!hides(f, ANN) && hides(f, BEN));
    assert_ok(f, accept(f, ANN));
    assert_true(!hides(f, ANN) && hides(f, BEN) && hides(f, CID));
    assert_ok(f, type(f, BEN, 1, "Acorn Wells", BUY, &entry));
    assert_ok(f, type(f, BEN, 2, "Birch Mills", BUY, &entry));
    assert_ok(f, finish(f, BEN, 3, &entry));
    assert_ok(f, decide(f, CID, 0, "rows", "3", &entry));
    assert_int_equal(show(f).draft.entry, DRAFT_ENTRY_NONE); /* Ann corrects it */
    assert_true(!hides(f, ANN) && hides(f, BEN) && hides(f, CID));
    assert_ok(f, double_entry_take_over(&desks[CID], ID, &f->fail));
    assert_false(hides(f, CID));
    desks[ANN].now_ms += DESK_CLAIM_MS;
    assert_ok(f, accept(f, ANN));
    assert_int_equal(role(f, desks[CID].by), DOUBLE_FIRST); /* has seen it */
}

/* --- differences */

static void third_person_decides(void **state)
{
    static const struct {
        const char *value;
        enum entry_outcome outcome;
        enum side side;
    } cases[] = {
        {"buy", ENTRY_FIRST, SIDE_BUY},
        {"sell_full", ENTRY_SECOND, SIDE_SELL_FULL},
        {"exchange", ENTRY_NEITHER, SIDE_EXCHANGE},
    };
    struct store_fixture *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum draft_entry entry;
        if (i)
            insert(f);
        assert_int_equal(enter_twice(f, "Birch Mills", SIDE_SELL_FULL), DRAFT_ENTRY_THIRD);
        struct double_view view = show(f);
        assert_int_equal(view.difference_count, 1);
        assert_int_equal(view.differences[0].row, 2);
        assert_str(view.differences[0].draft, "buy");
        assert_str(view.differences[0].entered, "sell_full");
        assert_int_equal(role(f, desks[CID].by), DOUBLE_THIRD);
        assert_int_equal(decide(f, ANN, 2, "side", "buy", &entry), ERR_REFUSED);
        assert_int_equal(decide(f, BEN, 2, "side", "buy", &entry), ERR_REFUSED);
        assert_int_equal(decide(f, CID, 1, "side", "buy", &entry), ERR_NOT_FOUND);
        assert_int_equal(decide(f, CID, 2, "side", "bought", &entry), ERR_INVALID);
        assert_ok(f, decide(f, CID, 2, "side", cases[i].value, &entry));
        assert_int_equal(entry, DRAFT_ENTRY_TWICE);
        assert_int_equal(row_of(f, 2).values.side, cases[i].side);
        assert_int_equal(show(f).draft.state, DRAFT_ACCEPTED);
        assert_int_equal(outcomes(f, "side", cases[i].outcome), 1);
    }
}

static void decision_ignores_spelling(void **state)
{
    struct store_fixture *f = *state;
    enum draft_entry entry;
    assert_int_equal(enter_twice(f, "Birk Mills", BUY), DRAFT_ENTRY_THIRD);
    assert_ok(f, decide(f, CID, 2, "assetName", "BIRK MILLS, INC.", &entry));
    assert_str(row_of(f, 2).values.asset_name, "Birk Mills");
    assert_int_equal(outcomes(f, "assetName", ENTRY_SECOND), 1);
}

static void row_whose_page_states_no_transaction_is_held(void **state)
{
    struct store_fixture *f = *state;
    enum draft_entry entry;
    struct publish_draft_result published;
    assert_int_equal(enter_twice(f, "Birch Mills", SIDE_NONE), DRAFT_ENTRY_THIRD);
    assert_ok(f, decide(f, CID, 2, "side", "", &entry));
    assert_int_equal(entry, DRAFT_ENTRY_TWICE);
    assert_str(row_of(f, 2).held, "the page does not state the transaction");
    assert_int_equal(outcomes(f, "side", ENTRY_SECOND), 1);
    assert_ok(f, publish_draft(f->db, ID, desks[ANN].by, NOW, &published, &f->fail));
    assert_int_equal(published.held, 1);
}

static void row_that_the_page_does_not_have_is_deleted(void **state)
{
    struct store_fixture *f = *state;
    enum draft_entry entry;
    assert_ok(f, accept(f, ANN));
    assert_ok(f, type(f, BEN, 1, "Acorn Wells", BUY, &entry));
    assert_ok(f, double_entry_type(&desks[BEN], ID, 2, NULL, &entry, &f->fail));
    assert_ok(f, finish(f, BEN, 1, &entry));
    assert_int_equal(entry, DRAFT_ENTRY_THIRD);
    assert_int_equal(show(f).difference_count, 1);
    assert_ok(f, decide(f, CID, 2, "row", "no", &entry));
    assert_int_equal(entry, DRAFT_ENTRY_TWICE);
    assert_int_equal(show(f).rows.count, 1);
}

static void row_that_is_there_after_all_is_typed(void **state)
{
    struct store_fixture *f = *state;
    enum draft_entry entry;
    assert_ok(f, accept(f, ANN));
    assert_ok(f, type(f, BEN, 1, "Acorn Wells", BUY, &entry));
    assert_ok(f, double_entry_type(&desks[BEN], ID, 2, NULL, &entry, &f->fail));
    assert_ok(f, finish(f, BEN, 1, &entry));
    assert_ok(f, decide(f, CID, 2, "row", "yes", &entry));
    assert_int_equal(entry, DRAFT_ENTRY_SECOND);
    assert_int_equal(role(f, desks[CID].by), DOUBLE_FIRST); /* has seen the texts */
    assert_int_equal(type(f, CID, 2, "Birch Mills", BUY, &entry), ERR_REFUSED);
    assert_ok(f, type(f, BEN, 2, "Birch Mills", BUY, &entry));
    assert_ok(f, finish(f, BEN, 2, &entry));
    assert_int_equal(entry, DRAFT_ENTRY_TWICE);
    assert_int_equal(outcomes(f, "row", ENTRY_FIRST), 1);
}

static void missed_row_sends_the_draft_back(void **state)
{
    struct store_fixture *f = *state;
    enum draft_entry entry;
    int row;
    assert_ok(f, accept(f, ANN));
    assert_ok(f, type(f, BEN, 1, "Acorn Wells", BUY, &entry));
    assert_ok(f, type(f, BEN, 2, "Birch Mills", BUY, &entry));
    assert_ok(f, finish(f, BEN, 3, &entry));
    assert_int_equal(entry, DRAFT_ENTRY_THIRD);
    assert_int_equal(decide(f, CID, 0, "rows", "many", &entry), ERR_INVALID);
    assert_ok(f, decide(f, CID, 0, "rows", "3", &entry));
    assert_int_equal(entry, DRAFT_ENTRY_NONE);
    struct double_view view = show(f);
    assert_int_equal(view.draft.state, DRAFT_WAITING);
    assert_true(str_is_null(view.draft.accepted_by));
    assert_non_null(strstr(view.draft.is.reason.p, "the pages have 3 rows"));
    assert_ok(f, desk_add_row(&desks[ANN], ID, 1, &row, &f->fail));
    assert_ok(
        f, desk_set(&desks[ANN], ID, row, STR("assetName"), STR("Cedar"), STR_NULL, &f->fail));
    assert_ok(f, accept(f, ANN));
    assert_int_equal(show(f).typed, 2); /* the others stay */
    assert_true(str_is_null(show(f).draft.is.reason));
    assert_ok(f, type(f, BEN, row, "Cedar", SIDE_NONE, &entry));
    assert_ok(f, finish(f, BEN, 3, &entry));
    assert_int_equal(entry, DRAFT_ENTRY_TWICE);
    assert_int_equal(outcomes(f, "rows", ENTRY_SECOND), 1);
}

/* --- looking again */

static void first_person_may_look_again(void **state)
{
    struct store_fixture *f = *state;
    assert_int_equal(enter_twice(f, "Birch Mills", SIDE_SELL_FULL), DRAFT_ENTRY_THIRD);
    assert_ok(f, set(f, ANN, "side", "sell_full"));
    assert_ok(f, accept(f, ANN));
    assert_int_equal(show(f).draft.state, DRAFT_ACCEPTED);
    assert_int_equal(outcomes(f, "side", ENTRY_SECOND), 1);
    assert_int_equal(outcomes(f, "side", ENTRY_AGREED), 1);
    assert_int_equal(outcomes(f, "side", ENTRY_DIFFERS), 0);
}

static void second_person_may_look_again(void **state)
{
    struct store_fixture *f = *state;
    enum draft_entry entry;
    assert_int_equal(enter_twice(f, "Birch Mills", SIDE_SELL_FULL), DRAFT_ENTRY_THIRD);
    assert_int_equal(type(f, CID, 2, "Birch Mills", BUY, &entry), ERR_REFUSED);
    assert_ok(f, type(f, BEN, 2, "Birch Mills", BUY, &entry));
    assert_int_equal(entry, DRAFT_ENTRY_TWICE);
    assert_int_equal(outcomes(f, "side", ENTRY_FIRST), 1);
}

static void edit_after_the_second_entry_is_compared_with_it(void **state)
{
    struct store_fixture *f = *state;
    assert_int_equal(enter_twice(f, "Birch Mills", BUY), DRAFT_ENTRY_TWICE);
    assert_ok(f, set(f, ANN, "amountBucket", "50k_100k"));
    assert_ok(f, accept(f, ANN));
    struct double_view view = show(f);
    assert_int_equal(view.draft.entry, DRAFT_ENTRY_THIRD);
    assert_int_equal(view.difference_count, 1);
    assert_str(view.differences[0].field, "amountBucket");
}

static void entry_of_a_person_who_edits_is_dropped(void **state)
{
    struct store_fixture *f = *state;
    enum draft_entry entry;
    assert_int_equal(enter_twice(f, "Birch Mills", SIDE_SELL_FULL), DRAFT_ENTRY_THIRD);
    assert_ok(f, double_entry_take_over(&desks[BEN], ID, &f->fail));
    assert_ok(f, set(f, BEN, "side", "sell_full"));
    assert_ok(f, accept(f, BEN));
    struct double_view view = show(f);
    assert_int_equal(view.draft.entry, DRAFT_ENTRY_SECOND);
    assert_int_equal(view.typed, 0);
    assert_int_equal(role(f, desks[CID].by), DOUBLE_SECOND);
    assert_ok(f, type(f, CID, 1, "Acorn Wells", BUY, &entry));
}

static void second_reviewer_is_the_second_person(void **state)
{
    struct store_fixture *f = *state;
    for (size_t i = 0; i < 3; i++)
        desks[i].second_reviewer = true;
    assert_int_equal(enter_twice(f, "Birch Mills", BUY), DRAFT_ENTRY_TWICE);
    assert_int_equal(show(f).draft.state, DRAFT_ACCEPTED);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, store_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(draft_waits_for_a_second_person),
        TEST(one_person_is_enough_if_the_setting_is_off),
        TEST(second_person_holds_the_draft),
        TEST(equal_entries_accept_the_draft),
        TEST(rows_are_counted_before_they_are_typed),
        TEST(person_who_entered_the_draft_neither_types_nor_decides),
        TEST(another_address_is_not_another_person),
        TEST(draft_is_hidden_from_people_who_may_still_type_it),
        TEST(third_person_decides),
        TEST(decision_ignores_spelling),
        TEST(row_whose_page_states_no_transaction_is_held),
        TEST(row_that_the_page_does_not_have_is_deleted),
        TEST(row_that_is_there_after_all_is_typed),
        TEST(missed_row_sends_the_draft_back),
        TEST(first_person_may_look_again),
        TEST(second_person_may_look_again),
        TEST(edit_after_the_second_entry_is_compared_with_it),
        TEST(entry_of_a_person_who_edits_is_dropped),
        TEST(second_reviewer_is_the_second_person),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
