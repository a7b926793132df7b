/* Counts requests and writes /metrics; see metrics.h. */
#include "api/metrics.h"

#include <stdatomic.h>

#include "api/context.h"
#include "edge/metrics_text.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/stream_slots.h"
#include "base/log.h"

static const char *operation_name(size_t route)
{
    return operation_info((enum operation_id)route)->path;
}

struct traffic *metrics_create(void)
{
    return traffic_create(OPERATION_COUNT, operation_name);
}

void metrics_note(struct traffic *traffic, const struct api_call *call, int64_t took_ns)
{
    size_t route = call->operation ? operation_id_of(call->operation) : OPERATION_COUNT;
    traffic_note(traffic, route, http_reply_status(call->x), took_ns);
}

/* --- the page */

static void put_limits(struct buf *b, struct limits *limits)
{
    struct limits_stats s;
    limits_stats(limits, &s);
    metrics_put(
        b, "draws_granted_total", "counter", "Requests granted by the rate limits.", s.granted);
    metrics_put_type(
        b, "draws_denied_total", "counter", "Requests denied by the rate limits, by window.");
    buf_fmt(
        b,
        "stockact_draws_denied_total{window=\"minute\"} %llu\n"
        "stockact_draws_denied_total{window=\"month\"} %llu\n",
        (unsigned long long)s.denied_minute, (unsigned long long)s.denied_month);
    metrics_put(
        b, "draws_unavailable_total", "counter", "Requests that Redis did not answer.",
        s.unavailable);
    metrics_put(
        b, "draws_refunded_total", "counter", "Requests refunded because of a 503.", s.refunded);
    metrics_put(
        b, "windows_shared_total", "counter",
        "Requests of addresses that shared a window because the table was full.",
        s.shared_minute + s.shared_month);
    metrics_put(
        b, "months_forgotten_total", "counter",
        "Month counts of addresses that were dropped to make room.", s.forgotten);
    metrics_put(
        b, "clock_steps_back_total", "counter", "Times the wall clock was set back.",
        s.clock_steps_back);
    metrics_put(
        b, "windows_addresses", "gauge", "Addresses in the current minute.", s.minute_addresses);
    metrics_put(
        b, "month_counts_unwritten", "gauge", "Month counts that are not written yet.",
        s.unwritten);
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

static void put_feed(struct buf *b, const struct api *api)
{
    struct feed_stats s = feed_stats(api->config.feed);
    metrics_put(b, "feed_trades", "gauge", "Trades in the feed.", (uint64_t)s.trades);
    metrics_put(
        b, "feed_signals", "gauge", "Trades in the feed with a conflict signal.",
        (uint64_t)s.signals);
    metrics_put(b, "feed_filings", "gauge", "Filings in the feed.", (uint64_t)s.filings);
    metrics_put(
        b, "feed_withheld", "gauge",
        "Published trades and filings that are not served because their rows are damaged.",
        (uint64_t)s.withheld);
    metrics_put(b, "feed_bytes", "gauge", "Bytes of memory used by the feed.", (uint64_t)s.bytes);
    metrics_put(
        b, "feed_loads_total", "counter", "Times the feed was rebuilt from the store.",
        (uint64_t)s.loads);
    if (s.last_disclosed_at != INSTANT_NONE) {
        metrics_put_type(
            b, "feed_last_disclosed_seconds", "gauge", "Newest disclosedAt, in Unix time.");
        buf_fmt(
            b, "stockact_feed_last_disclosed_seconds %lld\n",
            (long long)(s.last_disclosed_at / SECOND_MS));
    }
    if (gauges_of(api)->feed_lag_ms) {
        metrics_put_type(
            b, "feed_lag_seconds", "gauge",
            "Time since the store stopped answering; 0 if it answers.");
        buf_text(b, "stockact_feed_lag_seconds ");
        metrics_put_seconds(b, gauges_of(api)->feed_lag_ms(gauges_of(api)->ctx) * 1000);
        buf_char(b, '\n');
    }
}

/* Writes nothing if this server has not swept: the run may be later, or on another server. */
static void put_sweep(struct buf *b, const struct api_sweep *s)
{
    if (s->ended_at == INSTANT_NONE)
        return;
    metrics_put(
        b, "sweep_last_end_seconds", "gauge", "End of the last conflict sweep, in Unix time.",
        (uint64_t)(s->ended_at / SECOND_MS));
    metrics_put_type(b, "sweep_last_duration_seconds", "gauge", "Duration of the last sweep.");
    buf_text(b, "stockact_sweep_last_duration_seconds ");
    metrics_put_seconds(b, s->took_ms * 1000);
    buf_char(b, '\n');
    metrics_put(
        b, "sweep_last_trades", "gauge", "Trades processed by the last sweep.",
        (uint64_t)s->trades);
    metrics_put(
        b, "sweep_last_signals", "gauge", "Trades with a signal after the last sweep.",
        (uint64_t)s->signals);
    metrics_put_type(b, "sweep_last_changes", "gauge", "Signals changed by the last sweep.");
    buf_fmt(
        b,
        "stockact_sweep_last_changes{change=\"set\"} %lld\n"
        "stockact_sweep_last_changes{change=\"changed\"} %lld\n"
        "stockact_sweep_last_changes{change=\"cleared\"} %lld\n",
        (long long)s->set, (long long)s->changed, (long long)s->cleared);
}

static void put_server(struct buf *b, const struct http_server *server)
{
    struct http_stats s;
    http_server_stats(server, &s);
    metrics_put(b, "connections_open", "gauge", "Open connections.", s.connections_open);
    metrics_put(
        b, "connections_accepted_total", "counter", "Accepted connections.",
        s.connections_accepted);
    metrics_put_type(b, "connections_refused_total", "counter", "Refused connections by reason.");
    buf_fmt(
        b,
        "stockact_connections_refused_total{reason=\"full\"} %llu\n"
        "stockact_connections_refused_total{reason=\"address\"} %llu\n"
        "stockact_connections_refused_total{reason=\"descriptors\"} %llu\n",
        (unsigned long long)s.refused_full, (unsigned long long)s.refused_address,
        (unsigned long long)s.refused_descriptors);
    metrics_put(
        b, "connections_closed_idle_total", "counter", "Connections closed because they were idle.",
        s.closed_idle);
    metrics_put(
        b, "connections_closed_slow_total", "counter",
        "Connections closed because the client read too slowly.", s.closed_slow_reader);
    metrics_put(
        b, "connections_closed_memory_total", "counter",
        "Connections closed because replies that wait for slow clients reached their limit.",
        s.closed_memory);
    metrics_put(
        b, "reply_bytes_waiting", "gauge", "Memory of replies that wait for slow clients.",
        s.reply_bytes_waiting);
    metrics_put(
        b, "deferred_waiting", "gauge", "Requests that wait for a worker.", s.deferred_waiting);
    metrics_put(
        b, "deferred_full_total", "counter",
        "Requests refused because the workers' queue was full.", s.deferred_full);
}

static void put_streams(struct buf *b, struct stream_slots *slots)
{
    struct stream_stats s;
    stream_slots_stats(slots, &s);
    metrics_put(b, "streams_open", "gauge", "Open streams of trades.", s.open);
    metrics_put(b, "streams_opened_total", "counter", "Streams of trades opened.", s.opened);
    metrics_put_type(b, "streams_refused_total", "counter", "Refused streams by reason.");
    buf_fmt(
        b,
        "stockact_streams_refused_total{reason=\"full\"} %llu\n"
        "stockact_streams_refused_total{reason=\"caller\"} %llu\n",
        (unsigned long long)s.refused_full, (unsigned long long)s.refused_caller);
    metrics_put(b, "stream_events_total", "counter", "Trades sent to streams.", s.events);
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

void metrics_answer(struct api_call *call)
{
    const struct api *api = call->api;
    if (!may_read(call)) {
        reply_error(call, ERROR_NOT_FOUND, STR_NULL);
        return;
    }
    struct buf *b = http_body(call->x);
    struct page_cache_stats pages;
    put_traffic(b, api);
    put_limits(b, api->config.limits);
    put_feed(b, api);
    if (gauges_of(api)->server)
        put_server(b, gauges_of(api)->server);
    put_streams(b, api->streams);
    metrics_put(
        b, "keys", "gauge", "Known API keys, including revoked ones.",
        access_count(api->config.access));
    page_cache_stats(api->pages, &pages);
    metrics_put(
        b, "page_cache_hits_total", "counter", "Compressed pages found in the cache.", pages.hits);
    metrics_put(
        b, "page_cache_misses_total", "counter", "Compressed pages not found in the cache.",
        pages.misses);
    metrics_put(
        b, "page_cache_bytes", "gauge", "Bytes of compressed pages in the cache.", pages.bytes);
    if (gauges_of(api)->store_errors)
        metrics_put(
            b, "store_errors_total", "counter", "Failed operations on the store.",
            gauges_of(api)->store_errors(gauges_of(api)->ctx));
    if (gauges_of(api)->last_sweep) {
        const struct api_sweep sweep = gauges_of(api)->last_sweep(gauges_of(api)->ctx);
        put_sweep(b, &sweep);
    }
    if (gauges_of(api)->put_more)
        gauges_of(api)->put_more(gauges_of(api)->ctx, b);
    metrics_put(
        b, "log_lines_dropped_total", "counter", "Log lines dropped because the log was full.",
        log_dropped());
    reply_complete(call, MEDIA_METRICS);
}
