/* The rule with its look-ups: the queries it makes, and the verdicts it keeps separate. */
#include "conflict_sample.h"

#include "conflict/signal.h"
#include "market/industry.h"

#define LATER STR(", a list later than the trade.")
#define FIRST_LIST "2021-02-01"
#define SECOND_LIST "2023-03-01"

/* m1 sits on House committees and, since the second roster, on a Senate one; m2 has no seat. QQZX
 * and QQBO are invented companies of agriculture and of oil and gas. */
static void prepare(struct store_fixture *f)
{
    store_sample_member(f, "m1", "robin-vale");
    store_sample_member(f, "m2", "dana-hollis");
    sample_company(f, "QQZX", "Quince Orchards Inc.", "Agriculture");
    sample_company(f, "QQBO", "Bramble Oil Company", "Oil and gas");
    sample_company(f, "QQBN", "Bramble Novelties", NULL);
    SAMPLE_VERSION(
        f, FIRST_LIST, {"m1", SAMPLE_AGRICULTURE, CHAMBER_HOUSE, SEAT_MEMBER},
        {"m1", SAMPLE_COMMERCE, CHAMBER_HOUSE, SEAT_MEMBER});
    SAMPLE_VERSION(
        f, SECOND_LIST, {"m1", SAMPLE_COMMERCE, CHAMBER_HOUSE, SEAT_CHAIR},
        {"m1", SAMPLE_ENERGY, CHAMBER_SENATE, SEAT_MEMBER});
}

static struct judge_trade trade_of(
    struct store_fixture *f, const char *member, const char *ticker, const char *day)
{
    bool first = strcmp(member, "m1") == 0;
    return (struct judge_trade){
        .member_no = store_fixture_number(
            f, first ? "SELECT no FROM member WHERE id = 'm1'"
                     : "SELECT no FROM member WHERE id = 'm2'"),
        .chamber = CHAMBER_HOUSE,
        .ticker = ticker ? str_from(ticker) : STR_NULL,
        .asset_type = ASSET_STOCK,
        .day = day_from(day),
    };
}

static struct finding *find(
    struct store_fixture *f, struct judge *judge, const struct judge_trade *trade)
{
    struct finding *finding;
    assert_ok(f, judge_find(judge, f->db, trade, &finding, &f->fail));
    return finding;
}

static struct finding *find_of_m1(
    struct store_fixture *f, struct judge *judge, const char *ticker, const char *day)
{
    const struct judge_trade trade = trade_of(f, "m1", ticker, day);
    return find(f, judge, &trade);
}

static void trade_before_the_list_and_trade_after_it_have_sentences_of_their_own(void **state)
{
    static const char *const orders[2][2] = {
        {"2021-01-31", FIRST_LIST}, {FIRST_LIST, "2021-01-31"}};
    struct store_fixture *f = *state;
    prepare(f);
    for (int i = 0; i < 2; i++) {
        struct judge *judge = judge_create();
        for (int k = 0; k < 2; k++) {
            struct finding *finding = find_of_m1(f, judge, "QQZX", orders[i][k]);
            assert_non_null(finding);
            bool before = strcmp(orders[i][k], FIRST_LIST) < 0;
            assert_int_equal(str_ends(finding->reason, LATER), before);
        }
        assert_ptr_equal(
            find_of_m1(f, judge, "QQZX", FIRST_LIST), find_of_m1(f, judge, "QQZX", "2021-05-12"));
        judge_destroy(judge);
    }
}

static void each_list_has_a_separate_verdict(void **state)
{
    struct store_fixture *f = *state;
    prepare(f);
    struct judge *judge = judge_create();
    struct finding *first = find_of_m1(f, judge, "QQBO", "2022-12-31");
    struct finding *second = find_of_m1(f, judge, "QQBO", SECOND_LIST);
    assert_str(
        first->reason,
        "Robin Vale sat on the House Committee on Energy and Commerce, which oversaw oil and "
        "gas, the industry of Bramble Oil Company (QQBO); seats as of 2021-02-01.");
    assert_str(
        second->reason,
        "Robin Vale chaired the House Committee on Energy and Commerce, which oversaw oil and gas, "
        "the industry of Bramble Oil Company (QQBO); seats as of 2023-03-01.");
    assert_memory_not_equal(first->sha256, second->sha256, SHA256_SIZE);
    assert_non_null(find_of_m1(f, judge, "QQZX", "2022-12-31"));
    assert_null(find_of_m1(f, judge, "QQZX", SECOND_LIST)); /* that seat has ended */
    judge_destroy(judge);
}

