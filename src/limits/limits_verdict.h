/* The result of a draw. */
#pragma once

enum limits_verdict {
    LIMITS_GRANTED,
    LIMITS_DENIED_MINUTE,
    LIMITS_DENIED_MONTH, /* also when both are exhausted: the month's wait is longer */
    LIMITS_UNAVAILABLE,  /* Redis does not answer; nothing was drawn: 503 */
};
