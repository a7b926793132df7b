/* Windows on a clock that may step; see window.h. */
#include "rule/window.h"

#include <assert.h>

#include "base/thread.h"

enum {
    MINUTE_S = 60,
    /* A longer gap between readings, or a step forward, begins a new run: the minutes that were
     * skipped were not used. */
    RUN_GAP_MAX = 5,
};

uint32_t window_minute(int64_t ms)
{
    return ms < 0 ? 0 : (uint32_t)(ms / MINUTE_MS);
}

int64_t window_minute_end_s(uint32_t minute)
{
    return ((int64_t)minute + 1) * MINUTE_S;
}

static int64_t wait_s(int64_t from_ms, int64_t until_ms)
{
    int64_t wait = (until_ms - from_ms + SECOND_MS - 1) / SECOND_MS;
    return until_ms <= from_ms ? 1 : wait;
}

int64_t window_minute_wait_s(const struct window_time *time)
{
    int64_t wait = wait_s(time->wall_ms, window_minute_end_s(time->minute) * SECOND_MS);
    return wait > MINUTE_S ? MINUTE_S : wait;
}

int64_t window_month_wait_s(const struct window_time *time)
{
    return wait_s(time->wall_ms, month_start_ms(time->month + 1));
}

void window_clock_init(struct window_clock *clock)
{
    atomic_init(&clock->high_ms, INSTANT_NONE);
    atomic_init(&clock->again_until, 0);
    pthread_mutex_init(&clock->lock, NULL);
    clock->run_count = 0;
}

void window_clock_finish(struct window_clock *clock)
{
    pthread_mutex_destroy(&clock->lock);
}

static struct window_time time_at(int64_t effective_ms, int64_t now_ms)
{
    return (struct window_time){
        .wall_ms = now_ms,
        .minute = window_minute(effective_ms),
        .month = instant_month_utc(effective_ms),
    };
}

/* Minutes between two runs; negative when they overlap. */
static int64_t run_gap(const struct window_run *a, const struct window_run *b)
{
    return (int64_t)(a->from > b->from ? a->from : b->from) - (a->to < b->to ? a->to : b->to);
}

/* Merges the two closest past runs to make room for one more. The minutes between them count as
 * used, which errs on the strict side. */
static void runs_join(struct window_clock *clock)
{
    size_t first = 0, second = 1;
    int64_t smallest = INT64_MAX;
    for (size_t i = 0; i < clock->run_count; i++) {
        for (size_t k = i + 1; k < clock->run_count; k++) {
            int64_t gap = run_gap(&clock->runs[i], &clock->runs[k]);
            if (gap < smallest) {
                smallest = gap;
                first = i;
                second = k;
            }
        }
    }
    struct window_run *a = &clock->runs[first], b = clock->runs[second];
    a->from = a->from < b.from ? a->from : b.from;
    a->to = a->to > b.to ? a->to : b.to;
    clock->runs[second] = clock->runs[--clock->run_count];
}

static void run_begin(struct window_clock *clock, uint32_t minute)
{
    if (clock->run_count == WINDOW_RUNS_MAX)
        runs_join(clock);
    clock->runs[clock->run_count++] = (struct window_run){minute, minute};
    uint32_t latest = 0;
    for (size_t i = 0; i + 1 < clock->run_count; i++)
        if (clock->runs[i].to > latest)
            latest = clock->runs[i].to;
    atomic_store(&clock->again_until, latest);
}

static bool runs_have(const struct window_run *runs, size_t n, uint32_t minute)
{
    for (size_t i = 0; i < n; i++)
        if (minute >= runs[i].from && minute <= runs[i].to)
            return true;
    return false;
}

static bool steps_back(int64_t high_ms, int64_t now_ms)
{
    return high_ms != INSTANT_NONE && high_ms - now_ms > WINDOW_STEP_BACK_MAX_MS;
}

/* With the lock: moves the mark to `now_ms` and records the clock's current minutes. */
static void clock_move(struct window_clock *clock, int64_t now_ms, bool back)
{
    uint32_t minute = window_minute(now_ms);
    struct window_run *current = clock->run_count ? &clock->runs[clock->run_count - 1] : NULL;
    if (!current || back || minute > current->to + RUN_GAP_MAX)
        run_begin(clock, minute);
    else if (minute > current->to)
        current->to = minute;
    atomic_store(&clock->high_ms, now_ms);
}

/* The usual case, without the lock: the same minute, or no time passed. */
static bool clock_read_quickly(struct window_clock *clock, int64_t now_ms, int64_t *ret_effective)
{
    int64_t high = atomic_load(&clock->high_ms);
    for (;;) {
        if (high == INSTANT_NONE || steps_back(high, now_ms))
            return false;
        if (now_ms <= high) {
            *ret_effective = high;
            return true;
        }
        if (window_minute(now_ms) != window_minute(high))
            return false;
        if (atomic_compare_exchange_weak(&clock->high_ms, &high, now_ms)) {
            *ret_effective = now_ms;
            return true;
        }
    }
}

struct window_time window_clock_read(struct window_clock *clock, int64_t now_ms)
{
    int64_t effective, back_ms = 0;
    if (!clock_read_quickly(clock, now_ms, &effective)) {
        pthread_mutex_lock(&clock->lock);
        int64_t high = atomic_load(&clock->high_ms);
        bool back = steps_back(high, now_ms);
        if (back)
            back_ms = high - now_ms;
        if (back || now_ms > high)
            clock_move(clock, now_ms, back);
        effective = atomic_load(&clock->high_ms);
        pthread_mutex_unlock(&clock->lock);
    }
    struct window_time time = time_at(effective, now_ms);
    time.back_ms = back_ms;
    if (time.minute <= atomic_load(&clock->again_until)) {
        pthread_mutex_lock(&clock->lock);
        time.again = runs_have(clock->runs, clock->run_count - 1, time.minute);
        pthread_mutex_unlock(&clock->lock);
    }
    return time;
}

struct window_time window_clock_peek(struct window_clock *clock, int64_t now_ms)
{
    LOCKED(&clock->lock);
    int64_t high = atomic_load(&clock->high_ms);
    bool back = steps_back(high, now_ms);
    struct window_time time = time_at(now_ms < high && !back ? high : now_ms, now_ms);
    size_t past = clock->run_count && !back ? clock->run_count - 1 : clock->run_count;
    time.again = runs_have(clock->runs, past, time.minute);
    return time;
}

uint32_t window_used(
    const struct window_slot *ring, size_t n, const struct window_lost *lost,
    const struct window_time *time)
{
    const struct window_slot *slot = &ring[time->minute & (n - 1)];
    if (slot->minute == time->minute)
        return slot->used;
    return time->again && time->minute <= lost->minute ? lost->peak : 0;
}

struct window_slot *window_open(
    struct window_slot *ring, size_t n, struct window_lost *lost, const struct window_time *time)
{
    struct window_slot *slot = &ring[time->minute & (n - 1)];
    assert((n & (n - 1)) == 0);
    if (slot->minute == time->minute)
        return slot;
    uint32_t used = window_used(ring, n, lost, time);
    if (slot->used) {
        lost->minute = slot->minute > lost->minute ? slot->minute : lost->minute;
        lost->peak = slot->used > lost->peak ? slot->used : lost->peak;
    }
    *slot = (struct window_slot){time->minute, used};
    return slot;
}

struct window_slot *window_find(struct window_slot *ring, size_t n, uint32_t minute)
{
    struct window_slot *slot = &ring[minute & (n - 1)];
    return slot->minute == minute ? slot : NULL;
}
