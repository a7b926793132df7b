/* The failed step, and the values explained up to it. */
#include "conflict_sample.h"

#include "conflict/explain.h"

enum { LIST_DAY = 14990 }; /* the trades are of day 15000, in the same Congress */

/* Member m1, a company of agriculture, and one outside our industries. */
static void prepare(struct store_fixture *f)
{
    store_sample_member(f, "m1", "robin-vale");
    sample_company(f, "QQZX", "Quince Orchards Inc.", "Agriculture");
    sample_company(f, "QQZP", "Quarry Pottery Inc.", "Pottery");
}

/* The roster of LIST_DAY with one committee, on which m1 sits in that chamber (CHAMBER_NONE: no
 * seat). */
static void import_seat(
    struct store_fixture *f, const char *id, const char *name, enum chamber chamber)
{
    const uint8_t digest[SHA256_SIZE] = {(uint8_t)id[3], (uint8_t)chamber};
    const struct committee committee = {
        .id = str_from(id), .name = str_from(name), .chamber = CHAMBER_HOUSE};
    const struct committee_seat_new seat = {
        .committee = str_from(id), .member = STR("m1"), .chamber = chamber, .role = SEAT_MEMBER};
    int64_t version;
    assert_ok(f, committee_version_begin(f->db, LIST_DAY, digest, 1, &version, &f->fail));
    assert_ok(f, committee_list(f->db, version, &committee, &f->fail));
    if (chamber != CHAMBER_NONE)
        assert_ok(f, committee_seat_add(f->db, version, &seat, &f->fail));
}

