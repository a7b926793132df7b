/* limits_draw and limits_look for callers that may wait for Redis: workers, never a loop. */
#pragma once

#include "limits/limits.h"

struct limits_answer limits_draw_wait(
    struct limits *limits, const struct limits_caller *caller, int64_t now_ms);
struct limits_answer limits_look_wait(
    struct limits *limits, const struct limits_caller *caller, int64_t now_ms);
