/* What an acceptance can prove: by what was shown, to whom, when, and by which way. */
#include "review_sample.h"

#include "store/desk/draft_look.h"
#include "store/desk/draft_tally.h"
#include "store/public/acceptance.h"
#include "store/public/document.h"
#include "store/public/provenance.h"

#define NOW REVIEW_NOW
#define ANN "ann@example.org"
#define MINUTES(n) ((int64_t)(n)*60 * 1000)

static struct desk desk_of(struct store_fixture *f, const char *by, int64_t now)
{
    return (struct desk){.db = f->db, .by = str_from(by), .now_ms = now, .way = ACCEPTANCE_SCRIPT};
}

/* Rows 1 and 2 on page 1, row 3 on page 2; row 4 of page 3 is deleted. */
static int setup(void **state)
{
    store_fixture_setup(state);
    struct store_fixture *f = *state;
    struct draft_row_stored rows[4];
    struct draft_new draft = review_report(CHAMBER_HOUSE, "house-1", 0);
    draft.checks = STR("[{\"name\":\"second_reading\",\"passed\":true,\"detail\":\"\"}]");
    for (int i = 0; i < 4; i++) {
        rows[i] = review_row(i + 1, "A", SIDE_BUY, BRACKET_1K_15K);
        rows[i].page = i < 2 ? 1 : i;
    }
    review_members(f);
    review_insert(f, &draft, ROWS(rows));
    assert_ok(
        f, db_exec(f->db, "UPDATE draft_row SET removed_at = 1 WHERE position = 4", &f->fail));
    return 0;
}

