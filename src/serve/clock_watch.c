/* Compares the clocks of this server and of the database; see clock_watch.h. */
#include "serve/clock_watch.h"

#include <stdlib.h>

#include "base/log.h"

static void say(bool is_off, int64_t ahead_ms)
{
    if (is_off)
        log_line(
            LOG_WARN,
            "the clock differs from the database's: let NTP set the clocks of both machines",
            LOG_I("ahead_ms", ahead_ms));
    else
        log_line(
            LOG_INFO, "the clock agrees with the database's again", LOG_I("ahead_ms", ahead_ms));
}

void clock_watch_note(
    struct clock_watch *watch, int64_t before_ms, int64_t database_ms, int64_t after_ms)
{
    int64_t took_ms = after_ms - before_ms;
    if (took_ms < 0 || took_ms > CLOCK_WATCH_ANSWER_MS)
        return;
    int64_t ahead_ms = before_ms + took_ms / 2 - database_ms;
    atomic_store(&watch->ahead_ms, ahead_ms);
    /* Half of the difference ends it, so that a clock near the limit does not fill the log. */
    int64_t limit_ms = watch->is_off ? CLOCK_WATCH_OFF_MS / 2 : CLOCK_WATCH_OFF_MS;
    bool is_off = llabs(ahead_ms) > limit_ms;
    if (is_off != watch->is_off)
        say(is_off, ahead_ms);
    watch->is_off = is_off;
}
