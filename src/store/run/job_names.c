/* The names of the jobs; see job_names.h. */
#include "store/run/job_names.h"

#include "base/enum_names.h"

static const struct str names[JOB_NAME_COUNT] = {
    [JOB_SYNC] = STR_INIT("sync"),
    [JOB_SWEEP] = STR_INIT("sweep"),
    [JOB_SAMPLE] = STR_INIT("sample"),
    [JOB_ALERTS] = STR_INIT("alerts"),
    [JOB_PRUNE] = STR_INIT("prune"),
    [JOB_PURGE] = STR_INIT("purge"),
    [JOB_SYNC_HOUSE] = STR_INIT("sync house"),
    [JOB_SYNC_SENATE] = STR_INIT("sync senate"),
    [JOB_UPKEEP] = STR_INIT("upkeep"),
};

ENUM_NAME(job_name, job_name, names[value], JOB_NAME_COUNT)
ENUM_FIND(job_from_name, job_name, names[value], 0, JOB_NAME_COUNT)
