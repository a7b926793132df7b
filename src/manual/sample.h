/* The sample file of settings: every setting that people use, with its default, as a comment. */
#pragma once

#include "manual/template.h"

/* A setting that has a value of its own here is set, not commented out. */
void sample_settings(struct buf *to, const struct template_values *values);
