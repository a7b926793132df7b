/* Waiting between requests; see sync_pace.h. */
#include "sync/sync_pace.h"

#include <time.h>

#include "base/clock.h"

static void wait_ms(int64_t ms)
{
    const struct timespec length = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&length, NULL);
}

void sync_pace_init(struct sync_pace *pace, int64_t every_ms)
{
    *pace = (struct sync_pace){
        .every_ms = every_ms,
        .free_at_ms = INT64_MIN,
        .now_ms = clock_mono_ms,
        .wait_ms = wait_ms,
    };
}

void sync_pace_wait(struct sync_pace *pace)
{
    for (int64_t now; (now = pace->now_ms()) < pace->free_at_ms;)
        pace->wait_ms(pace->free_at_ms - now);
}

void sync_pace_done(struct sync_pace *pace)
{
    pace->free_at_ms = pace->now_ms() + pace->every_ms;
}
