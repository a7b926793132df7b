/* The format of sitemaps; see sitemap.h. */
#include "site/sitemap.h"

#include "base/instant.h"
#include "html/escape.h"

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
