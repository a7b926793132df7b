/* Instants of the future are moved before now, in their order, and the chain goes on. */
#include "store_sample.h"

#include "store/public/change_log.h"
#include "store/public/correction.h"
#include "store/public/redate.h"
#include "store/public/reseal.h"
#include "store/public/trade.h"
#include "store/row/meta.h"

static const int64_t NOW = INT64_C(1795162365000), FUTURE = INT64_C(4102444800000); /* 2100 */

static enum err log_in(
    struct store_fixture *f, enum correction_kind kind, const char *trade_id, int64_t at)
{
    const struct correction c = {
        .kind = kind,
        .trade_id = str_from(trade_id),
        .at = at,
        .field = kind == CORRECTION_FIELD ? STR("ticker") : STR_NULL,
        .reason = STR("a typing error"),
        .by = STR("editor@example.org"),
    };
    return correction_add(f->db, &c, &f->fail);
}

static void withdraw_one(struct store_fixture *f, const char *id, int64_t at)
{
    struct reseal seal;
    struct query q;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, publication_lock(f->db, &f->fail));
    assert_ok(f, reseal_trade_begin(f->db, str_from(id), RESEAL_WHOLE, &seal, &f->fail));
    query_start(
        &q, f->db, "UPDATE trade SET withdrawn_at = $2, withdrawn_reason = 'x' WHERE id = $1");
    query_str(&q, str_from(id));
    query_i64(&q, at);
    assert_ok(f, query_end(&q, &f->fail));
    assert_ok(f, reseal_trade_end(f->db, &seal, &f->fail));
    assert_ok(f, log_in(f, CORRECTION_WITHDRAWN, id, at));
    assert_ok(f, db_commit(f->db, &f->fail));
}

/* Two publications before, two by a clock that was ahead, and what followed them. */
static void poison(struct store_fixture *f)
{
    store_sample_member(f, "m1", "robin-vale");
    assert_ok(f, meta_data_claim(f->db, META_DATA_REAL, &f->fail));
    store_sample_publish(f, "senate-old", 1, PUBLICATION_BACKFILL, 1000, NOW - 5000);
    store_sample_publish(f, "house-1", 2, PUBLICATION_LIVE, 1, NOW - 4000);
    store_sample_publish(f, "house-2", 2, PUBLICATION_LIVE, 1, FUTURE);
    store_sample_publish(f, "house-3", 0, PUBLICATION_LIVE, 1, NOW - 3000);
    withdraw_one(f, "house-1-0001", FUTURE + 5);
    store_sample_publish(f, "house-4", 1, PUBLICATION_LIVE, 1, NOW - 2000);
}

static struct redate_found repair(struct store_fixture *f, int64_t now_ms, int64_t *ret_first)
{
    struct redate_found found;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, redate(f->db, STR("the clock was ahead"), now_ms, &found, ret_first, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    return found;
}

static void poisoned_database_is_repaired_in_its_order(void **state)
{
    struct store_fixture *f = *state;
    struct redate_found found;
    int64_t first;
    bool known;
    poison(f);
    store_fixture_assert_sound(f);
    assert_ok(f, redate_find(f->db, NOW, &found, &f->fail));
    assert_int_equal(found.count, 4);
    assert_true(found.first == FUTURE && found.last == FUTURE + 5);
    struct change_place last;
    assert_ok(f, change_log_last(f->db, &last, &f->fail));

    found = repair(f, NOW, &first);
    assert_true(found.count == 4 && first == NOW - 3);
    store_fixture_assert_sound(f);
    assert_ok(f, redate_find(f->db, NOW, &found, &f->fail));
    assert_int_equal(found.count, 0);
    assert_true(store_fixture_number(f, "SELECT max(disclosed_at) FROM trade") <= NOW);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM redated"), 4);
    assert_true(store_fixture_number(f, "SELECT min(old_at) FROM redated") == FUTURE);
    assert_ok(f, change_log_has(f->db, &last, &known, &f->fail));
    assert_false(known); /* so that a cursor is refused */
    assert_int_equal(
        db_exec(f->db, "UPDATE change_log SET at = 1", &f->fail), ERR_REFUSED); /* as before */

    assert_true(store_sample_publish(f, "house-5", 1, PUBLICATION_LIVE, 1, NOW + 1).at == NOW + 1);
    store_fixture_assert_sound(f);
    repair(f, NOW, &first);
    assert_int_equal(first, INSTANT_NONE);
}

static void second_repair_of_the_same_rows_is_verified_too(void **state)
{
    struct store_fixture *f = *state;
    int64_t first;
    poison(f);
    repair(f, FUTURE - DAY_MS, &first); /* with a clock that is still wrong */
    assert_true(first > NOW);
    store_fixture_assert_sound(f);
    repair(f, NOW, &first);
    assert_true(first <= NOW);
    store_fixture_assert_sound(f);
}

static void damaged_row_is_not_vouched_for(void **state)
{
    struct store_fixture *f = *state;
    struct redate_found found;
    int64_t first;
    poison(f);
    assert_ok(
        f, db_exec(f->db, "UPDATE trade SET ticker = 'XYZ' WHERE id = 'house-2-0001'", &f->fail));
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_int_equal(redate(f->db, STR("x"), NOW, &found, &first, &f->fail), ERR_CORRUPT);
    db_rollback(f->db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(poisoned_database_is_repaired_in_its_order),
        store_test(second_repair_of_the_same_rows_is_verified_too),
        store_test(damaged_row_is_not_vouched_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