static void each_chamber_has_a_separate_verdict(void **state)
{
    struct store_fixture *f = *state;
    prepare(f);
    struct judge *judge = judge_create();
    struct judge_trade trade = trade_of(f, "m1", "QQBO", SECOND_LIST);
    struct finding *house = find(f, judge, &trade);
    trade.chamber = CHAMBER_SENATE;
    struct finding *senate = find(f, judge, &trade);
    assert_true(str_find(house->reason, STR("House Committee")) > 0);
    assert_true(str_find(senate->reason, STR("Senate Committee")) > 0);
    trade.day = day_from(FIRST_LIST);
    assert_null(find(f, judge, &trade));
    judge_destroy(judge);
}

static void each_company_and_member_has_a_separate_verdict(void **state)
{
    struct store_fixture *f = *state;
    prepare(f);
    struct judge *judge = judge_create();
    struct judge_trade other = trade_of(f, "m2", "QQBO", FIRST_LIST);
    assert_non_null(find_of_m1(f, judge, "QQBO", FIRST_LIST));
    assert_null(find(f, judge, &other));
    assert_true(
        str_find(find_of_m1(f, judge, "QQZX", FIRST_LIST)->reason, STR("Quince Orchards")) > 0);
    assert_null(find_of_m1(f, judge, "QQBN", FIRST_LIST)); /* a company without an industry */
    assert_null(find_of_m1(f, judge, "QQBY", FIRST_LIST)); /* no company */
    judge_destroy(judge);
}

static void curated_map_wins_over_the_base_map(void **state)
{
    struct store_fixture *f = *state;
    prepare(f);
    sample_company(f, "FB", "Farm Bramble", "Agriculture");
    struct judge *judge = judge_create();
    const struct symbol_entry *entry = industry_of_symbol(STR("FB"), day_from("2022-06-08"));
    assert_non_null(entry);
    struct finding *curated = find_of_m1(f, judge, "FB", "2022-06-08");
    assert_non_null(curated); /* Energy and Commerce oversees internet platforms */
    assert_true(str_find(curated->reason, entry->company) > 0);
    assert_ptr_equal(find_of_m1(f, judge, "FB", "2022-06-07"), curated);
    assert_null(find_of_m1(f, judge, "FB", "2022-08-01")); /* no holder */
    judge_destroy(judge);
}

static void imported_list_counts_after_the_newest_list_of_the_program_and_not_before(void **state)
{
    struct store_fixture *f = *state;
    prepare(f);
    sample_company(f, "ALTM", "Bramble Wells", "Oil and gas"); /* two companies', years apart */
    SAMPLE_VERSION(f, "2025-02-01", {"m1", SAMPLE_COMMERCE, CHAMBER_HOUSE, SEAT_MEMBER});
    SAMPLE_VERSION(f, "2031-02-01", {"m1", SAMPLE_COMMERCE, CHAMBER_HOUSE, SEAT_CHAIR});
    struct judge *judge = judge_create();
    assert_non_null(find_of_m1(f, judge, "ALTM", "2031-03-07"));
    assert_null(find_of_m1(f, judge, "ALTM", "2023-06-01"));
    assert_null(find_of_m1(f, judge, "ALTM", "2025-06-01"));
    assert_non_null(find_of_m1(f, judge, "ALTM", "2031-03-07"));
    judge_destroy(judge);
}

static void cryptocurrency_is_judged_by_name(void **state)
{
    struct store_fixture *f = *state;
    prepare(f);
    store_sample_publish(f, "a", 1, PUBLICATION_LIVE, 1000, 2000);
    struct judge *judge = judge_create();
    struct judge_trade trade = trade_of(f, "m1", "QQBO", FIRST_LIST);
    trade.asset_type = ASSET_CRYPTO;
    trade.asset_name = STR("Bramblecoin");
    struct finding *given = find(f, judge, &trade);
    assert_true(str_find(given->reason, STR("digital assets, among them Bramblecoin;")) > 0);
    trade.asset_name = STR_NULL;
    trade.trade_no = store_fixture_number(f, "SELECT no FROM trade");
    struct finding *read = find(f, judge, &trade);
    assert_true(str_find(read->reason, STR("among them Abacus Corporation;")) > 0);
    trade.asset_name = STR("Bramblecoin");
    assert_ptr_equal(find(f, judge, &trade), given);
    judge_destroy(judge);
}

