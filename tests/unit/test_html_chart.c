/* Bar charts: the drawing, its description, and the numbers beside it. */
#include "arena_fixture.h"

#include "html/chart.h"
#include "html/view_parts.h"

static const struct chart_series series[] = {{"delivered", CHART_MAIN}, {"<failed>", CHART_BAD}};

static const struct str *linked; /* NULL: bars without links */

static const struct view *draw(const struct str *labels, const int64_t *values, size_t count)
{
    struct view *view = view_create(&arena);
    struct chart chart = {
        .title = "Deliveries & failures",
        .axis = "Day",
        .empty = "No deliveries in these days.",
        .series = series,
        .series_count = 2,
        .labels = labels,
        .links = linked,
        .values = values,
        .count = count,
    };
    chart_bars(view, "days", &chart);
    return view_find(view, STR("days"));
}

static struct str text(const struct view *chart, const char *name)
{
    const struct view *member = view_find(chart, str_from(name));
    return member && member->kind != VIEW_NULL ? member->text : STR_NULL;
}

static bool has(const struct view *chart, const char *part)
{
    return str_find(text(chart, "svg"), str_from(part)) >= 0;
}

static void parts_are_stacked_to_scale(void **state)
{
    const struct str labels[] = {STR("a"), STR("b")};
    const int64_t values[] = {30, 10, 0, 0};
    const struct view *chart = draw(labels, values, 2);
    assert_str(text(chart, "highText"), "40");
    assert_str(text(chart, "middleText"), "20");
    /* half of the width is 500 units, with a sixth of it on each side */
    assert_true(
        has(chart, "<rect class=\"main\" x=\"83.3\" y=\"25\" width=\"333.4\" height=\"75\"/>"));
    assert_true(
        has(chart, "<rect class=\"bad\" x=\"83.3\" y=\"0\" width=\"333.4\" height=\"25\"/>"));
    assert_true(has(chart, "<g><title>a (delivered: 30, &lt;failed&gt;: 10)</title>"));
    assert_false(has(chart, "<title>b"));
}

static void drawing_has_a_title_and_a_description(void **state)
{
    const struct str labels[] = {STR("2026-11-19"), STR("2026-11-20")};
    const int64_t values[] = {3, 0, 1200, 1};
    const struct view *chart = draw(labels, values, 2);
    assert_true(has(chart, "role=\"img\" aria-labelledby=\"days-title days-desc\""));
    assert_true(has(chart, "<title id=\"days-title\">Deliveries &amp; failures</title>"));
    assert_true(
        has(chart, "<desc id=\"days-desc\">2 bars from 2026-11-19 to 2026-11-20. The highest is "
                   "2026-11-20 (delivered: 1,200, &lt;failed&gt;: 1).</desc>"));
    assert_str(text(chart, "highText"), "2,000");
}

static void small_value_is_visible_beside_a_large_one(void **state)
{
    const struct str labels[] = {STR("a"), STR("b")};
    const int64_t values[] = {1000000, 0, 1, 0};
    assert_true(has(draw(labels, values, 2), "y=\"99\" width=\"333.4\" height=\"1\"/>"));
}

static void largest_values_do_not_overflow(void **state)
{
    const struct str labels[] = {STR("a")};
    const int64_t values[] = {INT64_MAX / 2, INT64_MAX / 2};
    assert_true(has(draw(labels, values, 1), "<rect class=\"bad\""));
}

static void chart_without_values_has_a_sentence_only(void **state)
{
    const struct str labels[] = {STR("a")};
    const int64_t values[] = {0, 0};
    const struct view *chart = draw(labels, values, 1);
    assert_true(str_is_null(text(chart, "svg")));
    assert_str(text(chart, "empty"), "No deliveries in these days.");
    assert_false(view_find(chart, STR("any"))->yes);
    assert_true(str_is_null(text(draw(NULL, NULL, 0), "svg")));
}

static void numbers_are_beside_the_drawing(void **state)
{
    const struct str labels[] = {STR("a")};
    const int64_t values[] = {1200, 1};
    struct view *only = view_create(&arena);
    struct buf json;
    const struct view *rows = view_find(draw(labels, values, 1), STR("rows"));
    *view_add(only, STR("rows"), VIEW_LIST) = *rows;
    only->children.first->next = NULL;
    buf_init(&json, 4096);
    view_json(&json, only);
    assert_str(
        buf_view(&json), "{\"rows\":[{\"label\":\"a\",\"href\":null,\"values\":[{\"value\":1200,"
                         "\"valueText\":\"1,200\"},"
                         "{\"value\":1,\"valueText\":\"1\"}]}]}");
    buf_finish(&json);
}

/* The first and the last one, and those between them at equal distances. */
static void axis_has_as_many_labels_as_fit(void **state)
{
    enum { MONTHS = 41 };
    struct str labels[MONTHS];
    int64_t values[2 * MONTHS] = {1};
    BUF_SCOPED(shown, 256);
    for (int i = 0; i < MONTHS; i++)
        labels[i] = arena_fmt(&arena, "20%02d-06", i);
    const struct view *chart = draw(labels, values, MONTHS);
    const struct view *list = view_find(chart, STR("labels"));
    assert_false(view_find(chart, STR("labelled"))->yes);
    for (const struct view *label = list->children.first; label; label = label->next)
        buf_fmt(&shown, "%.*s ", STR_ARG(label->text));
    assert_str(buf_view(&shown), "2000-06 2010-06 2020-06 2030-06 2040-06 ");
    const struct str one[] = {STR("a label that is longer than all that fits below it")};
    list = view_find(draw(one, values, 1), STR("labels"));
    assert_str(list->children.first->text, "a label that is longer than all that fits below it");
}

static void bar_leads_to_what_it_counts(void **state)
{
    const struct str labels[] = {STR("a"), STR("b")};
    const struct str links[] = {STR("/x?a=1&b=\"><script>"), STR("/y")};
    const int64_t values[] = {1, 0, 1, 0};
    linked = links;
    const struct view *chart = draw(labels, values, 2);
    linked = NULL;
    assert_true(has(chart, "<a tabindex=\"-1\" href=\"/x?a=1&amp;b=&quot;&gt;&lt;script&gt;\">"));
    assert_true(has(chart, "role=\"group\""));
    assert_true(has(chart, "/></a>"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(parts_are_stacked_to_scale),
        ARENA_TEST(drawing_has_a_title_and_a_description),
        ARENA_TEST(small_value_is_visible_beside_a_large_one),
        ARENA_TEST(largest_values_do_not_overflow),
        ARENA_TEST(chart_without_values_has_a_sentence_only),
        ARENA_TEST(numbers_are_beside_the_drawing),
        ARENA_TEST(axis_has_as_many_labels_as_fit),
        ARENA_TEST(bar_leads_to_what_it_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
