/*
 * Failing disks and killed processes: afterwards a publication is complete or absent, acknowledged
 * publications exist, and the database passes its integrity check. PostgreSQL runs only the kills.
 */
#include "store_sample.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <sqlite3.h>

#include "db/backup.h"
#include "db/writer.h"
#include "fault_vfs.h"
#include "store/row/meta.h"

enum { ROWS = 3, OPERATIONS_MAX = 400, ACKNOWLEDGED_BEFORE_KILL = 15 };

/* Creates a database with a member and one publication, and closes it. */
static void prepare(struct store_fixture *f)
{
    fault_vfs_disarm();
    f->db = store_fixture_open(f);
    store_sample_member(f, "m1", "robin-vale");
    assert_ok(f, meta_data_claim(f->db, META_DATA_DEMO, &f->fail));
    store_sample_publish(f, "house-1", ROWS, PUBLICATION_LIVE, 1, 1000);
    db_close(f->db);
    f->db = NULL;
}

/* One publication; OK only after its commit was acknowledged. */
static enum err publish_one(struct store_fixture *f, const char *id)
{
    struct db *db;
    struct publication publication;
    enum err err = store_open(store_fixture_url(f), STORE_WRITE, &db, &f->fail);
    if (err)
        return err;
    err = db_begin(db, &f->fail);
    if (!err)
        err = store_sample_publish_in(
            db, id, ROWS, PUBLICATION_LIVE, 1, 2000, &publication, &f->fail);
    if (!err)
        err = db_commit(db, &f->fail);
    db_close(db);
    return err;
}

/* The number of publications; asserts that each has all its rows, its filing and its notice. */
static int64_t count_whole_publications(struct store_fixture *f)
{
    fault_vfs_disarm();
    f->db = store_fixture_open(f);
    int64_t publications = store_fixture_number(f, "SELECT count(*) FROM publication");
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM trade"), publications * ROWS);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM filing WHERE state = 'published'"),
        publications);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM change WHERE noun = 'trades'"), publications);
    store_fixture_assert_sound(f);
    db_close(f->db);
    f->db = NULL;
    return publications;
}

/* Runs the publication with a fault at operation 1, 2, ... until the fault is past the last
 * operation. */
static void sweep(struct store_fixture *f, enum fault_vfs_action action, enum err expected)
{
    prepare(f);
    int64_t before = count_whole_publications(f);
    int n = 1;
    for (bool reached = true; reached && n < OPERATIONS_MAX; n++) {
        char id[32];
        snprintf(id, sizeof id, "house-%d", 100 + n);
        fault_vfs_arm(action, n);
        enum err err = publish_one(f, id);
        reached = fault_vfs_count() >= n;
        int64_t now = count_whole_publications(f);
        if (err) {
            assert_int_equal(err, expected);
            assert_true(now == before || now == before + 1);
        } else {
            assert_int_equal(now, before + 1);
        }
        before = now;
    }
    assert_true(n > 5); /* the loop covered real operations */
}

static void failing_disk_leaves_publications_whole(void **state)
{
    struct store_fixture *f = *state;
    if (store_fixture_is_postgresql())
        skip();
    sweep(f, FAULT_VFS_IO_ERROR, ERR_IO);
}

static void failing_reads_leave_publications_whole(void **state)
{
    struct store_fixture *f = *state;
    if (store_fixture_is_postgresql())
        skip();
    sweep(f, FAULT_VFS_READ_ERROR, ERR_UNAVAILABLE);
}

/* SQLite calls the file damaged if a read fails with EIO, as one of this file at 0 does. */
static void failed_read_is_no_damage(void **state)
{
    static const char *const names[] = {"pread", "pread64"};
    struct store_fixture *f = *state;
    sqlite3_vfs *vfs = sqlite3_vfs_find("unix");
    if (store_fixture_is_postgresql())
        skip();
    prepare(f);
    int tried = 0, fd = open("/proc/self/mem", O_RDONLY);
    assert_true(fd >= 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char byte;
        ssize_t (*call)(int, void *, size_t, off_t) =
            (ssize_t(*)(int, void *, size_t, off_t))vfs->xGetSystemCall(vfs, names[i]);
        if (!call)
            continue;
        tried++;
        assert_int_equal(call(fd, &byte, 1, 0), -1);
        assert_int_not_equal(errno, EIO);
    }
    close(fd);
    assert_true(tried > 0);
}

static void full_disk_returns_err_full_and_recovers(void **state)
{
    struct store_fixture *f = *state;
    if (store_fixture_is_postgresql())
        skip();
    sweep(f, FAULT_VFS_DISK_FULL, ERR_FULL);
}

