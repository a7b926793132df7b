#include "store_fixture.h"

#include <time.h>

#include "base/csv_in.h"
#include "base/hash.h"
#include "conflict/sweep.h"
#include "demo/demo.h"
#include "demo/maker.h"
#include "market/company.h"
#include "people/members.h"
#include "real_members.h"
#include "review/publish.h"
#include "store/public/filing.h"
#include "store/public/trade.h"
#include "store/row/meta.h"

#define NOW INT64_C(1790000000000) /* 2026-09-21 */

enum { AS_OF = 20717 /* 2026-09-21 */ };

static struct demo_report fill(struct store_fixture *f, int64_t trades)
{
    struct demo_report report;
    assert_ok(f, demo_fill(f->db, trades, AS_OF, NOW, NULL, &report, &f->fail));
    return report;
}

/* A digest of all public fields of the trades. */
struct rows_digest {
    uint64_t hash;
    size_t count, without_ticker, without_date;
    int64_t last_at;
    struct arena *symbols; /* NULL: not needed */
    struct str symbol[1000];
    size_t symbol_count;
};

static void mix(struct rows_digest *d, struct str s)
{
    d->hash = hash_seeded(s, d->hash);
}

static enum err visit(void *ctx, const struct trade_row *row)
{
    struct rows_digest *d = ctx;
    const struct trade *t = &row->trade;
    int64_t numbers[] = {t->values.asset_type, t->values.side,  t->values.bracket,
                         t->values.trade_date, t->disclosed_at, t->values.owner};
    mix(d, t->id);
    mix(d, t->values.ticker);
    mix(d, t->values.asset_name);
    mix(d, t->values.details);
    mix(d, str_of((const char *)numbers, sizeof numbers));
    d->count++;
    d->without_ticker += str_is_null(t->values.ticker);
    d->without_date += t->values.trade_date == DAY_NONE;
    assert_true(t->disclosed_at >= d->last_at);
    d->last_at = t->disclosed_at;
    if (d->symbols && !str_is_null(t->values.ticker)) {
        for (size_t i = 0; i < d->symbol_count; i++)
            if (str_eq(d->symbol[i], t->values.ticker))
                return OK;
        assert_true(d->symbol_count < 1000);
        d->symbol[d->symbol_count++] = arena_str(d->symbols, t->values.ticker);
    }
    return OK;
}

static void read_all(struct store_fixture *f, struct rows_digest *ret)
{
    struct arena *symbols = ret->symbols;
    memset(ret, 0, sizeof *ret);
    ret->symbols = symbols;
    ret->last_at = INSTANT_NONE;
    assert_ok(f, trade_each(f->db, visit, ret, &f->fail));
}

/* The read-only cases share one store of 5,000 trades. */
static struct demo_report filled_report;

static int setup_filled(void **state)
{
    store_fixture_setup(state);
    filled_report = fill(*state, 5000);
    return 0;
}

static void requested_number_of_trades_exists(void **state)
{
    struct store_fixture *f = *state;
    const struct demo_report report = filled_report;
    struct rows_digest *d = mem_zalloc(sizeof *d);
    assert_int_equal(report.trades, 5000);
    assert_int_equal(report.members, DEMO_MEMBERS);
    assert_true(report.filings > 400 && report.filings < 1200);
    read_all(f, d);
    assert_int_equal(d->count, 5000);
    assert_true(d->without_ticker > 250 && d->without_ticker < 750);
    assert_true(d->without_date > 10);
    assert_true(d->last_at < AS_OF * (int64_t)DAY_MS);
    assert_true(
        store_fixture_number(f, "SELECT count(*) FROM filing WHERE amends_no IS NOT NULL") > 0);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(DISTINCT filed_at) FROM filing"), report.filings);
    mem_free(d);
}

static enum err write_at_once(void *ctx, writer_run *run, void *run_ctx, struct fail *fail)
{
    struct store_fixture *f = ctx;
    assert_ok(f, db_begin(f->db, fail));
    assert_ok(f, run(f->db, run_ctx, fail));
    return db_commit(f->db, fail);
}

static void some_trades_have_signals_and_a_sweep_agrees(void **state)
{
    struct store_fixture *f = *state;
    const struct sweep_config sweep = {
        .db = f->db, .now_ms = NOW, .write = write_at_once, .ctx = f};
    struct sweep_result result;
    int64_t signals = store_fixture_number(f, "SELECT count(*) FROM trade_finding");
    assert_in_range(signals, 5000 * 3 / 100, 5000 * 15 / 100);
    assert_ok(f, sweep_run(&sweep, &result, &f->fail));
    assert_int_equal(result.trades, 5000);
    assert_int_equal(result.signals, signals);
    assert_int_equal(result.set + result.changed + result.cleared, 0);
}

/* Committees of each chamber, heads, panels, companies, tokens, rosters before and after a
 * trade. */
