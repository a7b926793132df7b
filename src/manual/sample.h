/* The sample file of settings: every operator setting, with its default, as a comment. */
#pragma once

#include "manual/template.h"

/* A setting that has a value in `values` is set instead of commented out. */
void sample_settings(struct buf *to, const struct template_values *values);
