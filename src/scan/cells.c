/* Cells and their boxes; see cells.h. */
#include "scan/cells.h"

#include <math.h>
#include <stdlib.h>

#include "base/search.h"

/* Upright pages. */

enum { QUARTER = 90, HALF = 180 };

#define SLOPE_LEAST 0.04F /* degrees: one dot in the width of a page */

/* Straightens the page in one of its four directions by the lines that run across it then, and
 * looks for a table. `skew` is a first estimate. */
static void try(PIX *page, int turn, float skew, struct arena *arena, struct upright *ret)
{
    PIX *turned = picture_turned(page, turn);
    *ret = (struct upright){.turn = turn, .skew = skew};
    ret->binary = picture_straight(turned, skew);
    struct rules across = rules_find(ret->binary, false, arena);
    float slope = rules_slope(&across);
    if (fabsf(slope) > SLOPE_LEAST) {
        picture_free(&ret->binary);
        ret->skew += slope;
        ret->binary = picture_straight(turned, ret->skew);
        across = rules_find(ret->binary, false, arena);
    }
    picture_free(&turned);
    struct rules down = rules_find(ret->binary, true, arena);
    ret->bands = bands_find(&across, &down, arena);
    ret->found = table_find(&ret->bands, pixGetWidth(ret->binary), arena, &ret->table);
}

static void keep_better(struct upright *best, struct upright *other)
{
    if (other->found && (!best->found || other->table.columns.cost < best->table.columns.cost)) {
        upright_finish(best);
        *best = *other;
    } else
        upright_finish(other);
}

bool upright_find(const struct gray *gray, struct arena *arena, struct upright *ret)
{
    PIX *page = picture_of_gray(gray);
    if (!page)
        return false;
    struct upright other;
    PIX *binary = picture_straight(page, 0);
    float skew = picture_skew(binary);
    picture_free(&binary);
    try(page, 0, skew, arena, ret);
    try(page, QUARTER, skew, arena, &other);
    keep_better(ret, &other);
    if (ret->found && ret->table.reversed) {
        int turn = ret->turn + HALF;
        skew = ret->skew;
        upright_finish(ret);
        try(page, turn, skew, arena, ret);
        ret->found = ret->found && !ret->table.reversed;
    }
    picture_free(&page);
    return true;
}

void upright_finish(struct upright *upright)
{
    picture_free(&upright->binary);
}

enum {
    EDGE_PERCENT = 60, /* of a line of dots: it is a rule's */
    EDGE_MAX = 12,     /* dots that a rule may take from a cell */
    INSET = 2,         /* dots: where the ink of a rule fades */
    BOX_INSET = 3,
    BOX_PERCENT = 75,       /* of the strip through the middle: it is a box's edge */
    BOX_CELLS_PERCENT = 60, /* of the cells must have one */
    BOX_SIDE_MIN = 20,
    BOX_EDGES_MIN = 2,
    STRAY_EDGES_MIN = 3, /* where none is printed */
    SIZE_PERCENT = 75,   /* of most boxes: less is no box */
    FILL_DOTS = 27,      /* by which a cell is wider than its box in the narrow form, at most */
    MIDDLE_PART = 8,     /* of a cell's height, above and below its middle */
    SAME_DOTS = 9,       /* between two places of one line */
    EDGE_LEFT_MAX = 400, /* dots: a table that begins further right has no column before it */
    PERCENT = 100,
    THOUSAND = 1000,
};

static int ink_down(const struct bitmap *map, int x, int top, int bottom)
{
    int ink = 0;
    for (int y = top; y < bottom; y++)
        ink += map->dots[(size_t)y * (size_t)map->width + (size_t)x];
    return ink;
}

static int ink_across(const struct bitmap *map, int y, int left, int right)
{
    int ink = 0;
    const uint8_t *line = map->dots + (size_t)y * (size_t)map->width;
    for (int x = left; x < right; x++)
        ink += line[x];
    return ink;
}

static int clip(int value, int max)
{
    return value < 0 ? 0 : value > max ? max : value;
}

/* Where the first column begins: the asset's reaches to the first line of the band, or to the edge
 * of the page, which cuts the Senate's form off. */
static int first_left(const struct page_table *table, const struct band *band, int left)
{
    if (table->columns.role[0] != COLUMN_ASSET)
        return left;
    if (band->count && band->at[0] + SAME_DOTS < left)
        return band->at[0];
    return table->columns.dates == 1 && left < EDGE_LEFT_MAX ? PICTURE_MARGIN : left;
}

