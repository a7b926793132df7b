/*
 * Publishes an amendment while the nth disk operation fails, or the process is killed there, for
 * each n: either all of it is public or nothing, and the same command again completes it. SQLite
 * only: a server rolls back interrupted transactions itself.
 */
#include "review_sample.h"

#include <sys/wait.h>

#include "fault_vfs.h"
#include "store/row/meta.h"

enum { OPERATIONS_MAX = 200 };

/* A public original of three rows, and its accepted amendment: one row linked, one corrected, one
 * withdrawn, one added. Each round has a different report day. */
static const char *prepare(struct store_fixture *f, int round)
{
    const char *ids[2];
    const struct draft_row_stored original[] = {
        review_row(1, "A", SIDE_BUY, BRACKET_1K_15K), review_row(2, "B", SIDE_BUY, BRACKET_1K_15K),
        review_row(3, "C", SIDE_BUY, BRACKET_1K_15K)};
    const struct draft_row_stored amended[] = {
        review_row(1, "A", SIDE_BUY, BRACKET_1K_15K),
        review_row(2, "B", SIDE_EXCHANGE, BRACKET_1K_15K),
        review_row(3, "D", SIDE_SELL_FULL, BRACKET_1K_15K)};
    for (int i = 0; i < 2; i++) {
        ids[i] = arena_fmt(&f->arena, "senate-%d-%d", round, i).p;
        struct draft_new draft = review_report(CHAMBER_SENATE, ids[i], i);
        draft.report_day += round;
        review_insert(f, &draft, i ? amended : original, 3);
        if (i == 0)
            review_release(f, ids[i], REVIEW_NOW);
        else
            review_accept(f, ids[i], REVIEW_NOW);
    }
    return ids[1];
}

/* On a separate connection, as a command does. */
static enum err publish_one(struct store_fixture *f, const char *id)
{
    struct db *db;
    struct publish_draft_result r;
    enum err err = store_open(store_fixture_url(f), STORE_WRITE, &db, &f->fail);
    if (err)
        return err;
    err = publish_draft(db, str_from(id), REVIEW_BY, REVIEW_NOW + 1, &r, &f->fail);
    db_close(db);
    return err;
}

/* The number of public amendments; checks that each has all its effects. */
static int64_t count_whole(struct store_fixture *f)
{
    fault_vfs_disarm();
    f->db = store_fixture_open(f);
    int64_t whole = store_fixture_number(
        f, "SELECT count(*) FROM draft WHERE amendment = 1 AND state = 'published'");
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM draft WHERE state = 'amended'"), whole);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM filing WHERE amends_no IS NOT NULL"), whole);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM filing WHERE state = 'amended'"), whole);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM trade WHERE asset_name = 'D'"), whole);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM trade WHERE side = 'exchange'"), whole);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM trade WHERE withdrawn_at IS NOT NULL"),
        whole);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM correction"), 2 * whole);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM event WHERE type = 'trade.published'"),
        whole + store_fixture_number(f, "SELECT count(*) FROM filing WHERE amends_no IS NULL"));
    store_fixture_assert_sound(f);
    return whole;
}

static void close_db(struct store_fixture *f)
{
    db_close(f->db);
    f->db = NULL;
}

/* Counts the public amendments, and publishes the others. */
static void finish_round(struct store_fixture *f, const char *id, int64_t before, bool done)
{
    int64_t whole = count_whole(f);
    assert_true(whole == before + 1 || (!done && whole == before));
    if (whole == before) {
        close_db(f);
        assert_ok(f, publish_one(f, id));
        assert_int_equal(count_whole(f), before + 1);
    }
}

static void sweep(struct store_fixture *f, enum fault_vfs_action action, enum err expected)
{
    bool reached = true;
    int round = 0;
    while (reached && round < OPERATIONS_MAX) {
        const char *id = prepare(f, ++round);
        close_db(f);
        fault_vfs_arm(action, round);
        enum err err = publish_one(f, id);
        reached = fault_vfs_count() >= round;
        if (err)
            assert_int_equal(err, expected);
        finish_round(f, id, round - 1, err == OK);
    }
    assert_true(round > 5 && !reached);
}

static void failing_disk_publishes_all_or_nothing(void **state)
{
    if (store_fixture_is_postgresql())
        skip();
    sweep(*state, FAULT_VFS_IO_ERROR, ERR_IO);
}

static void full_disk_publishes_all_or_nothing(void **state)
{
    if (store_fixture_is_postgresql())
        skip();
    sweep(*state, FAULT_VFS_DISK_FULL, ERR_FULL);
}

static void killed_process_publishes_all_or_nothing(void **state)
{
    struct store_fixture *f = *state;
    if (store_fixture_is_postgresql())
        skip();
    bool killed = true;
    int round = 0;
    while (killed && round < OPERATIONS_MAX) {
        const char *id = prepare(f, ++round);
        int status;
        close_db(f);
        pid_t pid = fork();
        if (pid == 0) {
            fault_vfs_arm(FAULT_VFS_KILL, round);
            _exit(publish_one(f, id) == OK ? 0 : 1);
        }
        assert_int_equal(waitpid(pid, &status, 0), pid);
        killed = WIFSIGNALED(status);
        assert_true(killed || WEXITSTATUS(status) == 0);
        finish_round(f, id, round - 1, !killed);
    }
    assert_true(round > 5 && !killed);
}

static int setup(void **state)
{
    fault_vfs_disarm();
    store_fixture_setup(state);
    struct store_fixture *f = *state;
    review_members(f);
    assert_ok(f, meta_data_claim(f->db, META_DATA_REAL, &f->fail));
    return 0;
}

#define fault_test(f) cmocka_unit_test_setup_teardown(f, setup, store_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        fault_test(failing_disk_publishes_all_or_nothing),
        fault_test(full_disk_publishes_all_or_nothing),
        fault_test(killed_process_publishes_all_or_nothing),
    };
    fault_vfs_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
