/* The generated sections of manual pages, in roff with the man macros. */
#pragma once

#include "manual/template.h"

void page_commands(struct buf *to, const struct template_values *values);
void page_settings(struct buf *to, const struct template_values *values);
void page_test_settings(struct buf *to, const struct template_values *values);
void page_tools(struct buf *to, const struct template_values *values);
void page_environment(struct buf *to, const struct template_values *values);
