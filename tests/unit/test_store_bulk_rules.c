/* Foreign keys and indexes that come back after many rows. SQLite keeps them all the time. */
#include "store_sample.h"

#include "store/public/filing_bulk.h"
#include "store/row/node.h"

/* All indexes, and all constraints of PostgreSQL, as text. */
static struct str rules_of(struct store_fixture *f)
{
    const char *sql =
        store_fixture_is_postgresql()
            ? "SELECT string_agg(r.text, '; ' ORDER BY r.text) FROM (SELECT concat_ws(' ',"
              " CAST(conrelid AS REGCLASS), conname, convalidated, pg_get_constraintdef(oid))"
              " AS text FROM pg_constraint UNION ALL SELECT indexdef FROM pg_indexes"
              " WHERE schemaname = 'stockact') r"
            : "SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE type = 'index'"
              " ORDER BY name)";
    struct query q;
    struct str text = STR_NULL;
    query_start(&q, f->db, sql);
    if (query_row(&q))
        text = arena_str(&f->arena, query_get_str(&q, 0));
    assert_ok(f, query_end(&q, &f->fail));
    assert_true(text.n > 0);
    return text;
}

static struct bulk_rules drop(struct store_fixture *f)
{
    struct bulk_rules rules;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, bulk_rules_drop(f->db, &f->arena, &rules, &f->fail));
    return rules;
}

/* A trade whose filing and publication are not there. */
static enum err insert_orphan(struct store_fixture *f)
{
    struct trade_new trade = store_sample_trade("house-1", 999, 1);
    trade.publication_no = 999;
    return trade_insert(f->db, &trade, &f->fail);
}

static void rules_are_the_same_afterwards(void **state)
{
    struct store_fixture *f = *state;
    struct str before = rules_of(f);
    struct bulk_rules rules = drop(f);
    assert_true((rules.count > 0) == store_fixture_is_postgresql());
    assert_true(str_eq(rules_of(f), before) == (rules.count == 0));
    assert_ok(f, bulk_rules_add(f->db, &rules, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_true(str_eq(rules_of(f), before));
}

static void rules_are_the_same_after_a_rollback(void **state)
{
    struct store_fixture *f = *state;
    struct str before = rules_of(f);
    (void)drop(f);
    db_rollback(f->db);
    assert_true(str_eq(rules_of(f), before));
}

static void row_that_names_nothing_is_refused_at_the_end(void **state)
{
    struct store_fixture *f = *state;
    struct bulk_rules rules = drop(f);
    enum err err = insert_orphan(f);
    assert_int_equal(err, store_fixture_is_postgresql() ? OK : ERR_REFUSED);
    if (!err)
        assert_int_equal(bulk_rules_add(f->db, &rules, &f->fail), ERR_REFUSED);
    db_rollback(f->db);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM trade"), 0);
}

static void rules_stay_while_a_server_runs(void **state)
{
    struct store_fixture *f = *state;
    struct str id = node_id_make(&f->arena);
    assert_ok(f, node_enter(f->db, id, STR("alpha"), 1, &f->fail));
    struct bulk_rules rules = drop(f);
    assert_int_equal(rules.count, 0);
    assert_int_equal(insert_orphan(f), ERR_REFUSED);
    db_rollback(f->db);
}

static void rules_stay_if_there_are_trades(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    store_sample_publish(f, "house-1", 1, PUBLICATION_LIVE, 1, 5000);
    struct bulk_rules rules = drop(f);
    assert_int_equal(rules.count, 0);
    db_rollback(f->db);
}

static void rules_stay_while_others_use_a_table(void **state)
{
    struct store_fixture *f = *state;
    struct query q;
    struct db *other = store_fixture_open(f);
    assert_ok(f, db_begin_read(other, &f->fail));
    query_start(&q, other, "SELECT no FROM trade");
    assert_false(query_row(&q));
    assert_ok(f, query_end(&q, &f->fail));
    store_fixture_hurry(f);
    struct str before = rules_of(f);
    struct bulk_rules rules = drop(f);
    assert_int_equal(rules.count, 0);
    assert_true(str_eq(rules_of(f), before));
    assert_ok(f, db_commit(f->db, &f->fail));
    db_close(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(rules_are_the_same_afterwards),
        store_test(rules_are_the_same_after_a_rollback),
        store_test(row_that_names_nothing_is_refused_at_the_end),
        store_test(rules_stay_while_a_server_runs),
        store_test(rules_stay_if_there_are_trades),
        store_test(rules_stay_while_others_use_a_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
