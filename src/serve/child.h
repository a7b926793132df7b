/*
 * A command of this same program, run beside the server in a process of its own: what it parses and
 * whom it talks to stays out of the server. It has the server's confinement and priority, its
 * environment with the server's settings, and no descriptor of it. It is run with --json, and the
 * last line that it printed is its result.
 */
#pragma once

#include <sys/types.h>

#include "base/buf.h"
#include "config/settings.h"

enum { CHILD_LINE_MAX = 4096 };

struct child {
    pid_t pid;
    int out;         /* its standard output */
    struct buf line; /* being read */
    struct buf last; /* the last whole one; empty where that was too long */
};

/* `command`: "sync", "house", NULL. child_finish once it is OK. */
enum err child_start(
    struct child *c, const struct settings *settings, const char *const command[],
    struct fail *fail) MUST_CHECK;

/* Takes what is there, waits for nothing. False: it printed all that it ever will. */
bool child_read(struct child *c);

void child_stop(struct child *c); /* tells it to end; child_finish all the same */

/* Waits for its end. *ret_status: its exit status, or -1 for a signal. */
void child_finish(struct child *c, int *ret_status);
