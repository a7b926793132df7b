/* Creates and destroys the api; see api.h. */
#include "api/api.h"

#include <assert.h>

#include "api/context.h"
#include "api/deferred.h"
#include "api/gate.h"
#include "api/stream_slots.h"
#include "api/texts.h"
#include "api/trades.h"
#include "store/public/coverage.h"

enum { PAGE_CACHE_SIZE = 64 << 20 }; /* decision 28 */

/* data/page_sample.txt: sample rows of invented people, from which the codes that compress pages
 * are computed. The bytes of compressed pages depend on it. */
extern const char page_sample[];
extern const size_t page_sample_size;

static uint32_t or_default(uint32_t value, uint32_t standard)
{
    return value ? value : standard;
}

static uint32_t at_most(uint32_t value, uint32_t bound)
{
    return value && value < bound ? value : bound;
}

static const char *path_of(size_t route)
{
    return operation_info((enum operation_id)route)->path;
}

struct api *api_create(const struct api_config *config)
{
    struct api *api = MEM_NEW(struct api);
    api->config = *config;
    api->config.base_url = str_of(mem_strdup(config->base_url), config->base_url.n);
    if (!api->config.limits_factor)
        api->config.limits_factor = 1;
    api->app = (struct http_app){
        .ctx = api,
        .handle = gate_handle,
        .refuse = gate_refuse,
        .unbounded_peer = gate_unbounded_peer,
    };
    api->ask = gate_ask;
    operation_routes(api->routes);
    api->router = router_create(api->routes, OPERATION_COUNT);
    api->pages = page_cache_create(PAGE_CACHE_SIZE);
    api->page_codes = gzip_codes_create(str_of(page_sample, page_sample_size));
    api->traffic = traffic_create(OPERATION_COUNT, path_of);
    api->streams = stream_slots_create(
        or_default(config->streams, API_STREAMS),
        or_default(config->streams_per_caller, API_STREAMS_PER_CALLER));
    api->export_queue = export_queue_create();
    api->exports = stream_slots_create(
        at_most(config->streams, API_EXPORTS),
        at_most(config->streams_per_caller, API_EXPORTS_PER_CALLER));
    api->coverage = coverage_cache_create();
    for (int demo = 0; demo < 2; demo++) {
        api->texts[demo] = MEM_NEW(struct api_texts);
        texts_init(api->texts[demo], api->config.base_url, demo);
    }
    return api;
}

void api_destroy(struct api *api)
{
    if (!api)
        return;
    for (int demo = 0; demo < 2; demo++) {
        texts_finish(api->texts[demo]);
        mem_free(api->texts[demo]);
    }
    coverage_cache_destroy(api->coverage);
    export_queue_destroy(api->export_queue);
    stream_slots_destroy(api->exports);
    stream_slots_destroy(api->streams);
    traffic_destroy(api->traffic);
    gzip_codes_destroy(api->page_codes);
    page_cache_destroy(api->pages);
    router_destroy(api->router);
    mem_free((char *)(uintptr_t)api->config.base_url.p);
    mem_free(api);
}

const struct http_app *api_app(struct api *api)
{
    return &api->app;
}

struct doc_list api_docs(const struct api *api, bool demo)
{
    return api->texts[demo]->list;
}

void api_docs_make(void *ctx)
{
    struct api *api = ctx;
    for (int demo = 0; demo < 2; demo++)
        texts_make(api->texts[demo]);
}

void api_set_workers(const struct api *api, struct http_config *http, int workers)
{
    assert(!str_is_null(api->config.database));
    http->lanes[HTTP_LANE_API].threads = workers;
    http->worker_start = deferred_worker_start;
    http->worker_stop = deferred_worker_stop;
}

void api_set_state(struct api *api, enum api_state state)
{
    atomic_store_explicit(&api->state, state, memory_order_release);
}

void api_set_gauges(struct api *api, const struct api_gauges *gauges)
{
    api->gauges = *gauges;
    atomic_store_explicit(&api->has_gauges, true, memory_order_release);
}