/* Apple's services passed a fifth of its revenue with the fiscal year that began on that day. */
static void businesses_are_those_of_the_day(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    SAMPLE_VERSION(
        f, "2022-09-01",
        {"m1", "HSJU", "House Committee on the Judiciary", NULL, CHAMBER_HOUSE, SEAT_MEMBER});
    struct judge *judge = judge_create();
    assert_null(find_of_m1(f, judge, "AAPL", "2022-09-24"));
    struct finding *later = find_of_m1(f, judge, "AAPL", "2022-09-25");
    assert_true(str_find(later->reason, STR("internet platforms, a business of Apple")) > 0);
    assert_null(find_of_m1(f, judge, "AAPL", "2022-09-24"));
    judge_destroy(judge);
}

static void coin_and_commodity_of_one_name_are_two_assets(void **state)
{
    struct store_fixture *f = *state;
    prepare(f);
    struct judge *judge = judge_create();
    struct judge_trade trade = trade_of(f, "m1", NULL, FIRST_LIST);
    trade.asset_name = STR("Corn");
    trade.asset_type = ASSET_CRYPTO;
    struct finding *coin = find(f, judge, &trade);
    trade.asset_type = ASSET_COMMODITY;
    struct finding *commodity = find(f, judge, &trade);
    assert_true(str_find(coin->reason, STR("digital assets, among them Corn;")) > 0);
    assert_true(str_find(commodity->reason, STR("agriculture, the industry behind Corn;")) > 0);
    judge_destroy(judge);
}

static enum err find_quietly(
    struct store_fixture *f, struct judge *judge, const struct judge_trade *trade)
{
    struct finding *finding;
    return judge_find(judge, f->db, trade, &finding, &f->fail);
}

static void unneeded_look_ups_are_skipped(void **state)
{
    struct store_fixture *f = *state;
    prepare(f);
    assert_ok(f, db_exec(f->db, "ALTER TABLE ticker RENAME TO ticker_away", &f->fail));
    struct judge *judge = judge_create();
    struct judge_trade trade = trade_of(f, "m1", "TWTR", FIRST_LIST);
    assert_non_null(find(f, judge, &trade)); /* it is in the curated map */
    trade.asset_type = ASSET_FUND;
    trade.ticker = STR("QQBO");
    assert_null(find(f, judge, &trade)); /* no list has what it holds */
    trade.asset_type = ASSET_STOCK;
    trade.ticker = STR_NULL;
    assert_null(find(f, judge, &trade));
    trade.ticker = STR("QQBO");
    assert_int_not_equal(find_quietly(f, judge, &trade), OK);
    judge_destroy(judge);
}

static void look_ups_are_cached(void **state)
{
    struct store_fixture *f = *state;
    prepare(f);
    struct judge *judge = judge_create();
    struct finding *before = find_of_m1(f, judge, "QQBO", FIRST_LIST);
    assert_null(find_of_m1(f, judge, "QQBY", FIRST_LIST));
    assert_ok(f, db_exec(f->db, "DELETE FROM committee_seat", &f->fail));
    assert_ok(f, db_exec(f->db, "DELETE FROM ticker", &f->fail));
    assert_ptr_equal(find_of_m1(f, judge, "QQBO", FIRST_LIST), before);
    assert_non_null(find_of_m1(f, judge, "QQBO", SECOND_LIST)); /* a verdict for the same seats */
    assert_null(find_of_m1(f, judge, "QQBY", FIRST_LIST));
    judge_destroy(judge);
    judge = judge_create();
    assert_null(find_of_m1(f, judge, "QQBO", FIRST_LIST));
    judge_destroy(judge);
}

static void member_in_no_list_has_no_signal(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    struct judge *judge = judge_create();
    assert_null(find_of_m1(f, judge, "TWTR", FIRST_LIST));
    judge_destroy(judge);
}

