/* The configuration of an api: its data, settings and state, and the gauges of other parts. */
#pragma once

#include "access/access.h"
#include "edge/traffic.h"
#include "feed/feed.h"
#include "http/http.h"
#include "http/server.h"
#include "limits/limits.h"

enum { API_STREAMS = 2000, API_STREAMS_PER_CALLER = 10 }; /* the defaults */
enum { API_EXPORTS = 8, API_EXPORTS_PER_CALLER = 2 };     /* or as many as streams, if fewer */

struct api_config {
    const struct feed *feed;
    struct access *access;
    struct limits *limits;
    struct str base_url;                     /* absolute, without a final slash; copied */
    struct str database;                     /* URL for the workers, borrowed; null: no workers */
    const struct cidr_list *trusted_proxies; /* whose X-Forwarded-For is trusted; NULL: none */
    const struct cidr_list *metrics_allow;   /* in addition to loopback; NULL: none */
    bool access_log;                         /* log each request */
    const _Atomic bool *demo;                /* the data is invented, and pages say so. May become
                                              * true while serving. NULL: false */
    _Atomic int64_t *store_lost;             /* as in db/db_reader.h */
    uint32_t streams;                        /* open at the same time; 0: the default */
    uint32_t streams_per_caller;             /* of one key or address; 0: the default */
    uint32_t limits_factor;                  /* 1; STOCKACT_BENCH_UNLIMITED: a million */
};

enum api_state { API_STARTING, API_READY, API_DRAINING }; /* see api_set_state */

/* Gauges of other parts, for /metrics. Each may be NULL. */
struct api_gauges {
    const struct http_server *server;
    struct traffic *pages;                      /* the responses of the site */
    void (*put_more)(void *ctx, struct buf *b); /* appends more metrics (edge/metric.h) */
    void *ctx;
};
