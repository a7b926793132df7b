/*
 * The clocks. Only src/base, src/serve and src/cmd read the wall clock; all other code gets `now`
 * as an argument.
 *
 * Tests can read the wall clock from a file (docs/architecture.md, "Commands and settings"). The
 * clock then stays at the instant in the file; changes to the file take effect within 50 ms. The
 * monotonic clock, which timeouts, drain and polling use, runs on. Unit tests move it forward: time
 * passes by a call instead of by waiting.
 */
#pragma once

#include <time.h>

#include "base/err.h"
#include "base/str.h"

/* Reads the wall clock from an ISO 8601 instant in the file. Call before any thread starts. Returns
 * an error if the file cannot be read or parsed now; if that happens later, the clock keeps its
 * value. */
enum err clock_use_file(const char *path, struct fail *fail);

/* The same for the clock of the database (db_now_ms), which otherwise follows the file above. */
enum err clock_use_database_file(const char *path, struct fail *fail);
/* False: no file is used, and *ret keeps its value. */
bool clock_database_file_ms(int64_t *ret);

/* The database's clock is in the first file, and so vouches for nothing. */
bool clock_database_follows(void);

/* Instants that become public are checked from now on (store/row/credible.h). Programs call it,
 * unit tests do not. */
void clock_check(void);
/* An operator vouches for `at_ms`: the wall clock shows it now and goes on from there, and nothing
 * is checked. Call both before any thread starts. */
void clock_overrule(int64_t at_ms);
/* How far ahead of everything that is known the wall clock may be where nothing vouches for it: 31
 * days, or 366 if it is in a file. 0: it is not checked. */
int64_t clock_unwitnessed_ms(void);

int64_t clock_wall_ms(void);
int64_t clock_mono_ms(void);
int64_t clock_mono_ns(void);

/* An instant of clock_mono_ms, for pthread_cond_timedwait on CLOCK_MONOTONIC. */
struct timespec clock_mono_timespec(int64_t at_ms);

/* How far the monotonic clock is ahead of CLOCK_MONOTONIC: 0, except in unit tests. */
int64_t clock_mono_ahead_ms(void);

/* For tests only: moves the monotonic clock forward, for all threads. */
void clock_mono_advance(int64_t ms);
