/* Corrections of single fields: the trade keeps its id and instant, and the log keeps every
 * value. */
#include "conflict_sample.h"
#include "review_sample.h"

#include "review/correct.h"
#include "review/correct_filers.h"
#include "event/transaction.h"
#include "review/withdraw.h"
#include "store/account/account.h"
#include "store/account/endpoint.h"
#include "store/public/correction.h"
#include "store/public/finding.h"

#define NOW REVIEW_NOW
#define TRADE STR("house-1-0001")

/* One public trade house-1-0001. */
static int setup(void **state)
{
    store_fixture_setup(state);
    struct store_fixture *f = *state;
    const struct draft_row_stored rows[] = {review_row(1, "A", SIDE_BUY, BRACKET_1K_15K)};
    const struct draft_new draft = review_report(CHAMBER_HOUSE, "house-1", 0);
    review_members(f);
    review_insert(f, &draft, ROWS(rows));
    review_release(f, "house-1", NOW);
    return 0;
}

static enum err put(
    struct store_fixture *f, const char *field, const char *value, struct correct_result *ret)
{
    return correct(
        f->db, TRADE, str_from(field), str_from(value), REVIEW_BY, STR("as on page 2"), NOW + 5,
        ret, &f->fail);
}

static void tell(void *ctx, const struct correction *c)
{
    struct store_fixture *f = ctx;
    assert_int_equal(c->kind, CORRECTION_FIELD);
    assert_str(c->trade_id, "house-1-0001");
    assert_true(c->at == NOW + 5);
    assert_str(c->field, "amountBucket");
    assert_str(c->old, "1k_15k");
    assert_str(c->new, "over_1m_spouse");
    assert_str(c->reason, "as on page 2");
    assert_str(c->by, "editor@example.org");
    assert_true(f->db != NULL);
}

static void correction_keeps_id_and_instant_and_adds_a_notice(void **state)
{
    struct store_fixture *f = *state;
    struct correct_result r = {0};
    struct trade_row trade;
    assert_ok(f, put(f, "amount_bucket", "over_1m_spouse", &r));
    assert_int_equal(r.fields, 1);
    assert_ok(f, trade_find(f->db, TRADE, &f->arena, &trade, NULL, &f->fail));
    assert_int_equal(trade.trade.values.bracket, BRACKET_OVER_1M_SPOUSE);
    assert_true(trade.trade.disclosed_at == NOW);
    assert_ok(f, correction_each(f->db, &CORRECTION_RANGE_ALL, 10, tell, f, &f->fail));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM correction"), 1);
    assert_int_equal(
        store_fixture_number(f, "SELECT max(seq) FROM change WHERE noun = 'trade'"), r.change_seq);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM event WHERE type = 'trade.published'"), 1);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM event WHERE type = 'trade.corrected'"), 1);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM delivery"), 0);
}

/* The reason of the trade's signal; the null string: no signal. */
static struct str reason_now(struct store_fixture *f)
{
    struct trade_row row;
    assert_ok(f, trade_find(f->db, TRADE, &f->arena, &row, NULL, &f->fail));
    return row.trade.conflict_reason;
}

static void corrected_trade_has_the_signal_of_its_new_values(void **state)
{
    struct store_fixture *f = *state;
    struct correct_result r;
    sample_company(f, "QQBO", "Bramble Oil Company", "Oil and gas");
    SAMPLE_VERSION(f, "2024-01-10", {"m1", SAMPLE_COMMERCE, CHAMBER_HOUSE, SEAT_MEMBER});
    assert_true(str_is_null(reason_now(f)));
    assert_ok(f, put(f, "ticker", "qqbo", &r));
    assert_int_equal(r.fields, 1);
    assert_true(str_ends(
        reason_now(f), STR("the industry of Bramble Oil Company (QQBO); seats as of 2024-01-10.")));
    assert_ok(f, put(f, "trade_date", "2023-05-02", &r)); /* before the list */
    assert_true(str_ends(reason_now(f), STR("later than the trade.")));
    assert_ok(f, put(f, "asset_type", "fund", &r));
    assert_true(str_is_null(reason_now(f)));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM finding_history"), 3);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM correction"), 3);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM correction WHERE field NOT IN"
               " ('ticker', 'tradeDate', 'assetType')"),
        0);
}

