/* A day of a test as it is printed: yyyy-mm-dd. */
#pragma once

#include "unit.h"

#include "base/instant.h"

static inline int32_t day_from(const char *text)
{
    int32_t day;
    assert_true(day_parse(str_from(text), &day));
    return day;
}
