/* What a key was used for, as the API, the commands and the export print it (decision 43). */
#pragma once

#include "noun/field.h"
#include "rule/plan.h"
#include "rule/usage.h"

struct shape_usage_key {
    struct str id, name, prefix;
};

struct shape_window {
    int64_t limit;
    int64_t used; /* above the limit only after a change of plan */
    int64_t reset_ms;
    int64_t left;
};

struct shape_usage_day {
    int32_t date;
    struct usage_counts counts;
};

struct shape_usage {
    struct shape_usage_key key;
    struct str plan;
    struct shape_window minute, month;
    const struct shape_usage_day *days;
    size_t day_count;
    const struct usage_error *errors; /* the newest first */
    size_t error_count;
};

extern const struct shape_object shape_usage, shape_usage_key, shape_usage_window, shape_usage_day,
    shape_usage_error;

struct shape_window shape_window_of(int64_t limit, int64_t used, int64_t reset_ms);

/* The days from `first` on. */
const struct shape_usage_day *shape_usage_days(
    struct arena *arena, int32_t first, const struct usage_counts *counts, size_t n);
