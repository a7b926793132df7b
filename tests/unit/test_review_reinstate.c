/* Withdrawals taken back: what is public again, the log, and the errors. */
#include "conflict_sample.h"
#include "review_sample.h"

#include "review/correct.h"
#include "review/withdraw.h"
#include "store/public/filing.h"
#include "store/public/finding.h"
#include "store/public/trade.h"
#include "store/row/change.h"
#include "store/row/meta.h"

#define NOW REVIEW_NOW
#define FILING STR("house-1")
#define FIRST STR("house-1-0001")
#define SECOND STR("house-1-0002")

/* The public filing house-1 with two trades. */
static int setup(void **state)
{
    store_fixture_setup(state);
    struct store_fixture *f = *state;
    const struct draft_row_stored rows[] = {
        review_row(1, "A", SIDE_BUY, BRACKET_1K_15K),
        review_row(2, "B", SIDE_BUY, BRACKET_1K_15K),
    };
    const struct draft_new draft = review_report(CHAMBER_HOUSE, "house-1", 0);
    review_members(f);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, meta_data_claim(f->db, META_DATA_REAL, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    review_insert(f, &draft, ROWS(rows));
    review_release(f, "house-1", NOW);
    return 0;
}

static enum err take(struct store_fixture *f, struct str id, int64_t now)
{
    struct withdraw_result r;
    return withdraw(f->db, id, REVIEW_BY, STR("a mistake"), now, &r, &f->fail);
}

/* The number of trades that are public again; -1: `expected` is the error. */
static int64_t give_back(struct store_fixture *f, struct str id, int64_t now, enum err expected)
{
    struct withdraw_result r = {.trades = 77};
    enum err err = reinstate(f->db, id, REVIEW_BY, STR("it was right"), now, &r, &f->fail);
    assert_int_equal(err, expected);
    if (err) {
        assert_int_equal(r.trades, 77);
        return -1;
    }
    assert_int_equal(store_fixture_number(f, "SELECT max(seq) FROM change"), r.change_seq);
    return (int64_t)r.trades;
}

static int64_t entries(struct store_fixture *f, const char *kind)
{
    return store_fixture_number(
        f, arena_fmt(&f->arena, "SELECT count(*) FROM correction WHERE kind = '%s'", kind).p);
}

static void trade_is_public_again_under_its_old_id_and_instant(void **state)
{
    struct store_fixture *f = *state;
    struct trade_row row;
    struct trade_source source;
    const char *before = review_public(f);
    assert_ok(f, take(f, FIRST, NOW + 5));
    store_fixture_assert_sound(f);
    assert_int_equal(give_back(f, FIRST, NOW + 9, OK), 1);
    assert_string_equal(review_public(f), before);
    assert_ok(f, trade_find(f->db, FIRST, &f->arena, &row, &source, &f->fail));
    assert_true(row.withdrawn_at == INSTANT_NONE);
    assert_true(row.trade.disclosed_at == NOW);
    assert_true(str_is_null(source.withdrawn_reason));
    assert_int_equal(entries(f, "reinstated"), 1);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM correction WHERE kind = 'reinstated' AND at = 1790000000009"
               " AND trade_id = 'house-1-0001' AND filing_id = 'house-1'"
               " AND reason = 'it was right' AND by_email = 'editor@example.org'"),
        1);
    store_fixture_assert_sound(f);
    assert_ok(f, take(f, FIRST, NOW + 10)); /* and so on */
    assert_int_equal(give_back(f, FIRST, NOW + 11, OK), 1);
    store_fixture_assert_sound(f);
}

static void filing_comes_back_with_the_trades_it_took(void **state)
{
    struct store_fixture *f = *state;
    assert_ok(f, take(f, FIRST, NOW + 5));
    assert_ok(f, take(f, FILING, NOW + 5)); /* at the same millisecond, for the same reason */
    store_fixture_assert_sound(f);
    assert_string_equal(review_public(f), "");
    assert_int_equal(give_back(f, FILING, NOW + 9, OK), 1);
    assert_string_equal(review_public(f), "house-1-0002 B buy 1k_15k; ");
    store_fixture_assert_sound(f);
    assert_int_equal(entries(f, "withdrawn"), 3);
    assert_int_equal(entries(f, "reinstated"), 2);
    assert_int_equal(give_back(f, FIRST, NOW + 10, OK), 1);
    store_fixture_assert_sound(f);
    assert_ok(f, take(f, FILING, NOW + 11));
    assert_int_equal(give_back(f, FILING, NOW + 12, OK), 2);
    store_fixture_assert_sound(f);
}

