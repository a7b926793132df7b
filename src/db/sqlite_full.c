/* Full disks under SQLite; see sqlite_full.h. */
#include "db/sqlite_full.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/disk.h"

static _Thread_local int last_errno = ENOSPC;

int sqlite_full_errno(void)
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
