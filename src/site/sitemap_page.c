/* /sitemap.xml: the addresses that a search engine should know: pages that visitors can open. More
 * than SITEMAP_MAX of them are parts, /sitemap/1 and so on, and /sitemap.xml lists the parts. */
#include "site/handlers.h"

#include "base/instant.h"
#include "html/escape.h"
#include "site/page_call_parts.h"
#include "site/reader.h"
#include "site/trade_view.h"

enum { SITEMAP_MAX = 50000 }; /* addresses in one part: sitemaps.org */

#define NAMESPACE "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\""
#define DECLARATION "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

/* The addresses are numbered. Those from `from` to before `to` are written. */
struct sitemap {
    struct page_call *call;
    struct buf *to_body;
    size_t count, from, to;
    bool reads; /* visitors may read data */
};

static void put(struct sitemap *map, struct str path, int64_t changed_at)
{
    char text[INSTANT_TEXT_SIZE];
    size_t number = map->count++;
    if (number < map->from || number >= map->to)
        return;
    buf_text(map->to_body, "<url><loc>");
    escape_text(map->to_body, map->call->config->base_url);
    escape_text(map->to_body, path);
    buf_text(map->to_body, "</loc>");
    if (changed_at != INSTANT_NONE) {
        instant_print(changed_at, text);
        buf_fmt(map->to_body, "<lastmod>%.*s</lastmod>", DAY_TEXT_SIZE, text);
    }
    buf_text(map->to_body, "</url>\n");
}

/* The lists of data, and the documentation. */
static void put_pages(struct sitemap *map)
{
    const struct site *site = map->call->reply->site;
    put(map, STR("/"), INSTANT_NONE);
    for (size_t i = 0; i < site->page_count && map->reads; i++) {
        struct str path = str_from(site->pages[i].path);
        if (site->pages[i].access == PAGE_READER && site->pages[i].template.n &&
            site->pages[i].nav != NAV_SEARCH && str_find_char(path, '{') < 0)
            put(map, path, INSTANT_NONE);
    }
    for (size_t i = 0; i < site->fixed_count; i++)
        if (site->fixed[i].page_only)
            put(map, site->fixed[i].path, INSTANT_NONE);
}

/* Visitors saw the newest trade this long after it was published. */
static int64_t seen_at(const struct page_call *call, int64_t disclosed_at)
{
    int64_t until = reader_until(call);
    return until == INSTANT_NONE ? disclosed_at : disclosed_at + (call->now_ms + 1 - until);
}

static void put_members(struct sitemap *map)
{
    MEM_UNFILLED struct feed_people_page page;
    struct page_call *call = map->call;
    struct feed_people_filter filter = FEED_PEOPLE_FILTER_NONE;
    struct cursor after;
    const struct cursor *from = NULL;
    filter.has_trades = FEED_YES;
    filter.until_ms = reader_until(call);
    do {
        rcu_read_begin();
        feed_people(
            call->config->feed, &filter, from, FEED_PAGE_MAX, instant_day_utc(call->now_ms), &page);
        for (size_t i = 0; i < page.count; i++)
            put(map, trade_path(call->arena, "/politicians/", page.rows[i].slug),
                seen_at(call, page.rows[i].counts.last_activity));
        after = page.next;
        rcu_read_end();
        from = &after;
    } while (page.more);
}

static void put_tickers(struct sitemap *map)
{
    MEM_UNFILLED struct feed_tickers_page page;
    struct page_call *call = map->call;
    struct feed_tickers_filter filter = FEED_TICKERS_FILTER_NONE;
    struct cursor after;
    const struct cursor *from = NULL;
    filter.has_trades = FEED_YES;
    filter.until_ms = reader_until(call);
    do {
        rcu_read_begin();
        feed_tickers(call->config->feed, &filter, from, FEED_PAGE_MAX, &page);
        for (size_t i = 0; i < page.count; i++)
            put(map, trade_path(call->arena, "/tickers/", page.rows[i].symbol),
                seen_at(call, page.rows[i].counts.last_activity));
        after = page.next;
        rcu_read_end();
        from = &after;
    } while (page.more);
}

static void put_all(struct sitemap *map)
{
    map->count = 0;
    put_pages(map);
    if (!map->reads)
        return;
    put_members(map);
    put_tickers(map);
}

static void put_index(struct sitemap *map)
{
    buf_text(map->to_body, DECLARATION "<sitemapindex " NAMESPACE ">\n");
    for (size_t part = 0; part * SITEMAP_MAX < map->count; part++) {
        buf_text(map->to_body, "<sitemap><loc>");
        escape_text(map->to_body, map->call->config->base_url);
        buf_fmt(map->to_body, "/sitemap/%zu</loc></sitemap>\n", part + 1);
    }
    buf_text(map->to_body, "</sitemapindex>\n");
}

static void put_part(struct sitemap *map, size_t part)
{
    map->from = part * SITEMAP_MAX;
    map->to = map->from + SITEMAP_MAX;
    buf_text(map->to_body, DECLARATION "<urlset " NAMESPACE ">\n");
    put_all(map);
    buf_text(map->to_body, "</urlset>\n");
}

static void begin(struct page_call *call, struct sitemap *map)
{
    *map = (struct sitemap){
        .call = call, .to_body = http_body(call->x), .reads = call->config->public_pages};
    put_all(map); /* counts */
}

static enum err finish(struct page_call *call)
{
    page_surrogate(call, "list", STR("trades"));
    page_download(call, STR("application/xml"), STR_NULL);
    return OK;
}

enum err sitemap_load(struct page_call *call, struct fail *fail)
{
    struct sitemap map;
    begin(call, &map);
    if (map.count > SITEMAP_MAX)
        put_index(&map);
    else
        put_part(&map, 0);
    return finish(call);
}

enum err sitemap_part_load(struct page_call *call, struct fail *fail)
{
    struct sitemap map;
    int64_t part;
    begin(call, &map);
    int64_t parts = (int64_t)((map.count + SITEMAP_MAX - 1) / SITEMAP_MAX);
    if (!str_to_i64(call->segments[0], &part) || part < 1 || part > parts)
        return fail_set(fail, ERR_NOT_FOUND, "no such part");
    put_part(&map, (size_t)part - 1);
    return finish(call);
}