static void invalid_correction_writes_nothing(void **state)
{
    struct store_fixture *f = *state;
    struct correct_result r = {.fields = 77};
    assert_int_equal(put(f, "side", "buy", &r), ERR_EXISTS);
    assert_int_equal(put(f, "side", "", &r), ERR_INVALID);
    assert_int_equal(put(f, "disclosedAt", "2020-01-01", &r), ERR_INVALID);
    assert_int_equal(
        correct(f->db, TRADE, STR("side"), STR("exchange"), REVIEW_BY, STR(" "), NOW, &r, &f->fail),
        ERR_INVALID);
    assert_int_equal(
        correct(
            f->db, STR("house-9-0001"), STR("side"), STR("exchange"), REVIEW_BY, STR("x"), NOW, &r,
            &f->fail),
        ERR_NOT_FOUND);
    assert_int_equal(r.fields, 77);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM correction"), 0);
}

/* --- events */

static void add_endpoint(struct store_fixture *f, const char *events)
{
    char id[ENDPOINT_ID_SIZE];
    endpoint_id_make(id);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(
        f, endpoint_add(
               ACT(f, .now_ms = NOW), STR("owner@example.org"), str_of(id, sizeof id),
               STR("https://hooks.example.org/"), STR("sealed")));
    assert_ok(
        f, endpoint_set_events(ACT(f, .now_ms = NOW), str_of(id, sizeof id), str_from(events)));
    assert_ok(f, db_commit(f->db, &f->fail));
}

static int64_t count_events(struct store_fixture *f, const char *type)
{
    return store_fixture_number(
        f, arena_fmt(
               &f->arena,
               "SELECT count(*) FROM event v JOIN delivery d ON d.event_no = v.no"
               " WHERE v.type = '%s'",
               type)
               .p);
}

static void prepare_owner(struct store_fixture *f)
{
    struct account account;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(
        f, account_create(
               ACT(f, .now_ms = NOW), STR("owner@example.org"), PLAN_DEN, ROLE_MEMBER, &account));
    assert_ok(f, db_commit(f->db, &f->fail));
}

static void events_of_changes_are_for_endpoints_that_want_them(void **state)
{
    struct store_fixture *f = *state;
    struct correct_result r;
    struct withdraw_result w;
    prepare_owner(f);
    add_endpoint(f, "trade.published");
    assert_ok(f, put(f, "side", "exchange", &r));
    assert_int_equal(count_events(f, "trade.corrected"), 0);
    add_endpoint(f, "trade.corrected");
    add_endpoint(f, "trade.published,trade.corrected,trade.withdrawn");
    assert_ok(f, put(f, "side", "buy", &r));
    assert_int_equal(put(f, "side", "buy", &r), ERR_EXISTS);
    assert_int_equal(count_events(f, "trade.corrected"), 2);
    assert_int_equal(count_events(f, "trade.withdrawn"), 0);
    assert_ok(f, withdraw(f->db, TRADE, REVIEW_BY, STR("twice"), NOW + 6, &w, &f->fail));
    assert_int_equal(count_events(f, "trade.withdrawn"), 1);
    assert_int_equal(count_events(f, "trade.corrected"), 2);
    assert_int_equal(count_events(f, "trade.published"), 0);
}

