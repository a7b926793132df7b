/* Reads and writes whole files; see file.h. */
#include "config/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/disk.h"

enum { FILE_STEP = 64 * 1024 };

enum err file_read(const char *path, struct buf *to, struct fail *fail)
{
    FD_CLOSED int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail_set(fail, ERR_IO, "cannot open \"%s\": %s", path, strerror(errno));
    enum err err = OK;
    char step[FILE_STEP];
    ssize_t got;
    while (!err && (got = read(fd, step, sizeof step)) != 0) {
        if (got < 0) {
            err = fail_set(fail, ERR_IO, "cannot read \"%s\": %s", path, strerror(errno));
        } else {
            buf_put(to, step, (size_t)got);
            if (to->overflow)
                err = fail_set(
                    fail, ERR_LIMIT, "\"%s\" is larger than the maximum of %zu bytes", path,
                    to->max);
        }
    }
    return err;
}

enum err file_write(const char *path, struct str bytes, struct fail *fail)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return fail_set(fail, disk_err(errno), "cannot open \"%s\": %s", path, disk_reason(errno));
    struct stat st;
    bool regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    bool written = disk_write(fd, bytes);
    int failed = errno;
    if (close(fd) < 0 && written) {
        written = false;
        failed = errno;
    }
    if (written)
        return OK;
    if (regular)
        unlink(path);
    return fail_set(fail, disk_err(failed), "cannot write \"%s\": %s", path, disk_reason(failed));
}

/* --- the settings file that the build names */

const char *default_file(void)
{
    return *STOCKACT_CONFIG_FILE ? STOCKACT_CONFIG_FILE : NULL;
}
