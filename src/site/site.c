/* Creates and destroys the site; see site.h. */
#include "site/site.h"

#include <assert.h>

#include "base/log.h"
#include "db/db_reader.h"
#include "html/templates.h"
#include "http/server.h"
#include "record/minisign.h"
#include "site/data/compat_page.h"
#include "site/docs.h"
#include "site/frame/page_kept.h"
#include "site/frame/pictures.h"
#include "site/frame/site_state.h"
#include "site/page_gate.h"
#include "site/pages.h"
#include "site/site_fixed.h"
#include "site/sitemap.h"
#include "store/public/coverage.h"

enum {
    PAGE_NICE = 10, /* of the threads for pages: people wait longer than programs */
    PICTURE_NICE = 19,
    UPLOADS_WAITING_MAX = 16,  /* their bytes are bounded too */
    PICTURES_WAITING_MAX = 32, /* each takes some 100 ms to draw; the next gets 503 */
};

static const char *page_name(size_t route)
{
    return pages[route].path;
}

static void make_routes(struct site *site)
{
    site->pages = site->config.pages ? site->config.pages : pages;
    site->page_count = site->config.pages ? site->config.page_count : pages_count;
    site->routes = mem_array(site->page_count, sizeof *site->routes);
    for (size_t i = 0; i < site->page_count; i++) {
        const struct page *page = &site->pages[i];
        unsigned reads = ROUTE_METHOD(HTTP_GET) | ROUTE_METHOD(HTTP_HEAD);
        site->routes[i] = (struct route){
            .pattern = page->path,
            .methods = (page->load ? reads : 0) | (page->act ? ROUTE_METHOD(HTTP_POST) : 0),
            .target = page,
        };
        assert(site->routes[i].methods);
        assert(!page->template.n || mustache_find(site->templates, page->template));
    }
    site->router = router_create(site->routes, site->page_count);
}

/* The file by which others check snapshots. */
static char *make_record_key(struct str master_key)
{
    BUF_SCOPED(file, SIZE_MAX);
    struct minisign_key key;
    minisign_key_init(&key, master_key);
    minisign_public_file_put(&file, &key.shown);
    minisign_key_finish(&key);
    return mem_strdup(buf_view(&file));
}

struct site *site_create(const struct site_config *config)
{
    struct site *site = MEM_NEW(struct site);
    site->config = *config;
    site->config.base_url = str_of(mem_strdup(config->base_url), config->base_url.n);
    if (!site->config.limits_factor)
        site->config.limits_factor = 1;
    site->https = str_starts(site->config.base_url, STR("https://"));
    csrf_key_init(&site->csrf, config->master_key);
    site->record_key = make_record_key(config->master_key);
    site->config.master_key = STR_NULL;
    site->app = (struct http_app){
        .ctx = site,
        .handle = page_gate_handle,
        .refuse = page_gate_refuse,
        .body_rule = page_gate_body_rule,
        .unbounded_peer = page_gate_unbounded_peer,
    };
    site->templates = templates_create();
    make_routes(site);
    site->traffic = traffic_create(site->page_count, page_name);
    site->pictures = pictures_create();
    site->coverage = coverage_cache_create();
    site->compat = compat_cache_create();
    site->kept = page_kept_create(site->page_count);
    site->sitemap = sitemap_cache_create(site->config.base_url);
    docs_init(site);
    site_fixed_make(site);
    return site;
}

void site_destroy(struct site *site)
{
    if (!site)
        return;
    pictures_destroy(site->pictures);
    sitemap_cache_destroy(site->sitemap);
    compat_cache_destroy(site->compat);
    coverage_cache_destroy(site->coverage);
    page_kept_destroy(site->kept);
    site_fixed_finish(site);
    docs_finish(site);
    traffic_destroy(site->traffic);
    router_destroy(site->router);
    mustache_set_destroy(site->templates);
    mem_free(site->record_key);
    mem_free(site->routes);
    mem_wipe(&site->csrf, sizeof site->csrf);
    mem_free((char *)(uintptr_t)site->config.base_url.p);
    mem_free(site);
}

const struct http_app *site_app(struct site *site)
{
    return &site->app;
}

void site_stop_uploads(struct site *site)
{
    atomic_store(&site->stopping, true);
}

void site_stop_pictures(struct site *site)
{
    atomic_store(&site->drained, true);
}

struct traffic *site_traffic(struct site *site)
{
    return site->traffic;
}

/* Opens the store at the start, before clients can use up the descriptors. */
static void *start_worker(void *ctx)
{
    const struct site *site = ctx;
    struct db_reader *reader = db_reader_create(site->config.database, site->config.store_lost);
    struct fail fail;
    if (db_reader_open(reader, &fail) != OK)
        log_line(
            LOG_WARN, "a worker cannot open the store yet", LOG_S("reason", str_from(fail.text)));
    return reader;
}

static void stop_worker(void *ctx, void *worker)
{
    db_reader_destroy(worker);
}

void site_set_workers(struct http_config *http, int workers, int page_workers)
{
    http->lanes[HTTP_LANE_API] = (struct http_lane_config){.threads = workers};
    http->lanes[HTTP_LANE_PAGES] =
        (struct http_lane_config){.threads = page_workers, .nice = PAGE_NICE};
    http->lanes[HTTP_LANE_PICTURES] = (struct http_lane_config){
        .threads = 1, .nice = PICTURE_NICE, .queue_max = PICTURES_WAITING_MAX};
    http->lanes[HTTP_LANE_UPLOADS] = (struct http_lane_config){
        .threads = 1, .nice = PAGE_NICE, .queue_max = UPLOADS_WAITING_MAX};
    http->worker_start = start_worker;
    http->worker_stop = stop_worker;
}
