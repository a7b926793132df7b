/* Limits the request rate: a request starts no sooner than a fixed time after the last answer. Uses
 * the monotonic clock. */
#pragma once

#include <stdint.h>

struct sync_pace {
    int64_t every_ms;
    int64_t free_at_ms; /* no request before that */
    int64_t (*now_ms)(void);
    void (*wait_ms)(int64_t ms); /* may return early */
};

void sync_pace_init(struct sync_pace *pace, int64_t every_ms); /* uses the machine's clock */
void sync_pace_wait(struct sync_pace *pace); /* waits until a request is allowed */
void sync_pace_done(struct sync_pace *pace); /* a request has ended */
