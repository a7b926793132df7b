/* A disk with faults; see fault_vfs.h. */
#include "fault_vfs.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include <sqlite3.h>

/* The ordinary file lies behind this head, in the same allocation. */
struct fault_file {
    sqlite3_file base;
    sqlite3_file *real;
};

static sqlite3_vfs *real_vfs;
static sqlite3_vfs fault_vfs;
static enum fault_vfs_action armed;
static int armed_n;
static atomic_int count;

void fault_vfs_arm(enum fault_vfs_action action, int n)
{
    armed = action;
    armed_n = n;
    count = 0;
}

void fault_vfs_disarm(void)
{
    armed = FAULT_VFS_NONE;
}

int fault_vfs_count(void)
{
    return count;
}

/* SQLITE_OK: go on. */
static int operation(bool is_write, int io_error)
{
    if (armed == FAULT_VFS_NONE || armed == FAULT_VFS_READ_ERROR || ++count < armed_n)
        return SQLITE_OK;
    switch (armed) {
    case FAULT_VFS_KILL:
        raise(SIGKILL);
        break;
    case FAULT_VFS_DISK_FULL:
        return is_write ? SQLITE_FULL : SQLITE_OK;
    default:
        break;
    }
    return io_error;
}

static sqlite3_file *real_of(sqlite3_file *file)
{
    return ((struct fault_file *)file)->real;
}

static int fault_close(sqlite3_file *file)
{
    return real_of(file)->pMethods->xClose(real_of(file));
}

static int fault_read(sqlite3_file *file, void *p, int n, sqlite3_int64 at)
{
    if (armed == FAULT_VFS_READ_ERROR && ++count >= armed_n)
        return SQLITE_IOERR_READ;
    return real_of(file)->pMethods->xRead(real_of(file), p, n, at);
}

static int fault_write(sqlite3_file *file, const void *p, int n, sqlite3_int64 at)
{
    int code = operation(true, SQLITE_IOERR_WRITE);
    return code ? code : real_of(file)->pMethods->xWrite(real_of(file), p, n, at);
}

static int fault_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    int code = operation(false, SQLITE_IOERR_TRUNCATE);
    return code ? code : real_of(file)->pMethods->xTruncate(real_of(file), size);
}

static int fault_sync(sqlite3_file *file, int flags)
{
    int code = operation(false, SQLITE_IOERR_FSYNC);
    return code ? code : real_of(file)->pMethods->xSync(real_of(file), flags);
}

static int fault_size(sqlite3_file *file, sqlite3_int64 *ret)
{
    return real_of(file)->pMethods->xFileSize(real_of(file), ret);
}

static int fault_lock(sqlite3_file *file, int kind)
{
    return real_of(file)->pMethods->xLock(real_of(file), kind);
}

static int fault_unlock(sqlite3_file *file, int kind)
{
    return real_of(file)->pMethods->xUnlock(real_of(file), kind);
}

static int fault_is_reserved(sqlite3_file *file, int *ret)
{
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), ret);
}

static int fault_control(sqlite3_file *file, int op, void *arg)
{
    return real_of(file)->pMethods->xFileControl(real_of(file), op, arg);
}

static int fault_sector(sqlite3_file *file)
{
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int fault_traits(sqlite3_file *file)
{
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

static int fault_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **ret)
{
    return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, ret);
}

static int fault_shm_lock(sqlite3_file *file, int from, int n, int flags)
{
    return real_of(file)->pMethods->xShmLock(real_of(file), from, n, flags);
}

static void fault_shm_barrier(sqlite3_file *file)
{
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static int fault_shm_unmap(sqlite3_file *file, int remove)
{
    return real_of(file)->pMethods->xShmUnmap(real_of(file), remove);
}

static const sqlite3_io_methods fault_methods = {
    .iVersion = 2,
    .xClose = fault_close,
    .xRead = fault_read,
    .xWrite = fault_write,
    .xTruncate = fault_truncate,
    .xSync = fault_sync,
    .xFileSize = fault_size,
    .xLock = fault_lock,
    .xUnlock = fault_unlock,
    .xCheckReservedLock = fault_is_reserved,
    .xFileControl = fault_control,
    .xSectorSize = fault_sector,
    .xDeviceCharacteristics = fault_traits,
    .xShmMap = fault_shm_map,
    .xShmLock = fault_shm_lock,
    .xShmBarrier = fault_shm_barrier,
    .xShmUnmap = fault_shm_unmap,
};

static int fault_open(
    sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags, int *ret_flags)
{
    struct fault_file *f = (struct fault_file *)file;
    f->real = (sqlite3_file *)(f + 1);
    f->base.pMethods = NULL;
    int code = real_vfs->xOpen(real_vfs, name, f->real, flags, ret_flags);
    if (code == SQLITE_OK)
        f->base.pMethods = &fault_methods;
    return code;
}

static int fault_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    int code = operation(false, SQLITE_IOERR_DELETE);
    return code ? code : real_vfs->xDelete(real_vfs, name, sync);
}

void fault_vfs_install(void)
{
    real_vfs = sqlite3_vfs_find(NULL);
    memcpy(&fault_vfs, real_vfs, sizeof fault_vfs);
    fault_vfs.zName = "fault";
    fault_vfs.szOsFile = (int)sizeof(struct fault_file) + real_vfs->szOsFile;
    fault_vfs.xOpen = fault_open;
    fault_vfs.xDelete = fault_delete;
    sqlite3_vfs_register(&fault_vfs, 1);
}
