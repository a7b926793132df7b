/*
 * Writes to standard output or standard error, which may be a pipe that nobody reads at the moment.
 * A write that cannot proceed waits, and ends when the stop descriptor becomes readable: an
 * interrupt must end the program at once.
 */
#pragma once

#include "base/err.h"
#include "base/str.h"

/* ERR_BUSY: stop_fd became readable while nothing could be written. ERR_IO: the pipe is closed, or
 * the disk is full. */
enum err writer_write(int fd, struct str text, int stop_fd, struct fail *fail) MUST_CHECK;