static void change_of_a_filing_alone_sends_no_event(void **state)
{
    struct store_fixture *f = *state;
    struct review_transaction t;
    const struct correction c = {
        .kind = CORRECTION_FIELD,
        .filing_id = STR("house-1"),
        .at = NOW,
        .field = STR("filedAt"),
        .by = REVIEW_BY,
    };
    prepare_owner(f);
    add_endpoint(f, "trade.corrected");
    assert_ok(f, review_begin(&t, f->db, NOW, &f->fail));
    assert_ok(f, correction_add(f->db, &c, &f->fail));
    assert_ok(f, review_end(&t, &f->fail));
    assert_int_equal(count_events(f, "trade.corrected"), 0);
    assert_int_equal(store_fixture_number(f, "SELECT max(seq) FROM change_log"), 2);
}

static void event_larger_than_a_body_is_split(void **state)
{
    enum { ENTRIES = 30000, REASON_SIZE = 1000 };
    struct store_fixture *f = *state;
    struct review_transaction t;
    char reason[REASON_SIZE];
    if (store_fixture_is_postgresql()) /* the same code, slower */
        skip();
    memset(reason, 'x', sizeof reason);
    const struct correction c = {
        .kind = CORRECTION_FIELD,
        .trade_id = TRADE,
        .at = NOW,
        .field = STR("side"),
        .reason = str_of(reason, sizeof reason),
        .by = REVIEW_BY,
    };
    prepare_owner(f);
    add_endpoint(f, "trade.corrected");
    assert_ok(f, review_begin(&t, f->db, NOW, &f->fail));
    for (int i = 0; i < ENTRIES; i++)
        assert_ok(f, correction_add(f->db, &c, &f->fail));
    assert_ok(f, review_end(&t, &f->fail));
    assert_int_equal(count_events(f, "trade.corrected"), 2);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT min(json_array_length(body, '$.changes')) FROM event"
               " WHERE type = 'trade.corrected'"),
        ENTRIES / 2);
}

static void null_is_stored_in_nullable_fields(void **state)
{
    struct store_fixture *f = *state;
    struct correct_result r;
    struct trade_row trade;
    assert_ok(f, put(f, "ownerType", "", &r));
    assert_ok(f, put(f, "tradeDate", "", &r));
    assert_ok(f, trade_find(f->db, TRADE, &f->arena, &trade, NULL, &f->fail));
    assert_int_equal(trade.trade.values.owner, OWNER_NONE);
    assert_int_equal(trade.trade.values.trade_date, DAY_NONE);
    assert_int_equal(put(f, "tradeDate", "", &r), ERR_EXISTS);
}

static void withdrawn_trade_cannot_be_corrected(void **state)
{
    struct store_fixture *f = *state;
    struct correct_result r;
    struct withdraw_result w;
    assert_ok(f, withdraw(f->db, TRADE, REVIEW_BY, STR("not his"), NOW, &w, &f->fail));
    assert_int_equal(put(f, "side", "exchange", &r), ERR_NOT_FOUND);
}

/* Runs it for the parties and states, or for the names too; the differences go to `seen`. */
struct seen_differences {
    struct str text[8];
    size_t count;
    struct arena *arena;
};

static void see(void *ctx, const struct filer_difference *d)
{
    struct seen_differences *seen = ctx;
    seen->text[seen->count++] = arena_fmt(
        seen->arena, "%.*s %.*s %.*s>%.*s %lld", STR_ARG(d->filing_id), STR_ARG(d->field),
        STR_ARG(d->old), STR_ARG(d->new), (long long)d->trades);
}

static struct correct_filers_result run_filers(
    struct store_fixture *f, bool names, bool dry_run, struct seen_differences *seen)
{
    struct correct_filers_result r = {0};
    *seen = (struct seen_differences){.arena = &f->arena};
    const struct correct_filers how = {
        .names = names,
        .dry_run = dry_run,
        .by = REVIEW_BY,
        .reason = STR(" terms arrived "),
        .now_ms = NOW + 9,
        .found = see,
        .ctx = seen,
    };
    assert_ok(f, correct_filers(f->db, &how, &r, &f->fail));
    return r;
}

