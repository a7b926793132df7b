/* Batches of clean drafts: drawing, looking, accepting, faults, and drafts that change meanwhile.
 */
#include "review_sample.h"

#include "review/desk/batch.h"
#include "review/desk/desk_mark.h"
#include "store/desk/draft_tally.h"
#include "store/public/document.h"

#define NOW REVIEW_NOW

enum { DRAFTS = 30 };

/* The counts of the newest draft are written as after an import. */
static void insert(
    struct store_fixture *f, const struct draft_new *draft, const struct draft_row_stored *row)
{
    struct draft stored;
    review_insert(f, draft, row, 1);
    assert_ok(f, draft_find(f->db, draft->filing_id, &f->arena, &stored, &f->fail));
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, draft_tally(f->db, stored.no, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
}

static struct str id_of(struct store_fixture *f, int number)
{
    return arena_fmt(&f->arena, "house-%d", number);
}

/* Thirty clean drafts of one row, and one with a doubt. */
static int setup(void **state)
{
    store_fixture_setup(state);
    struct store_fixture *f = *state;
    review_members(f);
    for (int i = 1; i <= DRAFTS + 1; i++) {
        struct draft_row_stored rows[] = {
            review_row(1, arena_fmt(&f->arena, "T%d", i).p, SIDE_BUY, BRACKET_1K_15K)};
        if (i > DRAFTS)
            rows[0].doubts = STR("[\"exact_amount: $1\"]");
        const struct draft_new draft = review_report(CHAMBER_HOUSE, id_of(f, i).p, 0);
        insert(f, &draft, rows);
    }
    return 0;
}

static struct desk desk_of(struct store_fixture *f, const char *by)
{
    return (struct desk){.db = f->db, .by = str_from(by), .now_ms = NOW, .batch_review = true};
}

static enum err try_start(
    struct store_fixture *f, const struct desk *desk, int64_t size, int64_t sample, int64_t *ret)
{
    struct batch_choices choices;
    enum err err = batch_choose(desk, size, NULL, &f->arena, &choices, &f->fail);
    return err ? err : batch_start(desk, &choices, sample, ret, &f->fail);
}

static int64_t start(struct store_fixture *f, const struct desk *desk, int64_t size, int64_t sample)
{
    int64_t no = 0;
    assert_ok(f, try_start(f, desk, size, sample, &no));
    return no;
}

static struct batch batch_of(struct store_fixture *f, int64_t no)
{
    struct batch b;
    assert_ok(f, batch_find(f->db, no, &f->arena, &b, &f->fail));
    return b;
}

static struct batch_draft_list drafts_of(
    struct store_fixture *f, int64_t no, enum batch_which which)
{
    struct batch_draft_list list;
    assert_ok(f, batch_drafts(f->db, no, which, BATCH_SIZE_MAX, &f->arena, &list, &f->fail));
    return list;
}

static enum batch_outcome look(
    struct store_fixture *f, const struct desk *desk, int64_t no, struct str id)
{
    enum batch_outcome outcome = BATCH_OUTCOME_COUNT;
    const struct batch_finding right = {.filing_id = id};
    assert_ok(f, batch_look(desk, no, &right, &outcome, &f->fail));
    return outcome;
}

static void look_at_all(struct store_fixture *f, const struct desk *desk, int64_t no)
{
    struct batch_draft_list drawn = drafts_of(f, no, BATCH_DRAWN);
    for (size_t i = 0; i < drawn.count; i++)
        if (drawn.items[i].outcome == BATCH_DRAFT_WAITING)
            look(f, desk, no, drawn.items[i].filing_id);
}

static struct batch accept(
    struct store_fixture *f, const struct desk *desk, int64_t no, int64_t limit)
{
    struct batch b;
    assert_ok(f, batch_accept(desk, no, limit, NULL, &b, &f->arena, &f->fail));
    return b;
}

static size_t accepted_drafts(struct store_fixture *f)
{
    size_t count = 0;
    for (int i = 1; i <= DRAFTS + 1; i++) {
        struct draft d;
        assert_ok(f, draft_find(f->db, id_of(f, i), &f->arena, &d, &f->fail));
        count += d.state == DRAFT_ACCEPTED;
    }
    return count;
}

static void edit(struct store_fixture *f, struct str id)
{
    const struct desk ben = desk_of(f, "ben@example.org");
    assert_ok(f, desk_set(&ben, id, 1, STR("side"), STR("sell_full"), STR("as printed"), &f->fail));
}

static void batches_are_off_by_default(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org");
    int64_t no;
    ann.batch_review = false;
    assert_int_equal(try_start(f, &ann, 10, 2, &no), ERR_REFUSED);
    assert_non_null(strstr(f->fail.text, "STOCKACT_BATCH_REVIEW"));
}

static void clean_drafts_are_accepted_after_the_drawn_ones_were_looked_at(void **state)
{
    struct store_fixture *f = *state;
    const struct desk ann = desk_of(f, "ann@example.org");
    struct batch b;
    int64_t no = start(f, &ann, 20, 5);
    b = batch_of(f, no);
    assert_int_equal(b.size, 20);
    assert_int_equal(b.unseen, 5);
    assert_int_equal(drafts_of(f, no, BATCH_DRAWN).count, 5);
    assert_int_equal(
        batch_accept(&ann, no, BATCH_SIZE_MAX, NULL, &b, &f->arena, &f->fail), ERR_REFUSED);
    assert_non_null(strstr(f->fail.text, "5 are left"));
    assert_int_equal(accepted_drafts(f), 0);
    look_at_all(f, &ann, no);
    b = accept(f, &ann, no, BATCH_SIZE_MAX);
    assert_int_equal(b.state, BATCH_ACCEPTED);
    assert_int_equal(b.of_outcome[BATCH_DRAFT_ACCEPTED], 20);
    assert_int_equal(accepted_drafts(f), 20);
    assert_int_equal(
        batch_accept(&ann, no, BATCH_SIZE_MAX, NULL, &b, &f->arena, &f->fail), ERR_REFUSED);
}

static void a_fault_returns_the_batch_and_its_draft_is_not_clean(void **state)
{
    struct store_fixture *f = *state;
    const struct desk ann = desk_of(f, "ann@example.org");
    int64_t no = start(f, &ann, 20, 5);
    struct str id = drafts_of(f, no, BATCH_DRAWN).items[2].filing_id;
    struct batch_finding fault = {.filing_id = id, .fault = true};
    enum batch_outcome outcome;
    struct draft d;
    assert_int_equal(batch_look(&ann, no, &fault, &outcome, &f->fail), ERR_INVALID);
    fault.reason = STR("page 1 prints $15,001");
    assert_ok(f, batch_look(&ann, no, &fault, &outcome, &f->fail));
    struct batch b = batch_of(f, no);
    assert_int_equal(b.state, BATCH_RETURNED);
    assert_int_equal(b.of_outcome[BATCH_DRAFT_FAULT], 1);
    assert_int_equal(b.of_outcome[BATCH_DRAFT_RETURNED], 19);
    assert_int_equal(accepted_drafts(f), 0);
    assert_int_equal(batch_accept(&ann, no, BATCH_SIZE_MAX, NULL, &b, &f->arena, &f->fail), OK);
    assert_int_equal(b.state, BATCH_RETURNED);
    assert_ok(f, draft_find(f->db, id, &f->arena, &d, &f->fail));
    assert_false(d.clean);
    assert_int_equal(batch_of(f, start(f, &ann, BATCH_SIZE_MAX, 1)).size, DRAFTS - 1);
}

static void an_edit_of_a_drawn_draft_is_a_fault(void **state)
{
    struct store_fixture *f = *state;
    const struct desk ann = desk_of(f, "ann@example.org");
    int64_t no = start(f, &ann, 20, 5);
    struct str id = drafts_of(f, no, BATCH_DRAWN).items[0].filing_id;
    edit(f, id);
    assert_int_equal(look(f, &ann, no, id), BATCH_DRAFT_FAULT);
    assert_int_equal(batch_of(f, no).state, BATCH_RETURNED);
}

static void an_edit_after_the_look_is_a_fault(void **state)
{
    struct store_fixture *f = *state;
    const struct desk ann = desk_of(f, "ann@example.org");
    int64_t no = start(f, &ann, 20, 5);
    look_at_all(f, &ann, no);
    edit(f, drafts_of(f, no, BATCH_DRAWN).items[4].filing_id);
    assert_int_equal(accept(f, &ann, no, BATCH_SIZE_MAX).state, BATCH_RETURNED);
    assert_int_equal(accepted_drafts(f), 0);
}

static void a_draft_that_changed_leaves_the_batch(void **state)
{
    struct store_fixture *f = *state;
    const struct desk ann = desk_of(f, "ann@example.org");
    const struct desk ben = desk_of(f, "ben@example.org");
    int64_t no = start(f, &ann, DRAFTS, 3);
    look_at_all(f, &ann, no);
    struct batch_draft_list waiting = drafts_of(f, no, BATCH_STILL);
    struct str edited = STR_NULL, held = STR_NULL;
    for (size_t i = 0; i < waiting.count; i++)
        if (!waiting.items[i].drawn)
            *(str_is_null(edited) ? &edited : &held) = waiting.items[i].filing_id;
    edit(f, edited);
    assert_ok(f, desk_claim(&ben, held, &f->fail));
    struct batch b = accept(f, &ann, no, BATCH_SIZE_MAX);
    assert_int_equal(b.state, BATCH_ACCEPTED);
    assert_int_equal(b.of_outcome[BATCH_DRAFT_LEFT], 2);
    assert_int_equal(accepted_drafts(f), DRAFTS - 2);
    struct batch_draft_list left = drafts_of(f, no, BATCH_LEFT);
    assert_int_equal(left.count, 2);
    for (size_t i = 0; i < left.count; i++)
        assert_non_null(strstr(
            left.items[i].reason.p,
            str_eq(left.items[i].filing_id, edited) ? "changed" : "claimed"));
}

static void a_new_version_of_a_drawn_draft_is_replaced_in_the_sample(void **state)
{
    struct store_fixture *f = *state;
    const struct desk ann = desk_of(f, "ann@example.org");
    int64_t no = start(f, &ann, 20, 5);
    struct str id = drafts_of(f, no, BATCH_DRAWN).items[0].filing_id;
    const struct draft_row_stored rows[] = {review_row(1, "NEW", SIDE_BUY, BRACKET_1K_15K)};
    const struct draft_new draft = review_report(CHAMBER_HOUSE, id.p, 0);
    insert(f, &draft, rows);
    assert_int_equal(look(f, &ann, no, id), BATCH_DRAFT_LEFT);
    struct batch b = batch_of(f, no);
    assert_int_equal(b.state, BATCH_OPEN);
    assert_int_equal(b.unseen, 5);
    look_at_all(f, &ann, no);
    assert_int_equal(accept(f, &ann, no, BATCH_SIZE_MAX).of_outcome[BATCH_DRAFT_ACCEPTED], 19);
}

static void two_batches_have_no_draft_in_common(void **state)
{
    struct store_fixture *f = *state;
    const struct desk ann = desk_of(f, "ann@example.org");
    const struct desk ben = desk_of(f, "ben@example.org");
    int64_t first = start(f, &ann, 20, 5), second = start(f, &ben, 20, 5), third;
    assert_int_equal(batch_of(f, first).size, 20);
    assert_int_equal(batch_of(f, second).size, DRAFTS - 20);
    assert_int_equal(try_start(f, &ben, 20, 5, &third), ERR_REFUSED);
    assert_ok(f, batch_return(&ann, first, STR("wrong day"), &f->fail));
    assert_int_equal(batch_of(f, start(f, &ben, 20, 5)).size, 20);
}

/* Both read the same drafts before either stores its batch. */
static void drafts_that_two_people_chose_are_of_the_first_batch(void **state)
{
    struct store_fixture *f = *state;
    const struct desk ann = desk_of(f, "ann@example.org");
    const struct desk ben = desk_of(f, "ben@example.org");
    struct batch_choices of_ann, of_ben;
    int64_t first = 0, second = 0;
    assert_ok(f, batch_choose(&ann, 10, NULL, &f->arena, &of_ann, &f->fail));
    assert_ok(f, batch_choose(&ben, 20, NULL, &f->arena, &of_ben, &f->fail));
    assert_ok(f, batch_start(&ann, &of_ann, 3, &first, &f->fail));
    assert_ok(f, batch_start(&ben, &of_ben, 3, &second, &f->fail));
    assert_int_equal(batch_of(f, first).size, 10);
    assert_int_equal(batch_of(f, second).size, 10);
}

static void draft_knows_its_open_batch(void **state)
{
    struct store_fixture *f = *state;
    const struct desk ann = desk_of(f, "ann@example.org");
    struct batch_draft found, drawn;
    int64_t none = start(f, &ann, 5, 1), of = -1;
    assert_ok(f, batch_return(&ann, none, STR("another sample"), &f->fail));
    int64_t no = start(f, &ann, 5, 5);
    drawn = drafts_of(f, no, BATCH_DRAWN).items[2];
    assert_ok(f, batch_of_draft(f->db, drawn.draft_no, &f->arena, &of, &found, &f->fail));
    assert_int_equal(of, no);
    assert_true(found.drawn && str_eq(found.filing_id, drawn.filing_id));
    look_at_all(f, &ann, no);
    accept(f, &ann, no, BATCH_SIZE_MAX);
    assert_ok(f, batch_of_draft(f->db, drawn.draft_no, &f->arena, &of, &found, &f->fail));
    assert_int_equal(of, 0);
}

static void interrupted_acceptance_continues(void **state)
{
    struct store_fixture *f = *state;
    const struct desk ann = desk_of(f, "ann@example.org");
    int64_t no = start(f, &ann, 20, 2);
    look_at_all(f, &ann, no);
    struct batch b = accept(f, &ann, no, 7);
    assert_int_equal(b.state, BATCH_ACCEPTING);
    assert_int_equal(accepted_drafts(f), 7);
    assert_int_equal(batch_return(&ann, no, STR("too late"), &f->fail), ERR_REFUSED);
    b = accept(f, &ann, no, BATCH_SIZE_MAX);
    assert_int_equal(b.state, BATCH_ACCEPTED);
    assert_int_equal(b.of_outcome[BATCH_DRAFT_ACCEPTED], 20);
}

static void small_batch_is_drawn_whole(void **state)
{
    struct store_fixture *f = *state;
    const struct desk ann = desk_of(f, "ann@example.org");
    int64_t no = start(f, &ann, 4, 10);
    assert_int_equal(batch_of(f, no).unseen, 4);
}

/* Of 400 draws of 1 of 4, each draft comes about as often: within five standard deviations. */
static void every_draft_is_drawn_equally_often(void **state)
{
    enum { DRAWS = 400, SIZE = 4, LEAST = 57, MOST = 143 };
    struct store_fixture *f = *state;
    const struct desk ann = desk_of(f, "ann@example.org");
    int drawn[DRAFTS + 1] = {0}, seen = 0;
    for (int i = 0; i < DRAWS; i++) {
        int64_t no = start(f, &ann, SIZE, 1), number;
        struct str id = drafts_of(f, no, BATCH_DRAWN).items[0].filing_id;
        assert_true(str_to_i64(str_slice(id, 6, id.n), &number));
        drawn[number]++;
        look_at_all(f, &ann, no); /* otherwise it is drawn again */
        assert_ok(f, batch_return(&ann, no, STR("again"), &f->fail));
    }
    for (int i = 1; i <= DRAFTS; i++) {
        seen += drawn[i] > 0;
        assert_true(drawn[i] == 0 || (drawn[i] >= LEAST && drawn[i] <= MOST));
    }
    assert_int_equal(seen, SIZE);
}

static int64_t lines_of(struct store_fixture *f, struct str id, const char *action)
{
    return store_fixture_number(
        f, arena_fmt(
               &f->arena,
               "SELECT count(*) FROM draft_history h JOIN draft d ON d.no = h.draft_no"
               " WHERE d.filing_id = '%.*s' AND h.action = '%s'",
               STR_ARG(id), action)
               .p);
}

static void a_draft_that_a_reviewer_accepted_alone_keeps_that_acceptance(void **state)
{
    struct store_fixture *f = *state;
    const struct desk ann = desk_of(f, "ann@example.org");
    const struct desk ben = desk_of(f, "ben@example.org");
    enum draft_state became;
    struct draft d;
    int64_t no = start(f, &ann, 4, 4);
    struct str id = drafts_of(f, no, BATCH_DRAWN).items[1].filing_id;
    look_at_all(f, &ann, no);
    assert_ok(f, desk_accept(&ben, id, STR_NULL, STR_NULL, &became, &f->fail));
    struct batch b = accept(f, &ann, no, BATCH_SIZE_MAX);
    assert_int_equal(b.of_outcome[BATCH_DRAFT_ACCEPTED], 3);
    assert_int_equal(b.of_outcome[BATCH_DRAFT_LEFT], 1);
    assert_non_null(strstr(drafts_of(f, no, BATCH_LEFT).items[0].reason.p, "accepted it alone"));
    assert_ok(f, draft_find(f->db, id, &f->arena, &d, &f->fail));
    assert_string_equal(d.accepted_by.p, "ben@example.org");
}

/* Both read the list of what waits before either accepts. */
static void two_acceptances_at_once_accept_each_draft_once(void **state)
{
    struct store_fixture *f = *state;
    const struct desk ann = desk_of(f, "ann@example.org");
    const struct desk ben = desk_of(f, "ben@example.org");
    struct batch b;
    bool ready;
    int64_t no = start(f, &ann, 2, 1);
    look_at_all(f, &ann, no);
    assert_ok(f, batch_accept_begin(&ann, no, &ready, &f->fail));
    struct batch_draft_list list = drafts_of(f, no, BATCH_STILL);
    for (size_t i = 0; i < list.count; i++) {
        const struct batch_draft *item = &list.items[i];
        assert_ok(f, batch_accept_one(&ann, no, item, &f->fail));
        assert_ok(f, batch_accept_one(&ben, no, item, &f->fail));
        assert_ok(f, batch_leave(&ben, no, item, STR("too late"), &f->fail));
        assert_int_equal(lines_of(f, item->filing_id, "accept"), 1);
    }
    assert_ok(f, batch_accept_finish(&ann, no, &b, &f->arena, &f->fail));
    assert_int_equal(b.of_outcome[BATCH_DRAFT_ACCEPTED], 2);
}

static void an_accepted_batch_says_who_looked(void **state)
{
    struct store_fixture *f = *state;
    const struct desk ann = desk_of(f, "ann@example.org");
    const struct desk ben = desk_of(f, "ben@example.org");
    int64_t no = start(f, &ann, 6, 2);
    look_at_all(f, &ben, no);
    accept(f, &ann, no, BATCH_SIZE_MAX);
    struct batch_draft_list drawn = drafts_of(f, no, BATCH_DRAWN);
    assert_int_equal(drawn.count, 2);
    for (size_t i = 0; i < drawn.count; i++) {
        assert_int_equal(drawn.items[i].outcome, BATCH_DRAFT_ACCEPTED);
        assert_string_equal(drawn.items[i].by.p, "ben@example.org");
    }
}

/* The clock of the one who edits is behind. */
static void an_edit_after_the_start_is_a_fault_whatever_the_clock_says(void **state)
{
    struct store_fixture *f = *state;
    const struct desk ann = desk_of(f, "ann@example.org");
    struct desk ben = desk_of(f, "ben@example.org");
    int64_t no = start(f, &ann, 20, 5);
    struct str id = drafts_of(f, no, BATCH_DRAWN).items[0].filing_id;
    ben.now_ms -= 60000;
    assert_ok(f, desk_set(&ben, id, 1, STR("side"), STR("sell_full"), STR("as printed"), &f->fail));
    assert_int_equal(look(f, &ann, no, id), BATCH_DRAFT_FAULT);
}

static void a_batch_that_was_given_up_hides_no_fault(void **state)
{
    enum { TIMES = 20 };
    struct store_fixture *f = *state;
    const struct desk ann = desk_of(f, "ann@example.org");
    int64_t no = start(f, &ann, 20, 1);
    struct str id = drafts_of(f, no, BATCH_DRAWN).items[0].filing_id;
    for (int i = 0; i < TIMES; i++) {
        bool drawn = false;
        assert_ok(f, batch_return(&ann, no, STR("again"), &f->fail));
        no = start(f, &ann, 20, 1);
        struct batch_draft_list list = drafts_of(f, no, BATCH_DRAWN);
        for (size_t k = 0; k < list.count; k++)
            drawn |= str_eq(list.items[k].filing_id, id);
        assert_true(drawn);
        assert_int_equal(batch_of(f, no).sample, list.count);
    }
    look_at_all(f, &ann, no);
    assert_ok(f, batch_return(&ann, no, STR("again"), &f->fail));
    assert_int_equal(batch_of(f, start(f, &ann, 20, 1)).unseen, 1);
}

/* As after an upgrade to a version with another check, before the document is read again. */
static void drafts_that_only_seem_clean_do_not_keep_others_from_a_batch(void **state)
{
    struct store_fixture *f = *state;
    const struct desk ann = desk_of(f, "ann@example.org");
    assert_ok(
        f, db_exec(
               f->db,
               "UPDATE draft SET filed_at = filed_at - 1,"
               " checks = '[{\"name\":\"signed\",\"passed\":false,\"detail\":null}]'"
               " WHERE filing_id IN ('house-1', 'house-2', 'house-3', 'house-4')",
               &f->fail));
    int64_t no = start(f, &ann, 4, 1);
    assert_int_equal(batch_of(f, no).size, 4);
    struct batch_draft_list list = drafts_of(f, no, BATCH_STILL);
    assert_int_equal(list.count, 4);
    for (size_t i = 0; i < list.count; i++)
        for (int k = 1; k <= 4; k++)
            assert_false(str_eq(list.items[i].filing_id, id_of(f, k)));
}

static void a_document_that_was_read_once_is_not_clean(void **state)
{
    struct store_fixture *f = *state;
    static const char *const texts[] = {
        "[{\"name\":\"signed\",\"passed\":true,\"detail\":null}]",
        "[{\"name\":\"second_reading\",\"passed\":true,\"detail\":null}]"};
    assert_ok(
        f, db_exec(
               f->db,
               "INSERT INTO document (kind, source_id, name, chamber, state, first_seen_at)"
               " VALUES ('house', 'house-1', 'house-1', 'house', 'draft', 1)",
               &f->fail));
    for (int i = 0; i < 2; i++) {
        struct document_version version = {.document_no = 1, .bytes = 1, .sha256 = {(uint8_t)i}};
        struct draft_new draft = review_report(CHAMBER_HOUSE, "house-1", 0);
        struct draft d;
        const struct draft_row_stored rows[] = {review_row(1, "T", SIDE_BUY, BRACKET_1K_15K)};
        draft.checks = str_from(texts[i]);
        assert_ok(f, db_begin(f->db, &f->fail));
        assert_ok(f, document_version_add(f->db, &version, NOW, &draft.document_version, &f->fail));
        assert_ok(f, db_commit(f->db, &f->fail));
        insert(f, &draft, rows);
        assert_ok(f, draft_find(f->db, draft.filing_id, &f->arena, &d, &f->fail));
        assert_int_equal(d.clean, i == 1);
    }
}

static void a_reported_fault_changes_the_mark(void **state)
{
    struct store_fixture *f = *state;
    const struct desk ann = desk_of(f, "ann@example.org");
    char before[DESK_MARK_SIZE], after[DESK_MARK_SIZE];
    struct desk_view view;
    enum batch_outcome outcome;
    int64_t no = start(f, &ann, 1, 1);
    struct str id = drafts_of(f, no, BATCH_DRAWN).items[0].filing_id;
    const struct batch_finding fault = {id, true, STR("page 1 prints $15,001")};
    assert_ok(f, desk_show(f->db, id, &f->arena, &view, &f->fail));
    desk_mark(&view, before);
    assert_ok(f, batch_look(&ann, no, &fault, &outcome, &f->fail));
    assert_ok(f, desk_show(f->db, id, &f->arena, &view, &f->fail));
    desk_mark(&view, after);
    assert_memory_not_equal(before, after, DESK_MARK_SIZE);
}

#define BATCH_TEST(name) cmocka_unit_test_setup_teardown(name, setup, store_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BATCH_TEST(batches_are_off_by_default),
        BATCH_TEST(clean_drafts_are_accepted_after_the_drawn_ones_were_looked_at),
        BATCH_TEST(a_fault_returns_the_batch_and_its_draft_is_not_clean),
        BATCH_TEST(an_edit_of_a_drawn_draft_is_a_fault),
        BATCH_TEST(an_edit_after_the_look_is_a_fault),
        BATCH_TEST(a_draft_that_changed_leaves_the_batch),
        BATCH_TEST(a_new_version_of_a_drawn_draft_is_replaced_in_the_sample),
        BATCH_TEST(two_batches_have_no_draft_in_common),
        BATCH_TEST(drafts_that_two_people_chose_are_of_the_first_batch),
        BATCH_TEST(draft_knows_its_open_batch),
        BATCH_TEST(interrupted_acceptance_continues),
        BATCH_TEST(small_batch_is_drawn_whole),
        BATCH_TEST(every_draft_is_drawn_equally_often),
        BATCH_TEST(a_draft_that_a_reviewer_accepted_alone_keeps_that_acceptance),
        BATCH_TEST(two_acceptances_at_once_accept_each_draft_once),
        BATCH_TEST(an_accepted_batch_says_who_looked),
        BATCH_TEST(an_edit_after_the_start_is_a_fault_whatever_the_clock_says),
        BATCH_TEST(a_batch_that_was_given_up_hides_no_fault),
        BATCH_TEST(drafts_that_only_seem_clean_do_not_keep_others_from_a_batch),
        BATCH_TEST(a_document_that_was_read_once_is_not_clean),
        BATCH_TEST(a_reported_fault_changes_the_mark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