struct area cell_between(
    const struct bitmap *map, const struct page_table *table, int band, int column)
{
    const struct band *b = table->band[band];
    int left = table_column_at(table, b, column);
    struct area a = {
        .left = clip(column == 0 ? first_left(table, b, left) : left, map->width),
        .right = clip(table_column_at(table, b, column + 1), map->width),
    };
    int middle = (a.left + a.right) / 2;
    a.top = clip(rule_at(b->above, middle), map->height);
    a.bottom = clip(rule_at(b->below, middle), map->height);
    return a;
}

struct area cell_inside(
    const struct bitmap *map, const struct page_table *table, int band, int column)
{
    struct area a = cell_between(map, table, band, column);
    int top = a.top + (a.bottom - a.top) / 4, bottom = a.bottom - (a.bottom - a.top) / 4;
    int left = a.left + (a.right - a.left) / 4, right = a.right - (a.right - a.left) / 4;
    for (int i = 0; i < EDGE_MAX && a.left < left; i++, a.left++)
        if (i > INSET &&
            PERCENT * ink_down(map, a.left, top, bottom) < EDGE_PERCENT * (bottom - top))
            break;
    for (int i = 0; i < EDGE_MAX && a.right > right; i++, a.right--)
        if (i > INSET &&
            PERCENT * ink_down(map, a.right - 1, top, bottom) < EDGE_PERCENT * (bottom - top))
            break;
    for (int i = 0; i < EDGE_MAX && a.top < top; i++, a.top++)
        if (i > INSET &&
            PERCENT * ink_across(map, a.top, left, right) < EDGE_PERCENT * (right - left))
            break;
    for (int i = 0; i < EDGE_MAX && a.bottom > bottom; i++, a.bottom--)
        if (i > INSET &&
            PERCENT * ink_across(map, a.bottom - 1, left, right) < EDGE_PERCENT * (right - left))
            break;
    return a;
}

/* Whether the dots beside each other at x are an edge that runs down from top to bottom. Edges are
 * rough: a dot of three is enough. */
static bool edge_down(const struct bitmap *map, int x, int top, int bottom)
{
    int ink = 0;
    for (int y = top; y < bottom; y++) {
        const uint8_t *at = map->dots + (size_t)y * (size_t)map->width + (size_t)x;
        ink += at[0] || at[-1] || at[1] ? 1 : 0;
    }
    return PERCENT * ink >= BOX_PERCENT * (bottom - top);
}

static bool edge_across(const struct bitmap *map, int y, int left, int right)
{
    int ink = 0;
    for (int x = left; x < right; x++) {
        const uint8_t *at = map->dots + (size_t)y * (size_t)map->width + (size_t)x;
        ink += at[0] || at[-map->width] || at[map->width] ? 1 : 0;
    }
    return PERCENT * ink >= BOX_PERCENT * (right - left);
}

/* The inside of the box around the cell's middle: its edges, or the cell's sides where there is
 * none. Returns the number of edges. */
static int box_around(const struct bitmap *map, struct area cell, struct area *ret)
{
    int x = (cell.left + cell.right) / 2, y = (cell.top + cell.bottom) / 2;
    int reach = (cell.bottom - cell.top) / 4;
    struct area a = {x, y, x, y};
    if (cell.left < 1 + reach || cell.top < 1 + reach || cell.right + reach >= map->width ||
        cell.bottom + reach >= map->height) {
        *ret = cell;
        return 0;
    }
    while (a.left > cell.left && !edge_down(map, a.left, y - reach, y + reach))
        a.left--;
    while (a.right < cell.right && !edge_down(map, a.right, y - reach, y + reach))
        a.right++;
    while (a.top > cell.top && !edge_across(map, a.top, x - reach, x + reach))
        a.top--;
    while (a.bottom < cell.bottom && !edge_across(map, a.bottom, x - reach, x + reach))
        a.bottom++;
    *ret = a;
    return (a.left > cell.left) + (a.right < cell.right) + (a.top > cell.top) +
           (a.bottom < cell.bottom);
}

static int median(int *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, order_ints);
    return count ? values[count / 2] : 0;
}

static bool is_marked_column(const struct columns *columns, int column)
{
    return columns->role[column] == COLUMN_TYPE || columns->role[column] == COLUMN_AMOUNT;
}

/* A mark can look like an edge: such a box is made as large as most are, from its cell's middle. */
static void mend(struct area *box, struct area cell, int width, int height)
{
    if (PERCENT * (box->right - box->left) < SIZE_PERCENT * width) {
        box->left = (cell.left + cell.right - width) / 2;
        box->right = box->left + width;
    }
    if (PERCENT * (box->bottom - box->top) < SIZE_PERCENT * height) {
        box->top = (cell.top + cell.bottom - height) / 2;
        box->bottom = box->top + height;
    }
}

