/* Draws rows of spans and lanes of marks on an axis of days; see timeline.h. */
#include "html/timeline.h"

#include <assert.h>

#include "html/escape.h"
#include "html/timeline_parts.h"
#include "html/view_parts.h"

enum {
    SVG_SIZE_MAX = 1 << 20,
    LABEL_MAX = 44, /* characters of a row's label */
    AXIS_HEIGHT = 18,
    GAP_BELOW = 4,
    ROW_HEIGHT = 33,
    ROW_MINOR_HEIGHT = 29,
    ROW_LABEL = 12, /* px from the top of a row to the foot of its label */
    BAR_TOP = 18,
    BAR_HEIGHT = 9,
    BAR_MINOR_HEIGHT = 5,
    LANE_LABEL = 18, /* px for the label of a lane */
    LANE_GAP = 14,   /* px between rows and lanes, and between lanes that share no axis */
    LANE_MIN = 16,
    TICK_APART = 20, /* tenths of a percent: ticks of a row that are nearer are one run */
    RUN_MIN = 4,     /* tenths of a percent: a shorter run is a tick */
};

struct drawing {
    const struct timeline *t;
    struct arena *arena;
    struct timeline_packed packed;
    struct buf b;
    int y;                            /* px: how far it is drawn */
    int baseline[TIMELINE_LANES_MAX]; /* y of each lane's axis */
};

static void put_share(struct buf *b, int tenths)
{
    buf_fmt(b, "%d", tenths / 10);
    if (tenths % 10)
        buf_fmt(b, ".%d", tenths % 10);
    buf_char(b, '%');
}

static void put_link(struct buf *b, struct str href)
{
    buf_text(b, "<a href=\"");
    escape_text(b, href);
    buf_char(b, '"');
}

static struct str period(const struct drawing *d, int32_t from, int32_t to, int lane)
{
    const struct timeline *t = d->t;
    if (!t->period_href)
        return STR_NULL;
    from = from < t->from ? t->from : from;
    to = to > t->to ? t->to : to;
    return t->period_href(t->ctx, d->arena, from, to - 1, lane);
}

/* --- the axis */

static void put_tick(struct drawing *d, struct timeline_unit unit, int32_t start, int number)
{
    int32_t next = timeline_unit_next(unit, start);
    struct str href = period(d, start, next, -1);
    buf_text(&d->b, "<line class=\"g\" x1=\"");
    put_share(&d->b, timeline_at(d->t, start));
    buf_text(&d->b, "\" x2=\"");
    put_share(&d->b, timeline_at(d->t, start));
    buf_fmt(&d->b, "\" y2=\"%d\"/>", d->y);
    if (!str_is_null(href)) {
        put_link(&d->b, href);
        buf_char(&d->b, '>');
    }
    buf_text(&d->b, "<text class=\"t");
    buf_text(&d->b, number % 2 ? " o\" x=\"" : "\" x=\"");
    put_share(&d->b, timeline_at(d->t, start));
    buf_text(&d->b, "\" dx=\"3\" y=\"11\">");
    timeline_unit_text(&d->b, unit, start < d->t->from ? d->t->from : start);
    buf_text(&d->b, "</text>");
    if (!str_is_null(href))
        buf_text(&d->b, "</a>");
}

static void put_ticks(struct drawing *d)
{
    struct timeline_unit unit = timeline_tick_unit(d->t->from, d->t->to);
    int32_t day = timeline_unit_start(unit, d->t->from);
    for (int number = 0; day < d->t->to; number++, day = timeline_unit_next(unit, day))
        put_tick(d, unit, day, number);
}

/* --- rows */

static int span_end(const struct timeline *t, const struct timeline_span *span)
{
    return span->to == DAY_NONE ? 1000 : timeline_at(t, span->to);
}

/* Bars at d->y + `top`, of a class and with other attributes. */
static void put_spans(
    struct drawing *d, const struct timeline_span *spans, size_t count, int top, int height,
    const char *look, const char *paint)
{
    const struct timeline *t = d->t;
    for (size_t i = 0; i < count;) {
        int from = timeline_at(t, spans[i].from), to = span_end(t, &spans[i]);
        /* spans that touch in the drawing are one bar; one can be inside another */
        while (++i < count && timeline_at(t, spans[i].from) <= to + 1) {
            int end = span_end(t, &spans[i]);
            to = end > to ? end : to;
        }
        if (to <= 0 || from >= 1000)
            continue;
        buf_fmt(&d->b, "<rect class=\"%s\" x=\"", look);
        put_share(&d->b, from);
        buf_fmt(&d->b, "\" y=\"%d\" width=\"", d->y + top);
        put_share(&d->b, to > from ? to - from : 1);
        buf_fmt(&d->b, "\" height=\"%d\" %s/>", height, paint);
    }
}

