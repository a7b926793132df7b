/* Whether a trade was reported late where reports repeat others: amendments with and without their
 * original, in every order of publication. A feed that follows, a feed that is built, and the
 * answer about one trade say the same. */
#include "review_sample.h"

#include "base/rcu.h"
#include "feed/feed.h"
#include "feed/groups.h"
#include "feed/trade_filter.h"
#include "noun/trade_read.h"
#include "review/publish.h"
#include "review/withdraw.h"
#include "store/public/trade_report.h"
#include "store/row/change.h"

#define SENATE CHAMBER_SENATE
#define BUY SIDE_BUY
#define SELL SIDE_SELL_FULL
#define LOW BRACKET_1K_15K
#define NOW REVIEW_NOW

/* An original of the day that it prints is in time, and an amendment 2 or more days later is not.
 */
enum { TRADED = REVIEW_DAY - 44 };

struct follower {
    struct store_fixture *f;
    struct feed *feed;
    int64_t seq;
};

static struct follower follow(void **state)
{
    struct follower w = {.f = *state, .feed = feed_create()};
    assert_ok(w.f, feed_load(w.feed, w.f->db, &w.seq, &w.f->fail));
    return w;
}

static void take_notice(void *ctx, int64_t seq, struct str noun, struct str key)
{
    struct follower *w = ctx;
    assert_ok(w->f, feed_apply(w->feed, w->f->db, noun, key, &w->f->fail));
}

/* Counts of a filter are those of its rows. */
static void assert_counted(
    const struct feed *feed, const struct feed_filter *filter, const struct feed_page *page)
{
    struct feed_counts counts;
    int64_t n[LATE_STATUS_COUNT] = {0};
    for (size_t i = 0; i < page->count; i++) {
        const struct lateness l = feed_row_lateness(&page->rows[i]);
        n[lateness_status(&l)]++;
    }
    feed_counts(feed, filter, &counts);
    assert_int_equal(counts.trades, page->count);
    assert_int_equal(counts.late, n[LATE_LATE]);
    assert_int_equal(counts.late_unknown, n[LATE_UNKNOWN]);
    for (int status = LATE_LATE; status <= LATE_UNKNOWN; status++) {
        const struct feed_test test = {
            trade_filter_named(STR("late")), {.text = STR_NULL, .number = status}};
        struct feed_filter one = *filter;
        MEM_UNFILLED struct feed_page found;
        one.tests = &test;
        one.test_count = 1;
        feed_trades(feed, &one, NULL, FEED_PAGE_MAX, &found);
        feed_counts(feed, &one, &counts);
        assert_int_equal(found.count, n[status]);
        assert_int_equal(counts.trades, n[status]);
        assert_int_equal(counts.late, status == LATE_LATE ? n[status] : 0);
    }
}

/* So are groups. */
static void assert_grouped(
    struct store_fixture *f, const struct feed *feed, const struct feed_filter *filter,
    const struct feed_page *page)
{
    static const struct feed_group_by query = {{GROUP_LATE_STATUS}, 1, false, 0, FEED_PAGE_MAX};
    struct feed_groups *groups = arena_alloc(&f->arena, sizeof *groups);
    int64_t n[LATE_STATUS_COUNT] = {0}, most = LATE_DAYS_NONE;
    for (size_t i = 0; i < page->count; i++) {
        const struct lateness l = feed_row_lateness(&page->rows[i]);
        n[lateness_status(&l)]++;
        most = l.days_to_report > most ? l.days_to_report : most;
    }
    assert_true(feed_group(feed, filter, &query, &f->arena, groups));
    assert_int_equal(groups->totals.trades, page->count);
    assert_int_equal(groups->totals.late, n[LATE_LATE]);
    assert_int_equal(groups->totals.late_unknown, n[LATE_UNKNOWN]);
    if (page->count < 10)
        assert_int_equal(groups->totals.p90_days, most);
    for (size_t i = 0; i < groups->count; i++)
        for (int status = LATE_LATE; status <= LATE_UNKNOWN; status++)
            if (str_eq(
                    groups->groups[i].values[0].text, late_status_name((enum late_status)status)))
                assert_int_equal(groups->groups[i].columns.trades, n[status]);
}

