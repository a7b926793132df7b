/* The format of sitemaps; see sitemap.h. */
#include "site/sitemap.h"

#include <pthread.h>

#include "html/escape.h"
#include "site/frame/handlers.h"
#include "site/frame/page_call_parts.h"
#include "site/frame/reader.h"
#include "site/frame/trade_view.h"

/* /sitemap.xml and its parts, /sitemap/1 and so on: the addresses that a search engine should know:
 * pages that visitors can open. The list is made again when the feed has changed, or when a
 * publication has become visible. */

/* What the list depends on. */
struct sitemap_key {
    uint64_t version; /* of the feed */
    int64_t newest;   /* publication that the visitor sees */
    bool delayed;
};

struct sitemap_cache {
    pthread_mutex_t lock;
    struct sitemap map; /* this and the next under lock */
    struct sitemap_key key;
    bool made;
};

struct sitemap_cache *sitemap_cache_create(struct str base_url)
{
    struct sitemap_cache *cache = MEM_NEW(struct sitemap_cache);
    sitemap_init(&cache->map, base_url, SITEMAP_PART_MAX);
    pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

void sitemap_cache_destroy(struct sitemap_cache *cache)
{
    if (!cache)
        return;
    sitemap_finish(&cache->map);
    pthread_mutex_destroy(&cache->lock);
    mem_free(cache);
}

/* --- the addresses */

/* The lists of data, and the documentation. */
static void add_pages(struct page_call *call, struct sitemap *map)
{
    const struct site *site = call->reply->site;
    bool reads = call->config->public_pages;
    sitemap_add(map, STR("/"), INSTANT_NONE);
    for (size_t i = 0; i < site->page_count && reads; i++) {
        struct str path = str_from(site->pages[i].path);
        if (site->pages[i].access == PAGE_READER && site->pages[i].template.n &&
            site->pages[i].nav != NAV_SEARCH && str_find_char(path, '{') < 0)
            sitemap_add(map, path, INSTANT_NONE);
    }
    for (size_t i = 0; i < site->fixed_count; i++)
        if (site->fixed[i].page_only)
            sitemap_add(map, site->fixed[i].path, INSTANT_NONE);
}

/* A list of the feed, page by page. */
struct listing {
    struct page_call *call;
    struct sitemap *map;
    struct cursor place;
    const struct cursor *after; /* NULL: the first page */
};

/* Visitors saw the newest trade this long after it was published. */
static void add(struct listing *l, const char *folder, struct str name, int64_t last_activity)
{
    const struct page_call *call = l->call;
    int64_t until = reader_until(call);
    int64_t delay = until == INSTANT_NONE ? 0 : call->now_ms + 1 - until;
    int64_t seen_at = last_activity == INSTANT_NONE ? INSTANT_NONE : last_activity + delay;
    ARENA_SCOPED(arena);
    sitemap_add(l->map, trade_path(&arena, folder, name), seen_at);
}

/* These add one page. False: there is none after it. */
typedef bool listing_read(struct listing *l);

static bool read_members(struct listing *l)
{
    MEM_UNFILLED struct feed_people_page page;
    struct feed_people_filter filter = FEED_PEOPLE_FILTER_NONE;
    filter.has_trades = FEED_YES;
    filter.until_ms = reader_until(l->call);
    feed_people(
        l->call->config->feed, &filter, l->after, FEED_PAGE_MAX, instant_day_utc(l->call->now_ms),
        &page);
    for (size_t i = 0; i < page.count; i++)
        add(l, "/politicians/", page.rows[i].slug, page.rows[i].counts.last_activity);
    l->place = page.next;
    return page.more;
}

static bool read_tickers(struct listing *l)
{
    MEM_UNFILLED struct feed_tickers_page page;
    struct feed_tickers_filter filter = FEED_TICKERS_FILTER_NONE;
    filter.has_trades = FEED_YES;
    filter.until_ms = reader_until(l->call);
    feed_tickers(l->call->config->feed, &filter, l->after, FEED_PAGE_MAX, &page);
    for (size_t i = 0; i < page.count; i++)
        add(l, "/tickers/", page.rows[i].symbol, page.rows[i].counts.last_activity);
    l->place = page.next;
    return page.more;
}

static void add_listing(struct page_call *call, struct sitemap *map, listing_read *read)
{
    struct listing l = {.call = call, .map = map};
    bool more = true;
    while (more) {
        rcu_read_begin();
        more = read(&l);
        rcu_read_end();
        l.after = &l.place;
    }
}

/* --- the cache */

static bool is_key(const struct sitemap_cache *cache, const struct sitemap_key *key)
{
    return cache->made && cache->key.version == key->version && cache->key.newest == key->newest &&
           cache->key.delayed == key->delayed;
}

/* Call it under the lock: other requests wait for the list. If the feed changes meanwhile, its
 * version differs, and the next request makes the list again. */
static const struct sitemap *list_addresses(struct page_call *call)
{
    struct sitemap_cache *cache = call->reply->site->sitemap;
    const struct sitemap_key key = {
        .version = feed_version(call->config->feed),
        .newest = reader_newest(call),
        .delayed = reader_until(call) != INSTANT_NONE,
    };
    if (is_key(cache, &key))
        return &cache->map;
    sitemap_reset(&cache->map);
    add_pages(call, &cache->map);
    if (call->config->public_pages) {
        add_listing(call, &cache->map, read_members);
        add_listing(call, &cache->map, read_tickers);
    }
    cache->key = key;
    cache->made = true;
    return &cache->map;
}

static enum err finish(struct page_call *call)
{
    page_surrogate(call, "list", STR("trades"));
    page_download(call, STR("application/xml"), STR_NULL);
    return OK;
}

enum err sitemap_load(struct page_call *call, struct fail *fail)
{
    struct sitemap_cache *cache = call->reply->site->sitemap;
    pthread_mutex_lock(&cache->lock);
    sitemap_put(list_addresses(call), http_body(call->x));
    pthread_mutex_unlock(&cache->lock);
    return finish(call);
}

enum err sitemap_part_load(struct page_call *call, struct fail *fail)
{
    struct sitemap_cache *cache = call->reply->site->sitemap;
    int64_t number;
    if (!str_to_i64(call->segments[0], &number))
        number = 0;
    pthread_mutex_lock(&cache->lock);
    bool found = sitemap_put_part(list_addresses(call), number, http_body(call->x));
    pthread_mutex_unlock(&cache->lock);
    return found ? finish(call) : fail_set(fail, ERR_NOT_FOUND, "no such part");
}

#define NAMESPACE "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\""
#define DECLARATION "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

enum { LINE_SIZE_MAX = 16 * 1024 };

void sitemap_init(struct sitemap *map, struct str base_url, size_t part_max)
{
    *map = (struct sitemap){.base_url = base_url, .part_max = part_max};
}

void sitemap_finish(struct sitemap *map)
{
    sitemap_reset(map);
}

void sitemap_reset(struct sitemap *map)
{
    for (size_t i = 0; i < map->part_count; i++)
        buf_finish(&map->parts[i]);
    map->part_count = map->in_part = 0;
}

static void put_line(const struct sitemap *map, struct buf *b, struct str path, int64_t changed_at)
{
    char text[INSTANT_TEXT_SIZE];
    buf_text(b, "<url><loc>");
    escape_text(b, map->base_url);
    escape_text(b, path);
    buf_text(b, "</loc>");
    if (changed_at != INSTANT_NONE) {
        instant_print(changed_at, text);
        buf_fmt(b, "<lastmod>%.*s</lastmod>", DAY_TEXT_SIZE, text);
    }
    buf_text(b, "</url>\n");
}

void sitemap_add(struct sitemap *map, struct str path, int64_t changed_at)
{
    char room[LINE_SIZE_MAX];
    struct buf line = buf_over(room, sizeof room);
    put_line(map, &line, path, changed_at);
    struct buf *part = map->part_count ? &map->parts[map->part_count - 1] : NULL;
    bool fits = part && map->in_part < map->part_max && part->n + line.n <= part->max;
    if (line.overflow || (!fits && map->part_count == SITEMAP_PARTS_MAX))
        return;
    if (!fits) {
        part = &map->parts[map->part_count++];
        buf_init(part, SITEMAP_PART_BYTES_MAX);
        map->in_part = 0;
    }
    buf_str(part, buf_view(&line));
    map->in_part++;
}

static void put_index(const struct sitemap *map, struct buf *b)
{
    buf_text(b, DECLARATION "<sitemapindex " NAMESPACE ">\n");
    for (size_t i = 0; i < map->part_count; i++) {
        buf_text(b, "<sitemap><loc>");
        escape_text(b, map->base_url);
        buf_fmt(b, "/sitemap/%zu</loc></sitemap>\n", i + 1);
    }
    buf_text(b, "</sitemapindex>\n");
}

bool sitemap_put_part(const struct sitemap *map, int64_t number, struct buf *b)
{
    if (number < 1 || number > (int64_t)map->part_count)
        return false;
    buf_text(b, DECLARATION "<urlset " NAMESPACE ">\n");
    buf_str(b, buf_view(&map->parts[number - 1]));
    buf_text(b, "</urlset>\n");
    return true;
}

void sitemap_put(const struct sitemap *map, struct buf *b)
{
    if (map->part_count > 1)
        put_index(map, b);
    else
        (void)sitemap_put_part(map, 1, b);
}
