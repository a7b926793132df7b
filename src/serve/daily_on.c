/* Which daily jobs the settings turn on; see daily_on.h. */
#include "serve/daily_on.h"

struct job_daily daily_on(const struct settings *settings)
{
    return (struct job_daily){
        .on = {
            [JOB_SYNC] = settings->sync_at != CLOCK_TIME_NONE,
            [JOB_SWEEP] = settings->sweep_at != CLOCK_TIME_NONE,
            [JOB_SAMPLE] = settings->sample_rows > 0,
            [JOB_SNAPSHOT] = settings->snapshot_at != CLOCK_TIME_NONE,
        }};
}