/* Below the years. */
static void put_gaps(struct drawing *d)
{
    const struct timeline *t = d->t;
    struct str hatch = arena_fmt(d->arena, "fill=\"url(#%s-gap)\"", t->id);
    if (!t->gap_count)
        return;
    put_spans(d, t->gaps, t->gap_count, 0, TIMELINE_GAP_HEIGHT, "q", hatch.p);
    d->y += TIMELINE_GAP_HEIGHT + GAP_BELOW;
}

/* One tick, or a hatched run of ticks that would touch. */
static void put_run(struct drawing *d, const struct timeline_row *row, int from, int to)
{
    buf_text(&d->b, "<rect class=\"k\" x=\"");
    put_share(&d->b, from);
    buf_fmt(
        &d->b, "\" y=\"%d\" height=\"%d\"", d->y + BAR_TOP - 2,
        (row->minor ? BAR_MINOR_HEIGHT : BAR_HEIGHT) + 4);
    if (to >= from + RUN_MIN) {
        buf_text(&d->b, " width=\"");
        put_share(&d->b, to - from);
        buf_fmt(&d->b, "\" fill=\"url(#%s-hatch)\"/>", d->t->id);
        d->packed.has_hatch = true;
    } else {
        buf_text(&d->b, " width=\"2\"/>");
    }
}

/* A tick on the day of each strong mark of the row. */
static void put_row_ticks(struct drawing *d, size_t index)
{
    const struct timeline *t = d->t;
    int from = -1, to = -1;
    for (size_t i = 0; i < t->mark_count; i++) {
        const struct timeline_mark *mark = &t->marks[i];
        if (!mark->strong || !(mark->rows >> index & 1) || mark->day < t->from ||
            mark->day >= t->to)
            continue;
        int at = timeline_middle(t, mark->day);
        if (from >= 0 && at > to + TICK_APART) {
            put_run(d, &t->rows[index], from, to);
            from = at;
        }
        from = from < 0 ? at : from;
        to = at;
    }
    if (from >= 0)
        put_run(d, &t->rows[index], from, to);
}

/* Where a label is cut: after LABEL_MAX characters. */
static size_t label_end(struct str label)
{
    size_t n = 0, characters = 0;
    while (n < label.n && characters < LABEL_MAX) {
        n++;
        while (n < label.n && ((unsigned char)label.p[n] & 0xC0) == 0x80)
            n++;
        characters++;
    }
    return n;
}

static void put_label(struct buf *b, struct str label)
{
    size_t end = label_end(label);
    escape_text(b, str_slice(label, 0, end));
    if (end < label.n)
        buf_text(b, "…");
}

/* A row with bars in the second half only has its label there. */
static bool is_at_end(const struct timeline *t, const struct timeline_row *row)
{
    for (size_t i = 0; i < row->span_count; i++) {
        int32_t to = row->spans[i].to;
        if ((to == DAY_NONE || to > t->from) && timeline_at(t, row->spans[i].from) < 500)
            return false;
    }
    return row->span_count > 0;
}

static void put_row(struct drawing *d, size_t index)
{
    const struct timeline_row *row = &d->t->rows[index];
    buf_fmt(&d->b, "<g id=\"%s-row-", d->t->id);
    escape_text(&d->b, row->key);
    buf_fmt(&d->b, "\" class=\"w%zu\">", index);
    if (label_end(row->label) < row->label.n) {
        buf_text(&d->b, "<title>");
        escape_text(&d->b, row->title);
        buf_text(&d->b, "</title>");
    }
    buf_fmt(
        &d->b, "<text%s y=\"%d\"><tspan class=\"y\">",
        is_at_end(d->t, row) ? " class=\"e\" x=\"100%\"" : "", d->y + ROW_LABEL);
    escape_text(&d->b, row->key);
    buf_text(&d->b, "</tspan> ");
    put_label(&d->b, row->label);
    buf_text(&d->b, "</text>");
    put_spans(
        d, row->spans, row->span_count, BAR_TOP, row->minor ? BAR_MINOR_HEIGHT : BAR_HEIGHT, "b",
        "rx=\"2\"");
    put_row_ticks(d, index);
    buf_text(&d->b, "</g>");
    d->y += row->minor ? ROW_MINOR_HEIGHT : ROW_HEIGHT;
}

