/* The table of metrics; see metric.h. */
#include "edge/metric.h"

#include <assert.h>
#include <stdlib.h>

/* Writes metrics as text. */

/* `backquoted` words are for docs/metrics.md. */
static void put_help(struct buf *b, const char *help)
{
    for (; *help; help++)
        if (*help != '`')
            buf_char(b, *help);
}

void metrics_put_type(struct buf *b, enum metric metric)
{
    const struct metric_info *info = metric_info(metric);
    buf_fmt(b, "# HELP %s ", info->name);
    put_help(b, info->help);
    buf_fmt(b, "\n# TYPE %s %s\n", info->name, metric_type_name(info->type));
}

static void put_label_value(struct buf *b, struct str value)
{
    for (size_t i = 0; i < value.n; i++) {
        char c = value.p[i];
        if (c == '"' || c == '\\')
            buf_char(b, '\\');
        buf_char(b, c == '\n' ? ' ' : c);
    }
}

static void put_name(struct buf *b, const struct metric_info *info, const struct str *labels)
{
    struct str rest = str_from(info->labels), name;
    assert(!info->labels == !labels);
    buf_text(b, info->name);
    for (size_t i = 0; labels && str_split(&rest, ',', &name); i++) {
        buf_fmt(b, "%c%.*s=\"", i ? ',' : '{', STR_ARG(str_trim(name)));
        put_label_value(b, labels[i]);
        buf_char(b, '"');
    }
    buf_text(b, labels ? "} " : " ");
}

void metrics_put_sample(struct buf *b, enum metric metric, const struct str *labels, uint64_t value)
{
    put_name(b, metric_info(metric), labels);
    buf_fmt(b, "%llu\n", (unsigned long long)value);
}

void metrics_put(struct buf *b, enum metric metric, uint64_t value)
{
    metrics_put_type(b, metric);
    metrics_put_sample(b, metric, NULL, value);
}

void metrics_put_ms(struct buf *b, enum metric metric, int64_t ms)
{
    metrics_put_type(b, metric);
    put_name(b, metric_info(metric), NULL);
    metrics_put_seconds(b, (ms > 0 ? ms : 0) * 1000);
    buf_char(b, '\n');
}

void metrics_put_difference(struct buf *b, enum metric metric, int64_t ms)
{
    metrics_put_type(b, metric);
    put_name(b, metric_info(metric), NULL);
    if (ms < 0)
        buf_char(b, '-');
    metrics_put_seconds(b, llabs(ms) * 1000);
    buf_char(b, '\n');
}

void metrics_put_seconds(struct buf *b, int64_t us)
{
    buf_fmt(b, "%lld.%06lld", (long long)(us / 1000000), (long long)(us % 1000000));
}

static const char *const type_names[] = {
    [METRIC_COUNTER] = "counter",
    [METRIC_GAUGE] = "gauge",
    [METRIC_HISTOGRAM] = "histogram",
};

static const struct metric_info metrics[METRIC_COUNT] = {METRICS(LIST_ROW)};

const struct metric_info *metric_info(enum metric metric)
{
    assert(metric < METRIC_COUNT);
    return &metrics[metric];
}

const char *metric_type_name(enum metric_type type)
{
    return type_names[type];
}
