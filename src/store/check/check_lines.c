/* Reports findings; see check_lines.h. */
#include "store/check/check_lines.h"

#include <stdarg.h>
#include <stdio.h>

enum { LINES_MAX = 20, LINE_SIZE_MAX = 400 };

void check_lines_add(struct check_lines *lines, const char *format, ...)
{
    char line[LINE_SIZE_MAX];
    va_list args;
    if (++lines->n > LINES_MAX)
        return;
    va_start(args, format);
    int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    lines->found(lines->ctx, str_of(line, n < (int)sizeof line ? (size_t)n : sizeof line - 1));
}

void check_lines_end(const struct check_lines *lines, int64_t *findings)
{
    char line[LINE_SIZE_MAX];
    *findings += lines->n;
    if (lines->n <= LINES_MAX)
        return;
    int n = snprintf(line, sizeof line, "%lld more like these", (long long)lines->n - LINES_MAX);
    lines->found(lines->ctx, str_of(line, (size_t)n));
}