/* --- lanes */

/* y of a place that is `offset` px away from the axis of its lane, at its middle. */
static int middle_y(const struct drawing *d, int lane, int offset, int height)
{
    int away = offset + height / 2;
    return d->t->lanes[lane].down ? d->baseline[lane] + away : d->baseline[lane] - away;
}

static void put_mark(struct drawing *d, const struct timeline_place *place)
{
    const struct timeline_mark *mark = &d->t->marks[place->mark];
    struct timeline_link link = d->t->mark_link(d->t->ctx, d->arena, place->mark);
    put_link(&d->b, link.href);
    if (mark->strong && mark->rows) {
        buf_text(&d->b, " class=\"");
        for (size_t row = 0; row < d->t->row_count; row++)
            if (mark->rows >> row & 1)
                buf_fmt(&d->b, "r%zu ", row);
        buf_char(&d->b, '"');
    }
    buf_text(&d->b, "><use href=\"#");
    timeline_put_mark_id(&d->b, d->t->id, mark);
    buf_text(&d->b, "\" x=\"");
    put_share(&d->b, timeline_middle(d->t, mark->day));
    buf_fmt(
        &d->b, "\" y=\"%d\"/><title>",
        middle_y(d, place->lane, place->offset, timeline_mark_extent(mark)));
    escape_text(&d->b, link.title);
    buf_text(&d->b, "</title></a>");
}

/* "37 bought, 3 flagged, 2024-01-01 to 2024-03-31" */
static void put_bar_title(struct drawing *d, const struct timeline_place *place)
{
    int32_t from = place->from < d->t->from ? d->t->from : place->from;
    int32_t to = place->to > d->t->to ? d->t->to : place->to;
    view_count_put(&d->b, place->count[0] + place->count[1]);
    buf_fmt(&d->b, " %s, ", d->t->lanes[place->lane].label);
    if (place->count[1]) {
        view_count_put(&d->b, place->count[1]);
        buf_fmt(&d->b, " %s, ", d->t->strong_noun);
    }
    day_put(&d->b, from);
    if (to - 1 > from) {
        buf_text(&d->b, " to ");
        day_put(&d->b, to - 1);
    }
}

static void put_bar_part(
    struct drawing *d, const struct timeline_place *place, bool strong, int offset)
{
    int from = timeline_at(d->t, place->from), to = timeline_at(d->t, place->to);
    int gap = (to - from) / 7, height = place->height[strong];
    if (strong)
        buf_fmt(&d->b, "<rect class=\"ts\" fill=\"url(#%s-hatch)", d->t->id);
    else
        buf_fmt(&d->b, "<rect class=\"tm%s", d->t->lanes[place->lane].hollow ? " h" : "");
    buf_text(&d->b, "\" x=\"");
    put_share(&d->b, from + gap);
    buf_text(&d->b, "\" width=\"");
    put_share(&d->b, to - from - 2 * gap > 0 ? to - from - 2 * gap : 1);
    buf_fmt(
        &d->b, "\" y=\"%d\" height=\"%d\"/>",
        d->t->lanes[place->lane].down ? d->baseline[place->lane] + offset
                                      : d->baseline[place->lane] - offset - height,
        height);
}

