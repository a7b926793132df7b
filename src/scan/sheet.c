/* The sheet; see sheet.h. */
#include "scan/sheet.h"

#include "scan/strokes.h"

enum {
    MARGIN = 30,
    GAP = 18,                    /* between lines */
    NEXT_GAP = 70,               /* between texts on a line */
    INK_LEAST = 2,               /* dots in a line of dots: fewer are specks */
    DOTS_MAX = 24 * 1024 * 1024, /* of the sheet */
    UPWARDS = 2,                 /* times as tall as wide */
    TENTHS = 10,
    AROUND = 8,     /* dots around a text that a blur may reach; less than MARGIN and GAP / 2 */
    THIN_DARK = 90, /* of the gray of ink that stays in thin strokes */
    WHITE = 255,
    PART = 256, /* of a dot, in fixed point */
    PERCENT = 100,
};

static const struct look_shape {
    int wide, high; /* tenths of the sheet's scale */
    int slant;      /* percent of the height: by how much the top moves to the right */
    int soft;       /* times that it is blurred: 2 by about one dot, 8 by about two */
    bool thin;      /* only what is dark then stays, blurred once again */
} looks[LOOK_COUNT] = {
    [LOOK_SOFT] = {10, 10, 0, 2, false},   [LOOK_HEAVY] = {10, 10, 0, 8, false},
    [LOOK_THIN] = {10, 10, 0, 4, true},    [LOOK_RAW] = {10, 10, 0, 0, false},
    [LOOK_WIDE] = {14, 10, 0, 2, false},   [LOOK_LARGE] = {15, 15, 0, 2, false},
    [LOOK_SLANT] = {10, 10, 20, 2, false},
};

/* The part of the picture that has ink; empty if there is none. */
static struct area trim(const struct bitmap *map)
{
    struct area t = {map->width, map->height, 0, 0};
    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++)
            if (map->dots[(size_t)y * (size_t)map->width + (size_t)x]) {
                t.left = x < t.left ? x : t.left;
                t.right = x + 1 > t.right ? x + 1 : t.right;
                t.top = y < t.top ? y : t.top;
                t.bottom = y + 1;
            }
    return t.left < t.right ? t : (struct area){0, 0, 0, 0};
}

/* Names of columns may be printed upwards; then they are much taller than wide. */
static bool is_upwards(const struct sheet_text *text, struct area a)
{
    return text->row == SHEET_HEAD && a.bottom - a.top > UPWARDS * (a.right - a.left);
}

static int dot_at(const struct bitmap *map, struct area a, int x, int y)
{
    if (x < a.left || x >= a.right || y < a.top || y >= a.bottom)
        return 0;
    return map->dots[(size_t)y * (size_t)map->width + (size_t)x];
}

/* Ink at a place between dots, from 0 to PART * PART. */
static int blend(const struct bitmap *map, struct area a, int x, int y)
{
    int left = x / PART, top = y / PART, right_part = x % PART, low_part = y % PART;
    return dot_at(map, a, left, top) * (PART - right_part) * (PART - low_part) +
           dot_at(map, a, left + 1, top) * right_part * (PART - low_part) +
           dot_at(map, a, left, top + 1) * (PART - right_part) * low_part +
           dot_at(map, a, left + 1, top + 1) * right_part * low_part;
}

/* Draws the area of the page into an area of the sheet. `scale` is that of the sheet. */
static void draw(
    const struct bitmap *map, bool turned, struct area from, const struct look_shape *look,
    int scale, uint8_t *dots, int sheet_width, struct area to)
{
    const int unit = PART * TENTHS * TENTHS;
    for (int y = to.top; y < to.bottom; y++)
        for (int x = to.left; x < to.right; x++) {
            int moved = x - to.left - (to.bottom - 1 - y) * look->slant / PERCENT;
            if (moved < 0)
                continue;
            int along = moved * unit / (scale * look->wide);
            int down = (y - to.top) * unit / (scale * look->high);
            /* upwards: what is left on the sheet is at the bottom of the cell */
            int ink =
                turned ? blend(map, from, from.left * PART + down, (from.bottom - 1) * PART - along)
                       : blend(map, from, from.left * PART + along, from.top * PART + down);
            dots[(size_t)y * (size_t)sheet_width + (size_t)x] =
                (uint8_t)(WHITE - ink * WHITE / (PART * PART));
        }
}

