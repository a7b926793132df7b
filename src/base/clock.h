/*
 * The clocks, and the only reader of them beside src/cmd. Everything else is handed `now`.
 *
 * Tests can take the wall clock from a file (docs/architecture.md, "Commands and settings"). It
 * then stands still at the instant in the file, which is read again at most 50 ms later. The
 * monotonic clock is never moved: timeouts, drain and polling use it.
 */
#pragma once

#include "base/err.h"
#include "base/str.h"

/* Takes the wall clock from an ISO 8601 instant in the file. Call before any thread starts; a file
 * that cannot be read or parsed is refused now, and later leaves the clock where it stood. */
enum err clock_use_file(const char *path, struct fail *fail) MUST_CHECK;

int64_t clock_wall_ms(void);
int64_t clock_mono_ms(void);
int64_t clock_mono_ns(void);
