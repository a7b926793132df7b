/* Any bytes as rate-limit headers: the wait that follows from them has its bounds. */
#include "fuzz.h"

#include "listen/listen.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rate rate;
    struct str policy = fuzz_text(data, size), limit;
    if (!str_split(&policy, '\n', &limit))
        limit = STR_NULL;
    rate_read(limit, policy, &rate);
    for (int64_t quiet_ms = 0; quiet_ms <= PACE_QUIET_AFTER_MS; quiet_ms += PACE_QUIET_AFTER_MS) {
        int64_t wait = pace_next_ms(&rate, quiet_ms);
        assert(wait >= PACE_MS && wait <= PACE_MAX_MS);
    }
    return 0;
}
