/* Metrics of the process and of the database; see serve_metrics.h. */
#include "serve/serve_metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/build.h"
#include "base/instant.h"
#include "edge/metric.h"

enum { STATM_SIZE = 200, MS_NS = 1000000 };

static int64_t processor_ms(void)
{
    struct timespec used;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used))
        return 0;
    return (int64_t)used.tv_sec * SECOND_MS + used.tv_nsec / MS_NS;
}

/* The second number of the file is the count of pages. -1: not known. */
static int64_t resident_bytes(void)
{
    char line[STATM_SIZE] = "", *end;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file)
        return -1;
    bool read = fgets(line, sizeof line, file);
    fclose(file);
    strtoll(line, &end, 10);
    return read ? strtoll(end, NULL, 10) * sysconf(_SC_PAGESIZE) : -1;
}

void serve_metrics_put_process(struct buf *b, int64_t started_at)
{
    int64_t resident = resident_bytes();
    metrics_put_type(b, METRIC_BUILD_INFO);
    metrics_put_sample(b, METRIC_BUILD_INFO, METRIC_LABELS(build.version), 1);
    metrics_put_ms(b, METRIC_PROCESS_CPU, processor_ms());
    if (resident >= 0)
        metrics_put(b, METRIC_PROCESS_MEMORY, (uint64_t)resident);
    metrics_put(b, METRIC_PROCESS_START, (uint64_t)(started_at / SECOND_MS));
}

void serve_metrics_put_store(
    struct buf *b, const struct follow *follow, const struct writer *writer)
{
    int64_t lag_ms = follow_lag_ms(follow);
    struct writer_stats stats = writer_stats(writer);
    metrics_put(b, METRIC_DATABASE_UP, lag_ms == 0);
    metrics_put_ms(b, METRIC_FEED_LAG, lag_ms);
    metrics_put_difference(b, METRIC_CLOCK_AHEAD, follow_clock_ahead_ms(follow));
    metrics_put(b, METRIC_STORE_ERRORS, follow_errors(follow) + stats.failed);
    metrics_put(b, METRIC_WRITER_COMMITS, stats.commits);
    metrics_put(b, METRIC_WRITER_WAITING, stats.waiting);
}
