/* The tables of what a key was used for (decision 43); see usage.h. */
#include "noun/usage.h"

#include "noun/rows.h"

static const struct shape_field usage_key_rows[] = {
    {TEXT("id", shape_usage_key, id), SAYS("Stable identifier.")},
    {TEXT("name", shape_usage_key, name), SAYS("The name that its owner gave it.")},
    {TEXT("prefix", shape_usage_key, prefix), SAYS("Its first 12 characters.")},
};

SHAPE(usage_key, "UsageKey", "A key, without its secret.", shape_usage_key);

static const struct shape_field usage_window_rows[] = {
    {COUNT("limit", shape_window, limit), SAYS("Requests allowed.")},
    {COUNT("used", shape_window, used),
     SAYS("Requests made. Above `limit` only after a change to a smaller plan.")},
    {COUNT("remaining", shape_window, left), SAYS("Requests left.")},
    {INSTANT("resetAt", shape_window, reset_ms), SAYS("When the next window begins.")},
};

SHAPE(usage_window, "UsageWindow", "One of the windows that limit a key.", shape_window);

static const struct shape_field usage_day_rows[] = {
    {DAY("date", shape_usage_day, date), SAYS("The day in UTC.")},
    {COUNT("ok", shape_usage_day, counts.n[USAGE_OK]), SAYS("Responses with 200.")},
    {COUNT("notModified", shape_usage_day, counts.n[USAGE_NOT_MODIFIED]),
     SAYS("Responses with 304.")},
    {COUNT("clientErrors", shape_usage_day, counts.n[USAGE_CLIENT_ERROR]),
     SAYS("Responses with 4xx, without 429.")},
    {COUNT("rateLimited", shape_usage_day, counts.n[USAGE_RATE_LIMITED]),
     SAYS("Responses with 429. They drew nothing.")},
    {COUNT("serverErrors", shape_usage_day, counts.n[USAGE_SERVER_ERROR]),
     SAYS("Responses with 5xx. A 503 drew nothing.")},
};

SHAPE(usage_day, "UsageDay", "Responses to a key on one day.", shape_usage_day);

static const struct shape_field usage_error_rows[] = {
    {INSTANT("at", usage_error, at), SAYS("When it happened; for several, the latest.")},
    {INTEGER("status", usage_error, status), SAYS("The status of the response.")},
    {TEXT("error", usage_error, error), SAYS("The code of the response.")},
    {TEXT("path", usage_error, path), OR_NULL,
     SAYS("The path as in this reference, with names instead of values: `/api/v1/trades/{id}`. "
          "Null for a path that does not exist.")},
    {COUNT("count", usage_error, count),
     SAYS("How many responses. 429s of the same minute are one entry; all others have 1.")},
};

SHAPE(usage_error, "UsageError", "A response to a key with an error.", usage_error);

static const struct shape_field usage_rows[] = {
    {OBJECT("key", shape_usage, key, &shape_usage_key), SAYS("The key of the request.")},
    {TEXT("plan", shape_usage, plan), SAYS("The plan of its owner: `pack` or `den`.")},
    {OBJECT("minute", shape_usage, minute, &shape_usage_window), SAYS("The present clock minute.")},
    {OBJECT("month", shape_usage, month, &shape_usage_window),
     SAYS("The present calendar month in UTC.")},
    {LIST("days", shape_usage, days, day_count, &shape_usage_day),
     SAYS("The last 30 days in UTC, oldest first, today included. A response is here at most two "
          "seconds later.")},
    {LIST("lastErrors", shape_usage, errors, error_count, &shape_usage_error),
     SAYS("The latest 20 errors, newest first.")},
};

SHAPE(usage, "Usage", "What a key was used for.", shape_usage);

struct shape_window shape_window_of(int64_t limit, int64_t used, int64_t reset_ms)
{
    return (struct shape_window){limit, used, reset_ms, used < limit ? limit - used : 0};
}

const struct shape_usage_day *shape_usage_days(
    struct arena *arena, int32_t first, const struct usage_counts *counts, size_t n)
{
    struct shape_usage_day *days = ARENA_ARRAY(arena, struct shape_usage_day, n);
    for (size_t i = 0; i < n; i++)
        days[i] = (struct shape_usage_day){first + (int32_t)i, counts[i]};
    return days;
}
