/* Reads and creates the file of the master key; see secret_key.h. */
#include "config/secret_key.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/crypto.h"
#include "base/disk.h"
#include "base/mem.h"

/* Kubernetes gives secrets to users other than root only by their group (fsGroup). */
bool secret_key_is_private(const struct stat *st)
{
    mode_t more = st->st_mode & (S_IRWXG | S_IRWXO);
    return !more || (more == S_IRGRP && st->st_uid == 0 && geteuid() != 0);
}

static enum err check_and_read(int fd, const char *path, uint8_t *ret, struct fail *fail)
{
    struct stat st;
    uint8_t key[SECRET_KEY_SIZE + 1]; /* one byte more, to detect a longer file */
    if (fstat(fd, &st))
        return fail_set(
            fail, ERR_IO, "cannot stat the master key file \"%s\": %s", path, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return fail_set(
            fail, ERR_CORRUPT, "the master key file \"%s\" is not a regular file", path);
    if (!secret_key_is_private(&st))
        return fail_set(
            fail, ERR_REFUSED,
            "group or others can access the master key file \"%s\": run chmod 600 on it", path);
    ssize_t n = read(fd, key, sizeof key);
    if (n < 0)
        return fail_set(
            fail, ERR_IO, "cannot read the master key file \"%s\": %s", path, strerror(errno));
    if (n == SECRET_KEY_SIZE)
        memcpy(ret, key, SECRET_KEY_SIZE);
    mem_wipe(key, sizeof key);
    if (n != SECRET_KEY_SIZE)
        return fail_set(
            fail, ERR_CORRUPT,
            "the master key file \"%s\" does not have exactly %d bytes: restore it from your "
            "backup",
            path, SECRET_KEY_SIZE);
    return OK;
}

static enum err load(const char *path, uint8_t *ret, struct fail *fail)
{
    FD_CLOSED int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return fail_set(
            fail, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO,
            "cannot open the master key file \"%s\": %s", path, strerror(errno));
    return check_and_read(fd, path, ret, fail);
}

static bool write_key(int fd)
{
    uint8_t key[SECRET_KEY_SIZE];
    random_bytes(key, sizeof key);
    bool done = write(fd, key, sizeof key) == (ssize_t)sizeof key && fsync(fd) == 0;
    mem_wipe(key, sizeof key);
    return done;
}

static bool sync_folder(const char *path)
{
    MEM_FREED char *copy = mem_strdup(str_from(path)); /* dirname writes into it */
    FD_CLOSED int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd >= 0 && fsync(fd) == 0;
}

/* Writes a temporary file in the same directory and links it to `path`. If another process was
 * first, link fails with EEXIST and that process's key is used. The temporary name is random: a
 * name made from the process id, which is always the same in a container, would still exist after a
 * start that was killed and would make every later start fail. */
static enum err create_file(const char *path, struct arena *arena, struct fail *fail)
{
    uint64_t number;
    random_bytes(&number, sizeof number);
    const char *fresh = arena_fmt(arena, "%s.%016llx.new", path, (unsigned long long)number).p;
    int fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (fd < 0)
        return fail_set(
            fail, disk_err(errno), "cannot create \"%s\": %s", fresh, disk_reason(errno));
    bool done = write_key(fd);
    int error = errno;
    close(fd);
    if (done && link(fresh, path) != 0 && errno != EEXIST) {
        error = errno;
        done = false;
    }
    unlink(fresh);
    if (done && !sync_folder(path)) {
        error = errno;
        done = false;
    }
    if (!done)
        return fail_set(
            fail, disk_err(error), "cannot create the master key file \"%s\": %s", path,
            disk_reason(error));
    return OK;
}

enum err secret_key_load(
    const char *path, bool create, uint8_t ret[static SECRET_KEY_SIZE], struct fail *fail)
{
    enum err err = load(path, ret, fail);
    if (err != ERR_NOT_FOUND || !create)
        return err;
    ARENA_SCOPED(arena);
    TRY(create_file(path, &arena, fail));
    return load(path, ret, fail);
}

bool secret_key_peek(const char *path, uint8_t ret[static SECRET_KEY_SIZE])
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK); /* it may be a pipe */
    bool found = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
                 st.st_size == SECRET_KEY_SIZE && read(fd, ret, SECRET_KEY_SIZE) == SECRET_KEY_SIZE;
    if (fd >= 0)
        close(fd);
    return found;
}

static struct str next_of(const char *path, struct arena *arena)
{
    return arena_fmt(arena, "%s.next", path);
}

enum err secret_key_next(
    const char *path, bool create, uint8_t ret[static SECRET_KEY_SIZE], struct fail *fail)
{
    ARENA_SCOPED(arena);
    return secret_key_load(next_of(path, &arena).p, create, ret, fail);
}

/* Of the old key. Root makes the first one for the owner of the folder. */
static bool find_owner(const char *path, struct stat *ret)
{
    if (stat(path, ret) == 0)
        return ret->st_uid != geteuid();
    char *copy = mem_strdup(str_from(path)); /* dirname writes into it */
    bool found = geteuid() == 0 && stat(dirname(copy), ret) == 0 && ret->st_uid != 0;
    mem_free(copy);
    return found;
}

static enum err replace(const char *path, const char *name, struct arena *arena, struct fail *fail)
{
    struct stat owner;
    const char *next = next_of(path, arena).p, *old = arena_fmt(arena, "%s.%s", path, name).p;
    if (find_owner(path, &owner) && chown(next, owner.st_uid, owner.st_gid) != 0)
        return fail_set(
            fail, ERR_IO, "cannot give \"%s\" to the user of the server: %s", next,
            strerror(errno));
    if (link(path, old) != 0 && errno != ENOENT && errno != EEXIST)
        return fail_set(
            fail, disk_err(errno), "cannot keep the old master key as \"%s\": %s", old,
            disk_reason(errno));
    if (rename(next, path) != 0 || !sync_folder(path))
        return fail_set(
            fail, disk_err(errno), "cannot rename \"%s\": %s", next, disk_reason(errno));
    return OK;
}

enum err secret_key_replace(const char *path, const char *name, struct fail *fail)
{
    ARENA_SCOPED(arena);
    return replace(path, name, &arena, fail);
}
