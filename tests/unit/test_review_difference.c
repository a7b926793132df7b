/* The effect of publishing a draft, over a table of drafts and public trades. */
#include "unit.h"

#include <stdio.h>

#include "base/buf.h"
#include "review/difference.h"

/* A row or trade in short form, with only the fields that matter. */
static struct row_values values(
    const char *asset, enum side side, enum bracket bracket, int32_t day)
{
    return (struct row_values){
        .ticker = str_from(asset),
        .asset_name = str_from(asset),
        .asset_type = ASSET_STOCK,
        .side = side,
        .bracket = bracket,
        .trade_date = day,
        .owner = OWNER_SELF,
    };
}

static struct draft_row_stored row(int number, struct row_values v)
{
    return (struct draft_row_stored){
        .row = number,
        .values = v,
        .notified_date = DAY_NONE,
        .doubts = STR("[]"),
    };
}

static struct difference_trade own(const char *id, int number, struct row_values v)
{
    return (struct difference_trade){.id = str_from(id), .row = number, .values = v};
}

static struct difference_trade repeated(const char *id, struct row_values v)
{
    return (struct difference_trade){.id = str_from(id), .repeats = 1, .values = v};
}

static struct difference_trade of_member(const char *id, struct row_values v)
{
    return (struct difference_trade){.id = str_from(id), .values = v};
}

/* "1:added 2:same=t2 -:removed=t3 " */
static void expect_against(
    const char *wanted, struct draft_row_stored *rows, size_t row_count,
    const struct difference_against *against)
{
    struct arena arena;
    struct difference d;
    struct buf b;
    const struct draft_row_list list = {rows, row_count};
    arena_init(&arena);
    buf_init(&b, 4096);
    difference_make(&list, against, &arena, &d);
    for (size_t i = 0; i < d.count; i++) {
        const struct difference_item *item = &d.items[i];
        if (item->row)
            buf_i64(&b, item->row->row);
        else
            buf_char(&b, '-');
        buf_fmt(&b, ":%.*s", STR_ARG(difference_kind_name(item->kind)));
        if (item->trade)
            buf_fmt(&b, "=%.*s", STR_ARG(item->trade->id));
        buf_char(&b, ' ');
    }
    if (!str_eq(buf_view(&b), str_from(wanted)))
        fail_msg("wanted %s got %.*s", wanted, STR_ARG(buf_view(&b)));
    buf_finish(&b);
    arena_finish(&arena);
}

static void expect(
    const char *wanted, struct draft_row_stored *rows, size_t row_count,
    const struct difference_trade *trades, size_t trade_count)
{
    const struct difference_against against = {.trades = trades, .count = trade_count};
    expect_against(wanted, rows, row_count, &against);
}

#define EXPECT(wanted, rows, trades)                                                               \
    expect(wanted, rows, sizeof(rows) / sizeof *(rows), trades, sizeof(trades) / sizeof *(trades))

#define BUY SIDE_BUY
#define SELL SIDE_SELL_FULL
#define LOW BRACKET_1K_15K
#define MID BRACKET_15K_50K

static void first_publication_adds_complete_rows(void **state)
{
    struct draft_row_stored rows[] = {
        row(1, values("A", BUY, LOW, 10)), row(2, values("B", BUY, BRACKET_NONE, 10)),
        row(3, values("C", BUY, LOW, 10)), row(4, values("D", BUY, LOW, 10))};
    rows[2].removed = true;
    rows[3].held = STR("doubtful");
    expect("1:added 2:held 3:nothing 4:held ", rows, 4, NULL, 0);
}

static void filing_read_again_is_compared_by_row_number(void **state)
{
    struct draft_row_stored rows[] = {
        row(1, values("A", BUY, LOW, 10)), row(2, values("B", SELL, LOW, 10)),
        row(3, values("C", BUY, LOW, 10))};
    const struct difference_trade trades[] = {
        own("t1", 1, values("A", BUY, LOW, 10)), own("t2", 2, values("B", BUY, LOW, 10)),
        own("t4", 4, values("C", BUY, LOW, 10))};
    EXPECT("1:same=t1 2:changed=t2 3:added -:removed=t4 ", rows, trades);
}

static void identical_lots_stay_apart(void **state)
{
    struct row_values lot = values("A", BUY, LOW, 10);
    struct draft_row_stored rows[] = {row(1, lot), row(2, lot), row(3, lot)};
    const struct difference_trade trades[] = {repeated("t1", lot), repeated("t2", lot)};
    EXPECT("1:same=t1 2:same=t2 3:added ", rows, trades);
}