/* "id reason; " of each trade, by id, as readers know them who see publications before the line. */
static const char *reasons(struct store_fixture *f, const struct feed *feed, int64_t line_ms)
{
    struct feed_page *page = arena_alloc(&f->arena, sizeof *page);
    struct feed_filter filter = FEED_FILTER_NONE;
    struct str lines[FEED_PAGE_MAX], text = STR("");
    filter.line_ms = line_ms;
    rcu_read_begin();
    feed_trades(feed, &filter, NULL, FEED_PAGE_MAX, page);
    assert_counted(feed, &filter, page);
    assert_grouped(f, feed, &filter, page);
    filter.politician = STR("m1");
    assert_counted(feed, &filter, page);
    for (size_t i = 0; i < page->count; i++) {
        const struct lateness l = feed_row_lateness(&page->rows[i]);
        struct trade trade;
        shape_trade_read(page->rows[i].head, page->rows[i].tail, &f->arena, &trade);
        size_t at = i;
        struct str line = arena_fmt(
            &f->arena, "%.*s %.*s; ", STR_ARG(trade.id), STR_ARG(late_reason_name(l.reason)));
        for (; at > 0 && str_cmp(line, lines[at - 1]) < 0; at--)
            lines[at] = lines[at - 1];
        lines[at] = line;
    }
    rcu_read_end();
    for (size_t i = 0; i < page->count; i++)
        text = arena_fmt(&f->arena, "%.*s%.*s", STR_ARG(text), STR_ARG(lines[i]));
    return arena_fmt(&f->arena, "%.*s", STR_ARG(text)).p;
}

static void assert_found(struct store_fixture *f, struct str lines)
{
    struct str line;
    while (str_split(&lines, ';', &line)) {
        struct str rest = str_trim(line), id;
        struct trade_report report;
        struct trade_source source;
        struct filing_row filing;
        struct trade_row row;
        if (!rest.n)
            continue;
        assert_true(str_split(&rest, ' ', &id));
        assert_ok(f, trade_find(f->db, id, &f->arena, &row, &source, &f->fail));
        assert_ok(f, filing_find(f->db, source.filing_id, &f->arena, &filing, &f->fail));
        assert_ok(f, trade_report_find(f->db, &row, filing.filing.filed_at, &report, &f->fail));
        const struct lateness l = lateness_of(row.trade.values.trade_date, &report);
        assert_str(str_trim(rest), late_reason_name(l.reason).p);
    }
}

/* Also of a feed that is built. `before`: what readers know who do not see the publication of that
 * instant yet; NULL: it is not asked. */
static void expect_both(struct follower *w, const char *wanted, int64_t line_ms, const char *before)
{
    struct feed *fresh = feed_create();
    int64_t seq;
    assert_ok(w->f, change_read(w->f->db, w->seq, take_notice, w, &w->seq, &w->f->fail));
    assert_string_equal(reasons(w->f, w->feed, INSTANT_NONE), wanted);
    assert_ok(w->f, feed_load(fresh, w->f->db, &seq, &w->f->fail));
    assert_string_equal(reasons(w->f, fresh, INSTANT_NONE), wanted);
    for (int built = 0; built < 2 && before; built++) {
        struct feed *feed = built ? fresh : w->feed;
        assert_string_equal(reasons(w->f, feed, line_ms), before);
        assert_string_equal(reasons(w->f, feed, line_ms + 1), wanted);
    }
    assert_found(w->f, str_from(wanted));
    feed_destroy(fresh);
}

static void expect(struct follower *w, const char *wanted)
{
    expect_both(w, wanted, INSTANT_NONE, NULL);
}

static struct draft_row_stored row(int number, const char *asset, enum side side)
{
    struct draft_row_stored row = review_row(number, asset, side, LOW);
    row.values.trade_date = TRADED;
    return row;
}

/* Of another day: it corrects no other row. */
static struct draft_row_stored other(int number, const char *asset)
{
    struct draft_row_stored row = review_row(number, asset, BUY, BRACKET_15K_50K);
    row.values.trade_date = TRADED - 1;
    return row;
}

static void put_at(
    struct follower *w, const char *id, int amendment, const struct draft_row_stored *rows,
    size_t count, int64_t now)
{
    const struct draft_new draft = review_report(SENATE, id, amendment);
    review_insert(w->f, &draft, rows, count);
    review_release(w->f, id, now);
}

static void put(
    struct follower *w, const char *id, int amendment, const struct draft_row_stored *rows,
    size_t count)
{
    put_at(w, id, amendment, rows, count, NOW + w->seq);
}

static void amendment_without_its_original_is_not_known(void **state)
{
    struct follower w = follow(state);
    const struct draft_row_stored rows[] = {row(1, "A", BUY), row(2, "B", BUY)};
    put(&w, "senate-b", 2, ROWS(rows));
    expect(&w, "senate-b-0001 original_missing; senate-b-0002 original_missing; ");
    feed_destroy(w.feed);
}