static void every_kind_of_reason_occurs(void **state)
{
    static const char *const phrases[] = {
        "% House Committee on %, which oversees %, the industry of % (%); seats as of 2025-03-19.",
        "% House Committee on %, which oversaw %, the industry of % (%); seats as of 2023-03-19.",
        "% sits on the Senate Committee on %; seats as of 2025-03-19, a list later than the trade.",
        "% chairs the %",
        "% is ranking member of the %",
        "% Subcommittee on % of the House Committee on %, which over%",
        "%, which oversee% digital assets, among them %",
    };
    struct store_fixture *f = *state;
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        struct query q;
        query_start(&q, f->db, "SELECT count(*) FROM finding WHERE reason LIKE $1");
        query_str(&q, str_from(phrases[i]));
        assert_true(query_row(&q));
        if (query_get_i64(&q, 0) == 0)
            fail_msg("none like %s", phrases[i]);
        assert_ok(f, query_end(&q, &f->fail));
    }
}

/* As in real filings: all terms of options and bonds, the company of a private asset. */
static void options_bonds_and_private_assets_have_details(void **state)
{
    static const struct {
        const char *type, *details;
    } kinds[] = {
        {"option", "call, strike _%, expires 20%"},
        {"option", "put, strike _%, expires 20%"},
        {"bond", "coupon %, matures 20%"},
        {"municipal_bond", "coupon %, matures 20%"},
        {"government_security", "matures 20%"},
        {"private_equity", "company \"%\", description \"%\""},
        {"crypto", "platform \"%\""},
    };
    struct store_fixture *f = *state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct str sql = arena_fmt(
            &f->arena, "SELECT count(*) FROM trade WHERE asset_type = '%s' AND details LIKE '%s'",
            kinds[i].type, kinds[i].details);
        if (store_fixture_number(f, sql.p) == 0)
            fail_msg("no %s with %s", kinds[i].type, kinds[i].details);
    }
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM trade WHERE asset_type IN ('option', 'bond', 'municipal_bond',"
               " 'government_security', 'private_equity', 'crypto') AND details = ''"),
        0);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM trade WHERE asset_type IN ('stock', 'fund')"
               " AND details <> ''"),
        0);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM trade WHERE asset_type IN ('private_equity', 'crypto')"
               " AND printed NOT LIKE '%\"asset_detail\":\"%'"),
        0);
}

static void same_day_gives_the_same_trades(void **state)
{
    struct store_fixture *f = *state, *g;
    struct rows_digest *a = mem_zalloc(sizeof *a), *b = mem_zalloc(sizeof *b);
    fill(f, 1000);
    read_all(f, a);
    int64_t signals = store_fixture_number(f, "SELECT count(*) FROM trade_finding");
    if (store_fixture_is_postgresql()) {
        mem_free(a);
        mem_free(b);
        skip(); /* one server, one schema: compared on SQLite */
    }
    store_fixture_setup((void **)&g);
    struct demo_report report;
    assert_ok(g, demo_fill(g->db, 1000, AS_OF, NOW + DAY_MS, NULL, &report, &g->fail));
    read_all(g, b);
    assert_true(a->hash == b->hash);
    assert_int_equal(store_fixture_number(g, "SELECT count(*) FROM trade_finding"), signals);
    store_fixture_teardown((void **)&g);
    store_fixture_setup((void **)&g);
    assert_ok(g, demo_fill(g->db, 1000, AS_OF - 1, NOW, NULL, &report, &g->fail));
    read_all(g, b);
    assert_true(a->hash != b->hash);
    store_fixture_teardown((void **)&g);
    mem_free(a);
    mem_free(b);
}

/* Enough of them for PostgreSQL to check foreign keys and fill indexes at the end. */
static void many_trades_are_sound(void **state)
{
    struct store_fixture *f = *state;
    struct demo_report report = fill(f, 20000);
    assert_int_equal(report.trades, 20000);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM trade"), 20000);
    assert_true(store_fixture_number(f, "SELECT count(*) FROM finding_history") > 100);
    store_fixture_assert_sound(f);
    assert_int_equal(
        db_exec(f->db, "UPDATE trade SET filing_no = 999999 WHERE no = 1", &f->fail), ERR_REFUSED);
}

static void invalid_requests_are_refused(void **state)
{
    struct store_fixture *f = *state;
    struct demo_report r;
    assert_int_equal(demo_fill(f->db, 0, AS_OF, NOW, NULL, &r, &f->fail), ERR_INVALID);
    assert_int_equal(demo_fill(f->db, 5000001, AS_OF, NOW, NULL, &r, &f->fail), ERR_INVALID);
    assert_int_equal(demo_fill(f->db, 10, AS_OF + 1, NOW, NULL, &r, &f->fail), ERR_INVALID);
    assert_int_equal(demo_fill(f->db, 10, 0, NOW, NULL, &r, &f->fail), ERR_INVALID);
    fill(f, 1);
    assert_int_equal(demo_fill(f->db, 10, AS_OF, NOW, NULL, &r, &f->fail), ERR_REFUSED);
}

