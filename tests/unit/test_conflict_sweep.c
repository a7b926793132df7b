/* Sweeps: their writes, skipped trades, and concurrent changes. */
#include "conflict_sample.h"

#include "conflict/signal.h"
#include "conflict/sweep.h"
#include "paper/cell/row_field.h"
#include "store/public/finding.h"
#include "store/row/change.h"

enum { LIST_DAY = 14990, NEXT_LIST_DAY = 15100 }; /* the trades are of day 15000 */

/* Member m1 and two invented companies: QQZX in an industry that HSAG oversees, QQZY in another. */
static void prepare(struct store_fixture *f)
{
    store_sample_member(f, "m1", "robin-vale");
    sample_company(f, "QQZX", "Quince Orchards Inc.", "Agriculture");
    sample_company(f, "QQZY", "Quarry Pictures Inc.", "Media and entertainment");
}

/* Imports a roster for that day, in place of an earlier one, with its notice. SEAT_NONE: the member
 * has no seat. */
static enum err import_in(struct db *db, int32_t day, enum seat_role role, struct fail *fail)
{
    const uint8_t digest[SHA256_SIZE] = {(uint8_t)role, 1};
    const struct committee committee = {
        .id = STR("HSAG"),
        .name = STR("House Committee on Agriculture"),
        .chamber = CHAMBER_HOUSE,
    };
    const struct committee_seat_new seat = {
        .committee = STR("HSAG"), .member = STR("m1"), .chamber = CHAMBER_HOUSE, .role = role};
    int64_t version = 0;
    enum err err = committee_version_begin(db, day, digest, 1, &version, fail);
    if (!err)
        err = committee_list(db, version, &committee, fail);
    if (!err && role != SEAT_NONE)
        err = committee_seat_add(db, version, &seat, fail);
    return err ? err : change_add(db, STR("member"), STR("*"), NULL, fail);
}