static void row_that_the_original_lacks_is_late(void **state)
{
    struct follower w = follow(state);
    const struct draft_row_stored first[] = {row(1, "A", BUY), row(2, "B", BUY)};
    const struct draft_row_stored second[] = {row(1, "A", BUY), row(2, "B", SELL), other(3, "D")};
    put(&w, "senate-a", 0, ROWS(first));
    expect(&w, "senate-a-0001 by_due_date; senate-a-0002 by_due_date; ");
    put(&w, "senate-b", 2, ROWS(second));
    expect(
        &w, "senate-a-0001 by_due_date; senate-a-0002 by_due_date; "
            "senate-b-0003 after_due_date; ");
    feed_destroy(w.feed);
}

/* What a person withdraws may be the row that the amendment states again. */
static void row_beside_a_withdrawn_one_is_not_known(void **state)
{
    struct follower w = follow(state);
    const struct draft_row_stored first[] = {row(1, "A", BUY), row(2, "B", BUY)};
    const struct draft_row_stored second[] = {row(1, "A", BUY), row(2, "B", BUY), other(3, "D")};
    struct withdraw_result withdrawn;
    struct withdraw_result back;
    put(&w, "senate-a", 0, ROWS(first));
    put(&w, "senate-b", 2, ROWS(second));
    expect(
        &w, "senate-a-0001 by_due_date; senate-a-0002 by_due_date; "
            "senate-b-0003 after_due_date; ");
    assert_ok(
        w.f, withdraw(
                 w.f->db, STR("senate-a-0002"), REVIEW_BY, STR("wrong"), NOW + 9, &withdrawn,
                 &w.f->fail));
    expect(&w, "senate-a-0001 by_due_date; senate-b-0003 original_differs; ");
    assert_ok(
        w.f,
        reinstate(
            w.f->db, STR("senate-a-0002"), REVIEW_BY, STR("right"), NOW + 10, &back, &w.f->fail));
    expect(
        &w, "senate-a-0001 by_due_date; senate-a-0002 by_due_date; "
            "senate-b-0003 after_due_date; ");
    assert_ok(
        w.f,
        withdraw(
            w.f->db, STR("senate-a"), REVIEW_BY, STR("wrong"), NOW + 11, &withdrawn, &w.f->fail));
    expect(&w, "senate-b-0003 original_missing; ");
    feed_destroy(w.feed);
}

static void row_that_replaces_another_is_not_known(void **state)
{
    struct follower w = follow(state);
    const struct draft_row_stored first[] = {row(1, "A", BUY), row(2, "B", BUY)};
    const struct draft_row_stored second[] = {row(1, "A", BUY), other(2, "D")};
    put(&w, "senate-a", 0, ROWS(first));
    put(&w, "senate-b", 2, ROWS(second));
    expect(&w, "senate-a-0001 by_due_date; senate-b-0002 original_differs; ");
    feed_destroy(w.feed);
}

static void row_beside_a_held_one_is_not_known(void **state)
{
    struct follower w = follow(state);
    struct draft_row_stored first[] = {row(1, "A", BUY), row(2, "B", BUY)};
    const struct draft_row_stored second[] = {row(1, "A", BUY), row(2, "B", BUY)};
    first[1].values.bracket = BRACKET_NONE;
    first[1].held = STR("the amount is not stated");
    put(&w, "senate-a", 0, ROWS(first));
    put(&w, "senate-b", 2, ROWS(second));
    expect(&w, "senate-a-0001 by_due_date; senate-b-0002 original_differs; ");
    feed_destroy(w.feed);
}

static void original_after_its_amendment_dates_the_rows_that_it_has(void **state)
{
    struct follower w = follow(state);
    const struct draft_row_stored first[] = {row(1, "A", BUY), row(2, "B", BUY)};
    const struct draft_row_stored second[] = {row(1, "A", BUY), row(2, "B", SELL), other(3, "D")};
    put(&w, "senate-b", 2, ROWS(second));
    expect(
        &w, "senate-b-0001 original_missing; senate-b-0002 original_missing; "
            "senate-b-0003 original_missing; ");
    put(&w, "senate-a", 0, ROWS(first));
    expect(
        &w, "senate-b-0001 by_due_date; senate-b-0002 original_differs; "
            "senate-b-0003 original_differs; ");
    feed_destroy(w.feed);
}

