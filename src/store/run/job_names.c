/* The names of the jobs; see job_names.h. */
#include "store/run/job_names.h"

#include <assert.h>

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

struct str job_name(enum job_name job)
{
    assert(job < JOB_NAME_COUNT);
    return names[job];
}

bool job_from_name(struct str name, enum job_name *ret)
{
    for (enum job_name job = 0; job < JOB_NAME_COUNT; job++) {
        if (str_eq(names[job], name)) {
            *ret = job;
            return true;
        }
    }
    return false;
}
