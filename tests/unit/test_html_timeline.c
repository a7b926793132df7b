/* Drawings on an axis of days: places of marks, bars, ticks, links and escaping. */
#include "arena_fixture.h"

#include "html/timeline.h"
#include "html/view_parts.h"

enum { MARKS_MAX = 3000 };

static const struct timeline_lane lanes[] = {
    {"bought", TIMELINE_UP, false, false}, {"<sold>", TIMELINE_DOWN, true, true}};

static struct timeline_link mark_link(void *ctx, struct arena *a, size_t index)
{
    return (struct timeline_link){
        arena_fmt(a, "/t/%zu?a&b", index), arena_fmt(a, "mark %zu <b>\"", index)};
}

static struct str period_href(void *ctx, struct arena *a, int32_t from, int32_t to, int lane)
{
    char first[DAY_TEXT_SIZE], last[DAY_TEXT_SIZE];
    day_print(from, first);
    day_print(to, last);
    return arena_fmt(a, "?from=%.10s&to=%.10s&lane=%d", first, last, lane);
}

static int32_t day(int year, int month, int of_month)
{
    int32_t ret;
    assert_true(day_from_civil(year, month, of_month, &ret));
    return ret;
}

static struct timeline sample(void)
{
    static struct str sizes[TIMELINE_SIZES];
    for (int i = 0; i < TIMELINE_SIZES; i++)
        sizes[i] = STR("size");
    return (struct timeline){
        .id = "t",
        .title = STR("Seats & trades"),
        .description = STR("From <2020> on"),
        .from = day(2020, 1, 1),
        .to = day(2025, 1, 1),
        .lanes = lanes,
        .lane_count = 2,
        .mark_link = mark_link,
        .period_href = period_href,
        .strong_noun = "flagged",
        .strong_label = "flagged: why",
        .underlined_label = "late",
        .size_labels = sizes,
    };
}

static const struct view *draw(const struct timeline *t)
{
    struct view *view = view_create(&arena);
    timeline_put(view, "drawing", t);
    return view_find(view, STR("drawing"));
}

static struct str svg_of(const struct view *drawing)
{
    return view_find(drawing, STR("svg"))->text;
}

static bool has(const struct view *drawing, const char *part)
{
    return str_find(svg_of(drawing), str_from(part)) >= 0;
}

static int count_of(struct str text, const char *part)
{
    int count = 0, at;
    while ((at = (int)str_find(text, str_from(part))) >= 0) {
        text = str_slice(text, (size_t)at + 1, text.n);
        count++;
    }
    return count;
}

static void mark_is_a_link_at_its_day(void **state)
{
    struct timeline_mark marks[] = {
        {.day = day(2022, 7, 2), .size = 2}, /* half of five years */
        {.day = day(2024, 7, 2), .lane = 1, .size = 4, .strong = true, .underlined = true}};
    struct timeline t = sample();
    t.marks = marks;
    t.mark_count = 2;
    const struct view *drawing = draw(&t);
    assert_true(has(drawing, "<g id=\"t-0c\" class=\"tm\">"));
    assert_true(has(drawing, "<a href=\"/t/0?a&amp;b\"><use href=\"#t-0c\" x=\"50%\""));
    assert_true(has(drawing, "<title>mark 0 &lt;b&gt;&quot;</title></a>"));
    assert_true(has(drawing, "<g id=\"t-1esu\" class=\"tm h s\"><circle"));
    assert_true(has(drawing, "&lt;sold&gt;</text>"));
    assert_false(view_find(drawing, STR("merged"))->yes);
}

