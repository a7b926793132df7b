/* What a key was used for, as the API, the commands and the pages print it (decision 43). */
#pragma once

#include "base/json_out.h"
#include "rule/plan.h"
#include "rule/usage.h"

struct shape_window {
    int64_t limit;
    int64_t used; /* above the limit only after a change of plan */
    int64_t reset_ms;
};

int64_t shape_window_left(const struct shape_window *window);

/* {limit, used, remaining, resetAt} */
void shape_window_json(struct json_out *j, const struct shape_window *window);

/* The array of days from `first` on. */
void shape_usage_days_json(
    struct json_out *j, int32_t first, const struct usage_counts *days, size_t n);

void shape_usage_errors_json(struct json_out *j, const struct usage_error *errors, size_t n);
