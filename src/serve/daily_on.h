/* Which daily jobs the settings turn on. */
#pragma once

#include "config/settings.h"
#include "store/run/job.h"

struct job_daily daily_on(const struct settings *settings);
