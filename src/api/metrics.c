/* Writes /metrics: everything on it is in memory; see metrics.h. */
#include "api/metrics.h"

#include "api/context.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/stream_slots.h"
#include "base/log.h"
#include "edge/metric.h"

/* The samples of a metric with one label. */
struct labelled {
    const char *label;
    uint64_t value;
};

static void put_labelled(
    struct buf *b, enum metric metric, const struct labelled *samples, size_t count)
{
    metrics_put_type(b, metric);
    for (size_t i = 0; i < count; i++)
        metrics_put_sample(b, metric, METRIC_LABELS(str_from(samples[i].label)), samples[i].value);
}

#define PUT_LABELLED(b, metric, ...)                                                               \
    put_labelled(                                                                                  \
        b, metric, (const struct labelled[]){__VA_ARGS__},                                         \
        sizeof((const struct labelled[]){__VA_ARGS__}) / sizeof(struct labelled))

static void put_limits(struct buf *b, struct limits *limits)
{
    struct limits_stats s;
    limits_stats(limits, &s);
    metrics_put(b, METRIC_DRAWS_GRANTED, s.granted);
    PUT_LABELLED(b, METRIC_DRAWS_DENIED, {"minute", s.denied_minute}, {"month", s.denied_month});
    metrics_put(b, METRIC_DRAWS_UNAVAILABLE, s.unavailable);
    metrics_put(b, METRIC_DRAWS_REFUNDED, s.refunded);
    metrics_put(b, METRIC_WINDOWS_SHARED, s.shared_minute + s.shared_month);
    metrics_put(b, METRIC_MONTHS_FORGOTTEN, s.forgotten);
    metrics_put(b, METRIC_WINDOWS_ADDRESSES, s.minute_addresses);
    metrics_put(b, METRIC_MONTH_COUNTS_UNWRITTEN, s.unwritten);
    metrics_put(b, METRIC_CLOCK_STEPS_BACK, s.clock_steps_back);
    if (s.redis_used) {
        metrics_put(b, METRIC_REDIS_UP, s.redis_ready);
        metrics_put(b, METRIC_REDIS_LOSSES, s.redis_losses);
    }
}

/* A request may come before the server has set them. */
static const struct api_gauges *gauges_of(const struct api *api)
{
    static const struct api_gauges none;
    return atomic_load_explicit(&api->has_gauges, memory_order_acquire) ? &api->gauges : &none;
}

static void put_traffic(struct buf *b, const struct api *api)
{
    struct traffic *apps[] = {api->traffic, gauges_of(api)->pages};
    traffic_put(b, apps, apps[1] ? 2 : 1);
}

static void put_feed(struct buf *b, const struct feed *feed)
{
    struct feed_stats s = feed_stats(feed);
    metrics_put(b, METRIC_FEED_TRADES, (uint64_t)s.trades);
    metrics_put(b, METRIC_FEED_SIGNALS, (uint64_t)s.signals);
    metrics_put(b, METRIC_FEED_FILINGS, (uint64_t)s.filings);
    metrics_put(b, METRIC_FEED_WITHHELD, (uint64_t)s.withheld);
    metrics_put(b, METRIC_FEED_BYTES, (uint64_t)s.bytes);
    metrics_put(b, METRIC_FEED_LOADS, (uint64_t)s.loads);
    if (s.last_disclosed_at != INSTANT_NONE)
        metrics_put(b, METRIC_FEED_LAST_DISCLOSED, (uint64_t)(s.last_disclosed_at / SECOND_MS));
}

static void put_server(struct buf *b, const struct http_server *server)
{
    struct http_stats s;
    http_server_stats(server, &s);
    PUT_LABELLED(
        b, METRIC_REQUESTS_REFUSED, {"bad_request", s.refused_bad_request},
        {"timeout", s.refused_timeout}, {"body_too_large", s.refused_body_too_large},
        {"bodies_full", s.refused_bodies_full}, {"uri_too_long", s.refused_uri_too_long},
        {"head_too_large", s.refused_head_too_large});
    metrics_put(b, METRIC_REPLIES_DROPPED, s.replies_dropped);
    metrics_put(b, METRIC_REPLIES_ABANDONED, s.replies_abandoned);
    metrics_put(b, METRIC_DEFERRED_WAITING, s.deferred_waiting);
    metrics_put(b, METRIC_DEFERRED_FULL, s.deferred_full);
    metrics_put(b, METRIC_UPLOAD_BYTES, s.upload_bytes);
    metrics_put(b, METRIC_CONNECTIONS_OPEN, s.connections_open);
    metrics_put(b, METRIC_CONNECTIONS_ACCEPTED, s.connections_accepted);
    PUT_LABELLED(
        b, METRIC_CONNECTIONS_REFUSED, {"full", s.refused_full}, {"address", s.refused_address},
        {"descriptors", s.refused_descriptors});
    metrics_put(b, METRIC_CONNECTIONS_CLOSED_IDLE, s.closed_idle);
    metrics_put(b, METRIC_CONNECTIONS_CLOSED_SLOW, s.closed_slow_reader);
    metrics_put(b, METRIC_CONNECTIONS_CLOSED_MEMORY, s.closed_memory);
    metrics_put(b, METRIC_REPLY_BYTES_WAITING, s.reply_bytes_waiting);
}

static void put_streams(struct buf *b, struct stream_slots *slots)
{
    struct stream_stats s;
    stream_slots_stats(slots, &s);
    metrics_put(b, METRIC_STREAMS_OPEN, s.open);
    metrics_put(b, METRIC_STREAMS_OPENED, s.opened);
    PUT_LABELLED(b, METRIC_STREAMS_REFUSED, {"full", s.refused_full}, {"caller", s.refused_caller});
    metrics_put(b, METRIC_STREAM_EVENTS, s.events);
}

static void put_pages(struct buf *b, const struct api *api)
{
    struct page_cache_stats pages;
    page_cache_stats(api->pages, &pages);
    metrics_put(b, METRIC_PAGE_CACHE_HITS, pages.hits);
    metrics_put(b, METRIC_PAGE_CACHE_MISSES, pages.misses);
    metrics_put(b, METRIC_PAGE_CACHE_BYTES, pages.bytes);
}

/* decision 31: both the peer and, behind a trusted proxy, the client that the proxy names must be
 * on loopback or listed. Otherwise a proxy on the same machine would open the page to everyone. */
static bool may_read(const struct api_call *call)
{
    const struct cidr_list *allow = call->api->config.metrics_allow;
    const struct address *both[] = {&call->peer, &call->drawer.address};
    for (size_t i = 0; i < sizeof both / sizeof *both; i++)
        if (!address_is_loopback(both[i]) && !(allow && cidr_list_has(allow, both[i])))
            return false;
    return true;
}

void api_put_metrics(const struct api *api, struct buf *b)
{
    put_traffic(b, api);
    put_limits(b, api->config.limits);
    metrics_put(b, METRIC_KEYS, access_count(api->config.access));
    put_feed(b, api->config.feed);
    if (gauges_of(api)->server)
        put_server(b, gauges_of(api)->server);
    put_streams(b, api->streams);
    put_pages(b, api);
    if (gauges_of(api)->put_more)
        gauges_of(api)->put_more(gauges_of(api)->ctx, b);
    metrics_put(b, METRIC_LOG_LINES_DROPPED, log_dropped());
}

void metrics_answer(struct api_call *call)
{
    if (!may_read(call)) {
        reply_error(call, ERROR_NOT_FOUND, STR_NULL);
        return;
    }
    api_put_metrics(call->api, http_body(call->x));
    reply_complete(call, MEDIA_METRICS);
}
