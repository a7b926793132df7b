/* Findings of one kind: the first ones are reported, and then the number of the others. Private to
 * src/store/check. */
#pragma once

#include "store/check/check_found.h"

struct check_lines {
    check_found *found;
    void *ctx;
    int64_t n;
};

void check_lines_add(struct check_lines *lines, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds their number to *findings. */
void check_lines_end(const struct check_lines *lines, int64_t *findings);