static void repeated_report_links_changes_adds_and_withdraws(void **state)
{
    struct draft_row_stored rows[] = {
        row(1, values("New", BUY, MID, 30)), row(2, values("B", SELL, MID, 12)),
        row(3, values("A", BUY, LOW, 10))};
    const struct difference_trade trades[] = {
        repeated("t1", values("A", BUY, LOW, 10)), repeated("t2", values("B", SELL, LOW, 12)),
        repeated("t3", values("Gone", SELL, BRACKET_OVER_50M, 99))};
    EXPECT("1:added 2:changed=t2 3:same=t1 -:removed=t3 ", rows, trades);
}

static void two_equally_similar_trades_leave_the_row_open(void **state)
{
    struct draft_row_stored rows[] = {row(1, values("A", BUY, MID, 10))};
    const struct difference_trade trades[] = {
        repeated("t1", values("A", BUY, LOW, 10)), repeated("t2", values("A", SELL, MID, 10))};
    EXPECT("1:open -:removed=t1 -:removed=t2 ", rows, trades);
    rows[0].trade_id = STR("t2");
    EXPECT("1:changed=t2 -:removed=t1 ", rows, trades);
    rows[0].trade_id = DIFFERENCE_NEW;
    EXPECT("1:added -:removed=t1 -:removed=t2 ", rows, trades);
}

#define ORIGINAL(number) "senate-11111111-2222-3333-4444-555555555555-000" #number

/* A corrected asset is a correction, not a withdrawal and a trade that was reported late. */
static void row_that_differs_in_the_asset_alone_replaces_its_trade(void **state)
{
    struct draft_row_stored rows[] = {row(1, values("Right", BUY, LOW, 10))};
    const struct difference_trade trades[] = {
        repeated("t1", values("Wrong", BUY, LOW, 10)),
        repeated("t2", values("Other", BUY, LOW, 11))};
    EXPECT("1:changed=t1 -:removed=t2 ", rows, trades);
    rows[0].trade_id = DIFFERENCE_NEW;
    EXPECT("1:added -:removed=t1 -:removed=t2 ", rows, trades);
}

static void row_replaces_the_trade_with_its_number(void **state)
{
    struct draft_row_stored rows[] = {
        row(1, values("A", BUY, LOW, 10)), row(2, values("B", BUY, LOW, 10))};
    const struct difference_trade trades[] = {
        repeated(ORIGINAL(2), values("C", BUY, LOW, 10)),
        repeated(ORIGINAL(1), values("D", BUY, LOW, 10))};
    EXPECT("1:changed=" ORIGINAL(1) " 2:changed=" ORIGINAL(2) " ", rows, trades);
}

static void trade_that_two_rows_may_replace_is_removed(void **state)
{
    struct draft_row_stored rows[] = {
        row(1, values("A", BUY, LOW, 10)), row(2, values("B", BUY, LOW, 10)),
        row(3, values("C", BUY, LOW, 11))};
    const struct difference_trade trades[] = {repeated("t1", values("D", BUY, LOW, 10))};
    EXPECT("1:added 2:added 3:added -:removed=t1 ", rows, trades);
    rows[0].trade_id = DIFFERENCE_NEW;
    EXPECT("1:added 2:changed=t1 3:added ", rows, trades);
}

/* Of the House, only a marked row refers to another filing, and its asset is all that names the
 * trade. */
static void trade_of_another_report_is_not_replaced(void **state)
{
    struct draft_row_stored rows[] = {row(1, values("A", BUY, LOW, 10))};
    const struct difference_trade trades[] = {of_member("t1", values("B", BUY, LOW, 10))};
    EXPECT("1:added ", rows, trades);
    rows[0].status = DRAFT_ROW_AMENDED;
    EXPECT("1:open ", rows, trades);
}

/* Details follow from the type: a bond that was filed as a share is one correction, not two. */
static void details_do_not_make_a_trade_less_similar(void **state)
{
    struct row_values filed = values("T", SIDE_BUY, BRACKET_1K_15K, 10), corrected = filed;
    corrected.asset_type = ASSET_BOND;
    corrected.owner = OWNER_JOINT;
    corrected.details = STR("coupon 3.60%, matures 2023-02-17");
    struct draft_row_stored rows[] = {row(1, corrected)};
    struct difference_trade trades[] = {repeated("t1", filed)};
    EXPECT("1:changed=t1 ", rows, trades);
}

/* Readers before the present one kept the symbol in the name, and letter case that no page shows.
 */