static void look(
    struct store_fixture *f, const char *id, const char *by, int page, int row, int64_t at)
{
    const struct draft_look_event event = {str_from(by), page, row, at};
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, draft_look_add(f->db, str_from(id), &event, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
}

static void accept(struct store_fixture *f, const struct desk *desk)
{
    enum draft_state state;
    assert_ok(f, desk_accept(desk, STR("house-1"), STR_NULL, STR_NULL, &state, &f->fail));
}

/* "way review pages/opened of rows ms" of the newest acceptance. */
static const char *newest(struct store_fixture *f)
{
    struct query q;
    const char *text = "";
    query_start(
        &q, f->db,
        "SELECT way, review, pages, opened, row_count, ms FROM acceptance ORDER BY no DESC"
        " LIMIT 1");
    if (query_row(&q))
        text = arena_fmt(
                   &f->arena, "%.*s %.*s %.*s/%.*s of %lld %lld", STR_ARG(query_get_str(&q, 0)),
                   STR_ARG(query_get_str(&q, 1)), STR_ARG(query_get_str(&q, 2)),
                   STR_ARG(query_get_str(&q, 3)), (long long)query_get_i64(&q, 4),
                   (long long)query_get_i64(&q, 5))
                   .p;
    assert_ok(f, query_end(&q, &f->fail));
    return text;
}

static struct provenance published(struct store_fixture *f)
{
    struct provenance p;
    assert_ok(f, provenance_find(f->db, STR("house-1"), INT64_MAX, &f->arena, &p, &f->fail));
    return p;
}

/* --- what counts */

static void row_needs_every_page_and_every_row_by_the_script(void **state)
{
    struct store_fixture *f = *state;
    const struct desk desk = desk_of(f, ANN, NOW + 9000);
    look(f, "house-1", ANN, 1, 0, NOW);
    look(f, "house-1", ANN, 0, 1, NOW + 1000);
    look(f, "house-1", ANN, 0, 2, NOW + 2000);
    look(f, "house-1", ANN, 2, 3, NOW + 3000);
    accept(f, &desk);
    assert_string_equal(newest(f), "script row 1-2/1-3 of 3 9000");
    review_publish(f, "house-1", NOW + 9000);
    assert_int_equal(published(f).review, FILING_REVIEW_ROW);
    assert_int_equal(published(f).looked_ms, 9000);
}

static void row_that_was_not_opened_leaves_page(void **state)
{
    struct store_fixture *f = *state;
    const struct desk desk = desk_of(f, ANN, NOW);
    look(f, "house-1", ANN, 1, 1, NOW);
    look(f, "house-1", ANN, 2, 3, NOW);
    accept(f, &desk);
    assert_string_equal(newest(f), "script page 1-2/1,3 of 3 0");
}

static void desk_without_the_script_proves_pages_at_most(void **state)
{
    struct store_fixture *f = *state;
    struct desk desk = desk_of(f, ANN, NOW);
    desk.way = ACCEPTANCE_DESK;
    for (int row = 1; row <= 3; row++)
        look(f, "house-1", ANN, row < 3 ? 1 : 2, row, NOW);
    accept(f, &desk);
    assert_string_equal(newest(f), "desk page 1-2/1-3 of 3 0");
}

static void page_that_was_not_shown_leaves_unseen(void **state)
{
    struct store_fixture *f = *state;
    const struct desk desk = desk_of(f, ANN, NOW + 900);
    look(f, "house-1", ANN, 1, 0, NOW);
    look(f, "house-1", "ben@example.org", 2, 0, NOW); /* to another person */
    look(f, "house-1", "", 2, 0, NOW);                /* by a command */
    accept(f, &desk);
    assert_string_equal(newest(f), "script unseen 1/ of 3 900");
    review_publish(f, "house-1", NOW + 900);
    assert_int_equal(published(f).review, FILING_REVIEW_UNSEEN);
    assert_int_equal(published(f).looked_ms, 900);
}

static void commands_prove_pages_that_a_command_has_written(void **state)
{
    struct store_fixture *f = *state;
    struct desk desk = desk_of(f, ANN, NOW);
    desk.way = ACCEPTANCE_COMMAND;
    for (int row = 1; row <= 3; row++) /* what the desk has shown does not count */
        look(f, "house-1", ANN, row < 3 ? 1 : 2, row, NOW);
    accept(f, &desk);
    assert_string_equal(newest(f), "command unseen / of 3 0");
    assert_ok(f, desk_claim(&desk, STR("house-1"), &f->fail));
    look(f, "house-1", "", 1, 0, NOW);
    look(f, "house-1", "", 2, 0, NOW);
    accept(f, &desk);
    assert_string_equal(newest(f), "command page 1-2/ of 3 0");
}

static void row_without_a_known_page_needs_all_pages(void **state)
{
    struct store_fixture *f = *state;
    int row = 0;
    const struct desk desk = desk_of(f, ANN, NOW);
    look(f, "house-1", ANN, 1, 0, NOW);
    look(f, "house-1", ANN, 2, 0, NOW);
    assert_ok(f, desk_add_row(&desk, STR("house-1"), 0, &row, &f->fail));
    assert_ok(f, desk_delete_row(&desk, STR("house-1"), 1, STR_NULL, &f->fail));
    accept(f, &desk);
    assert_string_equal(newest(f), "script unseen 1-2/ of 3 0"); /* how many it has is not known */
}

/* --- who changed it, and when */

static void edit_by_another_person_takes_rows_back(void **state)
{
    struct store_fixture *f = *state;
    const struct desk ann = desk_of(f, ANN, NOW),
                      ben = desk_of(f, "ben@example.org", NOW + DESK_CLAIM_MS);
    for (int row = 1; row <= 3; row++)
        look(f, "house-1", ANN, row < 3 ? 1 : 2, row, NOW);
    look(f, "house-1", "ben@example.org", 1, 1, ben.now_ms);
    look(f, "house-1", "ben@example.org", 2, 2, ben.now_ms);
    look(f, "house-1", "ben@example.org", 2, 3, ben.now_ms);
    assert_ok(
        f, desk_set(
               &ben, STR("house-1"), 1, STR("side"), STR("sell_full"), STR("so it is printed"),
               &f->fail));
    struct desk later = ann;
    later.now_ms = ben.now_ms + DESK_CLAIM_MS;
    accept(f, &later);
    assert_string_equal(newest(f), "script page 1-2/ of 3 300000");
    assert_ok(f, desk_claim(&later, STR("house-1"), &f->fail));
    later = ben; /* his own edit takes nothing from him */
    later.now_ms = ann.now_ms + 3 * DESK_CLAIM_MS;
    accept(f, &later);
    assert_string_equal(newest(f), "script row 1-2/1-3 of 3 300000");
}

static void stronger_of_two_acceptances_counts(void **state)
{
    struct store_fixture *f = *state;
    struct draft_new paper = review_report(CHAMBER_HOUSE, "house-2", 0);
    struct draft_row_stored row = review_row(1, "A", SIDE_BUY, BRACKET_1K_15K);
    enum draft_state state_of;
    struct provenance p;
    paper.manual = true;
    row.page = 1;
    review_insert(f, &paper, &row, 1);
    look(f, "house-2", ANN, 1, 1, NOW);
    struct desk desk = desk_of(f, ANN, NOW);
    desk.second_reviewer = true;
    assert_ok(f, desk_accept(&desk, STR("house-2"), STR_NULL, STR_NULL, &state_of, &f->fail));
    desk.by = STR("ben@example.org");
    desk.now_ms = NOW + 1;
    desk.way = ACCEPTANCE_COMMAND;
    assert_ok(f, desk_accept(&desk, STR("house-2"), STR_NULL, STR_NULL, &state_of, &f->fail));
    assert_string_equal(newest(f), "command unseen / of 1 0");
    review_publish(f, "house-2", NOW + 2);
    assert_ok(f, provenance_find(f->db, STR("house-2"), INT64_MAX, &f->arena, &p, &f->fail));
    assert_int_equal(p.review, FILING_REVIEW_ROW);
}

/* An earlier version publishes a draft that it has accepted, and knows of no acceptance. */
static void acceptance_of_another_publication_is_not_evidence(void **state)
{
    struct store_fixture *f = *state;
    row_needs_every_page_and_every_row_by_the_script(state);
    assert_ok(f, db_exec(f->db, "UPDATE filing SET reviewed_at = reviewed_at + 1", &f->fail));
    assert_int_equal(published(f).review, FILING_REVIEW_UNSEEN);
    assert_int_equal(published(f).looked_ms, -1);
}

/* --- the time */

static void gap_counts_as_five_minutes_at_most(void **state)
{
    struct store_fixture *f = *state;
    const struct desk desk = desk_of(f, ANN, NOW + MINUTES(90));
    look(f, "house-1", ANN, 1, 0, NOW);
    look(f, "house-1", ANN, 2, 0, NOW + MINUTES(60));
    look(f, "house-1", ANN, 2, 0, NOW + MINUTES(60) - 1); /* the clock was set back */
    look(f, "house-1", ANN, 2, 0, NOW + MINUTES(89));
    accept(f, &desk);
    assert_string_equal(newest(f), "script page 1-2/ of 3 660000");
}

static void time_at_another_draft_does_not_count(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_new other = review_report(CHAMBER_HOUSE, "house-2", 0);
    const struct desk desk = desk_of(f, ANN, NOW + 5000);
    review_insert(f, &other, NULL, 0);
    look(f, "house-1", ANN, 1, 0, NOW);
    look(f, "house-1", ANN, 2, 0, NOW + 1000);
    look(f, "house-2", ANN, 1, 0, NOW + 2000);
    look(f, "house-1", ANN, 1, 0, NOW + 4000); /* back */
    accept(f, &desk);
    assert_string_equal(newest(f), "script page 1-2/ of 3 2000");
}

static void filing_without_a_draft_has_no_looks(void **state)
{
    struct store_fixture *f = *state;
    look(f, "house-9", ANN, 1, 0, NOW);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM draft_look"), 0);
}

/* --- the usual time for a clean draft */

static void took(
    struct store_fixture *f, const char *way, int rows, int64_t ms, int64_t at, int clean)
{
    struct str sql = arena_fmt(
        &f->arena,
        "INSERT INTO acceptance (draft_no, at, by_email, way, review, pages, opened, row_count, ms,"
        " clean) SELECT no, %lld, 'a', '%s', 'page', '', '', %d, %lld, %d FROM draft",
        (long long)at, way, rows, (long long)ms, clean);
    assert_ok(f, db_exec(f->db, sql.p, &f->fail));
}

static void median_is_of_clean_short_drafts_at_the_desk(void **state)
{
    struct store_fixture *f = *state;
    struct acceptance_median median;
    took(f, "desk", ACCEPTANCE_ROWS_MAX + 1, 1, NOW, 1);
    took(f, "desk", 1, 2, NOW, 0);
    took(f, "command", 1, 3, NOW, 1);
    took(f, "desk", 1, 4, NOW - 1, 1); /* too long ago */
    took(f, "desk", 1, 0, NOW, 1);     /* in a batch */
    assert_ok(f, acceptance_median(f->db, NOW, &median, &f->fail));
    assert_true(median.count == 0 && median.ms == 0);
    took(f, "desk", ACCEPTANCE_ROWS_MAX, 9000, NOW, 1);
    took(f, "script", 1, 2000, NOW, 1);
    took(f, "script", 1, 5000, NOW, 1);
    assert_ok(f, acceptance_median(f->db, NOW, &median, &f->fail));
    assert_true(median.count == 3 && median.ms == 5000);
}

/* --- public filings */

static void reviews_are_counted_with_the_median_of_a_row(void **state)
{
    struct store_fixture *f = *state;
    struct review_counts counts;
    row_needs_every_page_and_every_row_by_the_script(state);
    assert_ok(f, review_count(f->db, NULL, &counts, &f->fail));
    assert_int_equal(counts.of[FILING_REVIEW_ROW], 1);
    assert_int_equal(counts.row_ms[FILING_REVIEW_ROW], 3000);
    assert_int_equal(counts.row_ms[FILING_REVIEW_PAGE], -1);
    assert_int_equal(counts.unrecorded, 0);
    assert_ok(f, db_exec(f->db, "UPDATE filing SET acceptance_no = NULL", &f->fail));
    assert_ok(f, review_count(f->db, NULL, &counts, &f->fail));
    assert_int_equal(counts.of[FILING_REVIEW_ROW], 0);
    assert_int_equal(counts.of[FILING_REVIEW_UNSEEN], 1);
    assert_int_equal(counts.unrecorded, 1);
    assert_int_equal(counts.row_ms[FILING_REVIEW_UNSEEN], -1);
}

#define looked_test(name) cmocka_unit_test_setup_teardown(name, setup, store_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        looked_test(row_needs_every_page_and_every_row_by_the_script),
        looked_test(row_that_was_not_opened_leaves_page),
        looked_test(desk_without_the_script_proves_pages_at_most),
        looked_test(page_that_was_not_shown_leaves_unseen),
        looked_test(commands_prove_pages_that_a_command_has_written),
        looked_test(row_without_a_known_page_needs_all_pages),
        looked_test(edit_by_another_person_takes_rows_back),
        looked_test(stronger_of_two_acceptances_counts),
        looked_test(acceptance_of_another_publication_is_not_evidence),
        looked_test(gap_counts_as_five_minutes_at_most),
        looked_test(time_at_another_draft_does_not_count),
        looked_test(filing_without_a_draft_has_no_looks),
        looked_test(median_is_of_clean_short_drafts_at_the_desk),
        looked_test(reviews_are_counted_with_the_median_of_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