/* A lane has a shape of its own, and a larger amount a larger radius. */
static void outline_tells_the_lane_and_the_size(void **state)
{
    struct timeline_mark marks[] = {
        {.day = day(2021, 7, 2), .size = 1},
        {.day = day(2022, 7, 2), .size = 4},
        {.day = day(2023, 7, 2), .lane = 1, .size = 4}};
    struct timeline t = sample();
    t.marks = marks;
    t.mark_count = 3;
    const struct view *drawing = draw(&t);
    assert_true(has(drawing, "<g id=\"t-0b\" class=\"tm\"><path d=\"M0 -4L4 4H-4z\"/></g>"));
    assert_true(has(drawing, "<g id=\"t-0e\" class=\"tm\"><path d=\"M0 -7L7 7H-7z\"/></g>"));
    assert_true(has(drawing, "<g id=\"t-1e\" class=\"tm h\"><path d=\"M0 7L7 -7H-7z\"/></g>"));
}

static void mark_outside_the_axis_is_left_out(void **state)
{
    struct timeline_mark marks[] = {{.day = day(2019, 12, 31)}, {.day = day(2025, 1, 1)}};
    struct timeline t = sample();
    t.marks = marks;
    t.mark_count = 2;
    assert_int_equal(count_of(svg_of(draw(&t)), "<use"), 0);
}

static void drawing_has_a_name_and_a_description(void **state)
{
    struct timeline t = sample();
    const struct view *drawing = draw(&t);
    assert_true(
        has(drawing, "role=\"group\" aria-labelledby=\"t-title\" aria-describedby=\"t-desc\""));
    assert_true(has(drawing, "<title id=\"t-title\">Seats &amp; trades</title>"));
    assert_true(has(drawing, "<desc id=\"t-desc\">From &lt;2020&gt; on</desc>"));
}

static void axis_leads_to_each_year(void **state)
{
    struct timeline t = sample();
    const struct view *drawing = draw(&t);
    assert_int_equal(count_of(svg_of(drawing), "<line class=\"g\""), 5);
    t.from = day(2010, 1, 1);
    drawing = draw(&t);
    assert_int_equal(count_of(svg_of(drawing), "<line class=\"g\""), 15);
    assert_true(
        has(drawing, "<a href=\"?from=2010-01-01&amp;to=2010-12-31&amp;lane=-1\"><text class=\"t\" "
                     "x=\"0%\" dx=\"3\" y=\"11\">2010</text></a>"));
}

static void axis_of_a_single_day_and_of_all_years_can_be_drawn(void **state)
{
    struct timeline_mark mark = {.day = day(2022, 7, 2)};
    struct timeline t = sample();
    t.marks = &mark;
    t.mark_count = 1;
    t.from = mark.day;
    t.to = mark.day + 1;
    assert_true(has(draw(&t), ">Jul 2</text>"));
    assert_true(has(draw(&t), "x=\"50%\""));
    t.from = day(1, 1, 1);
    t.to = day(9999, 12, 31);
    assert_int_equal(count_of(svg_of(draw(&t)), "<use"), 1);
}

static void row_shows_its_spans_and_the_days_of_its_strong_marks(void **state)
{
    const struct timeline_span spans[] = {
        {day(2019, 1, 1), day(2021, 1, 1)}, /* begins before the axis */
        {day(2021, 1, 3), day(2022, 7, 2)}, /* touches the one before */
        {day(2024, 7, 1), DAY_NONE},
    };
    const struct timeline_row rows[] = {
        {STR("A"), STR("Energy <&>"), STR("from 2019"), false, spans, 3},
        {STR("B"), STR("Panel"), STR("never"), true, NULL, 0}};
    struct timeline_mark marks[] = {
        {.day = day(2022, 7, 2), .strong = true, .rows = 1},
        {.day = day(2022, 7, 19), .strong = true, .rows = 3}, /* touches the one before */
        {.day = day(2023, 7, 3), .rows = 1}};
    struct timeline t = sample();
    t.rows = rows;
    t.row_count = 2;
    t.marks = marks;
    t.mark_count = 3;
    const struct view *drawing = draw(&t);
    assert_true(has(drawing, "<g id=\"t-row-A\" class=\"w0\"><text"));
    assert_true(
        has(drawing, "Energy &lt;&amp;&gt;</text><rect class=\"b\" x=\"0%\" y=\"36\" "
                     "width=\"49.9%\" height=\"9\" rx=\"2\"/>"));
    assert_int_equal(count_of(svg_of(drawing), "<rect class=\"b\""), 2);
    assert_true(
        has(drawing, "<rect class=\"k\" x=\"50%\" y=\"34\" height=\"13\" width=\"0.9%\" "
                     "fill=\"url(#t-hatch)\"/></g>")); /* one run */
    assert_true(has(drawing, "<rect class=\"k\" x=\"50.9%\" y=\"67\" height=\"9\" width=\"2\"/>"));
    assert_true(has(drawing, "<pattern id=\"t-hatch\""));
    assert_true(has(drawing, "class=\"r0 r1 \"><use"));
}