static void name_from_an_older_reader_is_the_same_asset(void **state)
{
    static const char *const names[] = {"Alder Mills (ALDM)", "alder Mills", "ALDER MILLS (aldm)"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct row_values old = values(names[i], SIDE_BUY, BRACKET_1K_15K, 10), new = old;
        old.ticker = STR_NULL;
        new.asset_name = STR("Alder Mills");
        new.ticker = STR("ALDM");
        struct draft_row_stored rows[] = {row(1, new)};
        struct difference_trade trades[] = {repeated("t1", old)};
        EXPECT("1:changed=t1 ", rows, trades);
    }
    struct row_values old = values("Birch (BRCH)", SIDE_BUY, BRACKET_1K_15K, 10), new = old;
    old.ticker = STR_NULL;
    old.owner = OWNER_JOINT;
    new.asset_name = STR("Alder Mills");
    new.ticker = STR("ALDM");
    struct draft_row_stored rows[] = {row(1, new)};
    struct difference_trade trades[] = {repeated("t1", old)};
    EXPECT("1:added -:removed=t1 ", rows, trades);
}

static void two_rows_do_not_share_a_trade(void **state)
{
    struct draft_row_stored rows[] = {
        row(1, values("A", BUY, MID, 10)), row(2, values("A", BUY, BRACKET_50K_100K, 10))};
    const struct difference_trade trades[] = {repeated("t1", values("A", BUY, LOW, 10))};
    EXPECT("1:open 2:open -:removed=t1 ", rows, trades);
}

static void marked_row_matches_any_trade_of_the_member(void **state)
{
    struct draft_row_stored rows[] = {
        row(1, values("A", BUY, LOW, 10)), row(2, values("B", BUY, MID, 10)),
        row(3, values("C", BUY, LOW, 10)), row(4, values("D", BUY, LOW, 10))};
    const struct difference_trade trades[] = {
        of_member("t1", values("A", BUY, LOW, 10)), of_member("t2", values("B", BUY, LOW, 10)),
        of_member("t3", values("C", BUY, LOW, 10)), of_member("t9", values("Z", SELL, MID, 90))};
    rows[0].status = DRAFT_ROW_DELETED;
    rows[1].status = DRAFT_ROW_AMENDED;
    rows[3].status = DRAFT_ROW_DELETED;
    /* row 3 is new: an equal trade of another report is a separate lot */
    EXPECT("1:removed=t1 2:changed=t2 3:added 4:open ", rows, trades);
    rows[3].trade_id = DIFFERENCE_NEW;
    EXPECT("1:removed=t1 2:changed=t2 3:added 4:nothing ", rows, trades);
}

static void withdrawn_trade_keeps_its_number(void **state)
{
    struct draft_row_stored rows[] = {row(1, values("A", BUY, LOW, 10))};
    struct difference_trade trades[] = {own("t1", 1, values("A", BUY, LOW, 10))};
    trades[0].withdrawn = true;
    EXPECT("1:nothing=t1 ", rows, trades);
}

static void removed_row_withdraws_its_trade(void **state)
{
    struct draft_row_stored rows[] = {row(1, values("A", BUY, LOW, 10))};
    const struct difference_trade trades[] = {own("t1", 1, values("A", BUY, LOW, 10))};
    rows[0].removed = true;
    EXPECT("1:removed=t1 ", rows, trades);
}

static void missing_named_trade_leaves_the_row_open(void **state)
{
    struct draft_row_stored rows[] = {
        row(1, values("A", BUY, LOW, 10)), row(2, values("B", BUY, LOW, 10)),
        row(3, values("C", BUY, LOW, 10))};
    const struct difference_trade trades[] = {of_member("t1", values("A", BUY, MID, 10))};
    rows[0].trade_id = STR("t1");
    rows[1].trade_id = STR("t1"); /* matched by another row */
    rows[2].trade_id = STR("t77");
    EXPECT("1:changed=t1 2:open 3:open ", rows, trades);
    rows[1].removed = rows[2].removed = true;
    EXPECT("1:changed=t1 2:nothing 3:nothing ", rows, trades);
}

static void row_marked_new_matches_its_own_public_trade(void **state)
{
    struct draft_row_stored rows[] = {row(1, values("A", BUY, LOW, 10))};
    const struct difference_trade trades[] = {
        own("t1", 1, values("A", BUY, LOW, 10)), repeated("t9", values("A", BUY, LOW, 10))};
    rows[0].trade_id = DIFFERENCE_NEW;
    EXPECT("1:same=t1 -:removed=t9 ", rows, trades);
}

static void withdrawn_trade_returns_only_by_a_reviewers_decision(void **state)
{
    struct draft_row_stored rows[] = {row(1, values("A", BUY, LOW, 10))};
    struct difference_trade trades[] = {repeated("t1", values("A", BUY, LOW, 10))};
    trades[0].withdrawn = true;
    EXPECT("1:open ", rows, trades);
    rows[0].trade_id = DIFFERENCE_NEW;
    EXPECT("1:added ", rows, trades);
    rows[0].trade_id = STR("t1");
    EXPECT("1:nothing=t1 ", rows, trades);
}

