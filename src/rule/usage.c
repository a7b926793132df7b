/* Kinds of responses and which errors are one; see usage.h. */
#include "rule/usage.h"

enum usage_kind usage_kind_of(int status)
{
    if (status < 300)
        return USAGE_OK;
    if (status == 304)
        return USAGE_NOT_MODIFIED;
    if (status == 429)
        return USAGE_RATE_LIMITED;
    return status < 500 ? USAGE_CLIENT_ERROR : USAGE_SERVER_ERROR;
}

static int64_t minute_of(const struct usage_error *error)
{
    return error->at / MINUTE_MS;
}

bool usage_error_joins(const struct usage_error *a, const struct usage_error *b)
{
    return a->status == 429 && b->status == 429 && minute_of(a) == minute_of(b);
}

int32_t usage_first_day(int64_t now_ms)
{
    return instant_day_utc(now_ms) - (USAGE_DAYS_SHOWN - 1);
}

int32_t usage_first_kept_day(int64_t now_ms)
{
    return instant_day_utc(month_start_ms(instant_month_utc(now_ms) - USAGE_MONTHS_KEPT));
}
