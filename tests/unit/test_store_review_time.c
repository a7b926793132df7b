/* The usual time for a clean draft: which acceptances count. */
#include "review_sample.h"

#include "store/draft_tally.h"
#include "store/review_time.h"

#define NOW REVIEW_NOW
#define DAYS_MS(n) ((int64_t)(n)*24 * 3600 * 1000)

/* A report of that many rows, clean unless one of them has a doubt. */
static void add(struct store_fixture *f, const char *id, int rows, bool doubt)
{
    struct draft draft;
    struct draft_row_stored stored[REVIEW_TIME_ROWS_MAX + 1];
    struct draft_new report = review_report(CHAMBER_HOUSE, id, 0);
    report.checks = STR("[{\"name\":\"second_reading\",\"passed\":true,\"detail\":\"\"}]");
    for (int i = 0; i < rows; i++)
        stored[i] = review_row(i + 1, "A", SIDE_BUY, BRACKET_1K_15K);
    if (doubt)
        stored[0].doubts = STR("[\"ticker_unknown: ZZZZZ\"]");
    review_insert(f, &report, stored, (size_t)rows);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, draft_find(f->db, str_from(id), &f->arena, &draft, &f->fail));
    assert_ok(f, draft_tally(f->db, draft.no, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
}

static void took(struct store_fixture *f, const char *id, int64_t ms, int64_t at)
{
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, review_time_add(f->db, str_from(id), ms, at, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
}

static void assert_median(struct store_fixture *f, int64_t count, int64_t ms)
{
    struct review_median median;
    assert_ok(f, review_time_median(f->db, NOW - DAYS_MS(30), &median, &f->fail));
    assert_int_equal(median.count, count);
    assert_int_equal(median.took_ms, ms);
}

static void only_clean_drafts_of_up_to_ten_rows_count(void **state)
{
    struct store_fixture *f = *state;
    review_members(f);
    add(f, "house-1", 1, false);
    add(f, "house-2", REVIEW_TIME_ROWS_MAX, false);
    add(f, "house-3", REVIEW_TIME_ROWS_MAX + 1, false);
    add(f, "house-4", 1, true);
    assert_median(f, 0, 0);
    took(f, "house-3", 1000, NOW);
    took(f, "house-4", 1000, NOW);
    assert_median(f, 0, 0);
    took(f, "house-1", 3000, NOW);
    assert_median(f, 1, 3000);
    took(f, "house-2", 9000, NOW);
    took(f, "house-1", 4000, NOW);
    assert_median(f, 3, 4000);
}

static void breaks_and_old_acceptances_do_not_count(void **state)
{
    struct store_fixture *f = *state;
    review_members(f);
    add(f, "house-1", 1, false);
    took(f, "house-1", REVIEW_TIME_MAX_MS + 1, NOW);
    took(f, "house-1", -1, NOW);
    took(f, "house-1", 2000, NOW - DAYS_MS(30) - 1);
    assert_median(f, 0, 0);
    took(f, "house-1", REVIEW_TIME_MAX_MS, NOW - DAYS_MS(30));
    assert_median(f, 1, REVIEW_TIME_MAX_MS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(only_clean_drafts_of_up_to_ten_rows_count),
        store_test(breaks_and_old_acceptances_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