/* Jeb Hensarling chaired Financial Services in the 113th Congress. No list was imported. The lists
 * of January 2013 still had the Congress before. */
static void shipped_seats_judge_a_trade_of_2013(void **state)
{
    struct store_fixture *f = *state;
    struct judge_trade trade = {.chamber = CHAMBER_HOUSE, .asset_type = ASSET_STOCK};
    store_sample_member(f, "H001036", "jeb-hensarling");
    sample_company(f, "QQBK", "Bramble Bank", "Banks and consumer lending");
    trade.member_no = store_fixture_number(f, "SELECT no FROM member");
    trade.ticker = STR("QQBK");
    trade.day = day_from("2013-06-03");
    struct judge *judge = judge_create();
    assert_str(
        find(f, judge, &trade)->reason,
        "Robin Vale chaired the House Committee on Financial Services, which oversaw banks and "
        "consumer lending, the industry of Bramble Bank (QQBK); seats as of 2013-05-06.");
    trade.day = day_from("2013-01-20");
    assert_str(
        find(f, judge, &trade)->reason,
        "Robin Vale chaired the House Committee on Financial Services, which oversaw banks and "
        "consumer lending, the industry of Bramble Bank (QQBK); seats as of 2013-03-20, a list "
        "later than the trade.");
    trade.chamber = CHAMBER_SENATE;
    assert_null(find(f, judge, &trade));
    judge_destroy(judge);
}

static int64_t store(struct store_fixture *f, struct finding *finding)
{
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, signal_store(f->db, finding, 1, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    return finding ? finding->no : 0;
}

/* Stores m1's finding for QQBO on that day. */
static int64_t store_of_m1(struct store_fixture *f, const char *day)
{
    struct judge *judge = judge_create();
    struct finding *finding = find_of_m1(f, judge, "QQBO", day);
    assert_int_equal(finding->no, 0);
    int64_t no = store(f, finding);
    assert_true(no > 0);
    judge_destroy(judge);
    return no;
}

static void stored_finding_has_its_number(void **state)
{
    struct store_fixture *f = *state;
    prepare(f);
    int64_t no = store_of_m1(f, FIRST_LIST);
    struct judge *judge = judge_create();
    assert_int_equal(find_of_m1(f, judge, "QQBO", FIRST_LIST)->no, no);
    assert_int_equal(find_of_m1(f, judge, "QQBO", SECOND_LIST)->no, 0);
    judge_destroy(judge);
}

static void findings_read_at_once_have_their_numbers_and_later_ones_get_them_when_stored(
    void **state)
{
    struct store_fixture *f = *state;
    prepare(f);
    int64_t no = store_of_m1(f, FIRST_LIST);
    struct judge *judge = judge_create();
    assert_ok(f, judge_know_findings(judge, f->db, &f->fail));
    int64_t later_no = store_of_m1(f, SECOND_LIST);
    assert_int_equal(find_of_m1(f, judge, "QQBO", FIRST_LIST)->no, no);
    struct finding *later = find_of_m1(f, judge, "QQBO", SECOND_LIST);
    assert_int_equal(later->no, 0);
    assert_int_equal(store(f, later), later_no);
    assert_int_equal(store(f, NULL), 0); /* no signal: nothing to store */
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM finding"), 2);
    judge_destroy(judge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(trade_before_the_list_and_trade_after_it_have_sentences_of_their_own),
        store_test(each_list_has_a_separate_verdict),
        store_test(each_chamber_has_a_separate_verdict),
        store_test(each_company_and_member_has_a_separate_verdict),
        store_test(curated_map_wins_over_the_base_map),
        store_test(imported_list_counts_after_the_newest_list_of_the_program_and_not_before),
        store_test(cryptocurrency_is_judged_by_name),
        store_test(businesses_are_those_of_the_day),
        store_test(coin_and_commodity_of_one_name_are_two_assets),
        store_test(unneeded_look_ups_are_skipped),
        store_test(look_ups_are_cached),
        store_test(member_in_no_list_has_no_signal),
        store_test(shipped_seats_judge_a_trade_of_2013),
        store_test(stored_finding_has_its_number),
        store_test(findings_read_at_once_have_their_numbers_and_later_ones_get_them_when_stored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
