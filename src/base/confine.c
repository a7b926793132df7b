/* Core dumps, privileges and Landlock; see confine.h. */
#include "base/confine.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/disk.h"

/* The kernel's interface, by its documentation: the headers of Debian 12 end at its second version.
 * The kernel accepts a longer struct if what it does not know is zero. */
struct ruleset_attr {
    uint64_t handled_access_fs;
    uint64_t handled_access_net; /* from version 4 */
    uint64_t scoped;             /* from version 6 */
};

struct net_port_attr {
    uint64_t allowed_access;
    uint64_t port;
};

enum {
    RULE_NET_PORT = 2,
    ACCESS_FS_TRUNCATE = 1 << 14,
    ACCESS_FS_IOCTL_DEV = 1 << 15,
    ACCESS_FS_RESOLVE_UNIX = 1 << 16,
    ACCESS_NET_BIND_TCP = 1 << 0,
    ACCESS_NET_CONNECT_TCP = 1 << 1,
    SCOPE_ABSTRACT_UNIX_SOCKET = 1 << 0,
    SCOPE_SIGNAL = 1 << 1,
};

/* File rights of the first version. A right that a later version adds is in `rights` below. Version
 * 2 needs nothing: unless a rule allows it, files cannot be moved between folders. */
enum {
    RIGHTS_READ_FILE = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE,
    RIGHTS_READ = RIGHTS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
    RIGHTS_WRITE_FILE = LANDLOCK_ACCESS_FS_WRITE_FILE | ACCESS_FS_TRUNCATE,
    RIGHTS_WRITE = RIGHTS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                   LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
                   LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK,
    RIGHTS_FIRST = RIGHTS_READ | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                   LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
                   LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
                   LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                   LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM,
};

static const struct {
    const char *name;
    int version;
    struct ruleset_attr bits;
} rights[CONFINE_RIGHT_COUNT] = {
    [CONFINE_FILES] = {"files", 1, {.handled_access_fs = RIGHTS_FIRST}},
    [CONFINE_TRUNCATE] = {"truncate", 3, {.handled_access_fs = ACCESS_FS_TRUNCATE}},
    [CONFINE_TCP_BIND] = {"tcp_bind", 4, {.handled_access_net = ACCESS_NET_BIND_TCP}},
    [CONFINE_TCP_CONNECT] = {"tcp_connect", 4, {.handled_access_net = ACCESS_NET_CONNECT_TCP}},
    [CONFINE_DEVICES] = {"devices", 5, {.handled_access_fs = ACCESS_FS_IOCTL_DEV}},
    [CONFINE_ABSTRACT_SOCKETS] = {"abstract_sockets", 6, {.scoped = SCOPE_ABSTRACT_UNIX_SOCKET}},
    [CONFINE_SIGNALS] = {"signals", 6, {.scoped = SCOPE_SIGNAL}},
    [CONFINE_FILE_SOCKETS] = {"file_sockets", 9, {.handled_access_fs = ACCESS_FS_RESOLVE_UNIX}},
};

static bool forbid_core_dumps(void)
{
    const struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_CORE, &none) == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}

static bool is_wanted(enum confine_right right, const struct confine_needs *needs)
{
    switch (right) {
    case CONFINE_TCP_CONNECT:
    case CONFINE_FILE_SOCKETS:
        return !needs->connects;
    case CONFINE_ABSTRACT_SOCKETS:
        return !needs->abstract_sockets;
    case CONFINE_FILES:
    case CONFINE_TRUNCATE:
    case CONFINE_TCP_BIND:
    case CONFINE_DEVICES:
    case CONFINE_SIGNALS:
    case CONFINE_RIGHT_COUNT:
        break;
    }
    return true;
}

/* The rights that this version can control and the process does not need. */
static struct ruleset_attr handled_by(
    int version, const struct confine_needs *needs, unsigned *ret_rights)
{
    struct ruleset_attr handled = {0};
    *ret_rights = 0;
    for (unsigned i = 0; i < CONFINE_RIGHT_COUNT; i++) {
        if (version < rights[i].version || !is_wanted(i, needs))
            continue;
        handled.handled_access_fs |= rights[i].bits.handled_access_fs;
        handled.handled_access_net |= rights[i].bits.handled_access_net;
        handled.scoped |= rights[i].bits.scoped;
        *ret_rights |= 1u << i;
    }
    return handled;
}

static bool allow_path(int rules, const struct ruleset_attr *handled, const struct confine_path *p)
{
    FD_CLOSED int fd = open(p->path, O_PATH | O_CLOEXEC);
    struct stat st;
    if (fd < 0)
        return true;
    bool is_folder = fstat(fd, &st) == 0 && S_ISDIR(st.st_mode);
    uint64_t allowed = is_folder ? RIGHTS_READ : RIGHTS_READ_FILE;
    if (p->write)
        allowed |= is_folder ? RIGHTS_WRITE : RIGHTS_WRITE_FILE;
    if (p->links && is_folder)
        allowed |= LANDLOCK_ACCESS_FS_MAKE_SYM;
    const struct landlock_path_beneath_attr rule = {
        .allowed_access = allowed & handled->handled_access_fs, .parent_fd = fd};
    long done = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    return done == 0;
}

static bool allow_bind(int rules, uint16_t port)
{
    const struct net_port_attr rule = {.allowed_access = ACCESS_NET_BIND_TCP, .port = port};
    return syscall(SYS_landlock_add_rule, rules, RULE_NET_PORT, &rule, 0) == 0;
}

static bool restrict_to(const struct confine_needs *needs, const struct ruleset_attr *handled)
{
    FD_CLOSED int rules = (int)syscall(SYS_landlock_create_ruleset, handled, sizeof *handled, 0);
    if (rules < 0)
        return false;
    bool done = true;
    for (size_t i = 0; i < needs->path_count && done; i++)
        done = allow_path(rules, handled, &needs->paths[i]);
    if (handled->handled_access_net & ACCESS_NET_BIND_TCP)
        for (size_t i = 0; i < needs->bind_port_count && done; i++)
            done = allow_bind(rules, needs->bind_ports[i]);
    done = done && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    return done;
}

/* A kernel can lack a part of its version (one built without TCP has no rules for ports): then use
 * what an older version had. */
static void restrict_self(const struct confine_needs *needs, struct confine_result *result)
{
    int version =
        (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    for (; version > 0; version--) {
        unsigned controlled;
        const struct ruleset_attr handled = handled_by(version, needs, &controlled);
        if (!restrict_to(needs, &handled))
            continue;
        result->landlock = version;
        result->rights = controlled;
        return;
    }
}

struct confine_result confine(const struct confine_needs *needs)
{
    struct confine_result result = {
        .no_core_dumps = forbid_core_dumps(),
        .no_new_privileges = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0,
    };
    if (result.no_new_privileges)
        restrict_self(needs, &result);
    return result;
}

bool confine_has(const struct confine_result *result, enum confine_right right)
{
    return result->rights >> right & 1;
}

void confine_rights_put(struct buf *b, const struct confine_result *result)
{
    const char *before = "";
    for (unsigned i = 0; i < CONFINE_RIGHT_COUNT; i++) {
        if (!confine_has(result, i))
            continue;
        buf_fmt(b, "%s%s", before, rights[i].name);
        before = " ";
    }
}