static void connection_recovers_when_disk_has_space_again(void **state)
{
    struct store_fixture *f = *state;
    if (store_fixture_is_postgresql())
        skip();
    prepare(f);
    struct db *db = store_fixture_open(f);
    for (int round = 0; round < 3; round++) {
        char id[32];
        snprintf(id, sizeof id, "house-%d", 100 + round);
        struct publication p;
        fault_vfs_arm(FAULT_VFS_DISK_FULL, 1);
        assert_ok(f, db_begin(db, &f->fail));
        enum err err =
            store_sample_publish_in(db, id, ROWS, PUBLICATION_LIVE, 1, 2000, &p, &f->fail);
        if (!err)
            err = db_commit(db, &f->fail);
        else
            db_rollback(db);
        assert_int_equal(err, ERR_FULL);
        /* reading goes on */
        assert_int_equal(
            store_fixture_number_in(f, db, "SELECT count(*) FROM trade"), (round + 1) * ROWS);
        fault_vfs_disarm();
        assert_ok(f, db_begin(db, &f->fail));
        assert_ok(
            f, store_sample_publish_in(db, id, ROWS, PUBLICATION_LIVE, 1, 2000, &p, &f->fail));
        assert_ok(f, db_commit(db, &f->fail));
    }
    db_close(db);
    assert_int_equal(count_whole_publications(f), 4);
}

/* A backup with a fault at each operation: complete, or absent with a reason. */
static void sweep_backup(struct store_fixture *f, enum fault_vfs_action action, enum err expected)
{
    prepare(f);
    char path[128], journal[160];
    snprintf(path, sizeof path, "%s/copy.db", f->folder);
    snprintf(journal, sizeof journal, "%s-journal", path);
    f->db = store_fixture_open(f);
    int failed = 0;
    for (bool reached = true; reached && failed < OPERATIONS_MAX;) {
        fault_vfs_arm(action, failed + 1);
        enum err err = backup_write(f->db, path, NULL, &f->fail);
        reached = fault_vfs_count() > failed;
        fault_vfs_disarm();
        if (!reached)
            assert_ok(f, err);
        if (err) {
            assert_int_equal(err, expected);
            failed++;
        } else {
            assert_int_equal(unlink(path), 0);
            failed += reached; /* a fault without effect */
        }
        assert_int_equal(access(path, F_OK), -1);
        assert_int_equal(access(journal, F_OK), -1);
    }
    assert_true(failed > 5);
    db_close(f->db);
    f->db = NULL;
}

static void backup_on_full_disk_returns_err_full_and_leaves_nothing(void **state)
{
    if (store_fixture_is_postgresql())
        skip();
    sweep_backup(*state, FAULT_VFS_DISK_FULL, ERR_FULL);
}

static void backup_on_a_failing_disk_leaves_nothing(void **state)
{
    if (store_fixture_is_postgresql())
        skip();
    sweep_backup(*state, FAULT_VFS_IO_ERROR, ERR_IO);
}

/* Kills. A child process writes; no connection crosses the fork. */

