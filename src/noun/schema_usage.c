/* Descriptions of what a key was used for (decision 43); see schema.h. */
#include "noun/schema_parts.h"

const struct schema_member schema_usage[] = {
    {MEMBER("key"), .type = SCHEMA_REF, .ref = STR_INIT("UsageKey"),
     .description = STR_INIT("The key of the request.")},
    {MEMBER("plan"), .description = STR_INIT("The plan of its owner: `pack` or `den`.")},
    {MEMBER("minute"), .type = SCHEMA_REF, .ref = STR_INIT("UsageWindow"),
     .description = STR_INIT("The present clock minute.")},
    {MEMBER("month"), .type = SCHEMA_REF, .ref = STR_INIT("UsageWindow"),
     .description = STR_INIT("The present calendar month in UTC.")},
    {MEMBER("days"), .type = SCHEMA_LIST, .ref = STR_INIT("UsageDay"),
     .description = STR_INIT("The last 30 days in UTC, oldest first, today included. A response is "
                             "here at most two seconds later.")},
    {MEMBER("lastErrors"), .type = SCHEMA_LIST, .ref = STR_INIT("UsageError"),
     .description = STR_INIT("The latest 20 errors, newest first.")},
    END,
};

const struct schema_member schema_usage_key[] = {
    {MEMBER("id"), .description = STR_INIT("Stable identifier.")},
    {MEMBER("name"), .description = STR_INIT("The name that its owner gave it.")},
    {MEMBER("prefix"), .description = STR_INIT("Its first 12 characters.")},
    END,
};

const struct schema_member schema_usage_window[] = {
    COUNT("limit", "Requests allowed."),
    COUNT("used", "Requests made. Above `limit` only after a change to a smaller plan."),
    COUNT("remaining", "Requests left."),
    {MEMBER("resetAt"), .format = STR_INIT("date-time"),
     .description = STR_INIT("When the next window begins.")},
    END,
};

const struct schema_member schema_usage_day[] = {
    {MEMBER("date"), .format = STR_INIT("date"), .description = STR_INIT("The day in UTC.")},
    COUNT("ok", "Responses with 200."),
    COUNT("notModified", "Responses with 304."),
    COUNT("clientErrors", "Responses with 4xx, without 429."),
    COUNT("rateLimited", "Responses with 429. They drew nothing."),
    COUNT("serverErrors", "Responses with 5xx. A 503 drew nothing."),
    END,
};

const struct schema_member schema_usage_error[] = {
    {MEMBER("at"), .format = STR_INIT("date-time"),
     .description = STR_INIT("When it happened; for several, the latest.")},
    COUNT("status", "The status of the response."),
    {MEMBER("error"), .description = STR_INIT("The code of the response.")},
    {MEMBER("path"), .nullable = true,
     .description = STR_INIT("The path as in this reference, with names instead of values: "
                             "`/api/v1/trades/{id}`. Null for a path that does not exist.")},
    COUNT("count", "How many responses. 429s of the same minute are one entry; all others have 1."),
    END,
};
