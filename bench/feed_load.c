/*
 * How long a start takes: the feed built from a database, and the memory that it then holds.
 *
 *     build/bench/feed_load sqlite:PATH
 */
#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "db/store.h"
#include "feed/feed.h"

enum { RUNS = 3 };

/* CPU time of the process: other programs on the machine count less. */
static int64_t cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1000ll + t.tv_nsec / 1000000;
}

static enum err load(struct db *db, struct fail *fail)
{
    struct feed *feed = feed_create();
    int64_t seq, begin = clock_mono_ns(), cpu_begin = cpu_ms();
    enum err err = feed_load(feed, db, &seq, fail);
    struct feed_stats stats = feed_stats(feed);
    if (!err)
        printf(
            "%lld trades and %lld filings in %lld ms (CPU %lld ms), %lld bytes held\n",
            (long long)stats.trades, (long long)stats.filings,
            (long long)(clock_mono_ns() - begin) / 1000000, (long long)(cpu_ms() - cpu_begin),
            (long long)stats.bytes);
    feed_destroy(feed);
    return err;
}

int main(int argc, char **argv)
{
    struct db *db = NULL;
    struct fail fail;
    if (argc != 2) {
        fprintf(stderr, "usage: feed_load DATABASE\n");
        return 2;
    }
    rcu_thread_start();
    enum err err = store_open(str_from(argv[1]), STORE_READ, &db, &fail);
    for (int run = 0; run < RUNS && !err; run++)
        err = load(db, &fail);
    if (err)
        fprintf(stderr, "feed_load: %s\n", fail.text);
    db_close(db);
    rcu_thread_stop();
    return err ? 1 : 0;
}
