/* Scheduled jobs: planned, claimed by one server, released. */
#include "store_fixture.h"

#include "base/instant.h"
#include "store/row/node.h"
#include "store/run/job.h"

#define NAME STR("sync")
#define ONE STR("one")
#define OTHER STR("other")

enum { DUE = 1000, NEXT = 5000, LEASE = 600 };

static int64_t plan_every(struct store_fixture *f, int64_t now, int64_t next, int64_t period)
{
    int64_t at = 0;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, job_plan(f->db, NAME, now, next, period, &at, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    return at;
}

static int64_t plan(struct store_fixture *f, int64_t now, int64_t next)
{
    return plan_every(f, now, next, 0);
}

static bool claim(struct store_fixture *f, struct str node, int64_t now)
{
    bool claimed = false;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(
        f, job_claim(f->db, NAME, node, STR("server"), now, now + LEASE, NEXT, &claimed, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
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
    assert_ok(f, job_end(f->db, NAME, ONE, DUE + 10, false, STR("{}"), &f->fail));
    assert_false(claim(f, OTHER, DUE + 20)); /* already run */
    assert_true(claim(f, OTHER, NEXT));
}

static void lease_ends_without_renewal(void **state)
{
    struct store_fixture *f = *state;
    plan(f, 0, DUE);
    assert_true(claim(f, ONE, DUE));
    assert_int_equal(plan(f, DUE + 1, DUE + 2), DUE + 2);
    assert_int_equal(plan(f, DUE + 1, NEXT), DUE + LEASE); /* when the lease ends */
    assert_ok(f, job_renew(f->db, NAME, ONE, DUE + 2 * LEASE, &f->fail));
    assert_false(claim(f, OTHER, DUE + 2 * LEASE - 1));
    assert_true(claim(f, OTHER, DUE + 2 * LEASE));
    assert_int_equal(job_renew(f->db, NAME, ONE, NEXT, &f->fail), ERR_NOT_FOUND);
    assert_int_equal(job_end(f->db, NAME, ONE, NEXT, false, STR("{}"), &f->fail), ERR_NOT_FOUND);
    assert_ok(f, job_end(f->db, NAME, OTHER, NEXT, true, STR("{\"a\":1}"), &f->fail));
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM job WHERE result = '{\"a\":1}'"), 1);
}

/* At DUE on the clock of ONE, which is ahead, it is earlier on that of OTHER. */
static void server_with_slower_clock_does_not_repeat_a_run(void **state)
{
    struct store_fixture *f = *state;
    plan_every(f, 0, DUE, DAY_MS);
    assert_true(claim(f, ONE, DUE + 3));
    assert_ok(f, job_end(f->db, NAME, ONE, DUE + 4, false, STR("{}"), &f->fail));
    assert_int_equal(plan_every(f, DUE - 500, DUE, DAY_MS), DUE + DAY_MS);
    assert_false(claim(f, OTHER, DUE));
    /* another minute of the day, set by the operator */
    assert_int_equal(plan_every(f, DUE + 5, DUE + 100, DAY_MS), DUE + 100);
}

static void run_without_an_end_is_begun_again_a_few_times(void **state)
{
    struct store_fixture *f = *state;
    int64_t now = DUE;
    plan(f, 0, DUE);
    for (int i = 0; i < JOB_ATTEMPTS_MAX; i++, now += LEASE) {
        assert_true(claim(f, i % 2 ? ONE : OTHER, now));
        assert_false(claim(f, ONE, now + LEASE - 1));
        assert_int_equal(plan(f, now + 1, now + DAY_MS), now + LEASE);
    }
    assert_false(claim(f, ONE, now));
}

static void stopped_run_is_due_for_another_server(void **state)
{
    struct store_fixture *f = *state;
    plan(f, 0, DUE);
    assert_true(claim(f, ONE, DUE));
    assert_ok(f, job_end(f->db, NAME, ONE, DUE + 5, true, STR("{}"), &f->fail));
    assert_ok(f, job_make_due(f->db, NAME, DUE + 5, &f->fail));
    assert_true(claim(f, OTHER, DUE + 5));
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

static void beat(struct store_fixture *f, struct str node)
{
    struct node_news news;
    assert_ok(f, node_beat(f->db, node, STR("server"), 1, &news, &f->fail));
}

/* By the clock of OTHER, the lease of ONE has expired, or is longer than a lease can be. */
static void wrong_clock_takes_no_job_from_a_running_server(void **state)
{
    struct store_fixture *f = *state;
    int64_t at = JOB_CLOCKS_MS + DUE;
    beat(f, ONE);
    plan(f, 0, at);
    assert_true(claim(f, ONE, at));
    assert_false(claim(f, OTHER, at + 2 * LEASE));
    assert_false(claim(f, OTHER, at - 2 * LEASE));
    assert_true(claim(f, OTHER, at + LEASE + JOB_CLOCKS_MS)); /* it is stuck */
}

static void job_of_a_server_without_a_heartbeat_is_taken(void **state)
{
    struct store_fixture *f = *state;
    beat(f, ONE);
    plan(f, 0, DUE);
    assert_true(claim(f, ONE, DUE));
    assert_false(claim(f, OTHER, DUE + LEASE));
    assert_ok(f, db_exec(f->db, "UPDATE node SET beat_at = beat_at - 6000", &f->fail));
    assert_true(claim(f, OTHER, DUE + LEASE));
}

/* The end of its run was not written, because the database did not answer. */
static void server_takes_its_own_job_again(void **state)
{
    struct store_fixture *f = *state;
    beat(f, ONE);
    plan(f, 0, DUE);
    assert_true(claim(f, ONE, DUE));
    assert_true(claim(f, ONE, DUE + LEASE));
}

/* --- runs */

struct runs {
    char text[512]; /* "name state, ...", newest first */
    int count;
};

static void add_run(void *ctx, const struct job_run *run)
{
    struct runs *runs = ctx;
    size_t n = strlen(runs->text);
    snprintf(
        runs->text + n, sizeof runs->text - n, "%s%.*s %.*s", n ? ", " : "", STR_ARG(run->name),
        STR_ARG(job_state_name(run->state)));
    runs->count++;
}

static struct runs runs_at(struct store_fixture *f, int64_t now)
{
    struct runs runs = {.count = 0};
    assert_ok(f, job_run_each(f->db, STR_NULL, INT64_MAX, 500, now, add_run, &runs, &f->fail));
    return runs;
}

static struct job_status job_at(struct store_fixture *f, const char *name, int64_t now)
{
    struct job_list list;
    assert_ok(f, job_list(f->db, now, &f->arena, &list, &f->fail));
    for (size_t i = 0; i < list.count; i++)
        if (str_eq(list.items[i].name, str_from(name)))
            return list.items[i];
    fail_msg("there is no job %s", name);
    return (struct job_status){.next_at = 0};
}

static void each_run_is_kept_with_its_result(void **state)
{
    struct store_fixture *f = *state;
    plan(f, 0, DUE);
    assert_int_equal(job_at(f, "sync", DUE).last.state, JOB_NEVER);
    assert_int_equal(job_at(f, "sync", DUE).next_at, DUE);
    assert_true(claim(f, ONE, DUE));
    assert_string_equal(runs_at(f, DUE + 1).text, "sync running");
    assert_int_equal(job_at(f, "sync", DUE + 1).failures, 0);
    assert_ok(f, job_end(f->db, NAME, ONE, DUE + 9, true, STR("{\"a\":1}"), &f->fail));
    struct job_status job = job_at(f, "sync", DUE + 10);
    assert_int_equal(job.last.state, JOB_FAILED);
    assert_int_equal(job.last.started_at, DUE);
    assert_int_equal(job.last.ended_at, DUE + 9);
    assert_str(job.last.server, "server");
    assert_str(job.last.result, "{\"a\":1}");
    assert_int_equal(job.next_at, NEXT);
    assert_int_equal(job.failures, 1);
    assert_int_equal(job.ok_at, INSTANT_NONE);
    assert_true(claim(f, OTHER, NEXT));
    assert_ok(f, job_end(f->db, NAME, OTHER, NEXT + 2, false, STR("{}"), &f->fail));
    assert_string_equal(runs_at(f, NEXT + 3).text, "sync ok, sync failed");
    job = job_at(f, "sync", NEXT + 3);
    assert_int_equal(job.failures, 0);
    assert_int_equal(job.ok_at, NEXT + 2);
}

static void run_without_an_end_was_interrupted(void **state)
{
    struct store_fixture *f = *state;
    plan(f, 0, DUE);
    assert_true(claim(f, ONE, DUE));
    assert_string_equal(runs_at(f, DUE + LEASE - 1).text, "sync running");
    assert_string_equal(runs_at(f, DUE + LEASE).text, "sync interrupted");
    assert_int_equal(job_at(f, "sync", DUE + LEASE).failures, 1);
    plan(f, DUE, DUE);
    assert_true(claim(f, OTHER, NEXT));
    assert_string_equal(runs_at(f, NEXT).text, "sync running, sync interrupted");
}

static void run_without_a_lease_ends_or_is_interrupted_after_half_a_day(void **state)
{
    struct store_fixture *f = *state;
    int64_t no = 0;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, job_run_begin(f->db, STR("sync house"), STR_NULL, 10, &no, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_string_equal(runs_at(f, 11).text, "sync house running");
    assert_string_equal(runs_at(f, 10 + 12 * HOUR_MS).text, "sync house interrupted");
    assert_ok(f, job_run_end(f->db, no, 20, false, STR("{}"), &f->fail));
    assert_ok(f, job_run_end(f->db, no, 30, true, STR("{}"), &f->fail)); /* has no effect */
    assert_int_equal(job_at(f, "sync house", 40).ok_at, 20);
    assert_int_equal(job_at(f, "sync house", 40).next_at, INSTANT_NONE);
}

static void the_newest_runs_are_kept(void **state)
{
    struct store_fixture *f = *state;
    for (int i = 0; i < JOB_RUNS_KEPT + 5; i++) {
        assert_ok(f, db_begin(f->db, &f->fail));
        assert_ok(f, job_run_record(f->db, STR("prune"), i, i + 1, i + 60, STR("{}"), &f->fail));
        if (i < 3)
            assert_ok(f, job_run_record(f->db, STR("a"), i, i + 1, i + 60, STR("{}"), &f->fail));
        assert_ok(f, db_commit(f->db, &f->fail));
    }
    assert_int_equal(runs_at(f, 1000).count, JOB_RUNS_KEPT + 3);
    struct job_status job = job_at(f, "prune", 1000);
    assert_int_equal(job.last.started_at, JOB_RUNS_KEPT + 4);
    assert_int_equal(job.next_at, JOB_RUNS_KEPT + 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(plan_moves_future_run_and_keeps_due_run),
        store_test(one_server_claims_a_due_job_once),
        store_test(lease_ends_without_renewal),
        store_test(server_with_slower_clock_does_not_repeat_a_run),
        store_test(run_without_an_end_is_begun_again_a_few_times),
        store_test(stopped_run_is_due_for_another_server),
        store_test(lease_from_clock_far_ahead_is_ignored),
        store_test(lease_from_clock_slightly_ahead_is_valid),
        store_test(wrong_clock_takes_no_job_from_a_running_server),
        store_test(job_of_a_server_without_a_heartbeat_is_taken),
        store_test(server_takes_its_own_job_again),
        store_test(each_run_is_kept_with_its_result),
        store_test(run_without_an_end_was_interrupted),
        store_test(run_without_a_lease_ends_or_is_interrupted_after_half_a_day),
        store_test(the_newest_runs_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
