/* Draws bar charts; see chart.h. */
#include "html/chart.h"

#include <assert.h>

#include "html/escape.h"
#include "html/view_parts.h"

/* Units of the drawing, which the page stretches to its width. */
enum { WIDTH = 1000, HEIGHT = 100, SVG_SIZE_MAX = 1 << 20 };
enum { LABELS_MAX = 40 }; /* characters of all labels below the bars, for a phone */

static const char *const tone_names[] = {
    [CHART_MAIN] = "main", [CHART_QUIET] = "quiet", [CHART_WARNING] = "warning",
    [CHART_BAD] = "bad",   [CHART_OPEN] = "open",
};

static int64_t value_of(const struct chart *chart, size_t bar, size_t series)
{
    return chart->values[bar * chart->series_count + series];
}

static bool hangs(const struct chart *chart, size_t series)
{
    return chart->hangs >> series & 1;
}

/* The sum of the parts that stand, or of those that hang. */
static int64_t sum_of(const struct chart *chart, size_t bar, bool hanging)
{
    int64_t sum = 0;
    for (size_t i = 0; i < chart->series_count; i++)
        sum += hangs(chart, i) == hanging ? value_of(chart, bar, i) : 0;
    return sum;
}

static int64_t height_of(const struct chart *chart, size_t bar)
{
    return sum_of(chart, bar, false) + sum_of(chart, bar, true);
}

static size_t highest(const struct chart *chart)
{
    size_t best = 0;
    for (size_t i = 1; i < chart->count; i++)
        if (height_of(chart, i) > height_of(chart, best))
            best = i;
    return best;
}

/* The top of the scale: an even number times a power of ten, so that its half is whole. */
static int64_t scale_for(int64_t value)
{
    static const int64_t steps[] = {2, 4, 6, 8, 10};
    for (int64_t power = 1;; power *= 10)
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
            if (steps[i] * power >= value || power > INT64_MAX / 1000)
                return steps[i] * power;
}

/* "2026-11-20 (delivered: 120, failed: 3)" */
static void put_bar_text(struct buf *b, const struct chart *chart, size_t bar)
{
    const char *before = " (";
    escape_text(b, chart->labels[bar]);
    for (size_t i = 0; i < chart->series_count; i++) {
        if (value_of(chart, bar, i) == 0)
            continue;
        buf_text(b, before);
        escape_text(b, str_from(chart->series[i].label));
        buf_text(b, ": ");
        view_count_put(b, value_of(chart, bar, i));
        before = ", ";
    }
    buf_char(b, ')');
}

/* A number of tenths, since coordinates need no more. */
static void put_tenths(struct buf *b, int64_t tenths)
{
    buf_fmt(b, "%lld", (long long)(tenths / 10));
    if (tenths % 10)
        buf_fmt(b, ".%d", (int)(tenths % 10));
}

struct chart_part {
    int64_t from, to; /* heights of the scale */
    bool hangs;
    enum chart_tone tone;
};

/* A part of a bar, with a gap of a third of the bar beside it. */
static void put_part(
    struct buf *b, const struct chart *chart, size_t bar, int64_t scale,
    const struct chart_part *part)
{
    int64_t axis = chart->hangs ? HEIGHT * 5 : HEIGHT * 10;
    int64_t left = (int64_t)bar * WIDTH * 10 / (int64_t)chart->count;
    int64_t right = (int64_t)(bar + 1) * WIDTH * 10 / (int64_t)chart->count;
    int64_t gap = (right - left) / 6;
    int64_t far = (int64_t)((__int128)part->to * axis / scale);
    int64_t near = (int64_t)((__int128)part->from * axis / scale);
    if (far - near < 10 && part->from == 0) /* a small value is not invisible */
        far = near + 10;
    int64_t top = part->hangs ? axis + near : axis - far, bottom = top + far - near;
    buf_text(b, "<rect");
    if (part->tone ==
        CHART_OPEN) /* it has a dashed outline; some CSS checkers do not know the property */
        buf_text(b, " vector-effect=\"non-scaling-stroke\"");
    buf_fmt(b, " class=\"%s\" x=\"", tone_names[part->tone]);
    put_tenths(b, left + gap);
    buf_text(b, "\" y=\"");
    put_tenths(b, top);
    buf_text(b, "\" width=\"");
    put_tenths(b, right - left - 2 * gap);
    buf_text(b, "\" height=\"");
    put_tenths(b, bottom - top);
    buf_text(b, "\"/>");
}

static void put_bar(struct buf *b, const struct chart *chart, size_t bar, int64_t scale)
{
    int64_t ends[2] = {0, 0};
    if (height_of(chart, bar) == 0)
        return;
    if (chart->links) { /* the table has the same links, for the keyboard */
        buf_text(b, "<a tabindex=\"-1\" href=\"");
        escape_text(b, chart->links[bar]);
        buf_text(b, "\"><title>");
    } else {
        buf_text(b, "<g><title>");
    }
    put_bar_text(b, chart, bar);
    buf_text(b, "</title>");
    for (size_t i = 0; i < chart->series_count; i++) {
        int64_t value = value_of(chart, bar, i), *end = &ends[hangs(chart, i)];
        if (value > 0)
            put_part(
                b, chart, bar, scale,
                &(struct chart_part){*end, *end + value, hangs(chart, i), chart->series[i].tone});
        *end += value;
    }
    buf_text(b, chart->links ? "</a>" : "</g>");
}