static void of_two_reports_of_a_day_the_repeated_one_counts(void **state)
{
    struct draft_row_stored rows[] = {row(1, values("A", BUY, LOW, 10))};
    struct difference_trade trades[] = {
        repeated("t1", values("A", BUY, LOW, 10)), repeated("t2", values("B", SELL, LOW, 11)),
        repeated("t3", values("C", SELL, MID, 12))};
    trades[2].repeats = 2;
    const struct difference_against against = {.trades = trades, .count = 3, .uncertain = true};
    expect_against("1:same=t1 -:removed=t2 ", rows, 1, &against);
}

static void overtaken_report_changes_nothing(void **state)
{
    struct draft_row_stored rows[] = {
        row(1, values("A", BUY, LOW, 10)), row(2, values("B", BUY, LOW, 10)),
        row(3, values("C", BUY, BRACKET_NONE, 10)), row(4, values("D", BUY, LOW, 10))};
    const struct difference_trade trades[] = {
        repeated("t1", values("A", BUY, LOW, 10)), repeated("t2", values("B", BUY, MID, 10)),
        repeated("t9", values("E", SELL, MID, 30)), own("t4", 4, values("D", SELL, LOW, 10))};
    const struct difference_against against = {
        .trades = trades, .count = 4, .overtaken_by = STR("senate-later")};
    expect_against("1:same=t1 2:overtaken 3:overtaken 4:overtaken=t4 ", rows, 4, &against);
    rows[1].trade_id = STR("t2"); /* except for a named trade */
    rows[3].removed = true;
    expect_against("1:same=t1 2:changed=t2 3:overtaken 4:nothing=t4 ", rows, 4, &against);
}

static void overtaken_report_without_an_equal_row_is_open(void **state)
{
    struct draft_row_stored rows[] = {row(1, values("A", BUY, LOW, 10))};
    const struct difference_trade trades[] = {repeated("t1", values("Z", SELL, MID, 80))};
    const struct difference_against against = {
        .trades = trades, .count = 1, .overtaken_by = STR("senate-later")};
    expect_against("1:open ", rows, 1, &against);
    rows[0].trade_id = DIFFERENCE_NEW;
    expect_against("1:added ", rows, 1, &against);
}

static void text_names_every_change(void **state)
{
    struct draft_row_stored rows[] = {row(1, values("A", SELL, MID, 10))};
    const struct difference_trade trades[] = {own("t1", 1, values("A", BUY, MID, 11))};
    const struct draft_row_list list = {rows, 1};
    struct arena arena;
    struct difference d;
    struct buf b;
    arena_init(&arena);
    buf_init(&b, 4096);
    const struct difference_against against = {.trades = trades, .count = 1};
    difference_make(&list, &against, &arena, &d);
    difference_put(&b, &d);
    assert_str(
        buf_view(&b), "[{\"row\":1,\"does\":\"changed\",\"tradeId\":\"t1\",\"fields\":["
                      "{\"field\":\"side\",\"old\":\"buy\",\"new\":\"sell_full\"},"
                      "{\"field\":\"tradeDate\",\"old\":\"1970-01-12\",\"new\":\"1970-01-11\"}]}]");
    buf_finish(&b);
    arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_publication_adds_complete_rows),
        cmocka_unit_test(filing_read_again_is_compared_by_row_number),
        cmocka_unit_test(identical_lots_stay_apart),
        cmocka_unit_test(repeated_report_links_changes_adds_and_withdraws),
        cmocka_unit_test(two_equally_similar_trades_leave_the_row_open),
        cmocka_unit_test(row_that_differs_in_the_asset_alone_replaces_its_trade),
        cmocka_unit_test(row_replaces_the_trade_with_its_number),
        cmocka_unit_test(trade_that_two_rows_may_replace_is_removed),
        cmocka_unit_test(trade_of_another_report_is_not_replaced),
        cmocka_unit_test(details_do_not_make_a_trade_less_similar),
        cmocka_unit_test(name_from_an_older_reader_is_the_same_asset),
        cmocka_unit_test(two_rows_do_not_share_a_trade),
        cmocka_unit_test(marked_row_matches_any_trade_of_the_member),
        cmocka_unit_test(withdrawn_trade_keeps_its_number),
        cmocka_unit_test(removed_row_withdraws_its_trade),
        cmocka_unit_test(missing_named_trade_leaves_the_row_open),
        cmocka_unit_test(row_marked_new_matches_its_own_public_trade),
        cmocka_unit_test(withdrawn_trade_returns_only_by_a_reviewers_decision),
        cmocka_unit_test(of_two_reports_of_a_day_the_repeated_one_counts),
        cmocka_unit_test(overtaken_report_changes_nothing),
        cmocka_unit_test(overtaken_report_without_an_equal_row_is_open),
        cmocka_unit_test(text_names_every_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
