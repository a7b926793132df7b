/*
 * Runs a command of this program in a child process, which keeps its parsers and connections out of
 * the server. The child inherits the server's confinement, priority and settings, and none of its
 * descriptors. It runs with --json, and the last line that it prints is its result.
 */
#pragma once

#include <sys/types.h>

#include "base/buf.h"
#include "config/settings.h"

enum { CHILD_LINE_MAX = 4096 };

struct child {
    pid_t pid;
    int out;         /* read end of its standard output */
    struct buf line; /* the line being read */
    struct buf last; /* the last complete line; empty if that was too long */
};

/* Starts a command, such as {"sync", "house", NULL}. After OK, call child_finish. */
enum err child_start(
    struct child *c, const struct settings *settings, const char *const command[],
    struct fail *fail) MUST_CHECK;

/* Reads the available output without waiting. False: end of output. */
bool child_read(struct child *c);

void child_stop(struct child *c); /* sends SIGTERM; child_finish is still required */

/* Waits until the child exits. *ret_status: its exit status, or -1 if a signal killed it. */
void child_finish(struct child *c, int *ret_status);
