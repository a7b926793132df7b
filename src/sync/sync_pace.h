/* How often a site is asked: never sooner than so long after it gave its last answer. On a clock
 * that nobody moves. */
#pragma once

#include <stdint.h>

struct sync_pace {
    int64_t every_ms;
    int64_t free_at_ms; /* no request before that */
    int64_t (*now_ms)(void);
    void (*wait_ms)(int64_t ms); /* may come back early */
};

void sync_pace_init(struct sync_pace *pace, int64_t every_ms); /* with the machine's clock */
void sync_pace_wait(struct sync_pace *pace);                   /* until a request may be made */
void sync_pace_done(struct sync_pace *pace);                   /* a request has ended */
