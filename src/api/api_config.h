/* What an api is given: where its data is, its settings and state, and the counts of other parts.
 */
#pragma once

#include "access/access.h"
#include "core/client_address.h"
#include "feed/feed.h"
#include "http/http.h"
#include "http/server.h"
#include "limits/limits.h"

struct api_config {
    const struct feed *feed;
    struct access *access;
    struct limits *limits;
    struct str base_url; /* absolute, without a slash at the end; copied */
    struct str database; /* where workers read; null: there are none. Lasts as long as the api */
    const struct cidr_list *trusted_proxies; /* whose X-Forwarded-For counts; NULL: nobody's */
    const struct cidr_list *metrics_allow;   /* beside loopback; NULL: nobody */
    bool access_log;                         /* one line per request */
    const _Atomic bool *demo;                /* the data is invented, as pages then say; may turn
                                              * true while serving; NULL: it never is */
    uint32_t limits_factor;                  /* 1; STOCKACT_BENCH_UNLIMITED: a million */
};

enum api_state { API_STARTING, API_READY, API_DRAINING }; /* api_set_state says what each means */

/* A sweep of the conflict signals. */
struct api_sweep {
    int64_t ended_at; /* INSTANT_NONE: there was none */
    int64_t took_ms;
    int64_t trades, signals;
    int64_t set, changed, cleared;
};

/* Counts that other parts keep, for /metrics. Each may be NULL. */
struct api_gauges {
    const struct http_server *server;
    uint64_t (*store_errors)(void *ctx); /* failed operations of the store since the start */
    int64_t (*feed_lag_ms)(void *ctx);   /* how long the oldest change not taken in has waited */
    struct api_sweep (*last_sweep)(void *ctx);  /* that this server brought to its end */
    void (*put_more)(void *ctx, struct buf *b); /* adds metrics of its own (api/metrics_text.h) */
    void *ctx;
};
