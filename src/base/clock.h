/*
 * The clocks. Only src/base, src/serve and src/cmd read the wall clock; all other code gets `now`
 * as an argument.
 *
 * Tests can read the wall clock from a file (docs/architecture.md, "Commands and settings"). The
 * clock then stays at the instant in the file; changes to the file take effect within 50 ms. The
 * monotonic clock is never changed: timeouts, drain and polling use it.
 */
#pragma once

#include "base/err.h"
#include "base/str.h"

/* Reads the wall clock from an ISO 8601 instant in the file. Call before any thread starts. Returns
 * an error if the file cannot be read or parsed now; if that happens later, the clock keeps its
 * value. */
enum err clock_use_file(const char *path, struct fail *fail) MUST_CHECK;

int64_t clock_wall_ms(void);
int64_t clock_mono_ms(void);
int64_t clock_mono_ns(void);
