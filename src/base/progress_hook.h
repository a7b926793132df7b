/* How long work tells its caller how far it is. The work knows nothing about terminals; the command
 * draws the bar (cmd/term/progress.h). */
#pragma once

#include <stdint.h>

/* total: 0 if it is not known. Called often, on the thread that works. */
typedef void progress_fn(void *ctx, int64_t done, int64_t total);

/* The task enters its next phase. Each phase has its own amount and unit. The
 * header of the task numbers the phases from 0. A task starts in phase 0. */
typedef void progress_phase_fn(void *ctx, int phase);

/* One unit of the work takes long itself, and is at its part of this number, from 1. It ends with
 * the next call of progress_fn. */
typedef void progress_part_fn(void *ctx, int64_t part);

/* Zeros: no progress is shown. */
struct progress_hook {
    progress_fn *fn;
    void *ctx;
    progress_phase_fn *phase; /* NULL: phases are not told apart */
    progress_part_fn *part;   /* NULL: neither are parts */
};

static inline void progress_tell(const struct progress_hook *hook, int64_t done, int64_t total)
{
    if (hook && hook->fn)
        hook->fn(hook->ctx, done, total);
}

static inline void progress_at_part(const struct progress_hook *hook, int64_t part)
{
    if (hook && hook->part)
        hook->part(hook->ctx, part);
}

static inline void progress_enter(const struct progress_hook *hook, int phase, int64_t total)
{
    if (hook && hook->phase)
        hook->phase(hook->ctx, phase);
    progress_tell(hook, 0, total);
}
