/* Warnings about settings, for the first lines of the log. */
#pragma once

#include "config/settings.h"

enum { BENCH_FACTOR = 1000000 }; /* STOCKACT_BENCH_UNLIMITED multiplies the limits */

void serve_warnings_log(const struct settings *settings);
