/*
 * Errors of the operating system that mean "no space": a full disk, a used up quota, and the
 * file-size limit of the process, whose signal SIGXFSZ our programs ignore. They become ERR_FULL,
 * which ends when there is space again or the limit is raised.
 */
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"

/* The reason for people; NULL: the error has another cause. */
static inline const char *disk_full_reason(int system_error)
{
    switch (system_error) {
    case ENOSPC:
        return "the disk is full";
    case EDQUOT:
        return "the disk is full: the disk quota is used up";
    case EFBIG:
        return "the disk is full: the file would exceed the file-size limit of the process "
               "(`ulimit -f`, LimitFSIZE=)";
    default:
        return NULL;
    }
}

static inline bool disk_is_full(int system_error)
{
    return disk_full_reason(system_error) != NULL;
}

static inline enum err disk_err(int system_error)
{
    return disk_is_full(system_error) ? ERR_FULL : ERR_IO;
}

/* The reason for people, of any error. */
static inline const char *disk_reason(int system_error)
{
    const char *full = disk_full_reason(system_error);
    return full ? full : strerror(system_error);
}

/* Writes all of the bytes to a file or a pipe that blocks. False: errno. */
static inline bool disk_write(int fd, struct str bytes)
{
    while (bytes.n) {
        ssize_t n = write(fd, bytes.p, bytes.n);
        if (n < 0 && errno != EINTR)
            return false;
        bytes = str_slice(bytes, n > 0 ? (size_t)n : 0, bytes.n);
    }
    return true;
}

/* Before the declaration of a descriptor, or of -1, that is closed where its block ends; errno
 * stays as it is. */
#ifdef __cppcheck__ /* which sees no close: it takes what is static to stay open */
#define FD_CLOSED static
#else
#define FD_CLOSED __attribute__((cleanup(disk_close_at)))
#endif
static inline void disk_close_at(const int *fd)
{
    int error = errno;
    if (*fd >= 0)
        close(*fd);
    errno = error;
}

/* Whose file it is, for messages that say as which user to run a command. */

enum { FILE_OWNER_SIZE = 64 };

/* True if another user than this process's should work with the file, and writes that user's name.
 * The user is the owner of the file, or of the nearest folder above it that can be looked at. For
 * something that root owns, it is the user who has the name of its group. False: it is this
 * process's own, nobody else's, or its owner has no name on this machine. */
bool file_owner_other(const char *path, char ret[static FILE_OWNER_SIZE]);
