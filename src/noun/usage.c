/* What a key was used for, printed; see usage.h. */
#include "noun/usage.h"

int64_t shape_window_left(const struct shape_window *window)
{
    return window->used < window->limit ? window->limit - window->used : 0;
}

void shape_window_json(struct json_out *j, const struct shape_window *window)
{
    json_object_begin(j);
    JSON_KEY_I64(j, "limit", window->limit);
    JSON_KEY_I64(j, "used", window->used);
    JSON_KEY_I64(j, "remaining", shape_window_left(window));
    json_key(j, STR("resetAt"));
    json_instant(j, window->reset_ms);
    json_object_end(j);
}

void shape_usage_days_json(
    struct json_out *j, int32_t first, const struct usage_counts *days, size_t n)
{
    json_array_begin(j);
    for (size_t i = 0; i < n; i++) {
        char date[DAY_TEXT_SIZE];
        day_print(first + (int32_t)i, date);
        json_object_begin(j);
        JSON_KEY_STR(j, "date", str_of(date, sizeof date));
        for (int kind = 0; kind < USAGE_KINDS; kind++) {
            json_key(j, usage_kind_name((enum usage_kind)kind));
            json_i64(j, days[i].n[kind]);
        }
        json_object_end(j);
    }
    json_array_end(j);
}

void shape_usage_errors_json(struct json_out *j, const struct usage_error *errors, size_t n)
{
    json_array_begin(j);
    for (size_t i = 0; i < n; i++) {
        json_object_begin(j);
        json_key(j, STR("at"));
        json_instant(j, errors[i].at);
        JSON_KEY_I64(j, "status", errors[i].status);
        JSON_KEY_STR(j, "error", errors[i].error);
        JSON_KEY_STR(j, "path", errors[i].path);
        JSON_KEY_I64(j, "count", errors[i].count);
        json_object_end(j);
    }
    json_array_end(j);
}