/* Whether most cells of assets have a box at their right side, as wide and high as the others: one
 * of a type. */
static bool is_stray(
    const struct bitmap *map, const struct page_table *table, int first_band, int width, int height)
{
    const struct columns *columns = &table->columns;
    int asset = 0, found = 0;
    while (columns->role[asset] != COLUMN_ASSET)
        asset++;
    for (int band = first_band; band < table->band_count; band++) {
        struct area box, cell = cell_inside(map, table, band, asset);
        int left = cell.right - (columns->at[asset + 2] - columns->at[asset + 1]);
        cell.left = left > cell.left ? left : cell.left;
        bool edged = box_around(map, cell, &box) >= STRAY_EDGES_MIN;
        bool wide = PERCENT * (box.right - box.left) >= SIZE_PERCENT * width;
        bool high = PERCENT * (box.bottom - box.top) >= SIZE_PERCENT * height;
        found += edged && wide && high ? 1 : 0;
    }
    return 2 * found > table->band_count - first_band;
}

struct boxes boxes_find(
    const struct bitmap *map, const struct page_table *table, int first_band, struct arena *arena)
{
    int columns = table->columns.count, bands = table->band_count, cells = 0, found = 0;
    int gap = 0;
    size_t size = (size_t)(bands * columns) + 1;
    struct boxes boxes = {.box = ARENA_ARRAY(arena, struct area, size)};
    struct area *inside = ARENA_ARRAY(arena, struct area, size);
    int *widths = ARENA_ARRAY(arena, int, size), *heights = ARENA_ARRAY(arena, int, size);
    for (int i = first_band * columns; i < bands * columns; i++) {
        if (!is_marked_column(&table->columns, i % columns))
            continue;
        inside[i] = cell_inside(map, table, i / columns, i % columns);
        cells++;
        if (box_around(map, inside[i], &boxes.box[i]) < BOX_EDGES_MIN)
            continue;
        widths[found] = boxes.box[i].right - boxes.box[i].left;
        heights[found++] = boxes.box[i].bottom - boxes.box[i].top;
        gap += inside[i].right - inside[i].left - widths[found - 1];
    }
    boxes.found = cells > 0 && PERCENT * found >= BOX_CELLS_PERCENT * cells;
    if (!boxes.found)
        return boxes;
    int width = median(widths, found), height = median(heights, found);
    boxes.found = width >= BOX_SIDE_MIN && height >= BOX_SIDE_MIN;
    boxes.fill = gap < FILL_DOTS * found;
    boxes.stray = is_stray(map, table, first_band, width, height);
    for (int i = first_band * columns; i < bands * columns; i++)
        if (is_marked_column(&table->columns, i % columns))
            mend(&boxes.box[i], inside[i], width, height);
    return boxes;
}

bool boxes_are_doubled(const struct bitmap *map, const struct page_table *table, int band)
{
    int cells = 0, found = 0;
    for (int c = 0; c < table->columns.count; c++) {
        struct area a = cell_inside(map, table, band, c);
        int x = (a.left + a.right) / 2, y = (a.top + a.bottom) / 2;
        int reach = (a.right - a.left) / 4, around = (a.bottom - a.top) / MIDDLE_PART;
        bool edge = false;
        if (!is_marked_column(&table->columns, c))
            continue;
        for (int at = y - around; at <= y + around && !edge; at++)
            edge = at > 0 && at + 1 < map->height && edge_across(map, at, x - reach, x + reach);
        cells++;
        found += edge ? 1 : 0;
    }
    return PERCENT * found >= BOX_CELLS_PERCENT * cells;
}

struct area cell_mark_area(
    const struct bitmap *map, const struct page_table *table, const struct boxes *boxes, int band,
    int column)
{
    if (!boxes->found || !is_marked_column(&table->columns, column))
        return cell_inside(map, table, band, column);
    struct area a = boxes->box[band * table->columns.count + column];
    return (struct area){
        a.left + BOX_INSET, a.top + BOX_INSET, a.right - BOX_INSET, a.bottom - BOX_INSET};
}

int area_ink(const struct bitmap *map, struct area area)
{
    int ink = 0, dots = (area.right - area.left) * (area.bottom - area.top);
    if (area.right <= area.left || area.bottom <= area.top)
        return 0;
    for (int y = area.top; y < area.bottom; y++)
        ink += ink_across(map, y, area.left, area.right);
    return (int)((int64_t)ink * THOUSAND / dots);
}
