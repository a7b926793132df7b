/* The file of the master key: created once, completely, and for its owner only. */
#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/secret_key.h"

static char folder[64];
static char path[96];

static int make_folder(void **state)
{
    snprintf(folder, sizeof folder, "/tmp/stockact-key-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/stockact.key", folder);
    return 0;
}

static int remove_folder(void **state)
{
    unlink(path);
    return rmdir(folder); /* fails if secret_key_load left a file behind */
}

static void write_file(const char *bytes, size_t n, mode_t mode)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, n), n);
    assert_int_equal(fchmod(fd, mode), 0);
    close(fd);
}

static void first_load_creates_key_and_later_loads_read_it(void **state)
{
    uint8_t first[SECRET_KEY_SIZE], second[SECRET_KEY_SIZE];
    struct stat st;
    assert_int_equal(secret_key_load(path, true, first, NULL), OK);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    assert_int_equal(st.st_size, SECRET_KEY_SIZE);
    assert_int_equal(secret_key_load(path, true, second, NULL), OK);
    assert_memory_equal(first, second, SECRET_KEY_SIZE);
}

static void leftover_temporary_file_does_not_block_creation(void **state)
{
    char left[128];
    uint8_t key[SECRET_KEY_SIZE];
    snprintf(left, sizeof left, "%s.%ld.new", path, (long)getpid());
    int fd = open(left, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(secret_key_load(path, true, key, NULL), OK);
    unlink(left);
}

static void missing_key_is_not_created_without_create(void **state)
{
    uint8_t key[SECRET_KEY_SIZE];
    struct fail fail = {0};
    assert_int_equal(secret_key_load(path, false, key, &fail), ERR_NOT_FOUND);
    assert_non_null(strstr(fail.text, path));
    assert_int_equal(access(path, F_OK), -1);
}

static void key_accessible_to_others_is_refused(void **state)
{
    static const char bytes[SECRET_KEY_SIZE] = {1};
    static const mode_t modes[] = {0640, 0604, 0620, 0602, 0610};
    uint8_t key[SECRET_KEY_SIZE];
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        write_file(bytes, sizeof bytes, modes[i]);
        assert_int_equal(secret_key_load(path, true, key, NULL), ERR_REFUSED);
    }
}

/* As Kubernetes mounts secrets for a pod with fsGroup. */
static void group_may_read_the_key_of_root(void **state)
{
    enum { SERVER = 12345 };
    static const char bytes[SECRET_KEY_SIZE] = {1};
    static const struct {
        mode_t mode;
        enum err err;
    } cases[] = {{0440, OK}, {0640, OK}, {0460, ERR_REFUSED}, {0444, ERR_REFUSED}};
    uint8_t key[SECRET_KEY_SIZE];
    if (getuid() != 0)
        skip(); /* only root can become another user */
    assert_int_equal(chmod(folder, 0711), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_file(bytes, sizeof bytes, cases[i].mode);
        assert_int_equal(chown(path, 0, SERVER), 0);
        assert_int_equal(setegid(SERVER), 0);
        assert_int_equal(seteuid(SERVER), 0);
        enum err err = secret_key_load(path, false, key, NULL);
        assert_int_equal(seteuid(0), 0);
        assert_int_equal(setegid(0), 0);
        assert_int_equal(err, cases[i].err);
    }
}

static void key_of_wrong_size_is_refused_and_not_changed(void **state)
{
    static const char bytes[SECRET_KEY_SIZE + 1] = {1};
    static const size_t sizes[] = {0, 1, SECRET_KEY_SIZE - 1, SECRET_KEY_SIZE + 1};
    uint8_t key[SECRET_KEY_SIZE];
    struct stat st;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        write_file(bytes, sizes[i], 0600);
        assert_int_equal(secret_key_load(path, true, key, NULL), ERR_CORRUPT);
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(st.st_size, sizes[i]);
    }
}

static void owner_of_the_folder_gets_the_key_that_root_makes(void **state)
{
    enum { SERVER = 12345 };
    uint8_t key[SECRET_KEY_SIZE];
    struct stat st;
    if (geteuid() != 0)
        skip();
    assert_int_equal(chown(folder, SERVER, SERVER), 0);
    assert_int_equal(secret_key_next(path, true, key, NULL), OK);
    assert_int_equal(secret_key_replace(path, "old", NULL), OK);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_uid, SERVER);
    assert_int_equal(st.st_gid, SERVER);
}

int main(void)
{
#define KEY_TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        KEY_TEST(first_load_creates_key_and_later_loads_read_it),
        KEY_TEST(leftover_temporary_file_does_not_block_creation),
        KEY_TEST(missing_key_is_not_created_without_create),
        KEY_TEST(key_accessible_to_others_is_refused),
        KEY_TEST(group_may_read_the_key_of_root),
        KEY_TEST(key_of_wrong_size_is_refused_and_not_changed),
        KEY_TEST(owner_of_the_folder_gets_the_key_that_root_makes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