static void import_seat(struct store_fixture *f, int32_t day, enum seat_role role)
{
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, import_in(f->db, day, role, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
}

/* A filing of m1 with that many trades of a symbol. They have no signals, as if published before
 * the first roster was imported. */
static void publish(struct store_fixture *f, const char *id, int rows, const char *symbol)
{
    struct publication p;
    int64_t no, at, seq;
    struct filing_new filing = store_sample_filing(id, 1);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(
        f, publication_begin(f->db, PUBLICATION_LIVE, STR("editor@example.org"), 1, &p, &f->fail));
    assert_ok(f, filing_insert(f->db, &filing, 1, &no, &f->fail));
    assert_ok(f, publication_add_filing(f->db, &p, no, 1, &at, &f->fail));
    for (int row = 1; row <= rows; row++) {
        struct trade_new trade = store_sample_trade(id, no, row);
        trade.values.ticker = str_from(symbol);
        trade.publication_no = p.no;
        trade.disclosed_at = at;
        assert_ok(f, trade_insert(f->db, &trade, &f->fail));
    }
    assert_ok(f, publication_finish(f->db, &p, rows, &seq, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
}

/* The writer of a sweep: counts transactions, runs `happen` before one, fails or stops. */
struct sweeper {
    struct store_fixture *f;
    int writes;
    size_t most_lines; /* added to the history by one transaction */
    int before;        /* the transaction that `happen` precedes, from 1 */
    void (*happen)(struct store_fixture *f);
    int fails;        /* the transaction that is rolled back, from 1 */
    int asked, stops; /* the number of the question that it answers with stop, from 1 */
};

static int64_t lines(struct store_fixture *f)
{
    return store_fixture_number(f, "SELECT count(*) FROM finding_history");
}

static int64_t signals(struct store_fixture *f)
{
    return store_fixture_number(f, "SELECT count(*) FROM trade_finding");
}

static enum err write_counted(void *ctx, writer_run *run, void *run_ctx, struct fail *fail)
{
    struct sweeper *s = ctx;
    struct db *db = s->f->db;
    s->writes++;
    if (s->writes == s->before)
        s->happen(s->f);
    size_t had = (size_t)lines(s->f);
    assert_int_equal(db_begin(db, fail), OK);
    enum err err = run(db, run_ctx, fail);
    if (!err && s->writes == s->fails)
        err = fail_set(fail, ERR_FULL, "no room");
    if (err) {
        db_rollback(db);
        return err;
    }
    err = db_commit(db, fail);
    size_t added = (size_t)lines(s->f) - had;
    s->most_lines = added > s->most_lines ? added : s->most_lines;
    return err;
}

static bool is_told(void *ctx)
{
    struct sweeper *s = ctx;
    return ++s->asked == s->stops;
}

static enum err sweep_err(struct sweeper *s, struct store_fixture *f, struct sweep_result *ret)
{
    s->f = f;
    const struct sweep_config config = {
        .db = f->db, .now_ms = 7000, .write = write_counted, .stop = is_told, .ctx = s};
    return sweep_run(&config, ret, &f->fail);
}

static struct sweep_result sweep(struct store_fixture *f, struct sweeper *s)
{
    struct sweep_result result;
    assert_ok(f, sweep_err(s, f, &result));
    return result;
}

#define assert_changes(result, set_, changed_, cleared_)                                           \
    do {                                                                                           \
        assert_int_equal((result).set, (set_));                                                    \
        assert_int_equal((result).changed, (changed_));                                            \
        assert_int_equal((result).cleared, (cleared_));                                            \
    } while (0)

static void signals_follow_the_seat(void **state)
{
    struct store_fixture *f = *state;
    prepare(f);
    publish(f, "f1", 3, "QQZX");
    publish(f, "f2", 2, "QQZY");
    import_seat(f, LIST_DAY, SEAT_MEMBER);
    struct sweep_result r = sweep(f, &(struct sweeper){0});
    assert_int_equal(r.trades, 5);
    assert_int_equal(r.signals, 3);
    assert_changes(r, 3, 0, 0);
    import_seat(f, LIST_DAY, SEAT_CHAIR);
    r = sweep(f, &(struct sweeper){0});
    assert_int_equal(r.signals, 3);
    assert_changes(r, 0, 3, 0);
    import_seat(f, LIST_DAY, SEAT_NONE);
    r = sweep(f, &(struct sweeper){0});
    assert_int_equal(r.signals, 0);
    assert_changes(r, 0, 0, 3);
    assert_int_equal(signals(f), 0);
    assert_int_equal(lines(f), 9);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM finding_history WHERE at = 7000"), 9);
}

static void second_sweep_writes_nothing(void **state)
{
    struct store_fixture *f = *state;
    struct sweeper again = {0};
    prepare(f);
    publish(f, "f1", 3, "QQZX");
    import_seat(f, LIST_DAY, SEAT_MEMBER);
    struct sweep_result first = sweep(f, &(struct sweeper){0});
    int64_t seq;
    assert_ok(f, change_last(f->db, &seq, &f->fail));
    assert_int_equal(first.change_seq, seq);
    struct sweep_result second = sweep(f, &again);
    assert_int_equal(second.signals, 3);
    assert_changes(second, 0, 0, 0);
    assert_int_equal(second.change_seq, 0);
    assert_int_equal(again.writes, 0);
    assert_int_equal(store_fixture_number(f, "SELECT max(seq) FROM change"), seq);
}

static void same_roster_changes_nothing(void **state)
{
    struct store_fixture *f = *state;
    struct sweeper again = {0};
    prepare(f);
    publish(f, "f1", 3, "QQZY");
    import_seat(f, LIST_DAY, SEAT_MEMBER);
    assert_int_equal(sweep(f, &again).signals, 0);
    import_seat(f, NEXT_LIST_DAY, SEAT_CHAIR);
    assert_int_equal(sweep(f, &again).signals, 0);
    assert_int_equal(again.writes, 0);
}

static void batch_may_end_inside_a_filing(void **state)
{
    struct store_fixture *f = *state;
    struct sweeper s = {0};
    prepare(f);
    publish(f, "f1", 700, "QQZX");
    publish(f, "f2", 900, "QQZX");
    publish(f, "f3", 700, "QQZX");
    import_seat(f, LIST_DAY, SEAT_MEMBER);
    struct sweep_result r = sweep(f, &s);
    assert_int_equal(r.trades, 2300);
    assert_changes(r, 2300, 0, 0);
    assert_int_equal(s.writes, 3);
    assert_int_equal(s.most_lines, SWEEP_BATCH);
    assert_int_equal(signals(f), 2300);
}

static void sweep_of_exactly_one_batch_ends(void **state)
{
    struct store_fixture *f = *state;
    prepare(f);
    assert_int_equal(sweep(f, &(struct sweeper){0}).trades, 0);
    publish(f, "f1", SWEEP_BATCH, "QQZX");
    assert_int_equal(sweep(f, &(struct sweeper){0}).trades, SWEEP_BATCH);
}

/* --- concurrent changes */

static void correct_one(struct store_fixture *f)
{
    const struct row_values values = {
        .ticker = STR("QQZY"),
        .asset_name = STR("Quarry Pictures Inc."),
        .asset_type = ASSET_STOCK,
        .side = SIDE_BUY,
        .bracket = BRACKET_1K_15K,
        .trade_date = 15000,
        .owner = OWNER_SPOUSE,
    };
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, trade_correct(f->db, STR("f1-0002"), &values, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
}

static void correction_between_read_and_write_is_not_overwritten(void **state)
{
    struct store_fixture *f = *state;
    struct sweeper s = {.before = 1, .happen = correct_one};
    prepare(f);
    publish(f, "f1", 3, "QQZX");
    import_seat(f, LIST_DAY, SEAT_MEMBER);
    struct sweep_result r = sweep(f, &s);
    assert_changes(r, 2, 0, 0);
    assert_int_equal(r.signals, 2);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM trade_finding s JOIN trade t ON t.no = s.trade_no"
               " WHERE t.id = 'f1-0002'"),
        0);
}

static void withdraw_one(struct store_fixture *f)
{
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, trade_withdraw(f->db, STR("f1-0001"), false, 5, STR("read wrongly"), &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
}

static void withdrawn_trades_are_skipped(void **state)
{
    struct store_fixture *f = *state;
    prepare(f);
    publish(f, "f1", 3, "QQZX");
    import_seat(f, LIST_DAY, SEAT_MEMBER);
    assert_changes(sweep(f, &(struct sweeper){0}), 3, 0, 0);
    withdraw_one(f);
    int64_t had = store_fixture_number(
        f, "SELECT count(*) FROM finding_history h JOIN trade t ON t.no = h.trade_no"
           " WHERE t.id = 'f1-0001'");
    import_seat(f, LIST_DAY, SEAT_NONE);
    struct sweep_result r = sweep(f, &(struct sweeper){0});
    assert_int_equal(r.trades, 2);
    assert_changes(r, 0, 0, 2);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM finding_history h JOIN trade t ON t.no = h.trade_no"
               " WHERE t.id = 'f1-0001'"),
        had);
}

static void trade_withdrawn_between_read_and_write_gets_no_signal(void **state)
{
    struct store_fixture *f = *state;
    struct sweeper s = {.before = 1, .happen = withdraw_one};
    prepare(f);
    publish(f, "f1", 3, "QQZX");
    import_seat(f, LIST_DAY, SEAT_MEMBER);
    struct sweep_result r = sweep(f, &s);
    assert_int_equal(r.trades, 2);
    assert_changes(r, 2, 0, 0);
}

/* Judged at its publication. Its reason differs: the roster is later than this trade. */
static void publish_with_signal(struct store_fixture *f)
{
    publish(f, "f9", 1, "QQZX");
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(
        f, db_exec(f->db, "UPDATE trade SET trade_day = 14985 WHERE id = 'f9-0001'", &f->fail));
    assert_ok(f, signal_refresh(f->db, STR("f9-0001"), 6000, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
}

static void signal_published_during_the_sweep_is_not_counted(void **state)
{
    struct store_fixture *f = *state;
    struct sweeper s = {.before = 1, .happen = publish_with_signal};
    prepare(f);
    publish(f, "f1", SWEEP_BATCH, "QQZX");
    import_seat(f, LIST_DAY, SEAT_MEMBER);
    struct sweep_result r = sweep(f, &s);
    assert_int_equal(r.trades, SWEEP_BATCH + 1);
    assert_int_equal(r.signals, SWEEP_BATCH + 1);
    assert_changes(r, SWEEP_BATCH, 0, 0);
    assert_int_equal(lines(f), SWEEP_BATCH + 1);
}

static void import_chair(struct store_fixture *f)
{
    import_seat(f, LIST_DAY, SEAT_CHAIR);
}

static void seats_imported_during_the_sweep_apply_to_every_trade(void **state)
{
    struct store_fixture *f = *state;
    struct sweeper s = {.before = 2, .happen = import_chair};
    prepare(f);
    publish(f, "f1", 1500, "QQZX");
    import_seat(f, LIST_DAY, SEAT_MEMBER);
    struct sweep_result r = sweep(f, &s);
    assert_int_equal(r.trades, 1500);
    assert_int_equal(r.signals, 1500);
    assert_changes(r, 1500, 1000, 0);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM trade_finding s JOIN finding d ON d.no = s.finding_no"
               " WHERE d.reason LIKE '% chaired the House Committee on Agriculture, %'"),
        1500);
}

/* --- ends */

static void next_sweep_continues_after_a_failed_transaction(void **state)
{
    struct store_fixture *f = *state;
    struct sweeper s = {.fails = 2};
    struct sweep_result r;
    prepare(f);
    publish(f, "f1", 1500, "QQZX");
    publish(f, "f2", 1000, "QQZX");
    import_seat(f, LIST_DAY, SEAT_MEMBER);
    assert_int_equal(sweep_err(&s, f, &r), ERR_FULL);
    assert_string_equal(f->fail.text, "no room");
    assert_int_equal(r.trades, 1000);
    assert_changes(r, 1000, 0, 0);
    assert_int_equal(signals(f), 1000);
    r = sweep(f, &(struct sweeper){0});
    assert_changes(r, 1500, 0, 0);
    assert_int_equal(signals(f), 2500);
    assert_int_equal(lines(f), 2500);
}

static void failed_first_transaction_leaves_no_finding(void **state)
{
    struct store_fixture *f = *state;
    struct sweeper s = {.fails = 1};
    struct sweep_result r;
    prepare(f);
    publish(f, "f1", 3, "QQZX");
    import_seat(f, LIST_DAY, SEAT_MEMBER);
    assert_int_equal(sweep_err(&s, f, &r), ERR_FULL);
    assert_changes(r, 0, 0, 0);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM finding"), 0);
    assert_int_equal(lines(f), 0);
    assert_changes(sweep(f, &(struct sweeper){0}), 3, 0, 0);
}

static void sweep_stops_between_two_batches_on_request(void **state)
{
    struct store_fixture *f = *state;
    struct sweeper s = {.stops = 1};
    prepare(f);
    publish(f, "f1", 1500, "QQZX");
    import_seat(f, LIST_DAY, SEAT_MEMBER);
    struct sweep_result r = sweep(f, &s);
    assert_true(r.stopped);
    assert_int_equal(r.trades, 1000);
    assert_changes(r, 1000, 0, 0);
    r = sweep(f, &(struct sweeper){0});
    assert_false(r.stopped);
    assert_changes(r, 500, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(signals_follow_the_seat),
        store_test(second_sweep_writes_nothing),
        store_test(same_roster_changes_nothing),
        store_test(batch_may_end_inside_a_filing),
        store_test(sweep_of_exactly_one_batch_ends),
        store_test(correction_between_read_and_write_is_not_overwritten),
        store_test(withdrawn_trades_are_skipped),
        store_test(trade_withdrawn_between_read_and_write_gets_no_signal),
        store_test(signal_published_during_the_sweep_is_not_counted),
        store_test(seats_imported_during_the_sweep_apply_to_every_trade),
        store_test(next_sweep_continues_after_a_failed_transaction),
        store_test(failed_first_transaction_leaves_no_finding),
        store_test(sweep_stops_between_two_batches_on_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
