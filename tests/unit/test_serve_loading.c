/* The memory that a server may use, and that a database which does not fit is not loaded. */
#include "store_fixture.h"

#include <sys/stat.h>

#include "base/memory_file.h"
#include "serve/loading.h"

enum { MIB = 1 << 20, KIB = 1024 };

/* Files below the folder of the fixture, as below /. The teardown deletes them by the same list. */
static const struct {
    const char *name, *text; /* NULL: a folder */
} files[] = {
    {"proc", NULL},
    {"proc/meminfo", "MemTotal:       8000 kB\nMemFree:        10 kB\nMemAvailable:   6000 kB\n"},
    {"proc/self", NULL},
    {"proc/self/cgroup", "1:name=old:/x\n0::/system.slice/one.service\n"},
    {"sys", NULL},
    {"sys/fs", NULL},
    {"sys/fs/cgroup", NULL},
    {"sys/fs/cgroup/memory.max", "max\n"},
    {"sys/fs/cgroup/system.slice", NULL},
    {"sys/fs/cgroup/system.slice/memory.max", "5120000\n"},
    {"sys/fs/cgroup/system.slice/one.service", NULL},
    {"sys/fs/cgroup/system.slice/one.service/memory.max", "max\n"},
    {"sys/fs/cgroup/system.slice/one.service/memory.high", "7168000\n"},
};

enum { FILES = sizeof files / sizeof *files };

static const char *path_of(struct store_fixture *f, size_t i)
{
    return arena_fmt(&f->arena, "%s/%s", f->folder, files[i].name).p;
}

static int teardown(void **state)
{
    struct store_fixture *f = *state;
    for (size_t i = FILES; i-- > 0;)
        remove(path_of(f, i));
    return store_fixture_teardown(state);
}

static void put_files(struct store_fixture *f, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        if (!files[i].text) {
            assert_int_equal(mkdir(path_of(f, i), 0700), 0);
            continue;
        }
        FILE *file = fopen(path_of(f, i), "w");
        assert_non_null(file);
        assert_true(fputs(files[i].text, file) >= 0);
        assert_int_equal(fclose(file), 0);
    }
}

static void lowest_limit_of_all_groups_counts(void **state)
{
    struct store_fixture *f = *state;
    struct memory_room room = memory_room(f->folder);
    assert_true(room.limit == INT64_MAX && room.left == INT64_MAX);
    put_files(f, 0, 2);
    room = memory_room(f->folder);
    assert_true(room.limit == 8000 * KIB && room.left == 6000 * KIB);
    put_files(f, 2, 9);
    assert_true(memory_room(f->folder).limit == 8000 * KIB);
    put_files(f, 9, FILES);
    room = memory_room(f->folder);
    assert_true(room.limit == 5000 * KIB && room.left == 5000 * KIB);
}

static void database_that_does_not_fit_is_refused(void **state)
{
    struct store_fixture *f = *state;
    struct feed *feed = feed_create();
    struct memory_room room = {.limit = 700 * MIB, .left = 700 * MIB};
    int64_t seq = 0;
    enum err err = loading_run(feed, f->db, &room, &seq, &f->fail);
    assert_int_equal(err, OK);
    err = db_exec(
        f->db,
        "INSERT INTO publication (no, kind, at, by_email, filings, trades)"
        " VALUES (1, 'live', 1, 'a@example.org', 0, 1000000)",
        &f->fail);
    assert_int_equal(err, OK);
    assert_int_equal(loading_run(feed, f->db, &room, &seq, &f->fail), ERR_INVALID);
    assert_string_equal(
        f->fail.text,
        "the 1000000 trades of the database need about 890 MiB of memory, and 700 MiB are left of "
        "700: raise the limit of the service or container, or use a larger machine");
    room.left = (int64_t)1 << 30;
    assert_int_equal(loading_run(feed, f->db, &room, &seq, &f->fail), OK);
    feed_destroy(feed);
}

int main(void)
{
#define LOADING_TEST(name) cmocka_unit_test_setup_teardown(name, store_fixture_setup, teardown)
    const struct CMUnitTest tests[] = {
        LOADING_TEST(lowest_limit_of_all_groups_counts),
        LOADING_TEST(database_that_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
