/* Waits with poll, so that write does not block; see writer.h. */
#include "listen/writer.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include "base/disk.h"

/* Standard streams are shared with other processes, so O_NONBLOCK cannot be set. A pipe that polls
 * writable has room for PIPE_BUF bytes. */
static enum err wait_for_room(int fd, int stop_fd, struct fail *fail)
{
    struct pollfd polled[] = {{.fd = fd, .events = POLLOUT}, {.fd = stop_fd, .events = POLLIN}};
    while (poll(polled, 2, -1) < 0)
        if (errno != EINTR)
            return fail_set(fail, ERR_IO, "poll: %s", strerror(errno));
    return polled[0].revents ? OK : fail_set(fail, ERR_BUSY, "interrupted");
}

enum err writer_write(int fd, struct str text, int stop_fd, struct fail *fail)
{
    while (text.n > 0) {
        enum err err = wait_for_room(fd, stop_fd, fail);
        if (err)
            return err;
        ssize_t n = write(fd, text.p, text.n < PIPE_BUF ? text.n : PIPE_BUF);
        if (n >= 0)
            text = str_slice(text, (size_t)n, text.n);
        else if (errno != EINTR && errno != EAGAIN)
            return fail_set(fail, ERR_IO, "cannot write the output: %s", disk_reason(errno));
    }
    return OK;
}