/* Makes each dot (1 2 1) / 4 of itself and its neighbours on its line of dots. */
static void blur(uint8_t *dots, int count, int lines, size_t along, size_t across)
{
    for (int line = 0; line < lines; line++) {
        uint8_t *dot = dots + (size_t)line * across;
        int before = *dot;
        for (int i = 1; i + 1 < count; i++) {
            dot += along;
            int here = *dot;
            *dot = (uint8_t)((before + 2 * here + dot[along] + 2) / 4);
            before = here;
        }
    }
}

static void soften(uint8_t *dots, int width, int height, int stride, int times)
{
    for (int i = 0; i < times; i++) {
        blur(dots, width, height, 1, (size_t)stride);
        blur(dots, height, width, (size_t)stride, 1);
    }
}

/* Gives the text its look; there is room for it around its area. */
static void finish(uint8_t *dots, int stride, const struct sheet_text *text)
{
    int width = text->area.right - text->area.left + 2 * AROUND;
    int height = text->area.bottom - text->area.top + 2 * AROUND;
    dots += (size_t)(text->area.top - AROUND) * (size_t)stride + (size_t)(text->area.left - AROUND);
    soften(dots, width, height, stride, looks[text->look].soft);
    if (!looks[text->look].thin)
        return;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint8_t *dot = dots + (size_t)y * (size_t)stride + (size_t)x;
            *dot = *dot > THIN_DARK ? WHITE : 0;
        }
    soften(dots, width, height, stride, 1);
}

/* A text before it is drawn. */
struct laid {
    struct bitmap clean;
    struct area ink; /* of the clean picture */
    bool upwards;
};

/* Puts the texts of a line on their common base. */
static void level(struct text_sheet *sheet, int first, int bottom)
{
    for (int i = first; i < sheet->count; i++) {
        struct area *a = &sheet->text[i].area;
        int lower = bottom - a->bottom;
        a->top += lower;
        a->bottom += lower;
    }
}

struct text_sheet sheet_make(
    const struct bitmap *map, const struct sheet_item *items, int count, int scale,
    struct arena *arena)
{
    struct text_sheet sheet = {.text = ARENA_ARRAY(arena, struct sheet_text, (size_t)count + 1)};
    struct laid *laid = ARENA_ARRAY(arena, struct laid, (size_t)count + 1);
    int x = MARGIN, top = MARGIN, bottom = MARGIN, width = 0, first = 0;
    for (int i = 0; i < count; i++) {
        struct laid one = {.clean = strokes_clean(map, items[i].text.area, arena)};
        one.ink = trim(&one.clean);
        one.upwards = is_upwards(&items[i].text, one.ink);
        int w = one.ink.right - one.ink.left, h = one.ink.bottom - one.ink.top;
        if (!items[i].next) {
            level(&sheet, first, bottom);
            first = sheet.count;
            x = MARGIN;
            top = bottom > MARGIN ? bottom + GAP : MARGIN;
        }
        const struct look_shape *look = &looks[items[i].text.look];
        int high = (one.upwards ? w : h) * scale * look->high / (TENTHS * TENTHS);
        int wide = (one.upwards ? h : w) * scale * look->wide / (TENTHS * TENTHS) +
                   high * look->slant / PERCENT;
        int right = x + wide + MARGIN, low = top + high + MARGIN;
        bool fits = right <= SHEET_SIDE_MAX && low <= SHEET_SIDE_MAX &&
                    (int64_t)(right > width ? right : width + MARGIN) * low <= DOTS_MAX;
        if (w == 0 || !fits)
            continue;
        struct sheet_text *text = &sheet.text[sheet.count];
        *text = items[i].text;
        text->area = (struct area){x, top, x + wide, top + high};
        laid[sheet.count++] = one;
        x += wide + NEXT_GAP;
        width = text->area.right > width ? text->area.right : width;
        bottom = text->area.bottom > bottom ? text->area.bottom : bottom;
    }
    level(&sheet, first, bottom);
    if (sheet.count == 0)
        return sheet;
    width += MARGIN;
    int height = bottom + MARGIN;
    uint8_t *dots = arena_alloc(arena, (size_t)width * (size_t)height);
    memset(dots, WHITE, (size_t)width * (size_t)height);
    for (int i = 0; i < sheet.count; i++)
        draw(
            &laid[i].clean, laid[i].upwards, laid[i].ink, &looks[sheet.text[i].look], scale, dots,
            width, sheet.text[i].area);
    for (int i = 0; i < sheet.count; i++)
        finish(dots, width, &sheet.text[i]);
    sheet.gray = (struct gray){width, height, dots};
    return sheet;
}