/* A filing of one trade; symbol NULL: none. */
static void publish(
    struct store_fixture *f, const char *id, enum asset_type type, const char *symbol)
{
    struct publication p;
    int64_t no, at, seq;
    struct filing_new filing = store_sample_filing(id, 1);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(
        f, publication_begin(f->db, PUBLICATION_LIVE, STR("editor@example.org"), 1, &p, &f->fail));
    assert_ok(f, filing_insert(f->db, &filing, 1, &no, &f->fail));
    assert_ok(f, publication_add_filing(f->db, &p, no, 1, &at, &f->fail));
    struct trade_new trade = store_sample_trade(id, no, 1);
    trade.values.asset_type = type;
    trade.values.ticker = symbol ? str_from(symbol) : STR_NULL;
    trade.publication_no = p.no;
    trade.disclosed_at = at;
    assert_ok(f, trade_insert(f->db, &trade, &f->fail));
    assert_ok(f, publication_finish(f->db, &p, 1, &seq, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
}

static enum err explain_err(struct store_fixture *f, const char *trade, struct explanation *ret)
{
    assert_ok(f, db_begin_read(f->db, &f->fail));
    enum err err = explain_trade(f->db, str_from(trade), &f->arena, ret, &f->fail);
    db_rollback(f->db);
    return err;
}

static struct explanation explain(struct store_fixture *f, const char *trade)
{
    struct explanation e;
    assert_ok(f, explain_err(f, trade, &e));
    return e;
}

static void first_failed_step_is_named(void **state)
{
    struct store_fixture *f = *state;
    prepare(f);
    publish(f, "city", ASSET_MUNICIPAL_BOND, "QQZX");
    publish(f, "nameless", ASSET_STOCK, NULL);
    publish(f, "unknown", ASSET_STOCK, "QQZW");
    publish(f, "pottery", ASSET_STOCK, "QQZP");
    publish(f, "orchards", ASSET_STOCK, "QQZX");
    publish(f, "coin", ASSET_CRYPTO, NULL);
    assert_int_equal(explain(f, "city-0001").step, EXPLAIN_CLASS);
    assert_int_equal(explain(f, "nameless-0001").step, EXPLAIN_SYMBOL);
    assert_int_equal(explain(f, "unknown-0001").step, EXPLAIN_COMPANY);
    assert_int_equal(explain(f, "pottery-0001").step, EXPLAIN_INDUSTRY);
    assert_int_equal(explain(f, "orchards-0001").step, EXPLAIN_SEATS);
    import_seat(f, "HSAG", "House Committee on Agriculture", CHAMBER_NONE);
    assert_int_equal(explain(f, "orchards-0001").step, EXPLAIN_SEATS);
    import_seat(f, "HSAG", "House Committee on Agriculture", CHAMBER_SENATE);
    assert_int_equal(explain(f, "orchards-0001").step, EXPLAIN_LIST);
    import_seat(f, "HSRU", "House Committee on Rules", CHAMBER_HOUSE);
    assert_int_equal(explain(f, "orchards-0001").step, EXPLAIN_COMMITTEES);
    import_seat(f, "HSAG", "House Committee on Agriculture", CHAMBER_HOUSE);
    assert_int_equal(explain(f, "orchards-0001").step, EXPLAIN_SIGNAL);
    assert_int_equal(explain(f, "coin-0001").step, EXPLAIN_SIGNAL);
    assert_int_equal(explain(f, "unknown-0001").step, EXPLAIN_COMPANY);
}

static void signal_is_explained_with_its_inputs(void **state)
{
    struct store_fixture *f = *state;
    prepare(f);
    publish(f, "f1", ASSET_STOCK, "QQZX");
    import_seat(f, "HSAG", "House Committee on Agriculture", CHAMBER_HOUSE);
    struct explanation e = explain(f, "f1-0001");
    assert_str(e.member, "Robin Vale");
    assert_str(e.asset.company, "Quince Orchards Inc.");
    assert_str(e.asset.source, "invented");
    assert_int_equal(e.as_of, LIST_DAY);
    assert_int_equal(e.basis, CONFLICT_IN_FORCE);
    assert_int_equal(e.congress, 112);
    assert_true(e.list_count > 150); /* those that ship, and this one */
    assert_int_equal(e.seat_count, 1);
    assert_str(e.seats[0].seat->id, "HSAG");
    assert_true(e.seats[0].mapped && e.seats[0].overlaps);
    assert_true(e.seats[0].oversees_count > 1);
    assert_int_equal(e.seats[0].from, LIST_DAY);
    assert_int_equal(e.seats[0].to, day_from("2013-01-03"));
    assert_true(str_starts(e.reason, STR("Robin Vale sat on the House Committee on Agriculture")));
    assert_false(e.is_stored);
    assert_true(str_is_null(e.stored_reason));
}

static void mapped_committee_without_industries_differs_from_unknown(void **state)
{
    struct store_fixture *f = *state;
    prepare(f);
    publish(f, "f1", ASSET_STOCK, "QQZX");
    import_seat(f, "HSRU", "House Committee on Rules", CHAMBER_HOUSE);
    struct explanation rules = explain(f, "f1-0001");
    assert_true(rules.seats[0].mapped);
    assert_int_equal(rules.seats[0].oversees_count, 0);
    import_seat(f, "HSQQ", "House Committee on Quinces", CHAMBER_HOUSE);
    assert_false(explain(f, "f1-0001").seats[0].mapped);
}

static void every_step_has_a_name_and_an_explanation(void **state)
{
    for (int step = 0; step < EXPLAIN_STEP_COUNT; step++) {
        const struct explanation e = {.step = (enum explain_step)step};
        assert_true(explain_step_name(e.step).n > 0);
        assert_int_equal(explain_why_not(&e).n > 0, step != EXPLAIN_SIGNAL);
    }
}

static struct str why_not(struct store_fixture *f, const char *trade, enum explain_step step)
{
    struct explanation e = explain(f, trade);
    assert_int_equal(e.step, step);
    return explain_why_not(&e);
}

/* Ford's bank is under a fifth of its revenue. */
static void explanation_tells_what_is_not_judged(void **state)
{
    struct store_fixture *f = *state;
    struct explanation step = {.step = EXPLAIN_COMMITTEES};
    prepare(f);
    publish(f, "broad", ASSET_FUND, "SPY");
    publish(f, "gold", ASSET_FUND, "GLD");
    publish(f, "ford", ASSET_STOCK, "F");
    publish(f, "future", ASSET_COMMODITY, NULL); /* of a name without a commodity */
    import_seat(f, "HSJU", "House Committee on the Judiciary", CHAMBER_HOUSE);
    assert_true(str_find(why_not(f, "broad-0001", EXPLAIN_INDUSTRY), STR("broad")) >= 0);
    assert_true(str_find(why_not(f, "future-0001", EXPLAIN_INDUSTRY), STR("commodity")) >= 0);
    assert_true(str_eq(why_not(f, "gold-0001", EXPLAIN_COMMITTEES), explain_why_not(&step)));
    import_seat(f, "HSBA", "House Committee on Financial Services", CHAMBER_HOUSE);
    assert_true(str_find(why_not(f, "ford-0001", EXPLAIN_COMMITTEES), STR("fifth")) >= 0);
    import_seat(f, "HSII", "House Committee on Natural Resources", CHAMBER_HOUSE);
    assert_int_equal(explain(f, "gold-0001").step, EXPLAIN_SIGNAL);
}

static void unpublished_trade_is_not_explained(void **state)
{
    struct store_fixture *f = *state;
    struct explanation e;
    assert_int_equal(explain_err(f, "none", &e), ERR_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(first_failed_step_is_named),
        store_test(signal_is_explained_with_its_inputs),
        store_test(mapped_committee_without_industries_differs_from_unknown),
        cmocka_unit_test(every_step_has_a_name_and_an_explanation),
        store_test(explanation_tells_what_is_not_judged),
        store_test(unpublished_trade_is_not_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
