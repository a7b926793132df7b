/* The member `sample` of GET /coverage. Private to src/api. */
#pragma once

#include "base/json_out.h"
#include "store/desk/sample_report.h"

void coverage_sample_put(struct json_out *j, const struct sample_report *report);
