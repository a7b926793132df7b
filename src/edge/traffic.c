/* Counts responses; see traffic.h. */
#include "edge/traffic.h"

#include <assert.h>
#include <stdatomic.h>

#include "base/mem.h"
#include "edge/metric.h"

/* All statuses that the server sends, and 499: the client left before its page was made. The last
 * is for others. */
static const int statuses[] = {200, 201, 204, 303, 304, 400, 401, 403, 404, 405, 408,
                               410, 413, 414, 422, 429, 431, 499, 500, 501, 503, 0};

/* Upper bounds in microseconds. One more bucket has no bound. */
static const int64_t bounds_us[] = {10,   25,   50,    100,   250,   500,    1000,
                                    2500, 5000, 10000, 25000, 50000, 250000, 1000000};

enum {
    STATUSES = sizeof statuses / sizeof *statuses,
    BUCKETS = sizeof bounds_us / sizeof *bounds_us + 1,
    STATUS_SIZE = 16,
    SLOTS = TRAFFIC_APPS_MAX, /* of a thread: one for each application of a server */
};

typedef _Atomic uint64_t counter;

struct route_counts {
    counter requests[STATUSES];
    counter buckets[BUCKETS];
    counter sum_us;
};

/* The counts of one thread, the only writer. */
struct lane {
    struct lane *next; /* set before the lane is linked */
    struct route_counts routes[];
};

struct traffic {
    uint64_t number; /* unique: a later struct may have the same address */
    size_t routes;   /* without the last one, for requests without a route */
    const char *(*name)(size_t route);
    struct lane *_Atomic lanes;
};

static _Thread_local struct {
    uint64_t number;
    struct lane *lane;
} own[SLOTS];

struct traffic *traffic_create(size_t routes, const char *(*name)(size_t route))
{
    static counter numbers;
    struct traffic *traffic = MEM_NEW(struct traffic);
    traffic->number = atomic_fetch_add(&numbers, 1) + 1;
    traffic->routes = routes;
    traffic->name = name;
    return traffic;
}

void traffic_destroy(struct traffic *traffic)
{
    if (!traffic)
        return;
    for (struct lane *lane = atomic_load(&traffic->lanes), *next; lane; lane = next) {
        next = lane->next;
        mem_free(lane);
    }
    mem_free(traffic);
}

static struct lane *lane_of_thread(struct traffic *traffic)
{
    size_t slot = traffic->number % SLOTS;
    if (own[slot].number == traffic->number)
        return own[slot].lane;
    struct lane *lane =
        mem_zalloc(sizeof *lane + (traffic->routes + 1) * sizeof(struct route_counts));
    struct lane *first = atomic_load(&traffic->lanes);
    do
        lane->next = first;
    while (!atomic_compare_exchange_weak(&traffic->lanes, &first, lane));
    own[slot].number = traffic->number;
    own[slot].lane = lane;
    return lane;
}

static inline void add(counter *c, uint64_t n)
{
    uint64_t value = atomic_load_explicit(c, memory_order_relaxed);
    atomic_store_explicit(c, value + n, memory_order_relaxed);
}

static size_t status_index(int status)
{
    size_t i = 0;
    while (i < STATUSES - 1 && statuses[i] != status)
        i++;
    return i;
}

static size_t bucket_index(int64_t us)
{
    size_t i = 0;
    while (i < BUCKETS - 1 && us > bounds_us[i])
        i++;
    return i;
}

void traffic_note(struct traffic *traffic, size_t route, int status, int64_t took_ns)
{
    assert(route <= traffic->routes);
    struct route_counts *counts = &lane_of_thread(traffic)->routes[route];
    int64_t us = took_ns / 1000;
    add(&counts->requests[status_index(status)], 1);
    add(&counts->buckets[bucket_index(us)], 1);
    add(&counts->sum_us, (uint64_t)us);
}

/* --- the page */

/* Sums of one route over all threads. */
struct totals {
    uint64_t requests[STATUSES];
    uint64_t buckets[BUCKETS];
    uint64_t count, sum_us;
};

static uint64_t load(const counter *c)
{
    return atomic_load_explicit(c, memory_order_relaxed);
}

static void add_totals(struct totals *sum, struct traffic *traffic, size_t route)
{
    for (struct lane *lane = atomic_load(&traffic->lanes); lane; lane = lane->next) {
        const struct route_counts *counts = &lane->routes[route];
        for (size_t i = 0; i < STATUSES; i++)
            sum->requests[i] += load(&counts->requests[i]);
        for (size_t i = 0; i < BUCKETS; i++) {
            sum->buckets[i] += load(&counts->buckets[i]);
            sum->count += load(&counts->buckets[i]);
        }
        sum->sum_us += load(&counts->sum_us);
    }
}

static void put_requests(struct buf *b, const char *name, const struct totals *sum)
{
    for (size_t i = 0; i < STATUSES; i++) {
        char space[STATUS_SIZE];
        struct buf status = buf_over(space, sizeof space);
        buf_i64(&status, statuses[i]);
        if (sum->requests[i])
            metrics_put_sample(
                b, METRIC_REQUESTS, METRIC_LABELS(str_from(name), buf_view(&status)),
                sum->requests[i]);
    }
}

static void put_durations(struct buf *b, const char *name, const struct totals *sum)
{
    const char *metric = metric_info(METRIC_REQUEST_DURATION)->name;
    if (!sum->count)
        return;
    uint64_t below = 0;
    for (size_t i = 0; i < BUCKETS; i++) {
        below += sum->buckets[i];
        buf_fmt(b, "%s_bucket{route=\"%s\",le=\"", metric, name);
        if (i < BUCKETS - 1)
            metrics_put_seconds(b, bounds_us[i]);
        else
            buf_text(b, "+Inf");
        buf_fmt(b, "\"} %llu\n", (unsigned long long)below);
    }
    buf_fmt(b, "%s_sum{route=\"%s\"} ", metric, name);
    metrics_put_seconds(b, (int64_t)sum->sum_us);
    buf_fmt(b, "\n%s_count{route=\"%s\"} %llu\n", metric, name, (unsigned long long)sum->count);
}

/* Calls `put` with each route, and once with the requests of all applications without a route. */
static void for_each(
    struct buf *b, struct traffic *const *apps, size_t n,
    void (*put)(struct buf *b, const char *name, const struct totals *sum))
{
    struct totals none = {0};
    for (size_t i = 0; i < n; i++) {
        for (size_t route = 0; route < apps[i]->routes; route++) {
            struct totals sum = {0};
            add_totals(&sum, apps[i], route);
            put(b, apps[i]->name(route), &sum);
        }
        add_totals(&none, apps[i], apps[i]->routes);
    }
    put(b, "none", &none);
}

void traffic_put(struct buf *b, struct traffic *const *apps, size_t n)
{
    metrics_put_type(b, METRIC_REQUESTS);
    for_each(b, apps, n, put_requests);
    metrics_put_type(b, METRIC_REQUEST_DURATION);
    for_each(b, apps, n, put_durations);
}
