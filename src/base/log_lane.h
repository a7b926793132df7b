/*
 * A cheap way into the log for what is logged with every request: each thread adds its lines to a
 * ring of its own, without a lock, a system call or a wake-up, and the log thread takes them within
 * 100 ms. A full ring drops lines and counts them. Lines of one thread keep their order among
 * themselves; against other lines they may come a little late.
 *
 * A lane is made at a thread's first line and lasts as long as the process.
 */
#pragma once

#include "base/str.h"

/* Adds whole lines, each with its newline, in the format of log_format(). Written at once while the
 * log thread is not running. */
void log_lane_put(struct str lines);

/* For log.c: lines go through the lanes between these two. `wake`: called when the log thread has a
 * lane that it does not know of, or one that is half full; from any thread. */
void log_lanes_start(void (*wake)(void));
void log_lanes_stop(void);

/* For log.c: writes out what all lanes hold; returns how many lines were dropped since the last
 * call. One thread at a time. */
uint64_t log_lanes_write(void (*write_out)(const char *p, size_t n));
uint64_t log_lanes_dropped(void); /* since the start; from any thread */
bool log_lanes_any(void);