/* "30 bars from 2026-10-22 to 2026-11-20. The highest is 2026-11-03 (delivered: 120)." */
static void put_description(struct buf *b, const struct chart *chart)
{
    buf_fmt(b, "%zu bars from ", chart->count);
    escape_text(b, chart->labels[0]);
    buf_text(b, " to ");
    escape_text(b, chart->labels[chart->count - 1]);
    buf_text(b, ". The highest is ");
    put_bar_text(b, chart, highest(chart));
    buf_char(b, '.');
}

static void put_svg(struct buf *b, const char *id, const struct chart *chart, int64_t scale)
{
    buf_fmt(
        b,
        "<svg class=\"bars\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" role=\"%s\" "
        "aria-labelledby=\"%s-title %s-desc\"><title id=\"%s-title\">",
        WIDTH, HEIGHT, chart->links ? "group" : "img", id, id, id);
    escape_text(b, str_from(chart->title));
    buf_fmt(b, "</title><desc id=\"%s-desc\">", id);
    put_description(b, chart);
    buf_text(b, "</desc>");
    if (!chart->small)
        for (int line = 0; line <= 2; line++)
            buf_fmt(
                b,
                "<line vector-effect=\"non-scaling-stroke\" x1=\"0\" x2=\"%d\" y1=\"%d\" "
                "y2=\"%d\"/>",
                WIDTH, line * HEIGHT / 2, line * HEIGHT / 2);
    for (size_t i = 0; i < chart->count; i++)
        put_bar(b, chart, i, scale);
    buf_text(b, "</svg>");
}

static void add_series(struct view *to, const struct chart *chart)
{
    struct view *list = view_list(to, "series");
    for (size_t i = 0; i < chart->series_count; i++) {
        struct view *item = view_item(list);
        view_text(item, "label", chart->series[i].label);
        view_text(item, "tone", tone_names[chart->series[i].tone]);
    }
}

static void add_rows(struct view *to, const struct chart *chart)
{
    struct view *rows = view_list(to, "rows");
    for (size_t bar = 0; bar < chart->count; bar++) {
        struct view *row = view_item(rows);
        view_str(row, "label", chart->labels[bar]);
        view_str(row, "href", chart->links ? chart->links[bar] : STR_NULL);
        struct view *values = view_list(row, "values");
        for (size_t i = 0; i < chart->series_count; i++)
            view_count(view_item(values), "value", value_of(chart, bar, i));
    }
}

/* Each bar has its label below it, if there is room on a phone. Otherwise some do, at equal
 * distances: the first, the last, and as many between them as fit. */
static void add_labels(struct view *to, const struct chart *chart)
{
    size_t characters = 0, longest = 0, shown = chart->count;
    for (size_t i = 0; i < chart->count; i++) {
        characters += chart->labels[i].n;
        if (chart->labels[i].n > longest)
            longest = chart->labels[i].n;
    }
    bool fit = characters <= LABELS_MAX;
    if (!fit)
        shown = longest < LABELS_MAX / 3 ? LABELS_MAX / longest : 3;
    if (shown > chart->count)
        shown = chart->count;
    struct view *labels = view_list(to, "labels");
    for (size_t i = 0; i < shown; i++)
        view_item_str(
            labels,
            chart->labels[shown == chart->count ? i : i * (chart->count - 1) / (shown - 1)]);
    view_bool(to, "labelled", fit);
}

void chart_bars(struct view *view, const char *name, const struct chart *chart)
{
    struct view *to = view_object(view, name);
    BUF_SCOPED(svg, SVG_SIZE_MAX);
    assert(chart->series_count > 0 && chart->series_count <= CHART_SERIES_MAX);
    int64_t high = chart->count ? height_of(chart, highest(chart)) : 0, most = high;
    if (chart->hangs) {
        most = 0;
        for (size_t i = 0; i < 2 * chart->count; i++) {
            int64_t sum = sum_of(chart, i / 2, i % 2);
            most = sum > most ? sum : most;
        }
    }
    int64_t scale = scale_for(most);
    view_text(to, "title", chart->title);
    view_text(to, "axis", chart->axis);
    view_text(to, "empty", chart->empty);
    view_bool(to, "small", chart->small);
    view_bool(to, "any", high > 0);
    view_bool(to, "hasLegend", chart->series_count > 1);
    add_series(to, chart);
    add_rows(to, chart);
    if (high == 0)
        return;
    view_count(to, "high", scale);
    view_count(to, "middle", chart->hangs ? 0 : scale / 2);
    view_count(to, "low", chart->hangs ? scale : 0);
    add_labels(to, chart);
    put_svg(&svg, chart->id ? chart->id : name, chart, scale);
    view_html(to, "svg", buf_view(&svg));
}
