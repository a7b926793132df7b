/* How marks look: once each as a definition, which the drawing uses by reference, and once in the
 * legend. See timeline_parts.h. */
#include "html/timeline_parts.h"

enum {
    SAMPLE_SIZE_MAX = 4096,
    LEGEND_SIZE = 3, /* of the marks in the legend that do not show a size */
};

void timeline_put_mark_id(struct buf *b, const char *id, const struct timeline_mark *mark)
{
    buf_fmt(
        b, "%s-%d%c%s%s", id, mark->lane, 'a' + mark->size, mark->strong ? "s" : "",
        mark->underlined ? "u" : "");
}

/* The outline of a mark around 0,0. */
static void put_outline(struct buf *b, enum timeline_shape shape, int r)
{
    switch (shape) {
    case TIMELINE_UP:
        buf_fmt(b, "M0 -%dL%d %dH-%dz", r, r, r, r);
        break;
    case TIMELINE_DOWN:
        buf_fmt(b, "M0 %dL%d -%dH-%dz", r, r, r, r);
        break;
    case TIMELINE_DIAMOND:
        buf_fmt(b, "M0 -%dL%d 0L0 %dL-%d 0z", r, r, r, r);
        break;
    }
}

/* Without an id for the legend. */
static void put_definition(
    struct buf *b, const struct timeline *t, const char *id, const struct timeline_mark *mark)
{
    const struct timeline_lane *lane = &t->lanes[mark->lane];
    int r = timeline_mark_radius(mark);
    buf_text(b, "<g");
    if (id) {
        buf_text(b, " id=\"");
        timeline_put_mark_id(b, id, mark);
        buf_char(b, '"');
    }
    buf_fmt(b, " class=\"tm%s%s\">", lane->hollow ? " h" : "", mark->strong ? " s" : "");
    if (mark->strong)
        buf_fmt(b, "<circle r=\"%d\"/>", r + TIMELINE_RING - 1);
    buf_text(b, "<path d=\"");
    put_outline(b, lane->shape, r);
    buf_text(b, "\"/>");
    if (mark->underlined) {
        int y = r + (mark->strong ? TIMELINE_RING : 0) + 2;
        buf_fmt(b, "<path class=\"l\" d=\"M-%d %dH%d\"/>", r, y, r);
    }
    buf_text(b, "</g>");
}

/* The kind of a mark as a number: lane, size, strong, underlined. */
static int kind_of(const struct timeline_mark *mark)
{
    return ((mark->lane * TIMELINE_SIZES + mark->size) * 2 + mark->strong) * 2 + mark->underlined;
}

/* A quiet hatch, for stretches of which nothing is known. */
static void put_gap_pattern(struct buf *b, const char *id)
{
    buf_fmt(
        b,
        "<pattern id=\"%s-gap\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
        "patternTransform=\"rotate(45)\"><path class=\"tq\" d=\"M1 0V5\"/></pattern>",
        id);
}

static void add_gap_sample(struct view *legend, const struct timeline *t)
{
    struct view *item = view_item(legend);
    BUF_SCOPED(b, SAMPLE_SIZE_MAX);
    buf_fmt(
        &b,
        "<svg class=\"timeline\" width=\"24\" height=\"%d\" aria-hidden=\"true\"><rect class=\"q\" "
        "width=\"24\" height=\"%d\" fill=\"url(#%s-gap)\"/></svg>",
        TIMELINE_GAP_HEIGHT, TIMELINE_GAP_HEIGHT, t->id);
    view_html(item, "sample", buf_view(&b));
    view_text(item, "label", t->gap_label);
}

void timeline_put_definitions(
    struct buf *b, const struct timeline *t, const struct timeline_packed *packed)
{
    bool seen[TIMELINE_LANES_MAX * TIMELINE_SIZES * 4] = {false};
    buf_text(b, "<defs>");
    if (packed->has_hatch)
        buf_fmt(
            b,
            "<pattern id=\"%s-hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
            "patternTransform=\"rotate(45)\"><path class=\"tp\" d=\"M1 0V5\"/></pattern>",
            t->id);
    if (t->gap_count)
        put_gap_pattern(b, t->id);
    for (size_t i = 0; i < packed->count; i++) {
        const struct timeline_mark *mark = &t->marks[packed->places[i].mark];
        if (packed->places[i].is_bar || seen[kind_of(mark)])
            continue;
        seen[kind_of(mark)] = true;
        put_definition(b, t, t->id, mark);
    }
    buf_text(b, "</defs>");
}

static void add_sample(
    struct view *legend, const struct timeline *t, const struct timeline_mark *mark,
    struct str label)
{
    struct view *item = view_item(legend);
    BUF_SCOPED(b, SAMPLE_SIZE_MAX);
    int extent = timeline_mark_extent(mark) + 4;
    buf_fmt(
        &b,
        "<svg class=\"timeline\" width=\"%d\" height=\"%d\" viewBox=\"-%d -%d %d %d\" "
        "aria-hidden=\"true\">",
        extent + 2, extent + 4, extent / 2 + 1, extent / 2 + 1, extent + 2, extent + 4);
    put_definition(&b, t, NULL, mark);
    buf_text(&b, "</svg>");
    view_html(item, "sample", buf_view(&b));
    view_str(item, "label", label);
}

/* What is in the drawing, and how it looks. */
struct seen {
    bool lane[TIMELINE_LANES_MAX], strong, underlined, any;
    uint8_t smallest, largest;
};

static struct seen look(const struct timeline *t)
{
    struct seen seen = {.smallest = TIMELINE_SIZES};
    for (size_t i = 0; i < t->mark_count; i++) {
        const struct timeline_mark *mark = &t->marks[i];
        if (mark->day < t->from || mark->day >= t->to)
            continue;
        seen.any = true;
        seen.lane[mark->lane] = true;
        seen.strong |= mark->strong;
        seen.underlined |= mark->underlined;
        seen.smallest = mark->size < seen.smallest ? mark->size : seen.smallest;
        seen.largest = mark->size > seen.largest ? mark->size : seen.largest;
    }
    return seen;
}

void timeline_add_legend(struct view *to, const struct timeline *t)
{
    struct view *legend = view_list(to, "legend");
    struct seen seen = look(t);
    uint8_t first = 0;
    if (t->gap_count)
        add_gap_sample(legend, t);
    if (!seen.any)
        return;
    for (size_t i = t->lane_count; i > 0; i--)
        first = seen.lane[i - 1] ? (uint8_t)(i - 1) : first;
    for (uint8_t i = 0; i < t->lane_count; i++)
        if (seen.lane[i])
            add_sample(
                legend, t, &(struct timeline_mark){.lane = i, .size = LEGEND_SIZE},
                str_from(t->lanes[i].label));
    add_sample(
        legend, t, &(struct timeline_mark){.lane = first, .size = seen.smallest},
        t->size_labels[seen.smallest]);
    if (seen.largest > seen.smallest)
        add_sample(
            legend, t, &(struct timeline_mark){.lane = first, .size = seen.largest},
            t->size_labels[seen.largest]);
    if (seen.strong)
        add_sample(
            legend, t, &(struct timeline_mark){.lane = first, .size = LEGEND_SIZE, .strong = true},
            str_from(t->strong_label));
    if (seen.underlined)
        add_sample(
            legend, t,
            &(struct timeline_mark){.lane = first, .size = LEGEND_SIZE, .underlined = true},
            str_from(t->underlined_label));
}
