/* The names of the jobs: keys of their rows (job.h), which commands and pages show. */
#pragma once

#include "base/str.h"

enum job_name {
    /* daily; settings turn them on and off */
    JOB_SYNC,
    JOB_SWEEP,
    JOB_SAMPLE,
    JOB_DAILY_COUNT,
    /* the others */
    JOB_ALERTS = JOB_DAILY_COUNT,
    JOB_PRUNE,
    JOB_PURGE,
    JOB_SYNC_HOUSE,
    JOB_SYNC_SENATE,
    JOB_UPKEEP,
    JOB_NAME_COUNT
};

struct str job_name(enum job_name job);

/* False: this program has no job of that name. */
bool job_from_name(struct str name, enum job_name *ret);

/* The daily jobs that are on. */
struct job_daily {
    bool on[JOB_DAILY_COUNT];
};
