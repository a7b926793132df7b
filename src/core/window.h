/*
 * Fixed windows on a wall clock that may step (spec 8, decision 23; docs/reliability.md,
 * "Time").
 *
 * A minute is whole minutes since 1970-01-01T00:00Z, a month is that of base/instant.h. Time only
 * goes forward: a step back of up to five minutes leaves the clock at its high-water mark until the
 * wall clock has caught up. A longer one is taken over, and from then on the clock knows which
 * minutes it has been through before: in those, a caller's window goes on where it stood.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "base/instant.h"

enum {
    WINDOW_STEP_BACK_MAX_MS = 5 * MINUTE_MS,
    WINDOW_RUNS_MAX = 8,
};

/* Minutes that the clock has been through, both ends included. */
struct window_run {
    uint32_t from;
    uint32_t to;
};

struct window_clock {
    _Atomic int64_t high_ms; /* high-water mark; INSTANT_NONE before the first reading */
    /* Latest minute of a past run: beyond it no minute is met again. */
    _Atomic uint32_t again_until;
    pthread_mutex_t lock; /* of what follows; taken when the minute changes or was met before */
    size_t run_count;     /* the last is the current one; in no other order */
    struct window_run runs[WINDOW_RUNS_MAX];
};

/* One reading, from which everything about one request is derived. */
struct window_time {
    int64_t wall_ms; /* as read */
    uint32_t minute; /* of the clock that only goes forward */
    int32_t month;
    bool again;      /* the clock may have been in this minute before a step back */
    int64_t back_ms; /* not 0: this reading accepted a step back, of so much */
};

void window_clock_init(struct window_clock *clock);
void window_clock_finish(struct window_clock *clock);
struct window_time window_clock_read(struct window_clock *clock, int64_t now_ms);
/* The same without moving the clock or accepting a step: for looking only. */
struct window_time window_clock_peek(struct window_clock *clock, int64_t now_ms);

uint32_t window_minute(int64_t ms);           /* 0 before 1970 */
int64_t window_minute_end_s(uint32_t minute); /* unix seconds: X-RateLimit-Reset */

/* Whole seconds until the end, rounded up, at least 1; of a minute at most 60. */
int64_t window_minute_wait_s(const struct window_time *time);
int64_t window_month_wait_s(const struct window_time *time);

/* One caller's latest windows: a ring of slots, each minute in slot minute % n, and what is known
 * about the windows that newer ones pushed out. All zero is a caller who has used nothing. */
struct window_slot {
    uint32_t minute;
    uint32_t used;
};

struct window_lost {
    uint32_t minute; /* the latest minute that was pushed out */
    uint32_t peak;   /* the most that any of them had used */
};

/* What the caller has used in the window of `time`. Exact while the ring knows; of a minute that
 * the clock meets again and the ring has lost, the most it can have been. */
uint32_t window_used(
    const struct window_slot *ring, size_t n, const struct window_lost *lost,
    const struct window_time *time);

/* The slot of that window, opened with window_used() when it was not there. n is a power of two. */
struct window_slot *window_open(
    struct window_slot *ring, size_t n, struct window_lost *lost, const struct window_time *time);

/* The slot of a minute, NULL when the ring does not hold it. */
struct window_slot *window_find(struct window_slot *ring, size_t n, uint32_t minute);