static void filing_without_public_trades_is_logged_too(void **state)
{
    struct store_fixture *f = *state;
    assert_ok(f, take(f, FIRST, NOW));
    assert_ok(f, take(f, SECOND, NOW));
    assert_ok(f, take(f, FILING, NOW));
    assert_int_equal(entries(f, "withdrawn"), 3);
    assert_int_equal(give_back(f, FILING, NOW, OK), 0);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM correction WHERE kind = 'reinstated' AND trade_id IS NULL"
               " AND filing_id = 'house-1'"),
        1);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM filing WHERE state = 'published'"), 1);
    store_fixture_assert_sound(f);
}

static void what_is_public_or_unknown_is_refused(void **state)
{
    struct store_fixture *f = *state;
    struct withdraw_result r;
    give_back(f, FIRST, NOW, ERR_EXISTS);
    give_back(f, FILING, NOW, ERR_EXISTS);
    give_back(f, STR("house-9"), NOW, ERR_NOT_FOUND);
    give_back(f, STR("house-1-0009"), NOW, ERR_NOT_FOUND);
    assert_ok(f, take(f, FILING, NOW));
    give_back(f, FIRST, NOW, ERR_REFUSED);
    assert_non_null(strstr(f->fail.text, "stockact reinstate house-1`"));
    assert_int_equal(
        reinstate(f->db, FILING, REVIEW_BY, STR("  "), NOW, &r, &f->fail), ERR_INVALID);
    assert_int_equal(entries(f, "reinstated"), 0);
    store_fixture_assert_sound(f);
}

/* The seats were imported and the symbol corrected while the trade was withdrawn. */
static void reinstated_trade_is_judged_again(void **state)
{
    struct store_fixture *f = *state;
    struct correct_result c;
    struct trade_row row;
    sample_company(f, "QQBO", "Bramble Oil Company", "Oil and gas");
    assert_ok(
        f, correct(
               f->db, FIRST, STR("ticker"), STR("QQBO"), REVIEW_BY, STR("printed"), NOW, &c,
               &f->fail));
    assert_ok(f, take(f, FIRST, NOW));
    SAMPLE_VERSION(f, "2024-01-10", {"m1", SAMPLE_COMMERCE, CHAMBER_HOUSE, SEAT_MEMBER});
    assert_int_equal(give_back(f, FIRST, NOW, OK), 1);
    assert_ok(f, trade_find(f->db, FIRST, &f->arena, &row, NULL, &f->fail));
    assert_false(str_is_null(row.trade.conflict_reason));
}

static void withdrawal_by_an_amendment_can_be_taken_back(void **state)
{
    struct store_fixture *f = *state;
    struct draft_row_stored gone = review_row(1, "A", SIDE_BUY, BRACKET_1K_15K);
    const struct draft_new amendment = review_report(CHAMBER_HOUSE, "house-2", 1);
    gone.status = DRAFT_ROW_DELETED;
    review_insert(f, &amendment, &gone, 1);
    assert_int_equal(review_release(f, "house-2", NOW + 5).withdrawn, 1);
    assert_int_equal(give_back(f, FIRST, NOW + 6, OK), 1);
    assert_non_null(strstr(review_public(f), "house-1-0001 A buy"));
    assert_ok(f, take(f, FILING, NOW + 7));
    assert_int_equal(give_back(f, FILING, NOW + 8, OK), 2);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM filing WHERE id = 'house-1' AND state = 'amended'"),
        1);
    store_fixture_assert_sound(f);
}

#define reinstate_test(f) cmocka_unit_test_setup_teardown(f, setup, store_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        reinstate_test(trade_is_public_again_under_its_old_id_and_instant),
        reinstate_test(filing_comes_back_with_the_trades_it_took),
        reinstate_test(filing_without_public_trades_is_logged_too),
        reinstate_test(what_is_public_or_unknown_is_refused),
        reinstate_test(reinstated_trade_is_judged_again),
        reinstate_test(withdrawal_by_an_amendment_can_be_taken_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
