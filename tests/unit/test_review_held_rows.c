/* The number of rows that are held back, as readers see it who see publications later. */
#include "review_sample.h"

#include "review/held_rows.h"

#define NOW REVIEW_NOW
#define ID STR("house-1")

/* Two rows that can be published, and two that are held. */
static void put(struct store_fixture *f)
{
    const struct draft_row_stored rows[] = {
        review_row(1, "A", SIDE_BUY, BRACKET_1K_15K), review_row(2, "B", SIDE_BUY, BRACKET_NONE),
        review_row(3, "C", SIDE_BUY, BRACKET_NONE), review_row(4, "D", SIDE_BUY, BRACKET_1K_15K)};
    const struct draft_new draft = review_report(CHAMBER_HOUSE, "house-1", 0);
    review_insert(f, &draft, rows, sizeof rows / sizeof *rows);
}

static int64_t held(struct store_fixture *f, int64_t before_ms)
{
    int64_t count = -1;
    assert_ok(f, held_rows_count(f->db, ID, before_ms, &count, &f->fail));
    return count;
}

static void release(struct store_fixture *f, int row, int64_t at)
{
    const struct desk desk = review_desk(f, at);
    assert_ok(
        f, desk_set(&desk, ID, row, STR("amountBucket"), STR("1k_15k"), STR("asked"), &f->fail));
}

static void open_draft_does_not_change_the_number(void **state)
{
    struct store_fixture *f = *state;
    put(f);
    assert_int_equal(held(f, INT64_MAX), 0); /* it is not public */
    review_release(f, "house-1", NOW);
    assert_int_equal(held(f, INT64_MAX), 2);
    release(f, 2, NOW + 10);
    assert_int_equal(held(f, INT64_MAX), 2);
    review_accept(f, "house-1", NOW + 20);
    assert_int_equal(held(f, INT64_MAX), 2);
    review_publish(f, "house-1", NOW + 30);
    assert_int_equal(held(f, INT64_MAX), 1);
}

static void number_changes_when_the_new_trade_is_seen(void **state)
{
    struct store_fixture *f = *state;
    put(f);
    review_release(f, "house-1", NOW);
    release(f, 2, NOW + 10);
    review_release(f, "house-1", NOW + 20);
    assert_int_equal(held(f, NOW + 20), 2);
    assert_int_equal(held(f, NOW + 21), 1);
}

static int64_t notices(struct store_fixture *f)
{
    return store_fixture_number(
        f, "SELECT count(*) FROM change WHERE noun = 'filing' AND key = 'house-1'");
}

/* Without new trades, a change notice tells caches, and nobody waits. */
static void deleted_row_is_seen_at_once(void **state)
{
    struct store_fixture *f = *state;
    const struct desk desk = review_desk(f, NOW + 10);
    put(f);
    review_release(f, "house-1", NOW);
    assert_ok(f, desk_delete_row(&desk, ID, 2, STR("printed twice"), &f->fail));
    assert_int_equal(held(f, NOW + 1), 2);
    int64_t before = notices(f);
    review_release(f, "house-1", NOW + 20);
    assert_true(notices(f) > before);
    assert_int_equal(held(f, NOW + 1), 1);
}

static void nothing_after_a_hidden_trade_is_seen(void **state)
{
    struct store_fixture *f = *state;
    const struct desk desk = review_desk(f, NOW + 30);
    put(f);
    review_release(f, "house-1", NOW);
    release(f, 2, NOW + 10);
    review_release(f, "house-1", NOW + 20);
    assert_ok(f, desk_delete_row(&desk, ID, 3, STR("printed twice"), &f->fail));
    review_release(f, "house-1", NOW + 40);
    assert_int_equal(held(f, NOW + 20), 2);
    assert_int_equal(held(f, NOW + 21), 0);
}

static void bulk_history_is_seen_at_once(void **state)
{
    struct store_fixture *f = *state;
    struct publish_draft_result result;
    const struct str ids[] = {ID};
    put(f);
    review_accept(f, "house-1", NOW);
    assert_ok(f, publish_drafts_bulk(f->db, ids, 1, REVIEW_BY, NOW + 1, &result, &f->fail));
    assert_int_equal(held(f, NOW - 1), 2);
}

static void number_is_read_from_the_line_of_the_history(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    const struct published_line r = {.added = 12, .linked = 3, .held = 4, .overtaken = 5};
    struct str line = published_line_make(&r, &arena);
    assert_int_equal(published_line_count(line, STR("added")), 12);
    assert_int_equal(published_line_count(line, STR("held")), 4);
    line = published_line_bulk(&(struct published_line){.added = 7, .held = 2}, &arena);
    assert_int_equal(published_line_count(line, STR("added")), 7);
    assert_int_equal(published_line_count(line, STR("held")), 2);
    assert_int_equal(published_line_count(STR(""), STR("held")), 0);
    assert_int_equal(published_line_count(STR("held, x held"), STR("held")), 0);
    arena_finish(&arena);
}

#define held_test(f) cmocka_unit_test_setup_teardown(f, review_setup, store_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        held_test(open_draft_does_not_change_the_number),
        held_test(number_changes_when_the_new_trade_is_seen),
        held_test(deleted_row_is_seen_at_once),
        held_test(nothing_after_a_hidden_trade_is_seen),
        held_test(bulk_history_is_seen_at_once),
        cmocka_unit_test(number_is_read_from_the_line_of_the_history),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
