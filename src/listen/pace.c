/* See pace.h. */
#include "listen/pace.h"

enum { MINUTE_IN_MS = 60 * 1000, SECOND_IN_MS = 1000, RETRY_DOUBLINGS_MAX = 5 };

static int64_t at_most(int64_t value, int64_t max)
{
    return value < max ? value : max;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Spreads half of the requests that are left over the rest of the window. */
static int64_t spread_ms(const struct rate_window *window)
{
    enum { SECONDS_MAX = 366 * 86400 };
    int64_t rest_ms = at_most(window->ends_s, SECONDS_MAX) * SECOND_IN_MS;
    return window->left > 1 ? 2 * rest_ms / window->left : rest_ms;
}

static bool is_known(const struct rate_window *window)
{
    return window->left >= 0 && window->ends_s >= 0;
}

/* Less than this part of the window is left, or its limit is unknown. */
static bool is_low(const struct rate_window *window, int64_t parts)
{
    return is_known(window) && (window->limit < 0 || window->left < window->limit / parts);
}

int64_t pace_next_ms(const struct rate *rate, int64_t quiet_ms)
{
    int64_t wait = quiet_ms < PACE_QUIET_AFTER_MS ? PACE_MS : PACE_QUIET_MS;
    if (rate->minute.limit > 0)
        wait = later(wait, 2 * MINUTE_IN_MS / rate->minute.limit);
    if (is_low(&rate->minute, 4))
        wait = later(wait, spread_ms(&rate->minute));
    if (is_low(&rate->month, 2))
        wait = later(wait, spread_ms(&rate->month));
    return at_most(wait, PACE_MAX_MS);
}

int64_t pace_retry_ms(unsigned failures)
{
    unsigned doublings = failures > 0 ? failures - 1 : 0;
    int64_t wait = (int64_t)SECOND_IN_MS
                   << (doublings < RETRY_DOUBLINGS_MAX ? doublings : RETRY_DOUBLINGS_MAX);
    return at_most(wait, PACE_RETRY_MAX_MS);
}
