/* A public filing is given to another member: what changes, the log, the alias, and the errors. */
#include "conflict_sample.h"
#include "review_sample.h"

#include "review/withdraw.h"
#include "store/desk/filer_alias.h"
#include "store/public/filing.h"
#include "store/public/finding.h"
#include "store/public/trade.h"
#include "store/row/meta.h"

#define NOW REVIEW_NOW
#define FILING STR("house-1")
#define ALIAS STR("robin vale")

/* The public filing house-1 of m1 with three trades, the last one withdrawn. */
static int setup(void **state)
{
    store_fixture_setup(state);
    struct store_fixture *f = *state;
    struct draft_row_stored rows[] = {
        review_row(1, "A", SIDE_BUY, BRACKET_1K_15K),
        review_row(2, "B", SIDE_BUY, BRACKET_1K_15K),
        review_row(3, "C", SIDE_BUY, BRACKET_1K_15K),
    };
    const struct draft_new draft = review_report(CHAMBER_HOUSE, "house-1", 0);
    struct withdraw_result r;
    rows[0].values.ticker = STR("QQBO");
    review_members(f);
    sample_company(f, "QQBO", "Bramble Oil Company", "Oil and gas");
    SAMPLE_VERSION(f, "2024-01-10", {"m2", SAMPLE_COMMERCE, CHAMBER_HOUSE, SEAT_MEMBER});
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, meta_data_claim(f->db, META_DATA_REAL, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    review_insert(f, &draft, ROWS(rows));
    review_release(f, "house-1", NOW);
    assert_ok(f, withdraw(f->db, STR("house-1-0003"), REVIEW_BY, STR("twice"), NOW, &r, &f->fail));
    return 0;
}

static enum err give(
    struct store_fixture *f, const char *by, const char *to, const char *reason,
    struct desk_filer *ret)
{
    const struct desk desk = {.db = f->db, .by = str_from(by), .now_ms = NOW + 5};
    return desk_set_filer(&desk, FILING, str_from(to), ALIAS, str_from(reason), ret, &f->fail);
}

static struct filing_row filing_of(struct store_fixture *f)
{
    struct filing_row row;
    assert_ok(f, filing_find(f->db, FILING, &f->arena, &row, &f->fail));
    return row;
}

static struct draft draft_of(struct store_fixture *f)
{
    struct draft draft;
    assert_ok(f, draft_find(f->db, FILING, &f->arena, &draft, &f->fail));
    return draft;
}

static void filing_and_trades_keep_ids_and_instants(void **state)
{
    struct store_fixture *f = *state;
    struct desk_filer r;
    struct trade_row row;
    const char *before = review_public(f);
    assert_ok(f, trade_find(f->db, STR("house-1-0001"), &f->arena, &row, NULL, &f->fail));
    assert_true(str_is_null(row.trade.conflict_reason));
    assert_ok(f, give(f, "ann@example.org", "dana-hollis", "another R. Vale", &r));
    assert_true(r.is_public);
    assert_int_equal(r.trades, 2);
    assert_string_equal(review_public(f), before);
    assert_str(filing_of(f).filing.politician_id, "m2");
    assert_int_equal(filing_of(f).state, FILING_PUBLISHED);
    assert_ok(f, trade_find(f->db, STR("house-1-0001"), &f->arena, &row, NULL, &f->fail));
    assert_str(row.trade.politician.slug, "dana-hollis");
    assert_true(row.trade.disclosed_at == NOW);
    assert_false(str_is_null(row.trade.conflict_reason)); /* m2 has the seat */
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM event WHERE type = 'trade.published'"), 1);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM change WHERE noun = 'filing' AND key = 'house-1'"
               " AND seq = (SELECT max(seq) FROM change WHERE noun <> 'known')"),
        1);
    store_fixture_assert_sound(f);
}

