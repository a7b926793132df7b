/* Writes metrics as text; see metrics_text.h. */
#include "edge/metrics_text.h"

void metrics_put_type(struct buf *b, const char *name, const char *type, const char *help)
{
    buf_fmt(b, "# HELP stockact_%s %s\n# TYPE stockact_%s %s\n", name, help, name, type);
}

void metrics_put(
    struct buf *b, const char *name, const char *type, const char *help, uint64_t value)
{
    metrics_put_type(b, name, type, help);
    buf_fmt(b, "stockact_%s %llu\n", name, (unsigned long long)value);
}

void metrics_put_seconds(struct buf *b, int64_t us)
{
    buf_fmt(b, "%lld.%06lld", (long long)(us / 1000000), (long long)(us % 1000000));
}
