/* Core dumps, privileges and Landlock; see confine.h. */
#include "base/confine.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Rights of the first version of the interface (Linux 5.13); later versions only add rights. */
enum {
    RIGHTS_READ_FILE = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE,
    RIGHTS_READ = RIGHTS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
    RIGHTS_WRITE_FILE = LANDLOCK_ACCESS_FS_WRITE_FILE,
    RIGHTS_WRITE = RIGHTS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                   LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
                   LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK,
    RIGHTS_HANDLED = RIGHTS_READ | RIGHTS_WRITE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                     LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
                     LANDLOCK_ACCESS_FS_MAKE_SYM,
};

static bool forbid_core_dumps(void)
{
    const struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_CORE, &none) == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}

static bool allow_path(int rules, const struct confine_path *path)
{
    int fd = open(path->path, O_PATH | O_CLOEXEC);
    struct stat st;
    if (fd < 0)
        return true;
    bool is_folder = fstat(fd, &st) == 0 && S_ISDIR(st.st_mode);
    uint64_t rights = is_folder ? RIGHTS_READ : RIGHTS_READ_FILE;
    if (path->write)
        rights |= is_folder ? RIGHTS_WRITE : RIGHTS_WRITE_FILE;
    const struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = fd};
    long done = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(fd);
    return done == 0;
}

static int restrict_paths(const struct confine_path *paths, size_t count)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1)
        return 0;
    const struct landlock_ruleset_attr handled = {.handled_access_fs = RIGHTS_HANDLED};
    int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
    if (rules < 0)
        return 0;
    bool done = true;
    for (size_t i = 0; i < count && done; i++)
        done = allow_path(rules, &paths[i]);
    done = done && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return done ? (int)version : 0;
}

struct confine_result confine(const struct confine_path *paths, size_t count)
{
    struct confine_result result = {
        .no_core_dumps = forbid_core_dumps(),
        .no_new_privileges = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0,
    };
    if (result.no_new_privileges)
        result.landlock = restrict_paths(paths, count);
    return result;
}
