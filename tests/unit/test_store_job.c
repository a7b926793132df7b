/* Jobs by the clock: planned, claimed by one server, given back. */
#include "store_fixture.h"

#include "store/job.h"

#define NAME STR("sync")
#define ONE STR("one")
#define OTHER STR("other")

enum { DUE = 1000, NEXT = 5000, LEASE = 600 };

static int64_t plan(struct store_fixture *f, int64_t now, int64_t next)
{
    int64_t at = 0;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, job_plan(f->db, NAME, now, next, &at, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    return at;
}

static bool claim(struct store_fixture *f, struct str node, int64_t now)
{
    bool claimed = false;
    assert_ok(f, job_claim(f->db, NAME, node, now, now + LEASE, NEXT, &claimed, &f->fail));
    return claimed;
}

static void a_plan_moves_what_is_to_come_and_keeps_what_is_due(void **state)
{
    struct store_fixture *f = *state;
    assert_int_equal(plan(f, 0, DUE), DUE);
    assert_int_equal(plan(f, 1, 1500), 1500);
    assert_int_equal(plan(f, 1500, 9000), 1500);
}

static void one_server_claims_a_due_job_once(void **state)
{
    struct store_fixture *f = *state;
    plan(f, 0, DUE);
    assert_false(claim(f, ONE, DUE - 1));
    assert_true(claim(f, ONE, DUE));
    assert_false(claim(f, OTHER, DUE));
    assert_ok(f, job_end(f->db, NAME, ONE, DUE + 10, STR("{}"), &f->fail));
    assert_false(claim(f, OTHER, DUE + 20)); /* it has run */
    assert_true(claim(f, OTHER, NEXT));
}

static void a_lease_that_is_not_renewed_ends(void **state)
{
    struct store_fixture *f = *state;
    plan(f, 0, DUE);
    assert_true(claim(f, ONE, DUE));
    assert_int_equal(plan(f, DUE + 1, DUE + 2), DUE + 2);
    assert_ok(f, job_renew(f->db, NAME, ONE, DUE + 2 * LEASE, &f->fail));
    assert_false(claim(f, OTHER, DUE + 2 * LEASE - 1));
    assert_true(claim(f, OTHER, DUE + 2 * LEASE));
    assert_int_equal(job_renew(f->db, NAME, ONE, NEXT, &f->fail), ERR_NOT_FOUND);
    assert_int_equal(job_end(f->db, NAME, ONE, NEXT, STR("{}"), &f->fail), ERR_NOT_FOUND);
    assert_ok(f, job_end(f->db, NAME, OTHER, NEXT, STR("{\"a\":1}"), &f->fail));
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM job WHERE result = '{\"a\":1}'"), 1);
}

/* Of a server that was killed while its clock was ahead. */
static void a_lease_from_a_clock_that_was_wrong_does_not_hold(void **state)
{
    struct store_fixture *f = *state;
    plan(f, 0, DUE);
    assert_true(claim(f, ONE, 1000 * NEXT));
    assert_true(claim(f, OTHER, NEXT));
}

static void a_lease_from_a_clock_that_is_a_little_ahead_holds(void **state)
{
    struct store_fixture *f = *state;
    plan(f, 0, DUE);
    assert_true(claim(f, ONE, DUE + LEASE));
    plan(f, 0, DUE);
    assert_false(claim(f, OTHER, DUE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(a_plan_moves_what_is_to_come_and_keeps_what_is_due),
        store_test(one_server_claims_a_due_job_once),
        store_test(a_lease_that_is_not_renewed_ends),
        store_test(a_lease_from_a_clock_that_was_wrong_does_not_hold),
        store_test(a_lease_from_a_clock_that_is_a_little_ahead_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
