/* How right the published trades are (docs/adr/0036-sample.md), as GET /coverage prints it. */
#pragma once

#include "base/mem.h"
#include "noun/coverage.h"
#include "store/desk/sample_report.h"

/* The arena keeps its rows. */
struct shape_sample coverage_sample_of(const struct sample_report *report, struct arena *arena);
