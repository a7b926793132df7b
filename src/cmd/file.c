/* Reading files; see file.h. */
#include "cmd/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { FILE_STEP = 64 * 1024 };

enum err file_read(const char *path, struct buf *to, struct fail *fail)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail_set(fail, ERR_IO, "cannot open %s: %s", path, strerror(errno));
    enum err err = OK;
    char step[FILE_STEP];
    ssize_t got;
    while (!err && (got = read(fd, step, sizeof step)) != 0) {
        if (got < 0) {
            err = fail_set(fail, ERR_IO, "cannot read %s: %s", path, strerror(errno));
        } else {
            buf_put(to, step, (size_t)got);
            if (to->overflow)
                err = fail_set(fail, ERR_LIMIT, "%s is over %zu bytes", path, to->max);
        }
    }
    close(fd);
    return err;
}
