/*
 * From publication to visible inside one process: a filing is published over this process's own
 * connection, the follower is woken as it is after a commit, and the feed is asked until its first
 * row is the new one. Counts from before the transaction begins; includes its fsync.
 *
 *     publish_visible DATABASE COUNT    "sqlite:PATH"; it must hold demonstration data
 *
 * Adds COUNT filings of ROWS trades to the database. Prints one line of JSON.
 */
#include <inttypes.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "db/store.h"
#include "demo/demo.h"
#include "histogram.h"
#include "review/publish.h"
#include "serve/follow.h"

enum {
    ROWS = 5,
    LOOK_NS = 20000, /* between two looks at the feed */
    VISIBLE_MAX_MS = 120 * 1000,
};

struct memory {
    struct feed *feed;
    struct access *access;
    struct writer *writer; /* of heartbeats */
    struct follow *follow;
    _Atomic bool demo;
    _Atomic int64_t store_lost;
    int wake_fd;
};

static enum err start(struct memory *m, struct str url, struct db *db, struct fail *fail)
{
    int64_t seq;
    m->feed = feed_create();
    m->access = access_create();
    m->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    enum err err = feed_load(m->feed, db, &seq, fail);
    if (!err)
        err = access_load(m->access, db, fail);
    const struct writer_config writer = {.url = url};
    if (!err)
        err = writer_start(&writer, &m->writer, fail);
    if (err)
        return err;
    const struct follow_config follow = {
        .url = url,
        .label = STR("publish_visible"),
        .feed = m->feed,
        .access = m->access,
        .writer = m->writer,
        .wake_fd = m->wake_fd,
        .seq = seq,
        .demo = &m->demo,
        .store_lost = &m->store_lost,
    };
    return follow_start(&follow, &m->follow, fail);
}

static void stop(struct memory *m)
{
    follow_stop(m->follow);
    writer_stop(m->writer);
    access_destroy(m->access);
    feed_destroy(m->feed);
    close(m->wake_fd);
}

static int64_t newest(const struct feed *feed)
{
    struct feed_page page;
    rcu_read_begin();
    feed_trades(feed, &FEED_FILTER_NONE, NULL, 1, &page);
    rcu_read_end();
    return page.count ? page.next.at_ms : INSTANT_NONE;
}

static enum err wait_visible(const struct memory *m, int64_t disclosed_at, struct fail *fail)
{
    const struct timespec pause = {.tv_nsec = LOOK_NS};
    int64_t began_ms = clock_mono_ms();
    while (newest(m->feed) != disclosed_at) {
        if (clock_mono_ms() - began_ms > VISIBLE_MAX_MS)
            return fail_set(fail, ERR_UNAVAILABLE, "a publication does not become visible");
        nanosleep(&pause, NULL);
    }
    return OK;
}

/* The times: until the transaction was durable, and until the trade was visible. */
static enum err publish_all(
    struct memory *m, struct db *db, int count, struct histogram *durable,
    struct histogram *visible, struct fail *fail)
{
    struct demo_publisher *publisher;
    enum err err = demo_publisher_open(db, ROWS, &publisher, fail);
    if (err)
        return err;
    for (int i = 0; i < count && !err; i++) {
        struct publish_result result;
        int64_t began_ns = clock_mono_ns();
        err = demo_publisher_next(publisher, clock_wall_ms(), &result, fail);
        if (err)
            break;
        histogram_add(durable, clock_mono_ns() - began_ns);
        eventfd_write(m->wake_fd, 1);
        err = wait_visible(m, result.disclosed_at, fail);
        histogram_add(visible, clock_mono_ns() - began_ns);
    }
    demo_publisher_close(publisher);
    return err;
}

static double ms(const struct histogram *h, double share)
{
    return (double)histogram_at(h, share) / 1e6;
}

int main(int argc, char **argv)
{
    static struct histogram durable, visible;
    struct memory memory = {.wake_fd = -1};
    struct db *db = NULL;
    struct fail fail;
    int64_t count;
    if (argc != 3 || !str_to_i64(str_from(argv[2]), &count) || count < 1 || count > 1000000) {
        fprintf(stderr, "usage: publish_visible DATABASE COUNT\n");
        return 2;
    }
    struct str url = str_from(argv[1]);
    rcu_thread_start();
    enum err err = store_open(url, STORE_WRITE, &db, &fail);
    if (!err)
        err = start(&memory, url, db, &fail);
    if (!err)
        err = publish_all(&memory, db, (int)count, &durable, &visible, &fail);
    if (err)
        fprintf(stderr, "publish_visible: %s\n", fail.text);
    else
        printf(
            "{\"trades\":%" PRId64 ",\"count\":%" PRIu64 ",\"durable_p50_ms\":%.3f,"
            "\"p50_ms\":%.3f,\"p99_ms\":%.3f,\"max_ms\":%.3f}\n",
            feed_stats(memory.feed).trades, visible.count, ms(&durable, 0.5), ms(&visible, 0.5),
            ms(&visible, 0.99), ms(&visible, 1));
    stop(&memory);
    db_close(db);
    rcu_thread_stop();
    return err ? 1 : 0;
}
