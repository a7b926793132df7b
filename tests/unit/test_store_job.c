/* Scheduled jobs: planned, claimed by one server, released. */
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

static void plan_moves_future_run_and_keeps_due_run(void **state)
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
    assert_false(claim(f, OTHER, DUE + 20)); /* already run */
    assert_true(claim(f, OTHER, NEXT));
}

static void lease_ends_without_renewal(void **state)
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

/* The lease of a server that was killed while its clock was ahead. */
static void lease_from_clock_far_ahead_is_ignored(void **state)
{
    struct store_fixture *f = *state;
    plan(f, 0, DUE);
    assert_true(claim(f, ONE, 1000 * NEXT));
    assert_true(claim(f, OTHER, NEXT));
}

static void lease_from_clock_slightly_ahead_is_valid(void **state)
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
        store_test(plan_moves_future_run_and_keeps_due_run),
        store_test(one_server_claims_a_due_job_once),
        store_test(lease_ends_without_renewal),
        store_test(lease_from_clock_far_ahead_is_ignored),
        store_test(lease_from_clock_slightly_ahead_is_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
