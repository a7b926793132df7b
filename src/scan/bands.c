/* Bands between long lines; see bands.h. */
#include "scan/bands.h"

#include <stdlib.h>

/* Ruled lines. */

enum {
    PIECE_MIN = 60,        /* dots: longer than the stems of letters */
    GAP_MAX = 3,           /* closed before pieces are looked for: bad dots in a line */
    THICK_MAX = 16,        /* thicker than that is a bar */
    BAR_MAX = 120,         /* thicker than that is a picture */
    STRETCH = 120,         /* of a slanted line */
    PIECES_MAX = 6000,     /* of a page */
    JOIN_GAP_MAX = 250,    /* between two pieces of one line */
    JOIN_STEP_MAX = 4,     /* across, between them */
    SLOPE_PIECE_MIN = 100, /* dots: of pieces whose slope counts */
    SLOPES_MIN = 5,
    SLOPES_MAX = 1000,
};

#define DEGREES_PER_RADIAN 57.2957795

static int compare_pieces(const void *a, const void *b)
{
    const struct rule_piece *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                              : (x->at_from > y->at_from) - (x->at_from < y->at_from);
}

static int compare_rules(const void *a, const void *b)
{
    const struct page_rule *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* The first and the last dot of ink on a line of dots across the piece. false: there is none. */
static bool ends_at(
    PIX *lines, bool upright, int along, int from, int size, int *ret_first, int *ret_last)
{
    *ret_first = -1;
    for (int i = from; i < from + size; i++) {
        l_uint32 dot = 0;
        pixGetPixel(lines, upright ? i : along, upright ? along : i, &dot);
        if (!dot)
            continue;
        *ret_first = *ret_first < 0 ? i : *ret_first;
        *ret_last = i;
    }
    return *ret_first >= 0;
}

struct piece_list {
    struct rule_piece *piece;
    int count, room;
};

static void add_piece(struct piece_list *list, int from, int to, int at_from, int at_to)
{
    if (list->count < list->room)
        list->piece[list->count++] = (struct rule_piece){from, to, at_from, at_to};
}

/* A stretch of connected ink as pieces: one in its middle, or for a bar one at each of its edges.
 */
static void add_stretch(
    PIX *lines, bool upright, int from, int to, int across, int thick, struct piece_list *list)
{
    int first = 0, last = 0, first_to = 0, last_to = 0;
    if (!ends_at(lines, upright, from, across, thick, &first, &last) ||
        !ends_at(lines, upright, to - 1, across, thick, &first_to, &last_to))
        return;
    if (last - first >= THICK_MAX && last_to - first_to >= THICK_MAX) {
        add_piece(list, from, to, first, first_to);
        add_piece(list, from, to, last, last_to);
    } else
        add_piece(list, from, to, (first + last) / 2, (first_to + last_to) / 2);
}

static struct piece_list pieces_of(PIX *lines, bool upright, struct arena *arena)
{
    BOXA *boxes = pixConnCompBB(lines, 8);
    int all = boxes ? boxaGetCount(boxes) : 0;
    struct piece_list list = {NULL, 0, PIECES_MAX};
    if (all > 0 && all <= PIECES_MAX) {
        list.piece = ARENA_ARRAY(arena, struct rule_piece, PIECES_MAX);
        for (int i = 0; i < all; i++) {
            int x, y, w, h;
            boxaGetBoxGeometry(boxes, i, &x, &y, &w, &h);
            int from = upright ? y : x, to = from + (upright ? h : w);
            int across = upright ? x : y, thick = upright ? w : h;
            if (thick > BAR_MAX)
                continue;
            /* thin ones are straight; the others may be slanted, or have a bar in them */
            int step = thick <= THICK_MAX ? to - from : STRETCH;
            for (int at = from; at < to; at += step)
                add_stretch(
                    lines, upright, at, at + step < to ? at + step : to, across, thick, &list);
        }
    }
    boxaDestroy(&boxes);
    return list;
}

/* How far the piece is from where the line ends; negative: it does not continue it. */
static int distance(const struct rule_piece *last, const struct rule_piece *piece)
{
    int gap = piece->from - last->to, step = abs(piece->at_from - last->at_to);
    if (gap < -PIECE_MIN || gap > JOIN_GAP_MAX || step > JOIN_STEP_MAX)
        return -1;
    return (gap > 0 ? gap : 0) + JOIN_GAP_MAX * step;
}

/* The line that the piece continues best, by the number of its last piece; -1: none. */
static int continued(
    const struct rule_piece *pieces, const int *ends, int end_count, const struct rule_piece *piece)
{
    int best = -1, least = 0;
    for (int i = end_count - 1; i >= 0; i--) {
        int d = distance(&pieces[ends[i]], piece);
        if (d >= 0 && (best < 0 || d < least)) {
            best = i;
            least = d;
        }
    }
    return best;
}

static struct page_rule rule_of(
    const struct rule_piece *pieces, const int *before, int last, struct arena *arena)
{
    struct page_rule rule = {.to = pieces[last].to};
    for (int i = last; i >= 0; i = before[i])
        rule.count++;
    rule.pieces = ARENA_ARRAY(arena, struct rule_piece, (size_t)rule.count);
    int at = rule.count;
    for (int i = last; i >= 0; i = before[i]) {
        rule.pieces[--at] = pieces[i];
        rule.covered += pieces[i].to - pieces[i].from;
    }
    rule.from = rule.pieces[0].from;
    rule.at = rule_at(&rule, (rule.from + rule.to) / 2);
    return rule;
}

/* Chains pieces from left to right. */
static struct rules join(struct rule_piece *pieces, int count, struct arena *arena)
{
    struct rules rules = {NULL, 0};
    if (count == 0)
        return rules;
    int *before = ARENA_ARRAY(arena, int, (size_t)count);
    int *ends = ARENA_ARRAY(arena, int, (size_t)count);
    int end_count = 0;
    qsort(pieces, (size_t)count, sizeof *pieces, compare_pieces);
    for (int i = 0; i < count; i++) {
        int end = continued(pieces, ends, end_count, &pieces[i]);
        before[i] = end < 0 ? -1 : ends[end];
        ends[end < 0 ? end_count++ : end] = i;
    }
    rules.rule = ARENA_ARRAY(arena, struct page_rule, (size_t)end_count);
    rules.count = end_count;
    for (int i = 0; i < end_count; i++)
        rules.rule[i] = rule_of(pieces, before, ends[i], arena);
    qsort(rules.rule, (size_t)rules.count, sizeof *rules.rule, compare_rules);
    return rules;
}

struct rules rules_find(PIX *binary, bool upright, struct arena *arena)
{
    PIX *whole = upright ? pixCloseSafeBrick(NULL, binary, 1, GAP_MAX)
                         : pixCloseSafeBrick(NULL, binary, GAP_MAX, 1);
    PIX *lines = whole ? upright ? pixOpenBrick(NULL, whole, 1, PIECE_MIN)
                                 : pixOpenBrick(NULL, whole, PIECE_MIN, 1)
                       : NULL;
    struct piece_list list = {NULL, 0, 0};
    if (lines)
        list = pieces_of(lines, upright, arena);
    struct rules rules = join(list.piece, list.count, arena);
    picture_free(&whole);
    picture_free(&lines);
    return rules;
}

int rule_at(const struct page_rule *rule, int along)
{
    const struct rule_piece *p = rule->pieces, *end = p + rule->count;
    if (along <= p->from)
        return p->at_from;
    for (; p < end; p++) {
        if (along < p->to)
            return p->at_from + (p->at_to - p->at_from) * (along - p->from) / (p->to - p->from);
        if (p + 1 < end && along < p[1].from)
            return p->at_to + (p[1].at_from - p->at_to) * (along - p->to) / (p[1].from - p->to);
    }
    return end[-1].at_to;
}

/* How many of the dots from `from` to `to` along the line are drawn. */
static int rule_covered(const struct page_rule *rule, int from, int to)
{
    int covered = 0;
    for (int i = 0; i < rule->count; i++) {
        int a = rule->pieces[i].from > from ? rule->pieces[i].from : from;
        int b = rule->pieces[i].to < to ? rule->pieces[i].to : to;
        covered += b > a ? b - a : 0;
    }
    return covered;
}

static int compare_doubles(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The median slope of the long pieces. A line that sinks to the right must turn back. */
float rules_slope(const struct rules *across)
{
    double slopes[SLOPES_MAX];
    size_t count = 0;
    for (int i = 0; i < across->count; i++)
        for (int k = 0; k < across->rule[i].count && count < SLOPES_MAX; k++) {
            const struct rule_piece *p = &across->rule[i].pieces[k];
            if (p->to - p->from >= SLOPE_PIECE_MIN)
                slopes[count++] = (double)(p->at_to - p->at_from) / (p->to - p->from);
        }
    if (count < SLOPES_MIN)
        return 0;
    qsort(slopes, count, sizeof *slopes, compare_doubles);
    return (float)(-slopes[count / 2] * DEGREES_PER_RADIAN);
}

enum {
    HEIGHT_MIN = 10, /* less: a line drawn twice */
    CROSS_PERCENT = 75,
    LONG_PERCENT = 33, /* of the longest line */
    SAME_DOTS = 7,     /* upright lines nearer than that are one */
    PERCENT = 100,
};

static int longest(const struct rules *across)
{
    int most = 0;
    for (int i = 0; i < across->count; i++)
        if (across->rule[i].covered > most)
            most = across->rule[i].covered;
    return most;
}

static void cross(struct band *band, const struct rules *down)
{
    int middle = (band->top + band->bottom) / 2;
    band->count = 0;
    for (int i = 0; i < down->count && band->count < BAND_LINES_MAX; i++) {
        const struct page_rule *line = &down->rule[i];
        if (line->from > middle || line->to < middle)
            continue;
        int at = rule_at(line, middle);
        int top = rule_at(band->above, at) + 2, bottom = rule_at(band->below, at) - 2;
        if (PERCENT * rule_covered(line, top, bottom) < CROSS_PERCENT * (bottom - top))
            continue;
        int place = band->count;
        while (place > 0 && band->at[place - 1] > at)
            place--;
        if ((place > 0 && at - band->at[place - 1] < SAME_DOTS) ||
            (place < band->count && band->at[place] - at < SAME_DOTS))
            continue;
        for (int k = band->count++; k > place; k--) {
            band->at[k] = band->at[k - 1];
            band->line[k] = band->line[k - 1];
        }
        band->at[place] = at;
        band->line[place] = line;
    }
}

struct bands bands_find(const struct rules *across, const struct rules *down, struct arena *arena)
{
    struct bands bands = {NULL, 0};
    const struct page_rule *above = NULL;
    int least = longest(across) * LONG_PERCENT / PERCENT;
    bands.band = ARENA_ARRAY(arena, struct band, (size_t)across->count + 1);
    for (int i = 0; i < across->count; i++) {
        const struct page_rule *below = &across->rule[i];
        if (below->covered < least)
            continue;
        if (above && below->at - above->at >= HEIGHT_MIN) {
            struct band *band = &bands.band[bands.count++];
            *band = (struct band){above, below, above->at, below->at, 0, {NULL}, {0}};
            cross(band, down);
        }
        above = below;
    }
    return bands;
}