static struct politician_ref shown(struct store_fixture *f)
{
    struct trade_row row;
    assert_ok(f, trade_find(f->db, TRADE, &f->arena, &row, NULL, &f->fail));
    return row.trade.politician;
}

static void filer_gets_the_party_and_state_of_the_filing_date(void **state)
{
    struct store_fixture *f = *state;
    struct seen_differences seen;
    assert_int_equal(run_filers(f, true, false, &seen).filings, 0);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM correction"), 0);
    assert_ok(
        f, db_exec(
               f->db,
               "UPDATE member_term SET party = 'Whig', state = 'OR' WHERE member_no ="
               " (SELECT no FROM member WHERE id = 'm1')",
               &f->fail));
    assert_ok(
        f, db_exec(f->db, "UPDATE member SET name = 'Robin Quill' WHERE id = 'm1'", &f->fail));
    assert_str(shown(f).party, "Independent");
    assert_str(shown(f).name, "Robin Vale"); /* as at publication */

    struct correct_filers_result r = run_filers(f, false, true, &seen);
    assert_int_equal(r.filings, 1);
    assert_int_equal(r.trades, 1);
    assert_int_equal(seen.count, 2);
    assert_str(seen.text[0], "house-1 politician.party Independent>Whig 1");
    assert_str(seen.text[1], "house-1 politician.state CA>OR 1");
    assert_str(shown(f).party, "Independent");

    r = run_filers(f, false, false, &seen);
    assert_int_equal(r.fields, 2);
    assert_str(shown(f).party, "Whig");
    assert_str(shown(f).state, "OR");
    assert_str(shown(f).name, "Robin Vale");
    assert_int_equal(
        store_fixture_number(f, "SELECT max(seq) FROM change WHERE noun = 'feed'"), r.change_seq);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM correction WHERE kind = 'field' AND trade_id = 'house-1-0001'"
               " AND ((field = 'politician.party' AND old_value = 'Independent'"
               " AND new_value = 'Whig') OR (field = 'politician.state' AND old_value = 'CA'"
               " AND new_value = 'OR')) AND reason = 'terms arrived'"),
        2);
    assert_int_equal(run_filers(f, false, false, &seen).filings, 0);

    assert_int_equal(run_filers(f, true, false, &seen).fields, 1);
    assert_str(seen.text[0], "house-1 politician.name Robin Vale>Robin Quill 1");
    assert_str(shown(f).name, "Robin Quill");
}

static void filing_before_every_term_stays_as_it_is(void **state)
{
    struct store_fixture *f = *state;
    struct seen_differences seen;
    assert_ok(f, db_exec(f->db, "UPDATE member_term SET start_day = 40000", &f->fail));
    assert_int_equal(run_filers(f, true, false, &seen).filings, 0);
    assert_str(shown(f).party, "Independent");
    const struct correct_filers how = {.by = REVIEW_BY, .reason = STR("  "), .now_ms = NOW};
    struct correct_filers_result r;
    assert_int_equal(correct_filers(f->db, &how, &r, &f->fail), ERR_INVALID);
}

#define correct_test(f) cmocka_unit_test_setup_teardown(f, setup, store_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        correct_test(correction_keeps_id_and_instant_and_adds_a_notice),
        correct_test(corrected_trade_has_the_signal_of_its_new_values),
        correct_test(invalid_correction_writes_nothing),
        correct_test(events_of_changes_are_for_endpoints_that_want_them),
        correct_test(change_of_a_filing_alone_sends_no_event),
        correct_test(event_larger_than_a_body_is_split),
        correct_test(null_is_stored_in_nullable_fields),
        correct_test(withdrawn_trade_cannot_be_corrected),
        correct_test(filer_gets_the_party_and_state_of_the_filing_date),
        correct_test(filing_before_every_term_stays_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
