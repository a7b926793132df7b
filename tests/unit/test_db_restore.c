/* Restoring: what ends before the copy is renamed, and what is never removed. */
#include "store_fixture.h"

#include "db/restore.h"

static const struct progress_hook quiet;

static const char *path_of(struct store_fixture *f, const char *name)
{
    return arena_fmt(&f->arena, "%s/%s", f->folder, name).p;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static bool exists(struct store_fixture *f, const char *name)
{
    return access(path_of(f, name), F_OK) == 0;
}

static enum err begin(struct store_fixture *f, const char *file)
{
    struct str url;
    return restore_begin(path_of(f, file), path_of(f, "put.db"), &quiet, &f->arena, &url, &f->fail);
}

static void copy_with_a_log_beside_it_is_not_put_in_place(void **state)
{
    static const char *const logs[] = {"put.db.restoring-wal", "put.db.restoring-journal"};
    struct store_fixture *f = *state;
    write_file(path_of(f, "backup"), "a backup");
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        assert_ok(f, begin(f, "backup"));
        write_file(path_of(f, logs[i]), "pages");
        assert_int_equal(restore_end(path_of(f, "put.db"), &f->fail), ERR_IO);
        assert_non_null(strstr(f->fail.text, logs[i]));
        assert_false(exists(f, "put.db"));
        assert_false(exists(f, "put.db.restoring"));
        assert_false(exists(f, logs[i]));
    }
    assert_ok(f, begin(f, "backup"));
    write_file(path_of(f, "put.db.restoring-wal"), "");
    assert_ok(f, restore_end(path_of(f, "put.db"), &f->fail));
    assert_true(exists(f, "put.db"));
    assert_false(exists(f, "put.db.restoring-wal"));
    unlink(path_of(f, "put.db"));
    unlink(path_of(f, "backup"));
}

static void copy_of_a_killed_call_is_not_removed_to_restore_it(void **state)
{
    struct store_fixture *f = *state;
    write_file(path_of(f, "put.db.restoring"), "the only copy");
    assert_int_equal(symlink("put.db.restoring", path_of(f, "backup")), 0);
    assert_int_equal(begin(f, "put.db.restoring"), ERR_REFUSED);
    assert_int_equal(begin(f, "backup"), ERR_REFUSED);
    assert_true(exists(f, "put.db.restoring"));
    unlink(path_of(f, "backup"));
    unlink(path_of(f, "put.db.restoring"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test_empty(copy_with_a_log_beside_it_is_not_put_in_place),
        store_test_empty(copy_of_a_killed_call_is_not_removed_to_restore_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
