/* Publishes accepted drafts: first publications, held rows, documents read again, amendments in
 * every order, bulk history, several writers. */
#include "review_sample.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "review/correct.h"
#include "review/publish.h"
#include "review/publish_chain.h"
#include "review/withdraw.h"
#include "store/check/check.h"
#include "store/public/correction.h"

#define BUY SIDE_BUY
#define SELL SIDE_SELL_FULL
#define LOW BRACKET_1K_15K
#define MID BRACKET_15K_50K
#define SENATE CHAMBER_SENATE
#define NOW REVIEW_NOW

enum { WRITERS = 4, FILINGS_EACH = 5 };

static void put(
    struct store_fixture *f, const char *id, int amendment, const struct draft_row_stored *rows,
    size_t count)
{
    const struct draft_new draft = review_report(SENATE, id, amendment);
    review_insert(f, &draft, rows, count);
}

static void put_house(
    struct store_fixture *f, const char *id, const struct draft_row_stored *rows, size_t count)
{
    const struct draft_new draft = review_report(CHAMBER_HOUSE, id, 0);
    review_insert(f, &draft, rows, count);
}

static int64_t corrections(struct store_fixture *f)
{
    return store_fixture_number(f, "SELECT count(*) FROM correction");
}

static int64_t events(struct store_fixture *f)
{
    return store_fixture_number(f, "SELECT count(*) FROM event WHERE type = 'trade.published'");
}

static void expect_public(struct store_fixture *f, const char *wanted)
{
    assert_string_equal(review_public(f), wanted);
}

/* --- one filing */

