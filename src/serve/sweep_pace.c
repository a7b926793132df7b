/* Pauses of a sweep; see sweep_pace.h. */
#include "serve/sweep_pace.h"

enum { MS_NS = 1000000, PAUSE_MIN_MS = 1, PAUSE_MAX_MS = 1000 };

int sweep_pace_ms(int64_t took_ns)
{
    int64_t ms = took_ns / MS_NS;
    if (ms < PAUSE_MIN_MS)
        return PAUSE_MIN_MS;
    return ms < PAUSE_MAX_MS ? (int)ms : PAUSE_MAX_MS;
}
