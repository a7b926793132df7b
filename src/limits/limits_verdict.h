/* What becomes of a draw. */
#pragma once

enum limits_verdict {
    LIMITS_GRANTED,
    LIMITS_DENIED_MINUTE,
    LIMITS_DENIED_MONTH, /* also when both are exhausted: the wait is the longer one */
    LIMITS_UNAVAILABLE,  /* Redis does not answer; nothing was drawn: 503 */
};