static void first_publication_is_one_transaction(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row_stored rows[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", SELL, MID)};
    put(f, "senate-a", 0, ROWS(rows));
    struct publish_draft_result r = review_release(f, "senate-a", NOW);
    assert_int_equal(r.added, 2);
    assert_true(r.disclosed_at == NOW && r.publication > 0 && r.change_seq > 0);
    expect_public(f, "senate-a-0001 A buy 1k_15k; senate-a-0002 B sell_full 15k_50k; ");
    assert_string_equal(review_filings(f), "senate-a published; ");
    assert_int_equal(review_state(f, "senate-a"), DRAFT_PUBLISHED);
    assert_int_equal(events(f), 1);
    assert_int_equal(corrections(f), 0);
}

static void only_accepted_drafts_are_published(void **state)
{
    struct store_fixture *f = *state;
    struct publish_draft_result r = {.added = 77};
    const struct draft_row_stored rows[] = {review_row(1, "A", BUY, LOW)};
    put(f, "senate-a", 0, ROWS(rows));
    assert_int_equal(
        publish_draft(f->db, STR("senate-a"), REVIEW_BY, NOW, &r, &f->fail), ERR_REFUSED);
    assert_int_equal(
        publish_draft(f->db, STR("senate-b"), REVIEW_BY, NOW, &r, &f->fail), ERR_NOT_FOUND);
    review_release(f, "senate-a", NOW);
    assert_int_equal(
        publish_draft(f->db, STR("senate-a"), REVIEW_BY, NOW, &r, &f->fail), ERR_REFUSED);
    assert_int_equal(r.added, 77);
    assert_int_equal(events(f), 1);
}

static void released_row_is_a_separate_publication(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row_stored rows[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", BUY, BRACKET_NONE)};
    const struct desk desk = review_desk(f, NOW + 10);
    put(f, "senate-a", 0, ROWS(rows));
    struct publish_draft_result first = review_release(f, "senate-a", NOW);
    assert_int_equal(first.held, 1);
    expect_public(f, "senate-a-0001 A buy 1k_15k; ");
    assert_ok(
        f,
        desk_set(
            &desk, STR("senate-a"), 2, STR("amountBucket"), STR("1k_15k"), STR("asked"), &f->fail));
    struct publish_draft_result second = review_release(f, "senate-a", NOW + 20);
    assert_int_equal(second.added, 1);
    assert_int_equal(second.linked, 1);
    assert_true(second.publication != first.publication);
    assert_true(second.disclosed_at == NOW + 20);
    expect_public(f, "senate-a-0001 A buy 1k_15k; senate-a-0002 B buy 1k_15k; ");
    assert_int_equal(
        store_fixture_number(f, "SELECT disclosed_at FROM trade WHERE id = 'senate-a-0001'"), NOW);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM filing"), 1);
    assert_int_equal(events(f), 2);
    assert_int_equal(corrections(f), 0);
}

static void document_read_again_corrects_its_trades(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row_stored first[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", BUY, LOW), review_row(3, "C", BUY, LOW)};
    const struct draft_row_stored changed[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", SELL, MID), review_row(4, "D", BUY, LOW)};
    put(f, "senate-a", 0, ROWS(first));
    review_release(f, "senate-a", NOW);
    put(f, "senate-a", 0, ROWS(changed));
    struct publish_draft_result r = review_release(f, "senate-a", NOW + 5);
    assert_int_equal(r.added, 1);
    assert_int_equal(r.corrected, 1);
    assert_int_equal(r.withdrawn, 1);
    assert_int_equal(r.linked, 1);
    expect_public(
        f, "senate-a-0001 A buy 1k_15k; senate-a-0002 B sell_full 15k_50k;"
           " senate-a-0004 D buy 1k_15k; ");
    assert_int_equal(corrections(f), 3); /* side, amount, withdrawn */
    assert_int_equal(
        store_fixture_number(f, "SELECT disclosed_at FROM trade WHERE id = 'senate-a-0002'"), NOW);
}

static void change_after_acceptance_needs_another_review(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row_stored first[] = {review_row(1, "A", BUY, LOW)};
    const struct draft_row_stored changed[] = {review_row(1, "A", SELL, LOW)};
    struct publish_draft_result r;
    struct correct_result corrected;
    put(f, "senate-a", 0, ROWS(first));
    review_release(f, "senate-a", NOW);
    put(f, "senate-a", 0, ROWS(changed));
    review_accept(f, "senate-a", NOW + 1);
    assert_ok(
        f, correct(
               f->db, STR("senate-a-0001"), STR("assetName"), STR("A Corporation"), REVIEW_BY,
               STR("spelled out"), NOW + 2, &corrected, &f->fail));
    assert_int_equal(
        publish_draft(f->db, STR("senate-a"), REVIEW_BY, NOW + 3, &r, &f->fail), ERR_REFUSED);
    expect_public(f, "senate-a-0001 A Corporation buy 1k_15k; ");
    assert_int_equal(review_state(f, "senate-a"), DRAFT_ACCEPTED);
    review_release(f, "senate-a", NOW + 4);
    expect_public(f, "senate-a-0001 A sell_full 1k_15k; ");
}

static void withdrawn_trade_stays_withdrawn(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row_stored rows[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", BUY, LOW)};
    struct withdraw_result w;
    put(f, "senate-a", 0, ROWS(rows));
    review_release(f, "senate-a", NOW);
    assert_ok(
        f, withdraw(f->db, STR("senate-a-0002"), REVIEW_BY, STR("not his"), NOW + 1, &w, &f->fail));
    struct publish_draft_result r = review_release(f, "senate-a", NOW + 2);
    assert_int_equal(r.linked, 1);
    expect_public(f, "senate-a-0001 A buy 1k_15k; ");
    assert_ok(f, withdraw(f->db, STR("senate-a"), REVIEW_BY, STR("all"), NOW + 3, &w, &f->fail));
    const struct draft_row_stored more[] = {
        review_row(1, "A", BUY, LOW), review_row(3, "C", BUY, LOW)};
    const struct desk desk = review_desk(f, NOW + 4);
    enum draft_state became;
    put(f, "senate-a", 0, ROWS(more));
    assert_int_equal(
        desk_accept(&desk, STR("senate-a"), STR_NULL, STR_NULL, &became, &f->fail), ERR_REFUSED);
    expect_public(f, "");
}

/* --- amendments of the Senate: they repeat the report */

static void amendment_links_corrects_adds_and_withdraws(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row_stored original[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", BUY, LOW), review_row(3, "C", BUY, LOW)};
    const struct draft_row_stored one[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", SELL, LOW), review_row(3, "D", BUY, MID)};
    const struct draft_row_stored two[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", SELL, LOW), review_row(3, "D", BUY, LOW)};
    put(f, "senate-a", 0, ROWS(original));
    put(f, "senate-b", 1, ROWS(one));
    put(f, "senate-c", 2, ROWS(two));
    review_release(f, "senate-a", NOW);
    struct publish_draft_result r = review_release(f, "senate-b", NOW + 1);
    assert_int_equal(r.linked, 1);
    assert_int_equal(r.corrected, 1);
    assert_int_equal(r.added, 1);
    assert_int_equal(r.withdrawn, 1);
    expect_public(
        f, "senate-a-0001 A buy 1k_15k; senate-a-0002 B sell_full 1k_15k;"
           " senate-b-0003 D buy 15k_50k; ");
    assert_string_equal(review_filings(f), "senate-a amended; senate-b published; ");
    assert_int_equal(review_state(f, "senate-a"), DRAFT_AMENDED);
    r = review_release(f, "senate-c", NOW + 2);
    assert_int_equal(r.linked, 2);
    assert_int_equal(r.corrected, 1);
    assert_int_equal(r.added + r.withdrawn, 0);
    assert_true(r.disclosed_at != INSTANT_NONE); /* the filing is public, without trades */
    expect_public(
        f, "senate-a-0001 A buy 1k_15k; senate-a-0002 B sell_full 1k_15k;"
           " senate-b-0003 D buy 1k_15k; ");
    assert_string_equal(
        review_filings(f), "senate-a amended; senate-b amended; senate-c published; ");
    assert_int_equal(events(f), 2); /* new trades only */
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM filing f JOIN filing a ON a.no = f.amends_no"
               " WHERE (f.id = 'senate-b' AND a.id = 'senate-a')"
               " OR (f.id = 'senate-c' AND a.id = 'senate-b')"),
        2);
}

static void identical_lots_are_linked_one_to_one(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row_stored original[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "A", BUY, LOW)};
    const struct draft_row_stored one[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "A", BUY, LOW), review_row(3, "A", BUY, LOW)};
    put(f, "senate-a", 0, ROWS(original));
    put(f, "senate-b", 1, ROWS(one));
    review_release(f, "senate-a", NOW);
    struct publish_draft_result r = review_release(f, "senate-b", NOW + 1);
    assert_int_equal(r.linked, 2);
    assert_int_equal(r.added, 1);
    expect_public(
        f, "senate-a-0001 A buy 1k_15k; senate-a-0002 A buy 1k_15k; senate-b-0003 A buy 1k_15k; ");
}

/* --- accepted before the original is public */

static void amendment_is_accepted_on_an_accepted_original(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row_stored original[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", BUY, LOW), review_row(3, "C", BUY, LOW)};
    const struct draft_row_stored one[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", SELL, LOW), review_row(3, "D", BUY, MID)};
    const struct draft_row_stored two[] = {
        review_row(1, "A", BUY, MID), review_row(2, "B", SELL, LOW), review_row(3, "D", BUY, MID)};
    struct publish_draft_result r;
    struct publish_chain chain;
    put(f, "senate-a", 0, ROWS(original));
    put(f, "senate-b", 1, ROWS(one));
    put(f, "senate-c", 2, ROWS(two));
    review_accept(f, "senate-a", NOW);
    review_accept(f, "senate-b", NOW + 1);
    review_accept(f, "senate-c", NOW + 2);
    assert_int_equal(
        publish_draft(f->db, STR("senate-b"), REVIEW_BY, NOW + 3, &r, &f->fail), ERR_REFUSED);
    assert_non_null(strstr(f->fail.text, "senate-a, which is accepted: publish that first"));
    assert_ok(
        f, publish_chain(f->db, STR("senate-c"), REVIEW_BY, NOW + 4, &f->arena, &chain, &f->fail));
    assert_int_equal(chain.count, 3);
    assert_true(str_eq(chain.items[0].filing_id, STR("senate-a")));
    assert_true(str_eq(chain.items[2].filing_id, STR("senate-c")));
    assert_int_equal(chain.items[0].result.added, 3);
    assert_int_equal(chain.items[1].result.corrected, 1);
    assert_int_equal(chain.items[1].result.withdrawn, 1);
    assert_int_equal(chain.items[1].result.added, 1);
    assert_int_equal(chain.items[2].result.corrected, 1);
    expect_public(
        f, "senate-a-0001 A buy 15k_50k; senate-a-0002 B sell_full 1k_15k;"
           " senate-b-0003 D buy 15k_50k; ");
    assert_string_equal(
        review_filings(f), "senate-a amended; senate-b amended; senate-c published; ");
}

static void chain_is_published_whole_or_not_at_all(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row_stored original[] = {review_row(1, "A", BUY, LOW)};
    const struct draft_row_stored one[] = {review_row(1, "A", SELL, LOW)};
    const struct desk desk = review_desk(f, NOW + 2);
    struct publish_chain chain;
    put(f, "senate-a", 0, ROWS(original));
    put(f, "senate-b", 1, ROWS(one));
    review_accept(f, "senate-a", NOW);
    review_accept(f, "senate-b", NOW + 1);
    /* The original is changed after its amendment was accepted. */
    assert_ok(
        f, desk_set(
               &desk, STR("senate-a"), 1, STR("amountBucket"), STR("15k_50k"), STR("as printed"),
               &f->fail));
    review_accept(f, "senate-a", NOW + 3);
    assert_int_equal(
        publish_chain(f->db, STR("senate-b"), REVIEW_BY, NOW + 4, &f->arena, &chain, &f->fail),
        ERR_REFUSED);
    assert_non_null(strstr(f->fail.text, "changed after it was accepted"));
    expect_public(f, "");
    assert_int_equal(review_state(f, "senate-a"), DRAFT_ACCEPTED);
    review_accept(f, "senate-b", NOW + 5);
    assert_ok(
        f, publish_chain(f->db, STR("senate-b"), REVIEW_BY, NOW + 6, &f->arena, &chain, &f->fail));
    assert_int_equal(chain.count, 2);
    expect_public(f, "senate-a-0001 A sell_full 1k_15k; ");
}

static void marked_row_refers_to_a_trade_of_an_accepted_report(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row_stored original[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", BUY, LOW)};
    struct draft_row_stored marked[] = {review_row(1, "B", SELL, LOW)};
    struct publish_chain chain;
    struct draft_new first = review_report(CHAMBER_HOUSE, "house-1", 0);
    struct draft_new second = review_report(CHAMBER_HOUSE, "house-2", 1);
    marked[0].status = DRAFT_ROW_AMENDED;
    review_insert(f, &first, ROWS(original));
    review_insert(f, &second, ROWS(marked));
    review_accept(f, "house-1", NOW);
    review_accept(f, "house-2", NOW + 1);
    assert_ok(
        f, publish_chain(f->db, STR("house-2"), REVIEW_BY, NOW + 2, &f->arena, &chain, &f->fail));
    assert_int_equal(chain.count, 2);
    expect_public(f, "house-1-0001 A buy 1k_15k; house-1-0002 B sell_full 1k_15k; ");
}

static void original_after_its_amendment_repeats_no_trade(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row_stored original[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", BUY, LOW), review_row(3, "C", BUY, LOW)};
    const struct draft_row_stored one[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", SELL, LOW)};
    const char *trades = "senate-b-0001 A buy 1k_15k; senate-b-0002 B sell_full 1k_15k; ";
    put(f, "senate-b", 1, ROWS(one));
    review_release(f, "senate-b", NOW);
    put(f, "senate-a", 0, ROWS(original));
    struct publish_draft_result r = review_release(f, "senate-a", NOW + 1);
    assert_int_equal(r.added + r.corrected + r.withdrawn, 0);
    assert_int_equal(r.linked, 1);
    assert_int_equal(r.overtaken, 2);
    expect_public(f, trades);
    assert_string_equal(review_filings(f), "senate-a amended; senate-b published; ");
    assert_int_equal(review_state(f, "senate-a"), DRAFT_AMENDED);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM filing f JOIN filing a ON a.no = f.amends_no"
               " WHERE f.id = 'senate-b' AND a.id = 'senate-a'"),
        1);
    /* the amendment, claimed again, has no new differences */
    r = review_release(f, "senate-b", NOW + 2);
    assert_int_equal(r.added + r.corrected + r.withdrawn, 0);
    expect_public(f, trades);
}

static void note_refused(void *ctx, const struct draft_filing *filing, const char *reason)
{
    char *ids = ctx;
    size_t n = strlen(ids);
    snprintf(ids + n, 64 - n, "%.*s ", STR_ARG(filing->id));
    assert_non_null(strstr(reason, "senate-b"));
}

/* Another report of that day has no row of the amendment. */
static void history_of_an_original_after_its_amendment_repeats_no_trade(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row_stored amended[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", SELL, LOW)};
    const struct draft_row_stored other[] = {review_row(1, "C", BUY, LOW)};
    const struct draft_row rows[] = {
        {.row = 1, .values = amended[0].values, .notified_date = DAY_NONE},
        {.row = 1, .values = other[0].values, .notified_date = DAY_NONE}};
    struct draft_filing history[] = {{.id = STR("senate-a")}, {.id = STR("senate-c")}};
    struct publish_result r;
    char refused[64] = "";
    for (int i = 0; i < 2; i++) {
        history[i].chamber = SENATE;
        history[i].source_doc_id = history[i].id;
        history[i].url = STR("https://reports.example.org/old");
        history[i].politician_id = STR("m1");
        history[i].filed_at = instant_from_new_york(REVIEW_DAY, 0);
        history[i].rows = &rows[i];
        history[i].row_count = 1;
    }
    put(f, "senate-b", 1, ROWS(amended));
    review_release(f, "senate-b", NOW);
    assert_ok(
        f, publish_backfill(
               f->db, history, 2, REVIEW_BY, NOW + 1, note_refused, refused, NULL, &r, &f->fail));
    assert_string_equal(refused, "senate-a ");
    expect_public(
        f, "senate-b-0001 A buy 1k_15k; senate-b-0002 B sell_full 1k_15k; "
           "senate-c-0001 C buy 1k_15k; ");
}

static void amendment_after_the_next_one_changes_nothing(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row_stored original[] = {review_row(1, "A", BUY, LOW)};
    const struct draft_row_stored one[] = {review_row(1, "A", SELL, LOW)};
    const struct draft_row_stored two[] = {
        review_row(1, "A", SELL, MID), review_row(2, "B", BUY, LOW)};
    put(f, "senate-a", 0, ROWS(original));
    review_release(f, "senate-a", NOW);
    put(f, "senate-c", 2, ROWS(two));
    review_release(f, "senate-c", NOW + 1);
    put(f, "senate-b", 1, ROWS(one));
    const struct desk desk = review_desk(f, NOW + 2);
    enum draft_state became;
    /* No public row equals it, so it could be another report: a person must decide. */
    assert_int_equal(
        desk_accept(&desk, STR("senate-b"), STR_NULL, STR_NULL, &became, &f->fail), ERR_REFUSED);
    assert_ok(
        f, desk_delete_row(&desk, STR("senate-b"), 1, STR("amendment 2 is public"), &f->fail));
    expect_public(f, "senate-a-0001 A sell_full 15k_50k; senate-c-0002 B buy 1k_15k; ");
}

static void reports_in_any_order_give_the_same_result(void **state)
{
    struct store_fixture *f = *state;
    static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const struct draft_row_stored rows[3][4] = {
        {review_row(1, "A", BUY, LOW), review_row(2, "B", BUY, LOW), review_row(3, "C", BUY, LOW),
         review_row(4, "A", BUY, LOW)},
        {review_row(1, "A", BUY, LOW), review_row(2, "B", SELL, LOW), review_row(3, "D", BUY, MID),
         review_row(4, "A", BUY, LOW)},
        {review_row(1, "E", SELL, MID), review_row(2, "D", BUY, LOW), review_row(3, "B", SELL, LOW),
         review_row(4, "A", BUY, LOW)}};
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        /* A separate member for each order. */
        const char *member = arena_fmt(&f->arena, "m%zu", 10 + o).p;
        store_sample_member(f, member, member);
        for (int i = 0; i < 3; i++) {
            int which = orders[o][i];
            const char *id = arena_fmt(&f->arena, "senate-%zu-%d", o, which).p;
            struct draft_new draft = review_report(SENATE, id, which);
            draft.politician_id = str_from(member);
            review_insert(f, &draft, rows[which], 4);
            review_release(f, id, NOW + i);
        }
        assert_int_equal(
            store_fixture_number(f, "SELECT count(*) FROM trade WHERE withdrawn_at IS NULL"),
            4 * (o + 1));
    }
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM (SELECT asset_name, side, amount_bucket FROM trade"
               " WHERE withdrawn_at IS NULL GROUP BY asset_name, side, amount_bucket"
               " HAVING count(*) = 6) AS each_order"),
        4);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM filing WHERE state = 'amended'"), 12);
}

static void second_report_of_the_day_is_unchanged(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row_stored first[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", BUY, LOW)};
    const struct draft_row_stored second[] = {review_row(1, "X", BUY, LOW)};
    const struct draft_row_stored one[] = {review_row(1, "A", BUY, LOW)};
    put(f, "senate-a", 0, ROWS(first));
    put(f, "senate-x", 0, ROWS(second));
    put(f, "senate-b", 1, ROWS(one));
    review_release(f, "senate-a", NOW);
    review_release(f, "senate-x", NOW + 1);
    review_release(f, "senate-b", NOW + 2);
    expect_public(f, "senate-a-0001 A buy 1k_15k; senate-x-0001 X buy 1k_15k; ");
    assert_string_equal(
        review_filings(f), "senate-a amended; senate-b published; senate-x published; ");
}

static void second_report_after_the_amendment_is_published(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row_stored first[] = {review_row(1, "A", BUY, LOW)};
    const struct draft_row_stored second[] = {review_row(1, "X", BUY, LOW)};
    put(f, "senate-a", 0, ROWS(first));
    put(f, "senate-b", 1, ROWS(first));
    put(f, "senate-x", 0, ROWS(second));
    review_release(f, "senate-a", NOW);
    review_release(f, "senate-b", NOW + 1);
    review_release(f, "senate-x", NOW + 2);
    expect_public(f, "senate-a-0001 A buy 1k_15k; senate-x-0001 X buy 1k_15k; ");
}

static void amended_filing_releases_a_row_and_stays_amended(void **state)
{
    struct store_fixture *f = *state;
    struct draft_row_stored original[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", BUY, BRACKET_NONE)};
    struct draft_row_stored marked[] = {review_row(1, "A", BUY, MID)};
    const struct desk desk = review_desk(f, NOW + 2);
    marked[0].status = DRAFT_ROW_AMENDED;
    put_house(f, "house-1", ROWS(original));
    put_house(f, "house-2", ROWS(marked));
    review_release(f, "house-1", NOW);
    review_release(f, "house-2", NOW + 1);
    assert_int_equal(review_state(f, "house-1"), DRAFT_AMENDED);
    assert_ok(
        f, desk_set(
               &desk, STR("house-1"), 1, STR("amountBucket"), STR("15k_50k"), STR("as amended"),
               &f->fail));
    assert_ok(
        f,
        desk_set(
            &desk, STR("house-1"), 2, STR("amountBucket"), STR("1k_15k"), STR("asked"), &f->fail));
    struct publish_draft_result r = review_release(f, "house-1", NOW + 3);
    assert_int_equal(r.added, 1);
    expect_public(f, "house-1-0001 A buy 15k_50k; house-1-0002 B buy 1k_15k; ");
    assert_string_equal(review_filings(f), "house-1 amended; house-2 published; ");
    assert_int_equal(review_state(f, "house-1"), DRAFT_AMENDED);
}

/* --- House: marked rows */

static void marked_rows_correct_and_withdraw_the_trades_of_another_filing(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row_stored original[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", BUY, LOW), review_row(3, "C", BUY, LOW)};
    struct draft_row_stored later[] = {
        review_row(1, "A", BUY, MID), review_row(2, "B", BUY, LOW), review_row(3, "N", BUY, LOW)};
    later[0].status = DRAFT_ROW_AMENDED;
    later[1].status = DRAFT_ROW_DELETED;
    put_house(f, "house-1", ROWS(original));
    put_house(f, "house-2", ROWS(later));
    review_release(f, "house-1", NOW);
    struct publish_draft_result r = review_release(f, "house-2", NOW + 1);
    assert_int_equal(r.corrected, 1);
    assert_int_equal(r.withdrawn, 1);
    assert_int_equal(r.added, 1);
    expect_public(
        f, "house-1-0001 A buy 15k_50k; house-1-0003 C buy 1k_15k; house-2-0003 N buy 1k_15k; ");
    assert_string_equal(review_filings(f), "house-1 amended; house-2 published; ");
    /* Claimed again, it knows its trades and changes nothing more. */
    r = review_release(f, "house-2", NOW + 2);
    assert_int_equal(r.added + r.corrected + r.withdrawn, 0);
}

static void marked_row_waits_for_its_original(void **state)
{
    struct store_fixture *f = *state;
    struct draft_row_stored original[] = {review_row(1, "A", BUY, LOW)};
    struct draft_row_stored later[] = {review_row(1, "A", BUY, MID)};
    const struct desk desk = review_desk(f, NOW);
    enum draft_state became;
    later[0].status = DRAFT_ROW_AMENDED;
    put_house(f, "house-2", ROWS(later));
    assert_int_equal(
        desk_accept(&desk, STR("house-2"), STR_NULL, STR_NULL, &became, &f->fail), ERR_REFUSED);
    put_house(f, "house-1", ROWS(original));
    review_release(f, "house-1", NOW + 1);
    review_release(f, "house-2", NOW + 2);
    expect_public(f, "house-1-0001 A buy 15k_50k; ");
}

static void original_after_its_amending_row_is_open(void **state)
{
    struct store_fixture *f = *state;
    struct draft_new amendment = review_report(CHAMBER_HOUSE, "house-2", 1);
    const struct draft_row_stored original[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "Z", BUY, LOW)};
    struct draft_row_stored marked[] = {review_row(1, "A", BUY, MID)};
    const struct desk desk = review_desk(f, NOW + 1);
    enum draft_state became;
    marked[0].status = DRAFT_ROW_AMENDED;
    review_insert(f, &amendment, ROWS(marked));
    assert_ok(
        f, desk_set(
               &desk, STR("house-2"), 1, STR("trade"), STR("new"), STR("its original is a scan"),
               &f->fail));
    review_release(f, "house-2", NOW + 2);
    put_house(f, "house-1", ROWS(original));
    assert_int_equal(
        desk_accept(&desk, STR("house-1"), STR_NULL, STR_NULL, &became, &f->fail), ERR_REFUSED);
    assert_non_null(strstr(f->fail.text, "row 1"));
    assert_ok(f, desk_delete_row(&desk, STR("house-1"), 1, STR("house-2 amends it"), &f->fail));
    review_release(f, "house-1", NOW + 3);
    expect_public(f, "house-1-0002 Z buy 1k_15k; house-2-0001 A buy 15k_50k; ");
}

/* --- bulk history */

static void backfill(struct store_fixture *f, const char *id, int day, const char *assets)
{
    struct draft_row rows[8];
    size_t count = 0;
    for (; assets[count]; count++)
        rows[count] = (struct draft_row){
            .row = (int)count + 1,
            .values.asset_name = arena_fmt(&f->arena, "%c", assets[count]),
            .values.asset_type = ASSET_STOCK,
            .values.side = BUY,
            .values.bracket = LOW,
            .values.owner = OWNER_SELF,
            .values.trade_date = REVIEW_DAY - 30,
            .notified_date = DAY_NONE,
        };
    static const struct draft_document document = {
        .sha256 = {9},
        .kind = STR_INIT("senate-stock-watcher"),
        .name = STR_INIT("all"),
        .bytes = 1};
    const struct draft_filing filing = {
        .id = str_from(id),
        .chamber = SENATE,
        .source_doc_id = str_from(id),
        .url = STR("https://reports.example.org/one"),
        .politician_id = STR("m1"),
        .filed_at = instant_from_new_york(day, 0),
        .document = &document,
        .rows = rows,
        .row_count = count,
    };
    struct publish_result r;
    assert_ok(
        f,
        publish_backfill(f->db, &filing, 1, REVIEW_BY, NOW - 9000, NULL, NULL, NULL, &r, &f->fail));
    assert_int_equal(r.trades, count);
}

static void page_of_a_bulk_filing_adds_its_source(void **state)
{
    struct store_fixture *f = *state;
    struct trade_row trade;
    struct trade_source source;
    backfill(f, "senate-a", REVIEW_DAY, "ABC");
    int64_t logged = corrections(f);
    const struct draft_row_stored rows[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", SELL, LOW), review_row(3, "C", BUY, LOW)};
    put(f, "senate-a", 0, ROWS(rows));
    struct publish_draft_result r = review_release(f, "senate-a", NOW);
    assert_int_equal(r.linked, 2);
    assert_int_equal(r.corrected, 1);
    assert_int_equal(r.added, 0);
    expect_public(
        f, "senate-a-0001 A buy 1k_15k; senate-a-0002 B sell_full 1k_15k;"
           " senate-a-0003 C buy 1k_15k; ");
    assert_int_equal(events(f), 0);
    assert_int_equal(corrections(f), logged + 1);
    assert_ok(f, trade_find(f->db, STR("senate-a-0001"), &f->arena, &trade, &source, &f->fail));
    assert_str(source.printed, "{\"asset\":\"as printed\"}");
    assert_true(trade.trade.disclosed_at == instant_from_new_york(REVIEW_DAY, 0));
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM filing WHERE review = 'row'"), 1);
}

static void amendments_of_a_bulk_original_amend_it(void **state)
{
    struct store_fixture *f = *state;
    backfill(f, "senate-a", REVIEW_DAY, "ABC");
    const struct draft_row_stored one[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", BUY, MID), review_row(3, "C", BUY, LOW)};
    const struct draft_row_stored two[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", BUY, MID)};
    put(f, "senate-c", 2, ROWS(two));
    review_release(f, "senate-c", NOW);
    expect_public(f, "senate-a-0001 A buy 1k_15k; senate-a-0002 B buy 15k_50k; ");
    assert_string_equal(review_filings(f), "senate-a amended; senate-c published; ");
    put(f, "senate-b", 1, ROWS(one));
    struct publish_draft_result r = review_release(f, "senate-b", NOW + 1);
    assert_int_equal(r.linked, 2);
    assert_int_equal(r.overtaken, 1);
    expect_public(f, "senate-a-0001 A buy 1k_15k; senate-a-0002 B buy 15k_50k; ");
}

static void drafts_can_be_published_as_bulk_history(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row_stored rows[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", BUY, BRACKET_NONE)};
    const struct str ids[] = {STR("house-1"), STR("house-2")};
    struct publish_draft_result r;
    put_house(f, "house-1", ROWS(rows));
    put_house(f, "house-2", ROWS(rows));
    review_accept(f, "house-1", NOW);
    assert_int_equal(
        publish_drafts_bulk(f->db, ids, 2, REVIEW_BY, NOW + 1, &r, &f->fail), ERR_REFUSED);
    expect_public(f, ""); /* one draft without acceptance blocks all */
    review_accept(f, "house-2", NOW);
    assert_ok(f, publish_drafts_bulk(f->db, ids, 2, REVIEW_BY, NOW + 1, &r, &f->fail));
    assert_int_equal(r.added, 2);
    assert_int_equal(r.held, 2);
    assert_int_equal(events(f), 0);
    assert_int_equal(corrections(f), 1);
    assert_int_equal(
        store_fixture_number(f, "SELECT disclosed_at FROM trade WHERE id = 'house-1-0001'"),
        instant_from_new_york(REVIEW_DAY, 0));
    assert_int_equal(review_state(f, "house-2"), DRAFT_PUBLISHED);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM draft_history WHERE action = 'publish'"), 2);
}

static void bulk_history_keeps_who_entered_a_paper_filing(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row_stored rows[] = {review_row(1, "A", BUY, LOW)};
    const struct str ids[] = {STR("house-1"), STR("house-2")};
    struct publish_draft_result r;
    struct draft_new typed = review_report(CHAMBER_HOUSE, "house-1", 0);
    typed.manual = true;
    review_insert(f, &typed, ROWS(rows));
    put_house(f, "house-2", ROWS(rows));
    review_accept(f, "house-1", NOW);
    review_accept(f, "house-2", NOW);
    assert_ok(f, publish_drafts_bulk(f->db, ids, 2, REVIEW_BY, NOW + 1, &r, &f->fail));
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM filing WHERE id = 'house-1' AND entry = 'single'"),
        1);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM filing WHERE id = 'house-2' AND entry IS NULL"),
        1);
}

static void bulk_history_refuses_filings_after_the_first_live_publication(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row_stored rows[] = {review_row(1, "A", BUY, LOW)};
    const struct str ids[] = {STR("house-2")};
    struct publish_draft_result r;
    put_house(f, "house-1", ROWS(rows));
    put_house(f, "house-2", ROWS(rows));
    review_release(f, "house-1", instant_from_new_york(REVIEW_DAY, 0));
    review_accept(f, "house-2", NOW);
    assert_int_equal(publish_drafts_bulk(f->db, ids, 1, REVIEW_BY, NOW, &r, &f->fail), ERR_REFUSED);
    assert_int_equal(review_state(f, "house-2"), DRAFT_ACCEPTED);
}

/* --- several writers */

static void instants_increase_strictly(void **state)
{
    struct store_fixture *f = *state;
    const struct draft_row_stored rows[] = {review_row(1, "A", BUY, LOW)};
    put_house(f, "house-1", ROWS(rows));
    put_house(f, "house-2", ROWS(rows));
    review_release(f, "house-1", NOW);
    struct publish_draft_result r = review_release(f, "house-2", NOW - 5000);
    assert_true(r.disclosed_at == NOW + 1);
}

struct writer_of {
    struct store_fixture *f;
    const struct str *ids;
    size_t count;
    size_t published;
};

/* Publishes every filing that is not public yet; all writers try all. */
static void *publish_many(void *arg)
{
    struct writer_of *w = arg;
    struct fail fail = {0};
    struct db *db = NULL;
    assert_int_equal(store_open(store_fixture_url(w->f), STORE_WRITE, &db, &fail), OK);
    for (size_t i = 0; i < w->count; i++) {
        struct publish_draft_result r;
        enum err err = publish_draft(db, w->ids[i], REVIEW_BY, NOW, &r, &fail);
        if (err && err != ERR_REFUSED)
            print_error("%s\n", fail.text);
        assert_true(!err || err == ERR_REFUSED);
        w->published += !err;
    }
    db_close(db);
    return NULL;
}

static void several_writers_publish_each_filing_once(void **state)
{
    struct store_fixture *f = *state;
    struct str ids[WRITERS * FILINGS_EACH];
    struct writer_of writers[WRITERS];
    pthread_t threads[WRITERS];
    size_t published = 0;
    const struct draft_row_stored rows[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", BUY, LOW)};
    for (size_t i = 0; i < WRITERS * FILINGS_EACH; i++) {
        ids[i] = arena_fmt(&f->arena, "house-%zu", i + 1);
        put_house(f, ids[i].p, ROWS(rows));
        review_accept(f, ids[i].p, NOW);
    }
    for (int w = 0; w < WRITERS; w++) {
        writers[w] = (struct writer_of){f, ids, WRITERS * FILINGS_EACH, 0};
        assert_int_equal(pthread_create(&threads[w], NULL, publish_many, &writers[w]), 0);
    }
    for (int w = 0; w < WRITERS; w++) {
        pthread_join(threads[w], NULL);
        published += writers[w].published;
    }
    assert_int_equal(published, WRITERS * FILINGS_EACH);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM trade"), 2 * WRITERS * FILINGS_EACH);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(DISTINCT disclosed_at) FROM trade"),
        WRITERS * FILINGS_EACH);
    assert_int_equal(events(f), WRITERS * FILINGS_EACH);
}

#define publish_test(f) cmocka_unit_test_setup_teardown(f, review_setup, store_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        publish_test(first_publication_is_one_transaction),
        publish_test(only_accepted_drafts_are_published),
        publish_test(released_row_is_a_separate_publication),
        publish_test(document_read_again_corrects_its_trades),
        publish_test(change_after_acceptance_needs_another_review),
        publish_test(withdrawn_trade_stays_withdrawn),
        publish_test(amendment_links_corrects_adds_and_withdraws),
        publish_test(identical_lots_are_linked_one_to_one),
        publish_test(amendment_is_accepted_on_an_accepted_original),
        publish_test(chain_is_published_whole_or_not_at_all),
        publish_test(marked_row_refers_to_a_trade_of_an_accepted_report),
        publish_test(original_after_its_amendment_repeats_no_trade),
        publish_test(history_of_an_original_after_its_amendment_repeats_no_trade),
        publish_test(amendment_after_the_next_one_changes_nothing),
        publish_test(reports_in_any_order_give_the_same_result),
        publish_test(second_report_of_the_day_is_unchanged),
        publish_test(second_report_after_the_amendment_is_published),
        publish_test(amended_filing_releases_a_row_and_stays_amended),
        publish_test(marked_rows_correct_and_withdraw_the_trades_of_another_filing),
        publish_test(marked_row_waits_for_its_original),
        publish_test(original_after_its_amending_row_is_open),
        publish_test(page_of_a_bulk_filing_adds_its_source),
        publish_test(amendments_of_a_bulk_original_amend_it),
        publish_test(drafts_can_be_published_as_bulk_history),
        publish_test(bulk_history_keeps_who_entered_a_paper_filing),
        publish_test(bulk_history_refuses_filings_after_the_first_live_publication),
        publish_test(instants_increase_strictly),
        publish_test(several_writers_publish_each_filing_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