static void span_inside_another_does_not_shorten_the_bar(void **state)
{
    const struct timeline_span spans[] = {
        {day(2020, 1, 1), day(2022, 7, 2)}, {day(2021, 1, 1), day(2021, 2, 1)}};
    struct timeline_row row = {STR("A"), STR("Energy"), STR("from 2020"), false, spans, 2};
    struct timeline t = sample();
    t.rows = &row;
    t.row_count = 1;
    const struct view *drawing = draw(&t);
    assert_int_equal(count_of(svg_of(drawing), "class=\"b\""), 1);
    assert_true(has(drawing, "width=\"49.9%\""));
}

static void long_label_is_cut_between_characters(void **state)
{
    const struct timeline_row row = {
        STR("A"), STR("Ééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé"),
        STR("t"), false,
        NULL,     0};
    struct timeline t = sample();
    t.rows = &row;
    t.row_count = 1;
    assert_true(has(draw(&t), "éé…</text>"));
    assert_true(has(draw(&t), "<title>t</title>"));
}

static void marks_of_one_day_do_not_cover_each_other(void **state)
{
    struct timeline_mark marks[4];
    for (int i = 0; i < 4; i++)
        marks[i] = (struct timeline_mark){.day = day(2022, 7, 2), .size = 1};
    struct timeline t = sample();
    t.marks = marks;
    t.mark_count = 4;
    struct str svg = svg_of(draw(&t));
    /* 8 px high each, one pixel between them, the first 4 px from the axis */
    int base = 18 + 14 + 18 + 4 + 4 * 9;
    for (int i = 0; i < 4; i++) {
        const char *part = arena_fmt(&arena, "x=\"50%%\" y=\"%d\"/>", base - 4 - 4 - 9 * i).p;
        assert_int_equal(count_of(svg, part), 1);
    }
}

static void crowded_stretch_becomes_a_bar_that_leads_to_it(void **state)
{
    static struct timeline_mark marks[41];
    for (int i = 0; i < 40; i++)
        marks[i] = (struct timeline_mark){.day = day(2022, 7, 2), .size = 1, .strong = i % 4 == 0};
    marks[40] = (struct timeline_mark){.day = day(2024, 7, 2)}; /* alone */
    struct timeline t = sample();
    t.marks = marks;
    t.mark_count = 41;
    const struct view *drawing = draw(&t);
    assert_int_equal(count_of(svg_of(drawing), "<use"), 1);
    assert_true(view_find(drawing, STR("merged"))->yes);
    assert_true(
        has(drawing, "<a href=\"?from=2022-07-01&amp;to=2022-07-31&amp;lane=0\"><title>40 bought, "
                     "10 flagged, 2022-07-01 to 2022-07-31</title><rect class=\"ts\" "
                     "fill=\"url(#t-hatch)\""));
    assert_true(has(drawing, ">40</text></a>"));
}

/* Every mark is drawn once, alone or in the number on a bar. */
static int drawn(struct str svg)
{
    int sum = count_of(svg, "<use");
    ptrdiff_t at;
    while ((at = str_find(svg, STR("<text class=\"n\""))) >= 0) {
        svg = str_slice(svg, (size_t)at + 1, svg.n);
        size_t from = (size_t)str_find_char(svg, '>') + 1;
        int number = 0;
        for (; svg.p[from] != '<'; from++)
            if (svg.p[from] != ',')
                number = number * 10 + svg.p[from] - '0';
        sum += number;
    }
    return sum;
}

