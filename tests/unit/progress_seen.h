/* What work told a progress hook, by phase. */
#pragma once

#include "unit.h"

#include "base/progress_hook.h"

enum { PROGRESS_SEEN_PHASES = 8 };

struct progress_seen {
    struct {
        int64_t done, total, entered;
    } phases[PROGRESS_SEEN_PHASES];
    int phase;
};

/* Within a phase the amount grows up to the total, which stays. */
static inline void progress_seen_note(void *ctx, int64_t done, int64_t total)
{
    struct progress_seen *seen = ctx;
    assert_true(done >= seen->phases[seen->phase].done);
    assert_true(done <= total || total == 0);
    seen->phases[seen->phase].done = done;
    seen->phases[seen->phase].total = total;
}

static inline void progress_seen_phase(void *ctx, int phase)
{
    struct progress_seen *seen = ctx;
    assert_in_range(phase, 0, PROGRESS_SEEN_PHASES - 1);
    seen->phase = phase;
    seen->phases[phase].done = 0;
    seen->phases[phase].entered++;
}

static inline struct progress_hook progress_seen_hook(struct progress_seen *seen)
{
    return (struct progress_hook){progress_seen_note, seen, progress_seen_phase};
}

#define assert_phase_ended(seen, phase_, total_)                                                   \
    do {                                                                                           \
        assert_int_equal((seen)->phases[phase_].done, total_);                                     \
        assert_int_equal((seen)->phases[phase_].total, total_);                                    \
    } while (0)
