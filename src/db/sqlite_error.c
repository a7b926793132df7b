/* SQLite's result codes; see sqlite_error.h. */
#include "db/sqlite_error.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <unistd.h>

#include "base/disk.h"
#include "base/mem.h"
#include "db/db_driver.h"

/* Full disks under SQLite. */

static _Thread_local int last_errno = ENOSPC;

/* The system's error behind the last SQLITE_FULL of this thread: ENOSPC, EDQUOT or EFBIG. */
static int sqlite_full_errno(void)
{
    return last_errno;
}

static ssize_t checked(ssize_t n)
{
    if (n < 0 && disk_is_full(errno)) {
        last_errno = errno;
        errno = ENOSPC;
    }
    return n;
}

static ssize_t write_checked(int fd, const void *p, size_t n)
{
    return checked(write(fd, p, n));
}

static ssize_t pwrite_checked(int fd, const void *p, size_t n, off_t at)
{
    return checked(pwrite(fd, p, n, at));
}

/* SQLite takes a read that fails with one of these for a damaged file. Any other error becomes
 * SQLITE_IOERR_READ. */
static ssize_t read_result(ssize_t n)
{
    if (n < 0 && (errno == EIO || errno == ENXIO || errno == ERANGE))
        errno = EFAULT;
    return n;
}

static ssize_t read_checked(int fd, void *p, size_t n)
{
    return read_result(read(fd, p, n));
}

static ssize_t pread_checked(int fd, void *p, size_t n, off_t at)
{
    return read_result(pread(fd, p, n, at));
}

/* SQLite uses one of each, depending on how it was built. */
static void install(void)
{
    sqlite3_vfs *vfs = sqlite3_vfs_find("unix");
    assert(vfs && vfs->iVersion >= 3);
    vfs->xSetSystemCall(vfs, "write", (sqlite3_syscall_ptr)write_checked);
    vfs->xSetSystemCall(vfs, "pwrite", (sqlite3_syscall_ptr)pwrite_checked);
    vfs->xSetSystemCall(vfs, "pwrite64", (sqlite3_syscall_ptr)pwrite_checked);
    vfs->xSetSystemCall(vfs, "read", (sqlite3_syscall_ptr)read_checked);
    vfs->xSetSystemCall(vfs, "pread", (sqlite3_syscall_ptr)pread_checked);
    vfs->xSetSystemCall(vfs, "pread64", (sqlite3_syscall_ptr)pread_checked);
}

void sqlite_full_install(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
}

/* A failed flush is not a full disk, whatever its cause: it is unknown what is on the disk. */
static int system_error_of(sqlite3 *handle, int code)
{
    switch (code) {
    case SQLITE_FULL:
        return sqlite_full_errno();
    case SQLITE_IOERR_TRUNCATE:
    case SQLITE_IOERR_SHMOPEN:
    case SQLITE_IOERR_SHMSIZE:
    case SQLITE_IOERR_SHMMAP:
    case SQLITE_CANTOPEN:
        return sqlite3_system_errno(handle);
    default: /* it may still be the error of an earlier call */
        return 0;
    }
}

static enum err kind_of(sqlite3 *handle, int code)
{
    switch (code) {
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_ROWID:
        return ERR_EXISTS;
    case SQLITE_CONSTRAINT_TRIGGER:
        return strcmp(sqlite3_errmsg(handle), DB_MOVED_REASON) == 0 ? ERR_UNAVAILABLE : ERR_REFUSED;
    /* No commit needs these after its last frame is in the log: nothing was committed. */
    case SQLITE_IOERR_READ:
    case SQLITE_IOERR_SHORT_READ:
    case SQLITE_IOERR_FSTAT:
    case SQLITE_IOERR_ACCESS:
    case SQLITE_IOERR_LOCK:
    case SQLITE_IOERR_RDLOCK:
    case SQLITE_IOERR_CHECKRESERVEDLOCK:
        return ERR_UNAVAILABLE;
    }
    switch (code & 0xff) {
    case SQLITE_CONSTRAINT:
        return ERR_REFUSED;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return ERR_BUSY;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return ERR_CORRUPT;
    case SQLITE_NOMEM:
        no_memory(0);
    case SQLITE_INTERRUPT:
        return ERR_TIMEOUT;
    default:
        return disk_err(system_error_of(handle, code));
    }
}

static const char *text_of(sqlite3 *handle, int code, enum err err)
{
    switch (err) {
    case ERR_BUSY:
        return "another process is writing to it and does not finish";
    case ERR_FULL:
        return disk_full_reason(system_error_of(handle, code));
    default:
        break;
    }
    if (code == SQLITE_IOERR_FSYNC || code == SQLITE_IOERR_DIR_FSYNC)
        return "the disk cannot be flushed: it is unknown whether the change is stored";
    if (code == SQLITE_IOERR_READ || code == SQLITE_IOERR_SHORT_READ)
        return "the disk cannot be read";
    switch (code & 0xff) {
    case SQLITE_NOTADB:
        return "this is not an SQLite database";
    case SQLITE_CORRUPT:
        return "the database file is damaged";
    case SQLITE_READONLY:
        return "the database cannot be written (read-only)";
    default:
        return sqlite3_errmsg(handle);
    }
}

enum err sqlite_error(struct sqlite3 *handle, int code, struct str name, struct fail *fail)
{
    enum err err = kind_of(handle, code);
    return fail_set(fail, err, "%.*s: %s", STR_ARG(name), text_of(handle, code, err));
}