/* One link: strong marks next to the axis, the others behind them, and their number. */
static void put_bar(struct drawing *d, const struct timeline_place *place)
{
    int offset = TIMELINE_AXIS_GAP, at;
    struct str href = period(d, place->from, place->to, place->lane);
    if (!str_is_null(href))
        put_link(&d->b, href);
    else
        buf_text(&d->b, "<g");
    buf_text(&d->b, "><title>");
    put_bar_title(d, place);
    buf_text(&d->b, "</title>");
    for (int strong = 1; strong >= 0; strong--)
        if (place->count[strong] > 0) {
            put_bar_part(d, place, strong, offset);
            offset += place->height[strong];
        }
    at = (timeline_at(d->t, place->from) + timeline_at(d->t, place->to)) / 2;
    buf_text(&d->b, "<text class=\"n\" x=\"");
    put_share(&d->b, at);
    buf_fmt(
        &d->b, "\" y=\"%d\">",
        d->t->lanes[place->lane].down ? d->baseline[place->lane] + offset + 11
                                      : d->baseline[place->lane] - offset - 3);
    view_count_put(&d->b, place->count[0] + place->count[1]);
    buf_text(&d->b, str_is_null(href) ? "</text></g>" : "</text></a>");
}

static void put_lane_label(struct drawing *d, size_t lane)
{
    buf_fmt(&d->b, "<text class=\"v\" y=\"%d\">", d->y + ROW_LABEL);
    escape_text(&d->b, str_from(d->t->lanes[lane].label));
    buf_text(&d->b, "</text>");
    d->y += LANE_LABEL;
}

/* A lane above its axis, or below it: the lane before may have the same axis. */
static void lay_lane(struct drawing *d, size_t lane)
{
    const struct timeline_lane *lanes = d->t->lanes;
    int height = d->packed.height[lane] < LANE_MIN ? LANE_MIN : d->packed.height[lane];
    bool shared = lanes[lane].down && lane > 0 && !lanes[lane - 1].down;
    if (!shared)
        d->y += LANE_GAP;
    if (!lanes[lane].down)
        put_lane_label(d, lane);
    d->baseline[lane] = lanes[lane].down ? d->y : d->y + height;
    if (!shared)
        buf_fmt(
            &d->b, "<line class=\"x\" x2=\"100%%\" y1=\"%d\" y2=\"%d\"/>", d->baseline[lane],
            d->baseline[lane]);
    d->y += height;
    if (lanes[lane].down)
        put_lane_label(d, lane);
}

/* --- the whole */

static void draw_inside(struct drawing *d)
{
    d->y = AXIS_HEIGHT;
    put_gaps(d);
    for (size_t i = 0; i < d->t->row_count; i++)
        put_row(d, i);
    for (size_t lane = 0; lane < d->t->lane_count; lane++)
        lay_lane(d, lane);
    for (size_t i = 0; i < d->packed.count; i++) {
        const struct timeline_place *place = &d->packed.places[i];
        if (place->is_bar)
            put_bar(d, place);
        else
            put_mark(d, place);
    }
}

static void put_text_element(struct buf *b, const char *name, const char *id, struct str text)
{
    buf_fmt(b, "<%s id=\"%s-%s\">", name, id, name);
    escape_text(b, text);
    buf_fmt(b, "</%s>", name);
}

static struct str draw(struct drawing *d, struct buf *svg)
{
    const char *id = d->t->id;
    buf_init(&d->b, SVG_SIZE_MAX);
    draw_inside(d); /* first, because the height follows from it */
    struct buf inside = d->b;
    buf_fmt(
        svg,
        "<svg class=\"timeline\" width=\"100%%\" height=\"%d\" role=\"group\" "
        "aria-labelledby=\"%s-title\" aria-describedby=\"%s-desc\">",
        d->y, id, id);
    put_text_element(svg, "title", id, d->t->title);
    put_text_element(svg, "desc", id, d->t->description);
    d->b = *svg;
    timeline_put_definitions(&d->b, d->t, &d->packed);
    put_ticks(d);
    *svg = d->b;
    buf_str(svg, buf_view(&inside));
    buf_text(svg, "</svg>");
    buf_finish(&inside);
    return buf_view(svg);
}

void timeline_put(struct view *view, const char *name, const struct timeline *timeline)
{
    struct view *to = view_object(view, name);
    BUF_SCOPED(svg, SVG_SIZE_MAX);
    assert(timeline->lane_count <= TIMELINE_LANES_MAX && timeline->from < timeline->to);
    assert(timeline->row_count <= TIMELINE_ROWS_MAX);
    struct drawing d = {.t = timeline, .arena = view_arena(view)};
    d.packed = timeline_pack(timeline, d.arena);
    view_bool(to, "merged", d.packed.has_bars);
    view_html(to, "svg", draw(&d, &svg));
    timeline_add_legend(to, timeline);
}