static void amendment_of_an_amendment_waits_for_the_original(void **state)
{
    struct follower w = follow(state);
    const struct draft_row_stored first[] = {row(1, "A", BUY)};
    const struct draft_row_stored second[] = {row(1, "A", BUY), other(2, "D")};
    const struct draft_row_stored third[] = {row(1, "A", BUY), other(2, "D"), other(3, "E")};
    put(&w, "senate-b", 2, ROWS(second));
    put(&w, "senate-c", 3, ROWS(third));
    expect(
        &w, "senate-b-0001 original_missing; senate-b-0002 original_missing; "
            "senate-c-0003 original_missing; ");
    put(&w, "senate-a", 0, ROWS(first));
    expect(
        &w, "senate-b-0001 by_due_date; senate-b-0002 after_due_date; "
            "senate-c-0003 after_due_date; ");
    feed_destroy(w.feed);
}

static void reader_who_sees_originals_later_knows_less_until_then(void **state)
{
    struct follower w = follow(state);
    const struct draft_row_stored first[] = {row(1, "A", BUY)};
    const struct draft_row_stored second[] = {row(1, "A", BUY), other(2, "D")};
    const struct draft_row_stored third[] = {row(1, "A", BUY), other(2, "D"), other(3, "E")};
    const char *missing = "senate-c-0001 original_missing; senate-c-0002 original_missing; "
                          "senate-c-0003 original_missing; ";
    const int64_t between = NOW + 72 * HOUR_MS, original = between + 72 * HOUR_MS;
    put_at(&w, "senate-c", 3, ROWS(third), NOW);
    expect_both(&w, missing, NOW, "");
    put_at(&w, "senate-b", 2, ROWS(second), between);
    expect_both(&w, missing, between, missing);
    put_at(&w, "senate-a", 0, ROWS(first), original);
    expect_both(
        &w,
        "senate-c-0001 by_due_date; senate-c-0002 original_differs; "
        "senate-c-0003 after_due_date; ",
        original, missing);
    feed_destroy(w.feed);
}

static void history_is_an_original(void **state)
{
    struct follower w = follow(state);
    const struct draft_row_stored second[] = {row(1, "A", BUY), other(2, "D")};
    const struct draft_row old = {.row = 1, .values = second[0].values, .notified_date = DAY_NONE};
    const struct draft_filing filing = {
        .id = STR("senate-a"),
        .chamber = SENATE,
        .source_doc_id = STR("senate-a"),
        .url = STR("https://reports.example.org/old"),
        .politician_id = STR("m1"),
        .filed_at = instant_from_new_york(REVIEW_DAY, 0),
        .rows = &old,
        .row_count = 1};
    struct publish_result r;
    assert_ok(
        w.f,
        publish_backfill(w.f->db, &filing, 1, REVIEW_BY, NOW, NULL, NULL, NULL, &r, &w.f->fail));
    put(&w, "senate-b", 2, ROWS(second));
    expect(&w, "senate-a-0001 by_due_date; senate-b-0002 after_due_date; ");
    feed_destroy(w.feed);
}

/* The other rows of the report are no amendment. */
static void marked_row_of_the_house_is_not_known_alone(void **state)
{
    struct follower w = follow(state);
    struct draft_row_stored rows[] = {row(1, "A", BUY), row(2, "B", BUY)};
    struct draft_new draft = review_report(CHAMBER_HOUSE, "house-b", 2);
    draft.amendment = 0; /* only its rows say so */
    rows[1].status = DRAFT_ROW_AMENDED;
    rows[1].trade_id = STR("new");
    review_insert(w.f, &draft, ROWS(rows));
    review_release(w.f, "house-b", NOW);
    expect(&w, "house-b-0001 after_due_date; house-b-0002 original_missing; ");
    feed_destroy(w.feed);
}

static void report_under_review_stays_an_amendment(void **state)
{
    struct follower w = follow(state);
    const struct draft_row_stored rows[] = {row(1, "A", BUY)};
    const struct desk desk = review_desk(w.f, NOW + 5);
    put(&w, "senate-b", 2, ROWS(rows));
    assert_ok(w.f, desk_claim(&desk, STR("senate-b"), &w.f->fail));
    expect(&w, "senate-b-0001 original_missing; ");
    feed_destroy(w.feed);
}

#define first_test(test) cmocka_unit_test_setup_teardown(test, review_setup, store_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        first_test(amendment_without_its_original_is_not_known),
        first_test(row_that_the_original_lacks_is_late),
        first_test(row_beside_a_withdrawn_one_is_not_known),
        first_test(row_that_replaces_another_is_not_known),
        first_test(row_beside_a_held_one_is_not_known),
        first_test(original_after_its_amendment_dates_the_rows_that_it_has),
        first_test(amendment_of_an_amendment_waits_for_the_original),
        first_test(reader_who_sees_originals_later_knows_less_until_then),
        first_test(history_is_an_original),
        first_test(marked_row_of_the_house_is_not_known_alone),
        first_test(report_under_review_stays_an_amendment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