static void log_names_both_members_for_filing_and_trades(void **state)
{
    struct store_fixture *f = *state;
    struct desk_filer r;
    assert_ok(f, give(f, "ann@example.org", "m2", " another R. Vale ", &r));
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM correction WHERE field = 'politician.slug'"
               " AND filing_id = 'house-1' AND trade_id IS NOT NULL AND old_value = 'robin-vale'"
               " AND new_value = 'dana-hollis' AND reason = 'another R. Vale'"
               " AND by_email = 'ann@example.org' AND at = 1790000000005"),
        3);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM correction WHERE field = 'politicianId'"
               " AND filing_id = 'house-1' AND trade_id IS NULL AND old_value = 'm1'"
               " AND new_value = 'm2'"),
        1);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM correction WHERE kind = 'field' AND field NOT LIKE"
               " 'politician%'"),
        0);
}

static void printed_name_leads_to_the_right_member_afterwards(void **state)
{
    struct store_fixture *f = *state;
    struct desk_filer r;
    struct filer_alias alias = {
        .chamber = CHAMBER_HOUSE,
        .name = ALIAS,
        .district = DRAFT_DISTRICT_NONE,
        .politician_id = STR("m1"),
        .by = REVIEW_BY,
    };
    assert_ok(f, filer_alias_put(f->db, &alias, NOW, &f->fail)); /* the mistake */
    assert_ok(f, give(f, "ann@example.org", "m2", "wrong", &r));
    assert_ok(f, filer_alias_find(f->db, &alias, &f->arena, &f->fail));
    assert_str(alias.politician_id, "m2");
}

static void draft_follows_and_keeps_its_state(void **state)
{
    struct store_fixture *f = *state;
    struct desk_filer r;
    assert_int_equal(draft_of(f).state, DRAFT_PUBLISHED);
    assert_ok(f, give(f, "ann@example.org", "m2", "wrong", &r));
    assert_int_equal(draft_of(f).state, DRAFT_PUBLISHED);
    assert_str(draft_of(f).is.politician_id, "m2");
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM draft_history WHERE action = 'set_filer'"
               " AND old_value = 'm1' AND new_value = 'm2' AND reason = 'wrong'"),
        1);
}

static void draft_in_review_is_locked_and_an_acceptance_is_cancelled(void **state)
{
    struct store_fixture *f = *state;
    struct desk_filer r;
    const struct desk ben = {.db = f->db, .by = STR("ben@example.org"), .now_ms = NOW + 1};
    enum draft_state accepted;
    assert_ok(f, desk_claim(&ben, FILING, &f->fail));
    assert_int_equal(give(f, "ann@example.org", "m2", "wrong", &r), ERR_BUSY);
    assert_str(filing_of(f).filing.politician_id, "m1");
    assert_ok(f, desk_accept(&ben, FILING, STR_NULL, STR_NULL, &accepted, &f->fail));
    assert_int_equal(accepted, DRAFT_ACCEPTED);
    assert_ok(f, give(f, "ann@example.org", "m2", "wrong", &r));
    assert_int_equal(draft_of(f).state, DRAFT_IN_REVIEW);
    assert_true(str_is_null(draft_of(f).accepted_by));
}

static void refused_change_writes_nothing(void **state)
{
    struct store_fixture *f = *state;
    struct desk_filer r = {.trades = 77};
    struct withdraw_result w;
    assert_int_equal(give(f, "a@example.org", "robin-vale", "x", &r), ERR_EXISTS);
    assert_int_equal(give(f, "a@example.org", "m2", " ", &r), ERR_INVALID);
    assert_int_equal(give(f, "a@example.org", "nobody", "x", &r), ERR_NOT_FOUND);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM correction"), 1);
    assert_ok(f, withdraw(f->db, FILING, REVIEW_BY, STR("all"), NOW, &w, &f->fail));
    assert_int_equal(give(f, "a@example.org", "m2", "x", &r), ERR_REFUSED);
    assert_int_equal(r.trades, 77);
    assert_str(filing_of(f).filing.politician_id, "m1");
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM filer_alias"), 0);
}

#define reassign_test(f) cmocka_unit_test_setup_teardown(f, setup, store_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        reassign_test(filing_and_trades_keep_ids_and_instants),
        reassign_test(log_names_both_members_for_filing_and_trades),
        reassign_test(printed_name_leads_to_the_right_member_afterwards),
        reassign_test(draft_follows_and_keeps_its_state),
        reassign_test(draft_in_review_is_locked_and_an_acceptance_is_cancelled),
        reassign_test(refused_change_writes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
