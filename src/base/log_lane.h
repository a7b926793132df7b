/*
 * A cheap path into the log for lines written with every request. Each thread adds its lines to its
 * own ring, without a lock, a system call or a wake-up, and the log thread writes them within 100
 * ms. A full ring drops lines and counts them. The lines of one thread keep their order; relative
 * to other lines they may be a little late.
 *
 * A lane is created with a thread's first line and lasts until the process ends.
 */
#pragma once

#include "base/str.h"

/* Adds complete lines, each with its newline, in the format of log_format(). While the log thread
 * is not running, they are written at once. */
void log_lane_put(struct str lines);

/* For log.c: lines go through the lanes between these two calls. `wake` is called when the log
 * thread has a new lane or a half-full lane to read; from any thread. */
void log_lanes_start(void (*wake)(void));
void log_lanes_stop(void);

/* For log.c: writes all lines of all lanes; returns the number of lines dropped since the last
 * call. One thread at a time. */
uint64_t log_lanes_write(void (*write_out)(const char *p, size_t n));
uint64_t log_lanes_dropped(void); /* since the start; thread-safe */
bool log_lanes_any(void);
