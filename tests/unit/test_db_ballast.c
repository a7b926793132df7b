/* The disk reserve next to an SQLite file: created, released on a full disk, recreated
 * (db/writer.h). */
#include "store_fixture.h"

#include <sys/stat.h>

#include "db/writer.h"
#include "fault_vfs.h"
#include "store/row/meta.h"

struct reserve {
    char path[128];
    struct writer *writer;
};

static struct reserve start(struct store_fixture *f)
{
    struct reserve r;
    snprintf(r.path, sizeof r.path, "%s/test.db.ballast", f->folder);
    const struct writer_config config = {.url = store_fixture_url(f), .reserve = true};
    assert_ok(f, writer_start(&config, &r.writer, &f->fail));
    return r;
}

static bool is_held(const struct reserve *r)
{
    struct stat st;
    return lstat(r->path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == BALLAST_SIZE &&
           (int64_t)st.st_blocks * 512 >= BALLAST_SIZE && (st.st_mode & 0777) == 0600;
}

static enum err write_mark(struct db *db, void *ctx, struct fail *fail)
{
    return meta_set(db, str_from(ctx), STR("x"), fail);
}

/* A new name each time, because an unchanged row would need no write. */
static enum err write_one(struct store_fixture *f, struct reserve *r, char *name)
{
    return writer_call(r->writer, WRITER_PUBLISH, write_mark, name, &f->fail);
}

static void full_disk_releases_reserve_until_space_returns(void **state)
{
    struct store_fixture *f = *state;
    struct reserve r = start(f);
    char first[] = "first", second[] = "second", third[] = "third", fourth[] = "fourth";
    assert_true(is_held(&r));
    assert_ok(f, write_one(f, &r, first));
    fault_vfs_arm(FAULT_VFS_DISK_FULL, 1);
    assert_int_equal(write_one(f, &r, second), ERR_FULL);
    assert_int_equal(access(r.path, F_OK), -1);
    assert_int_equal(write_one(f, &r, third), ERR_FULL);
    fault_vfs_disarm();
    assert_ok(f, write_one(f, &r, fourth));
    assert_true(is_held(&r));
    writer_stop(r.writer);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM meta WHERE name IN ('first', 'second', 'third', 'fourth')"),
        2);
}

static void reserve_remains_for_next_server(void **state)
{
    struct store_fixture *f = *state;
    struct reserve r = start(f);
    struct stat before, after;
    writer_stop(r.writer);
    assert_int_equal(stat(r.path, &before), 0);
    r = start(f);
    assert_int_equal(stat(r.path, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
    writer_stop(r.writer);
}

static void empty_reserve_file_is_recreated(void **state)
{
    struct store_fixture *f = *state;
    char path[128];
    snprintf(path, sizeof path, "%s/test.db.ballast", f->folder);
    FILE *sparse = fopen(path, "we");
    assert_non_null(sparse);
    assert_int_equal(ftruncate(fileno(sparse), BALLAST_SIZE), 0);
    assert_int_equal(fchmod(fileno(sparse), 0600), 0);
    fclose(sparse);
    struct reserve r = start(f);
    assert_true(is_held(&r));
    writer_stop(r.writer);
}

static void symlink_in_place_of_reserve_is_not_followed(void **state)
{
    struct store_fixture *f = *state;
    char path[128], other[128];
    struct stat st;
    snprintf(path, sizeof path, "%s/test.db.ballast", f->folder);
    snprintf(other, sizeof other, "%s/other", f->folder);
    FILE *file = fopen(other, "we");
    assert_non_null(file);
    fputs("precious", file);
    fclose(file);
    assert_int_equal(symlink(other, path), 0);
    struct reserve r = start(f);
    char name[] = "still written";
    assert_ok(f, write_one(f, &r, name));
    writer_stop(r.writer);
    assert_int_equal(stat(other, &st), 0);
    assert_int_equal(st.st_size, strlen("precious"));
    unlink(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(full_disk_releases_reserve_until_space_returns),
        store_test(reserve_remains_for_next_server),
        store_test(empty_reserve_file_is_recreated),
        store_test(symlink_in_place_of_reserve_is_not_followed),
    };
    fault_vfs_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