static void real_data_and_invented_data_refuse_each_other(void **state)
{
    struct store_fixture *f = *state;
    struct demo_report r;
    struct demo_publisher *publisher;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, meta_data_claim(f->db, META_DATA_REAL, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_int_equal(demo_fill(f->db, 10, AS_OF, NOW, NULL, &r, &f->fail), ERR_REFUSED);
    assert_int_equal(demo_publisher_open(f->db, 5, &publisher, &f->fail), ERR_REFUSED);
}

static void further_filings_are_published_live(void **state)
{
    struct store_fixture *f = *state;
    struct demo_publisher *publisher;
    struct publish_result r;
    fill(f, 50);
    assert_int_equal(demo_publisher_open(f->db, 0, &publisher, &f->fail), ERR_INVALID);
    assert_ok(f, demo_publisher_open(f->db, 7, &publisher, &f->fail));
    for (int i = 0; i < 20; i++) {
        assert_ok(f, demo_publisher_next(publisher, NOW, &r, &f->fail));
        assert_int_equal(r.trades, 7);
        assert_true(r.disclosed_at == NOW + i);
    }
    demo_publisher_close(publisher);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM event"), 20);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM trade"), 190);
}

static void filings_are_made_long_after_every_term_ends(void **state)
{
    struct store_fixture *f = *state;
    struct demo_report report;
    struct demo_publisher *publisher;
    struct publish_result r;
    assert_ok(f, demo_fill(f->db, 5, 16000, NOW, NULL, &report, &f->fail));
    assert_ok(f, demo_publisher_open(f->db, 1, &publisher, &f->fail));
    assert_ok(f, demo_publisher_next(publisher, NOW, &r, &f->fail));
    demo_publisher_close(publisher);
}

static void no_invented_person_has_a_real_last_name(void **state)
{
    struct arena arena;
    struct real_members real;
    if (!real_members_open(&real))
        skip();
    arena_init(&arena);
    const struct member *people = demo_people(&arena, AS_OF);
    for (int i = 0; i < DEMO_MEMBERS; i++) {
        for (size_t k = 0; k < real.list.count; k++)
            if (str_eq_nocase(people[i].last, real.list.items[k].last))
                fail_msg("%.*s", STR_ARG(people[i].name));
        for (int k = 0; k < i; k++)
            assert_false(str_eq(people[i].slug, people[k].slug));
    }
    arena_finish(&arena);
    real_members_close(&real);
}

static void no_invented_symbol_is_listed(void **state)
{
    static const struct {
        const char *path;
        int column;
    } lists[] = {
        {"tickers/sp500-constituents.csv", 0},
        {"tickers/nasdaq-listed.csv", 0},
        {"tickers/other-listed.csv", 0},
    };
    struct store_fixture *f = *state;
    struct rows_digest *d = mem_zalloc(sizeof *d);
    size_t compared = 0;
    d->symbols = &f->arena;
    read_all(f, d);
    assert_true(d->symbol_count > 200);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct csv_in csv;
        csv_in_init(&csv, shared_data_read(&f->arena, lists[i].path), &f->arena);
        while (csv_in_next(&csv)) {
            char symbol[TICKER_SIZE_MAX];
            size_t n = ticker_normalize(csv.field[lists[i].column], symbol);
            compared++;
            for (size_t k = 0; k < d->symbol_count; k++)
                if (str_eq(d->symbol[k], str_of(symbol, n)))
                    fail_msg("%.*s is in %s", (int)n, symbol, lists[i].path);
        }
        assert_null(csv.error);
    }
    mem_free(d);
    if (compared == 0)
        skip();
}

static void no_invented_symbol_is_in_a_list_of_the_program(void **state)
{
    struct store_fixture *f = *state;
    struct rows_digest *d = mem_zalloc(sizeof *d);
    d->symbols = &f->arena;
    read_all(f, d);
    assert_true(d->symbol_count > 200);
    for (size_t i = 0; i < d->symbol_count; i++)
        if (company_knows_symbol(d->symbol[i]))
            fail_msg("%.*s is listed", STR_ARG(d->symbol[i]));
    mem_free(d);
}

int main(void)
{
    const struct CMUnitTest filled[] = {
        cmocka_unit_test(requested_number_of_trades_exists),
        cmocka_unit_test(some_trades_have_signals_and_a_sweep_agrees),
        cmocka_unit_test(every_kind_of_reason_occurs),
        cmocka_unit_test(options_bonds_and_private_assets_have_details),
        cmocka_unit_test(no_invented_symbol_is_listed),
        cmocka_unit_test(no_invented_symbol_is_in_a_list_of_the_program),
    };
    const struct CMUnitTest tests[] = {
        store_test(same_day_gives_the_same_trades),
        store_test(many_trades_are_sound),
        store_test(invalid_requests_are_refused),
        store_test(real_data_and_invented_data_refuse_each_other),
        store_test(further_filings_are_published_live),
        store_test(filings_are_made_long_after_every_term_ends),
        cmocka_unit_test(no_invented_person_has_a_real_last_name),
    };
    int failed = cmocka_run_group_tests(filled, setup_filled, store_fixture_teardown);
    return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
