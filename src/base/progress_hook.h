/* How long work tells its caller how far it is. The work knows nothing about terminals; the command
 * draws the bar (cmd/progress.h). */
#pragma once

#include <stdint.h>

/* total: 0 if it is not known. Called often, on the thread that works. */
typedef void progress_fn(void *ctx, int64_t done, int64_t total);

/* Zeros: no progress is shown. */
struct progress_hook {
    progress_fn *fn;
    void *ctx;
};

static inline void progress_tell(const struct progress_hook *hook, int64_t done, int64_t total)
{
    if (hook && hook->fn)
        hook->fn(hook->ctx, done, total);
}
