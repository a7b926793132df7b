/* For the tables of descriptions. Private to src/noun. */
#pragma once

#include "noun/schema.h"

#define MEMBER(text) .name = STR_INIT(text)
#define COUNT(text, what)                                                                          \
    {                                                                                              \
        MEMBER(text), .type = SCHEMA_INTEGER, .description = STR_INIT(what)                        \
    }
#define END                                                                                        \
    {                                                                                              \
        .name = { NULL, 0 }                                                                        \
    }

extern const struct schema_member schema_change[], schema_event[], schema_event_filing[],
    schema_event_change[];
extern const struct schema_member schema_known_report[], schema_coverage_index[];
extern const struct schema_member schema_coverage[], schema_coverage_count[],
    schema_coverage_review[], schema_coverage_document[];
extern const struct schema_member schema_sample[], schema_sample_group[], schema_sample_month[],
    schema_sample_field[];
extern const struct schema_member schema_usage[], schema_usage_key[], schema_usage_window[],
    schema_usage_day[], schema_usage_error[];
