/* The format of sitemaps with one part and with several. */
#include "site/sitemap.h"

#include "base/instant.h"
#include "unit.h"

#define BEGIN                                                                                      \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset "                                         \
    "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
#define INDEX                                                                                      \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex "                                   \
    "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
#define URL(path) "<url><loc>https://example.org" path "</loc></url>\n"

static void fill(struct sitemap *map, size_t part_max, size_t count)
{
    static const struct str paths[] = {
        STR_INIT("/1"), STR_INIT("/2"), STR_INIT("/3"), STR_INIT("/4"), STR_INIT("/5")};
    sitemap_init(map, STR("https://example.org"), part_max);
    for (size_t i = 0; i < count; i++)
        sitemap_add(map, paths[i % 5], INSTANT_NONE);
}

static void assert_text(struct buf *b, const char *expected)
{
    assert_str(buf_view(b), expected);
    buf_reset(b);
}

static void one_part_is_the_sitemap(void **state)
{
    struct sitemap map;
    struct buf b;
    buf_init(&b, 1 << 20);
    fill(&map, 2, 2);
    sitemap_put(&map, &b);
    assert_text(&b, BEGIN URL("/1") URL("/2") "</urlset>\n");
    assert_true(sitemap_put_part(&map, 1, &b));
    assert_text(&b, BEGIN URL("/1") URL("/2") "</urlset>\n");
    assert_false(sitemap_put_part(&map, 2, &b));
    assert_false(sitemap_put_part(&map, 0, &b));
    assert_int_equal(b.n, 0);
    sitemap_finish(&map);
    buf_finish(&b);
}

static void several_parts_have_an_index(void **state)
{
    struct sitemap map;
    struct buf b;
    buf_init(&b, 1 << 20);
    fill(&map, 2, 5);
    sitemap_put(&map, &b);
    assert_text(
        &b, INDEX "<sitemap><loc>https://example.org/sitemap/1</loc></sitemap>\n"
                  "<sitemap><loc>https://example.org/sitemap/2</loc></sitemap>\n"
                  "<sitemap><loc>https://example.org/sitemap/3</loc></sitemap>\n"
                  "</sitemapindex>\n");
    assert_true(sitemap_put_part(&map, 2, &b));
    assert_text(&b, BEGIN URL("/3") URL("/4") "</urlset>\n");
    assert_true(sitemap_put_part(&map, 3, &b));
    assert_text(&b, BEGIN URL("/5") "</urlset>\n");
    assert_false(sitemap_put_part(&map, 4, &b));
    sitemap_reset(&map);
    sitemap_add(&map, STR("/a&b"), INT64_C(1767225600000));
    sitemap_put(&map, &b);
    assert_text(
        &b, BEGIN "<url><loc>https://example.org/a&amp;b</loc><lastmod>2026-01-01</lastmod></url>\n"
                  "</urlset>\n");
    sitemap_finish(&map);
    buf_finish(&b);
}

static void parts_are_bounded(void **state)
{
    struct sitemap map;
    fill(&map, 1, 2 * SITEMAP_PARTS_MAX);
    assert_int_equal(map.part_count, SITEMAP_PARTS_MAX);
    sitemap_finish(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_part_is_the_sitemap),
        cmocka_unit_test(several_parts_have_an_index),
        cmocka_unit_test(parts_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
