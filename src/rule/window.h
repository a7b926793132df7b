/*
 * Fixed windows on a wall clock that may step (spec 8, decision 23; docs/reliability.md, "Time").
 *
 * A minute is whole minutes since 1970-01-01T00:00Z, a month is that of base/instant.h. Time only
 * moves forward. After a step back of up to five minutes, the clock stays at its high-water mark
 * until the wall clock has caught up. It accepts a longer step, and remembers the minutes that it
 * has been through: in those, a caller's window continues with its count.
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
    /* The latest minute of a past run: no minute after it can repeat. */
    _Atomic uint32_t again_until;
    pthread_mutex_t lock; /* guards the members below; taken when the minute changes or repeats */
    size_t run_count;     /* the last run is the current one; the others are unordered */
    struct window_run runs[WINDOW_RUNS_MAX];
};

/* One reading; everything about one request is derived from it. */
struct window_time {
    int64_t wall_ms; /* as read */
    uint32_t minute; /* of the clock that only goes forward */
    int32_t month;
    bool again;      /* the clock may have been in this minute before a step back */
    int64_t back_ms; /* not 0: this reading accepted a step back of so many ms */
};

void window_clock_init(struct window_clock *clock);
void window_clock_finish(struct window_clock *clock);
struct window_time window_clock_read(struct window_clock *clock, int64_t now_ms);
/* Like window_clock_read, without moving the clock or accepting a step: for reading only. */
struct window_time window_clock_peek(struct window_clock *clock, int64_t now_ms);

uint32_t window_minute(int64_t ms);           /* 0 before 1970 */
int64_t window_minute_end_s(uint32_t minute); /* unix seconds: X-RateLimit-Reset */

/* Whole seconds until the end of the window, rounded up, at least 1; at most 60 for a minute. */
int64_t window_minute_wait_s(const struct window_time *time);
int64_t window_month_wait_s(const struct window_time *time);

/* One caller's latest windows: a ring of slots (minute % n), and the peak of the windows that newer
 * ones replaced. All zero is a caller without requests. */
struct window_slot {
    uint32_t minute;
    uint32_t used;
};

struct window_lost {
    uint32_t minute; /* the latest minute that was replaced */
    uint32_t peak;   /* the most that any of them used */
};

/* What the caller used in the window of `time`. Exact while the ring holds the minute; for a
 * repeated minute that the ring lost, the most it can have been. */
uint32_t window_used(
    const struct window_slot *ring, size_t n, const struct window_lost *lost,
    const struct window_time *time);

/* The slot of that window, opened with window_used() if missing. n is a power of two. */
struct window_slot *window_open(
    struct window_slot *ring, size_t n, struct window_lost *lost, const struct window_time *time);

/* The slot of a minute, NULL if the ring does not hold it. */
struct window_slot *window_find(struct window_slot *ring, size_t n, uint32_t minute);
