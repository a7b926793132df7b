/* The data of an api, shared by all requests. Only `state` changes after the start. Private to
 * src/api. */
#pragma once

#include <stdatomic.h>

#include "api/api_config.h"
#include "api/operation.h"
#include "http/gzip.h"
#include "http/page_cache.h"
#include "http/route.h"

struct export_queue;
struct stream_slots;
struct traffic;
struct api_texts;
struct coverage_cache;

struct api {
    struct http_app app;
    /* gate_ask, for what the gate runs */
    void (*ask)(const struct api_call *outer, struct str target, void *worker);
    struct api_config config; /* base_url is a copy */
    struct api_gauges gauges; /* once has_gauges: loops already run when they are set */
    atomic_bool has_gauges;
    _Atomic enum api_state state;
    struct route routes[OPERATION_COUNT];
    struct router *router;
    struct page_cache *pages;
    struct gzip_codes *page_codes; /* from data/page_sample.txt */
    struct api_texts *texts[2];    /* the fixed texts, without and with the demonstration banner */
    struct traffic *traffic;
    struct stream_slots *streams, *exports;
    struct export_queue *export_queue;
    struct coverage_cache *coverage;
};

/* The data is invented. May become true while serving. */
static inline bool api_is_demo(const struct api *api)
{
    return api->config.demo && atomic_load_explicit(api->config.demo, memory_order_relaxed);
}