static int wait_for(pid_t pid)
{
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void process_killed_at_any_write_leaves_publications_whole(void **state)
{
    struct store_fixture *f = *state;
    if (store_fixture_is_postgresql())
        skip();
    prepare(f);
    int64_t before = count_whole_publications(f);
    bool killed = true;
    for (int n = 1; killed && n < OPERATIONS_MAX; n++) {
        char id[32];
        snprintf(id, sizeof id, "house-%d", 100 + n);
        pid_t pid = fork();
        if (pid == 0) {
            fault_vfs_arm(FAULT_VFS_KILL, n);
            _exit(publish_one(f, id) == OK ? 0 : 1);
        }
        int status = wait_for(pid);
        killed = WIFSIGNALED(status);
        assert_true(killed || WEXITSTATUS(status) == 0);
        int64_t now = count_whole_publications(f);
        assert_true(now == before + 1 || (killed && now == before));
        before = now;
    }
    assert_false(killed);
}

static void process_killed_inside_a_transaction_leaves_nothing(void **state)
{
    struct store_fixture *f = *state;
    prepare(f);
    for (int rows = 0; rows <= ROWS; rows++) {
        pid_t pid = fork();
        if (pid == 0) {
            struct db *db;
            struct publication p;
            enum err err = store_open(store_fixture_url(f), STORE_WRITE, &db, &f->fail);
            if (!err)
                err = db_begin(db, &f->fail);
            if (!err)
                err = store_sample_publish_in(
                    db, "house-2", rows, PUBLICATION_LIVE, 1, 2000, &p, &f->fail);
            if (!err)
                raise(SIGKILL);
            _exit(1);
        }
        assert_true(WIFSIGNALED(wait_for(pid)));
        assert_int_equal(count_whole_publications(f), 1);
    }
}

static void publish_until_killed(struct store_fixture *f, int fd)
{
    struct db *db;
    if (store_open(store_fixture_url(f), STORE_WRITE, &db, &f->fail))
        _exit(1);
    for (int i = 0;; i++) {
        char id[32];
        struct publication p;
        snprintf(id, sizeof id, "house-%d", 100 + i);
        if (db_begin(db, &f->fail) ||
            store_sample_publish_in(db, id, ROWS, PUBLICATION_LIVE, 1, 2000, &p, &f->fail) ||
            db_commit(db, &f->fail))
            _exit(1);
        if (write(fd, "+", 1) != 1)
            _exit(1);
    }
}

static void acknowledged_publication_survives_kill(void **state)
{
    struct store_fixture *f = *state;
    prepare(f);
    int fds[2];
    assert_int_equal(pipe(fds), 0);
    pid_t pid = fork();
    if (pid == 0)
        publish_until_killed(f, fds[1]);
    close(fds[1]);
    char byte;
    int64_t acknowledged = 0;
    while (acknowledged < ACKNOWLEDGED_BEFORE_KILL && read(fds[0], &byte, 1) == 1)
        acknowledged++;
    kill(pid, SIGKILL);
    while (read(fds[0], &byte, 1) == 1) /* the bytes in flight */
        acknowledged++;
    close(fds[0]);
    assert_true(WIFSIGNALED(wait_for(pid)));
    int64_t there = count_whole_publications(f);
    assert_true(there >= 1 + acknowledged);
    assert_true(there <= 1 + acknowledged + 1);
}

/* A commit with an unknown outcome aborts the process before any caller gets a result. */

static enum err write_mark(struct db *db, void *ctx, struct fail *fail)
{
    return meta_set(db, str_from(ctx), STR("x"), fail);
}

/* False if the fault was past the last operation. */
static bool writer_ends_with(
    struct store_fixture *f, enum fault_vfs_action action, int n, enum err expected, bool aborts)
{
    enum { PASSED = 2 };
    pid_t pid = fork();
    if (pid == 0) {
        const struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        const struct writer_config config = {.url = store_fixture_url(f)};
        struct writer *w;
        if (!freopen("/dev/null", "w", stderr) || writer_start(&config, &w, &f->fail))
            _exit(1);
        fault_vfs_arm(action, n);
        char full[] = "when full",
             after[] = "after"; /* new names: unchanged rows would need no write */
        enum err err = writer_call(w, WRITER_PUBLISH, write_mark, full, &f->fail);
        bool passed = !err && fault_vfs_count() < n;
        fault_vfs_disarm();
        if (passed)
            _exit(PASSED);
        if (err != expected || writer_call(w, WRITER_PUBLISH, write_mark, after, &f->fail))
            _exit(1);
        writer_stop(w);
        _exit(0);
    }
    int status = wait_for(pid);
    if (aborts)
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    else
        assert_true(
            WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == PASSED));
    return aborts || WEXITSTATUS(status) == 0;
}

static void writer_aborts_when_commit_is_unknown(void **state)
{
    struct store_fixture *f = *state;
    if (store_fixture_is_postgresql())
        skip();
    prepare(f);
    assert_true(writer_ends_with(f, FAULT_VFS_DISK_FULL, 1, ERR_FULL, false));
    assert_true(writer_ends_with(f, FAULT_VFS_IO_ERROR, 1, ERR_IO, true));
}

static void writer_goes_on_after_a_failed_read(void **state)
{
    struct store_fixture *f = *state;
    int n = 1;
    if (store_fixture_is_postgresql())
        skip();
    prepare(f);
    while (writer_ends_with(f, FAULT_VFS_READ_ERROR, n, ERR_UNAVAILABLE, false))
        n++;
    assert_true(n > 1); /* it read something */
}

static int setup_closed(void **state)
{
    fault_vfs_disarm();
    store_fixture_setup(state);
    struct store_fixture *f = *state;
    db_close(f->db);
    f->db = NULL;
    return 0;
}

#define fault_test(function)                                                                       \
    cmocka_unit_test_setup_teardown(function, setup_closed, store_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        fault_test(failing_disk_leaves_publications_whole),
        fault_test(failing_reads_leave_publications_whole),
        fault_test(failed_read_is_no_damage),
        fault_test(full_disk_returns_err_full_and_recovers),
        fault_test(connection_recovers_when_disk_has_space_again),
        fault_test(backup_on_full_disk_returns_err_full_and_leaves_nothing),
        fault_test(backup_on_a_failing_disk_leaves_nothing),
        fault_test(process_killed_at_any_write_leaves_publications_whole),
        fault_test(process_killed_inside_a_transaction_leaves_nothing),
        fault_test(acknowledged_publication_survives_kill),
        fault_test(writer_aborts_when_commit_is_unknown),
        fault_test(writer_goes_on_after_a_failed_read),
    };
    fault_vfs_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
