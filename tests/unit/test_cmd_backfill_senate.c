#include "store_fixture.h"

#include <string.h>

#include "cmd/data/backfill_senate.h"
#include "people/members.h"
#include "shared_data.h"
#include "store/public/trade.h"
#include "store/row/meta.h"

#define NOW INT64_C(1790000000000)
#define BY STR("voucher@example.org")
#define DUMP "senate/stock-watcher/all_daily_summaries.json"

static size_t refusal_count;

static void count_refusal(void *ctx, const struct stock_watcher_refusal *refusal)
{
    refusal_count++;
    fprintf(
        stderr, "%.*s row %d: %.*s\n", STR_ARG(refusal->filing_id), refusal->row,
        STR_ARG(refusal->reason));
}

static enum err backfill(struct store_fixture *f, struct str text, struct backfill_report *ret)
{
    refusal_count = 0;
    return backfill_senate(
        f->db, STR("dump.json"), text, BY, NOW, count_refusal, NULL, NULL, ret, &f->fail);
}

static void backfill_without_members_is_refused(void **state)
{
    struct store_fixture *f = *state;
    struct backfill_report report;
    assert_int_equal(backfill(f, STR("[]"), &report), ERR_REFUSED);
}

static void backfill_into_demonstration_data_is_refused(void **state)
{
    struct store_fixture *f = *state;
    struct backfill_report report;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, meta_data_claim(f->db, META_DATA_DEMO, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_int_equal(backfill(f, STR("[]"), &report), ERR_REFUSED);
    assert_non_null(strstr(f->fail.text, "invented demonstration data"));
    assert_non_null(strstr(f->fail.text, "then run `stockact setup`"));
}

static void second_backfill_of_real_dump_changes_nothing(void **state)
{
    struct store_fixture *f = *state;
    struct members_report members;
    struct backfill_report report;
    struct import_file files[] = {
        {STR("historical"),
         shared_data_read(&f->arena, "congress-legislators/legislators-historical.csv")},
        {STR("current"),
         shared_data_read(&f->arena, "congress-legislators/legislators-current.json")},
    };
    struct str dump = shared_data_read(&f->arena, DUMP);
    if (str_is_null(dump) || str_is_null(files[0].text) || str_is_null(files[1].text))
        skip();
    assert_ok(f, members_import(f->db, files, 2, NULL, &members, &f->fail));
    assert_ok(f, backfill(f, dump, &report));
    assert_int_equal(refusal_count, 0);
    assert_int_equal(report.filings_added, 979);
    assert_int_equal(report.filings_without_rows, 463);
    assert_int_equal(report.papers_added, 463); /* their trades are not entered yet */
    assert_int_equal(report.papers_withdrawn, 0);
    assert_int_equal(report.trades_added, 8030);
    assert_int_equal(report.people, 51);
    assert_int_equal(report.filers, 58);
    assert_true(report.change_seq > members.change_seq);
    assert_ok(f, backfill(f, dump, &report));
    assert_int_equal(report.filings_added + report.trades_added + report.papers_added, 0);
    assert_int_equal(report.filings_unchanged, 979);
    assert_int_equal(report.change_seq, 0);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM trade"), 8030);
    /* The dump gives John F. Reed the Bioguide id of another Reed; his name matches the right one.
     */
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM filing JOIN member"
               " ON member.no = filing.member_no"
               " WHERE member.id = 'R000120'"),
        0);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM filing JOIN member"
               " ON member.no = filing.member_no"
               " WHERE member.id = 'R000122'"),
        62);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM draft JOIN member ON member.no = draft.member_no"
               " WHERE member.id = 'R000122' AND draft.state = 'draft' AND draft.manual = 1"
               " AND draft.filed_at IS NOT NULL AND draft.url IS NOT NULL"),
        11); /* on paper */
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM document WHERE kind = 'senate' AND state = 'needs_manual'"
               " AND filed_day IS NOT NULL"),
        463);
}

static void truncated_dump_changes_nothing(void **state)
{
    struct store_fixture *f = *state;
    struct backfill_report report;
    struct members_report members;
    struct import_file file = {
        STR("current"),
        shared_data_read(&f->arena, "congress-legislators/legislators-current.json")};
    struct str dump = shared_data_read(&f->arena, DUMP);
    if (str_is_null(dump) || str_is_null(file.text))
        skip();
    assert_ok(f, members_import(f->db, &file, 1, NULL, &members, &f->fail));
    for (size_t cut = 0; cut < dump.n; cut += dump.n / 7) {
        assert_int_equal(backfill(f, str_slice(dump, 0, cut), &report), ERR_INVALID);
        assert_true(str_starts(str_from(f->fail.text), STR("dump.json: line ")));
    }
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM filing"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(backfill_without_members_is_refused),
        store_test(backfill_into_demonstration_data_is_refused),
        store_test(second_backfill_of_real_dump_changes_nothing),
        store_test(truncated_dump_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