static void any_number_of_marks_stays_small_and_complete(void **state)
{
    static struct timeline_mark marks[MARKS_MAX];
    static const int spreads[] = {1, 2, 7, 30, 365, 5 * 365};
    struct timeline t = sample();
    t.marks = marks;
    for (size_t s = 0; s < sizeof spreads / sizeof *spreads; s++)
        for (int count = 1; count <= MARKS_MAX; count = count * 3 + 1) {
            for (int i = 0; i < count; i++)
                marks[i] = (struct timeline_mark){
                    .day = t.from + (int32_t)((int64_t)i * spreads[s] / count),
                    .lane = i % 3 == 0,
                    .size = (uint8_t)(i * 7 % TIMELINE_SIZES),
                    .strong = i % 5 == 0,
                    .underlined = i % 4 == 0};
            t.mark_count = (size_t)count;
            struct str svg = svg_of(draw(&t));
            assert_int_equal(drawn(svg), count);
            assert_true(count_of(svg, "<a ") <= 40 + 16);
            assert_true(svg.n < 32768);
        }
}

static void legend_names_what_is_drawn(void **state)
{
    struct timeline_mark marks[] = {{.day = day(2022, 7, 2), .size = 1, .underlined = true}};
    struct timeline t = sample();
    t.marks = marks;
    t.mark_count = 1;
    const struct view *legend = view_find(draw(&t), STR("legend"));
    static const char *const labels[] = {"bought", "size", "late"};
    const struct view *item = legend->children.first;
    for (size_t i = 0; i < 3; i++, item = item->next)
        assert_str(view_find(item, STR("label"))->text, labels[i]);
    assert_null(item);
}

static void axis_is_hatched_where_nothing_is_known(void **state)
{
    const struct timeline_span gaps[] = {
        {day(2022, 1, 1), day(2022, 7, 1)},
        {day(2022, 6, 1), day(2022, 7, 2)}, /* overlaps the one before */
        {day(2023, 7, 2), day(2023, 7, 3)},
        {day(2030, 1, 1), day(2031, 1, 1)}, /* outside */
    };
    struct timeline t = sample();
    assert_int_equal(count_of(svg_of(draw(&t)), "t-gap"), 0);
    t.gaps = gaps;
    t.gap_count = 4;
    t.gap_label = "not here";
    const struct view *drawing = draw(&t);
    assert_int_equal(count_of(svg_of(drawing), "<rect class=\"q\""), 2);
    assert_int_equal(count_of(svg_of(drawing), "<pattern id=\"t-gap\""), 1);
    const struct view *legend = view_find(drawing, STR("legend"));
    assert_str(view_find(legend->children.first, STR("label"))->text, "not here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(mark_is_a_link_at_its_day),
        ARENA_TEST(outline_tells_the_lane_and_the_size),
        ARENA_TEST(mark_outside_the_axis_is_left_out),
        ARENA_TEST(drawing_has_a_name_and_a_description),
        ARENA_TEST(axis_leads_to_each_year),
        ARENA_TEST(axis_of_a_single_day_and_of_all_years_can_be_drawn),
        ARENA_TEST(row_shows_its_spans_and_the_days_of_its_strong_marks),
        ARENA_TEST(span_inside_another_does_not_shorten_the_bar),
        ARENA_TEST(long_label_is_cut_between_characters),
        ARENA_TEST(marks_of_one_day_do_not_cover_each_other),
        ARENA_TEST(crowded_stretch_becomes_a_bar_that_leads_to_it),
        ARENA_TEST(any_number_of_marks_stays_small_and_complete),
        ARENA_TEST(legend_names_what_is_drawn),
        ARENA_TEST(axis_is_hatched_where_nothing_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
