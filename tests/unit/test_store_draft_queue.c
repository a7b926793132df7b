/* The reviewers' queue: what is counted, sorted, filtered; and actions inside a transaction of
 * their caller. */
#include "review_sample.h"

#include "rule/lateness.h"
#include "store/desk/draft_queue.h"
#include "store/desk/draft_tally.h"

#define NOW REVIEW_NOW
#define BUY SIDE_BUY
#define LOW BRACKET_1K_15K

static void tally(struct store_fixture *f, const char *id)
{
    struct draft draft;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, draft_find(f->db, str_from(id), &f->arena, &draft, &f->fail));
    assert_ok(f, draft_tally(f->db, draft.no, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
}

/* house-1: clean, filed first. house-2: three rows, two of them doubtful, an early due day.
 * house-3: a failed check. senate-4: paper, without rows. */
static int setup(void **state)
{
    store_fixture_setup(state);
    struct store_fixture *f = *state;
    struct draft_row_stored one[] = {review_row(1, "A", BUY, LOW)};
    struct draft_row_stored three[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", BUY, LOW),
        review_row(3, "C", BUY, BRACKET_NONE)};
    struct draft_new house = review_report(CHAMBER_HOUSE, "house-1", 0);
    struct draft_new doubtful = review_report(CHAMBER_HOUSE, "house-2", 0);
    struct draft_new failed = review_report(CHAMBER_HOUSE, "house-3", 0);
    struct draft_new paper = review_report(CHAMBER_SENATE, "senate-4", 0);
    three[0].values.trade_date = REVIEW_DAY - 90;
    three[1].doubts = STR("[\"ticker_unknown: ZZZZZ\"]");
    doubtful.filed_at = instant_from_new_york(REVIEW_DAY + 1, 0);
    doubtful.politician_id = STR("m2");
    failed.filed_at = instant_from_new_york(REVIEW_DAY + 2, 0);
    failed.checks = STR("[{\"name\":\"rows_total\",\"passed\":false,\"detail\":\"\"},"
                        "{\"name\":\"signed\",\"passed\":true,\"detail\":\"\"}]");
    paper.filed_at = INSTANT_NONE;
    paper.manual = true;
    review_members(f);
    review_insert(f, &house, ROWS(one));
    review_insert(f, &doubtful, ROWS(three));
    review_insert(f, &failed, ROWS(one));
    review_insert(f, &paper, NULL, 0);
    tally(f, "house-1");
    tally(f, "house-2");
    tally(f, "house-3");
    tally(f, "senate-4");
    return 0;
}

/* "id rows/doubts/failed due clean; " */
static const char *queue(
    struct store_fixture *f, const struct draft_queue_filter *filter, int64_t from, int64_t limit)
{
    struct draft_queue page;
    struct str text = STR("");
    assert_ok(f, draft_queue_page(f->db, filter, from, limit, &f->arena, &page, &f->fail));
    for (size_t i = 0; i < page.count; i++) {
        const struct draft_queued *d = &page.items[i];
        text = arena_fmt(
            &f->arena, "%.*s%.*s %d/%d/%d%s; ", STR_ARG(text), STR_ARG(d->filing_id), (int)d->rows,
            (int)d->doubts, (int)d->failed, d->clean ? " clean" : "");
    }
    return arena_fmt(&f->arena, "%.*s", STR_ARG(text)).p;
}

static const char *ids(struct store_fixture *f, struct draft_queue_filter filter)
{
    struct draft_queue page;
    struct str text = STR("");
    int64_t total;
    filter.now_ms = NOW;
    assert_ok(f, draft_queue_page(f->db, &filter, 0, 10, &f->arena, &page, &f->fail));
    assert_ok(f, draft_queue_total(f->db, &filter, &total, &f->fail));
    assert_int_equal(total, page.count);
    for (size_t i = 0; i < page.count; i++)
        text = arena_fmt(&f->arena, "%.*s%.*s ", STR_ARG(text), STR_ARG(page.items[i].filing_id));
    return arena_fmt(&f->arena, "%.*s", STR_ARG(text)).p;
}

static void drafts_are_counted(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_queue_filter any = {.now_ms = NOW};
    struct draft_queue page;
    assert_string_equal(
        queue(f, &any, 0, 10),
        "senate-4 0/0/0; house-1 1/0/0 clean; house-2 3/2/0; house-3 1/0/1; ");
    assert_ok(f, draft_queue_page(f->db, &any, 2, 1, &f->arena, &page, &f->fail));
    assert_int_equal(page.items[0].due_day, REVIEW_DAY - 90 + 45);
}

static void pages_follow_each_other(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_queue_filter any = {.now_ms = NOW};
    assert_string_equal(queue(f, &any, 0, 2), "senate-4 0/0/0; house-1 1/0/0 clean; ");
    assert_string_equal(queue(f, &any, 2, 2), "house-2 3/2/0; house-3 1/0/1; ");
    assert_string_equal(queue(f, &any, 4, 2), "");
}

static void drafts_are_sorted(void **state)
{
    struct store_fixture *f = *state;
    static const struct {
        enum draft_queue_sort sort;
        const char *ids;
    } orders[] = {
        {QUEUE_OLDEST, "senate-4 house-1 house-2 house-3 "},
        {QUEUE_NEWEST, "house-3 house-2 house-1 senate-4 "},
        {QUEUE_DUE, "house-2 house-1 house-3 senate-4 "},
        {QUEUE_CLEAN, "house-1 house-2 house-3 senate-4 "},
        {QUEUE_DOUBTS, "house-2 house-1 house-3 senate-4 "},
        {QUEUE_CHECKS, "house-3 house-1 house-2 senate-4 "},
        {QUEUE_ROWS, "house-2 house-1 house-3 senate-4 "},
    };
    assert_int_equal(sizeof orders / sizeof *orders, QUEUE_SORT_COUNT);
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        assert_string_equal(
            ids(f, (struct draft_queue_filter){.sort = orders[i].sort}), orders[i].ids);
}

/* Who types paper blind must not learn its rows from its place. */
static void blind_order_does_not_depend_on_the_rows_of_paper(void **state)
{
    struct store_fixture *f = *state;
    struct draft_row_stored two[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", BUY, BRACKET_NONE)};
    struct draft_new empty = review_report(CHAMBER_SENATE, "senate-5", 0);
    struct draft_new filled = review_report(CHAMBER_SENATE, "senate-6", 0);
    empty.manual = filled.manual = true;
    two[0].values.trade_date = REVIEW_DAY - 90;
    two[1].doubts = STR("[\"ticker_unknown: ZZZZZ\"]");
    review_insert(f, &empty, NULL, 0);
    review_insert(f, &filled, ROWS(two));
    tally(f, "senate-5");
    tally(f, "senate-6");
    for (int sort = 0; sort < QUEUE_SORT_COUNT; sort++) {
        struct draft_queue_filter filter = {
            .sort = (enum draft_queue_sort)sort, .text = STR("senate-"), .blind = true};
        const char *order = ids(f, filter);
        assert_true(strstr(order, "senate-5") < strstr(order, "senate-6"));
        filter.blind = false;
        bool by_rows = sort == QUEUE_ROWS || sort == QUEUE_DOUBTS || sort == QUEUE_DUE;
        order = ids(f, filter);
        assert_int_equal(strstr(order, "senate-6") < strstr(order, "senate-5"), by_rows);
    }
}

static void filters_narrow_the_queue(void **state)
{
    struct store_fixture *f = *state;
    assert_string_equal(ids(f, (struct draft_queue_filter){.clean = true}), "house-1 ");
    assert_string_equal(
        ids(f, (struct draft_queue_filter){.chamber = CHAMBER_SENATE}), "senate-4 ");
    assert_string_equal(ids(f, (struct draft_queue_filter){.kind = QUEUE_PAPER}), "senate-4 ");
    assert_string_equal(
        ids(f, (struct draft_queue_filter){.kind = QUEUE_READ}), "house-1 house-2 house-3 ");
    assert_string_equal(ids(f, (struct draft_queue_filter){.text = STR("HOUSE-2")}), "house-2 ");
    assert_string_equal(ids(f, (struct draft_queue_filter){.text = STR("dana-h")}), "house-2 ");
    assert_string_equal(ids(f, (struct draft_queue_filter){.text = STR("%")}), "");
    assert_string_equal(ids(f, (struct draft_queue_filter){.text = STR("h_use")}), "");
}

static void claims_of_others_can_be_left_out(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = review_desk(f, NOW);
    ann.by = STR("Ann@Example.org");
    assert_ok(f, desk_claim(&ann, STR("house-1"), &f->fail));
    assert_string_equal(
        ids(f, (struct draft_queue_filter){.mine = STR("ann@example.org")}), "house-1 ");
    assert_string_equal(ids(f, (struct draft_queue_filter){.mine = STR("ben@example.org")}), "");
    assert_string_equal(
        ids(f, (struct draft_queue_filter){.for_whom = STR("ben@example.org")}),
        "senate-4 house-2 house-3 ");
    struct draft_queue_filter later = {
        .for_whom = STR("ben@example.org"), .now_ms = NOW + DESK_CLAIM_MS};
    assert_string_equal(queue(f, &later, 0, 2), "senate-4 0/0/0; house-1 1/0/0 clean; ");
}

/* In every order, each draft leads to the one after it, and the last to none. */
static void the_next_draft_is_the_one_after_it(void **state)
{
    struct store_fixture *f = *state;
    for (int sort = 0; sort < QUEUE_SORT_COUNT; sort++) {
        struct draft_queue_filter filter = {.sort = (enum draft_queue_sort)sort, .now_ms = NOW};
        struct draft_queue all, next;
        assert_ok(f, draft_queue_page(f->db, &filter, 0, 10, &f->arena, &all, &f->fail));
        assert_int_equal(all.count, 4);
        for (size_t i = 0; i < all.count; i++) {
            filter.after = all.items[i].filing_id;
            assert_ok(f, draft_queue_page(f->db, &filter, 0, 1, &f->arena, &next, &f->fail));
            assert_int_equal(next.count, i + 1 < all.count);
            if (next.count)
                assert_true(str_eq(next.items[0].filing_id, all.items[i + 1].filing_id));
        }
    }
}

/* A draft that has left the list keeps its place in the order. */
static void the_list_goes_on_after_an_accepted_draft(void **state)
{
    struct store_fixture *f = *state;
    review_accept(f, "house-1", NOW);
    assert_string_equal(
        ids(f, (struct draft_queue_filter){.sort = QUEUE_NEWEST, .chamber = CHAMBER_HOUSE}),
        "house-3 house-2 ");
    const struct draft_queue_filter after = {
        .sort = QUEUE_OLDEST, .after = STR("house-1"), .now_ms = NOW};
    assert_string_equal(queue(f, &after, 0, 1), "house-2 3/2/0; ");
}

static void a_first_acceptance_is_not_offered_to_the_same_person(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = review_desk(f, NOW);
    struct draft_row_stored row[] = {review_row(1, "A", BUY, LOW)};
    struct draft_new paper = review_report(CHAMBER_HOUSE, "house-5", 0);
    enum draft_state next;
    paper.manual = true;
    review_insert(f, &paper, ROWS(row));
    tally(f, "house-5");
    ann.by = STR("Ann@example.org");
    ann.second_reviewer = true;
    assert_ok(f, desk_accept(&ann, STR("house-5"), STR_NULL, STR_NULL, &next, &f->fail));
    assert_int_equal(next, DRAFT_WAITING);
    struct draft_queue_filter papers = {.kind = QUEUE_PAPER, .for_whom = STR("ann@example.org")};
    assert_string_equal(ids(f, papers), "senate-4 ");
    papers.for_whom = STR("ben@example.org");
    assert_string_equal(ids(f, papers), "senate-4 house-5 ");
}

static void letters_beyond_ascii_are_found_in_either_case(void **state)
{
    struct store_fixture *f = *state;
    struct draft_row_stored row[] = {review_row(1, "A", BUY, LOW)};
    struct draft_new named = review_report(CHAMBER_HOUSE, "house-5", 0);
    named.filer = STR("Hon. Jos\xc3\xa9 Vale");
    review_insert(f, &named, ROWS(row));
    assert_string_equal(
        ids(f, (struct draft_queue_filter){.text = STR("JOS\xc3\x89 VALE")}), "house-5 ");
    assert_string_equal(ids(f, (struct draft_queue_filter){.text = STR("jos\xc3\xa9s")}), "");
    char many[600];
    memset(many, '!', sizeof many);
    assert_string_equal(ids(f, (struct draft_queue_filter){.text = str_of(many, sizeof many)}), "");
}

static void edits_change_the_counts(void **state)
{
    struct store_fixture *f = *state;
    const struct desk ann = review_desk(f, NOW);
    const struct draft_queue_filter first = {.text = STR("house-2"), .now_ms = NOW};
    assert_ok(
        f,
        desk_set(&ann, STR("house-2"), 3, STR("amountBucket"), STR("1k_15k"), STR_NULL, &f->fail));
    assert_string_equal(queue(f, &first, 0, 1), "house-2 3/1/0; ");
    assert_ok(f, desk_delete_row(&ann, STR("house-2"), 1, STR("not a trade"), &f->fail));
    assert_string_equal(queue(f, &first, 0, 1), "house-2 2/1/0; ");
}

static void due_day_is_that_of_the_law_and_of_no_doubted_date(void **state)
{
    struct store_fixture *f = *state;
    const int32_t days[] = {DAY_NONE,        REVIEW_DAY - 40, REVIEW_DAY - 35,
                            REVIEW_DAY - 25, REVIEW_DAY,      REVIEW_DAY + 365000};
    const struct draft_queue_filter first = {.text = STR("house-1"), .now_ms = NOW};
    struct draft_row_stored row = review_row(1, "A", BUY, LOW);
    struct draft draft;
    assert_ok(f, draft_find(f->db, STR("house-1"), &f->arena, &draft, &f->fail));
    for (size_t i = 0; i < sizeof days / sizeof *days; i++)
        for (size_t j = 0; j < sizeof days / sizeof *days; j++) {
            struct draft_queue page;
            row.values.trade_date = days[i];
            row.notified_date = days[j];
            assert_ok(f, db_begin(f->db, &f->fail));
            assert_ok(f, draft_row_update(f->db, draft.no, &row, NOW, &f->fail));
            assert_ok(f, draft_tally(f->db, draft.no, &f->fail));
            assert_ok(f, db_commit(f->db, &f->fail));
            assert_ok(f, draft_queue_page(f->db, &first, 0, 1, &f->arena, &page, &f->fail));
            const struct trade_report report = {.first_filed = REVIEW_DAY, .notified = days[j]};
            assert_int_equal(page.items[0].due_day, lateness_of(days[i], &report).due);
        }
}

static void stages_are_counted(void **state)
{
    struct store_fixture *f = *state;
    struct draft_queue_counts n;
    review_accept(f, "house-1", NOW);
    assert_ok(f, draft_queue_count(f->db, NOW, &n, &f->fail));
    assert_int_equal(n.waiting, 3);
    assert_int_equal(n.clean, 0);
    assert_int_equal(n.paper, 1);
    assert_int_equal(n.accepted, 1);
    const struct {
        const char *sql;
        int64_t value;
    } expected[] = {
        {"SELECT min(created_at) FROM draft WHERE state IN ('draft', 'in_review')", n.oldest_at},
        {"SELECT min(due_day) FROM draft WHERE state IN ('draft', 'in_review')", n.earliest_due},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(store_fixture_number(f, expected[i].sql), expected[i].value);
    assert_string_equal(ids(f, (struct draft_queue_filter){.stage = QUEUE_ACCEPTED}), "house-1 ");
}

static void actions_join_the_transaction_of_their_caller(void **state)
{
    struct store_fixture *f = *state;
    const struct desk ann = review_desk(f, NOW);
    struct publish_draft_result result;
    enum draft_state next;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, desk_accept(&ann, STR("house-1"), STR_NULL, STR_NULL, &next, &f->fail));
    assert_ok(f, publish_draft(f->db, STR("house-1"), REVIEW_BY, NOW, &result, &f->fail));
    assert_true(db_in_transaction(f->db));
    db_rollback(f->db);
    assert_int_equal(review_state(f, "house-1"), DRAFT_WAITING);
    assert_string_equal(review_public(f), "");
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, desk_accept(&ann, STR("house-1"), STR_NULL, STR_NULL, &next, &f->fail));
    assert_ok(f, publish_draft(f->db, STR("house-1"), REVIEW_BY, NOW, &result, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_int_equal(review_state(f, "house-1"), DRAFT_PUBLISHED);
}

#define queue_test(f) cmocka_unit_test_setup_teardown(f, setup, store_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        queue_test(drafts_are_counted),
        queue_test(pages_follow_each_other),
        queue_test(drafts_are_sorted),
        queue_test(blind_order_does_not_depend_on_the_rows_of_paper),
        queue_test(filters_narrow_the_queue),
        queue_test(claims_of_others_can_be_left_out),
        queue_test(the_next_draft_is_the_one_after_it),
        queue_test(the_list_goes_on_after_an_accepted_draft),
        queue_test(a_first_acceptance_is_not_offered_to_the_same_person),
        queue_test(letters_beyond_ascii_are_found_in_either_case),
        queue_test(edits_change_the_counts),
        queue_test(due_day_is_that_of_the_law_and_of_no_doubted_date),
        queue_test(stages_are_counted),
        queue_test(actions_join_the_transaction_of_their_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
