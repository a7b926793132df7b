/* Drawn forms; see drawn_form.h. */
#include "drawn_form.h"

#include <string.h>

#include "unit.h"

enum { BOX = 46, MARK = 30 };

const int drawn_boxes[] = {61, 427, 70, 65, 65, 65, 131, 150, 79, 80,
                           80, 80,  80, 80, 80, 80, 80,  80,  80, 0};
const int drawn_ruled[] = {105, 575, 53, 53, 53, 137, 138, 75, 75,
                           74,  74,  74, 74, 74, 74,  74,  74, 0};
const int drawn_list[] = {105, 575, 53, 53, 53, 137, 138, 75, 75, 75,
                          75,  75,  75, 75, 75, 75,  75,  75, 0};
const int drawn_senate[] = {33, 474, 58, 69, 59, 196, 62, 62, 62,
                            62, 62,  62, 62, 62, 62,  62, 62, 0};

static void paint(struct drawing *d, int left, int top, int width, int height, uint8_t colour)
{
    for (int y = top; y < top + height; y++)
        for (int x = left; x < left + width; x++)
            if (x >= 0 && y >= 0 && x < d->width && y < d->height)
                d->dots[y * d->width + x] = colour;
}

void drawn_ink(struct drawing *d, int left, int top, int width, int height)
{
    paint(d, left, top, width, height, 0);
}

void drawn_blank(struct drawing *d, int left, int top, int width, int height)
{
    paint(d, left, top, width, height, DRAWN_WHITE);
}

static void draw_box(struct drawing *d, int left, int top, int side)
{
    drawn_ink(d, left, top, side, DRAWN_THICK);
    drawn_ink(d, left, top + side - DRAWN_THICK, side, DRAWN_THICK);
    drawn_ink(d, left, top, DRAWN_THICK, side);
    drawn_ink(d, left + side - DRAWN_THICK, top, DRAWN_THICK, side);
}

void drawn_text(struct drawing *d, int left, int top, int width)
{
    for (int x = left; x < left + width; x += 12) {
        drawn_ink(d, x, top, 3, 18);
        drawn_ink(d, x, top + 8, 9, 3);
    }
}

void drawn_cross(struct drawing *d, int left, int top, int side)
{
    for (int i = 0; i < side; i++) {
        drawn_ink(d, left + i, top + i, DRAWN_THICK, DRAWN_THICK);
        drawn_ink(d, left + side - i, top + i, DRAWN_THICK, DRAWN_THICK);
    }
}

int drawn_top(int line)
{
    return DRAWN_TOP + DRAWN_HEAD + DRAWN_EXAMPLE + line * DRAWN_LINE;
}

struct drawing drawn_form(const int *widths, int lines, bool boxes)
{
    struct drawing d = {.width = DRAWN_WIDTH, .height = DRAWN_HEIGHT};
    d.dots = mem_alloc(DRAWN_WIDTH * DRAWN_HEIGHT);
    memset(d.dots, DRAWN_WHITE, DRAWN_WIDTH * DRAWN_HEIGHT);
    d.left[0] = DRAWN_LEFT;
    while (widths[d.columns]) {
        d.left[d.columns + 1] = d.left[d.columns] + widths[d.columns];
        d.columns++;
    }
    int width = d.left[d.columns] - DRAWN_LEFT, below = DRAWN_TOP + DRAWN_HEAD;
    for (int i = 0; i <= d.columns; i++)
        drawn_ink(&d, d.left[i], DRAWN_TOP, DRAWN_THICK, drawn_top(lines) - DRAWN_TOP);
    drawn_ink(&d, DRAWN_LEFT, DRAWN_TOP, width + DRAWN_THICK, DRAWN_THICK);
    for (int i = 0; i <= lines; i++)
        drawn_ink(&d, DRAWN_LEFT, drawn_top(i), width + DRAWN_THICK, DRAWN_THICK);
    drawn_ink(&d, DRAWN_LEFT, below, width, DRAWN_THICK);
    for (int i = 1; i < 5; i++) /* the lines for names above the table */
        drawn_ink(&d, DRAWN_LEFT, DRAWN_TOP - 90 * i, width, DRAWN_THICK);
    for (int i = 0; i < d.columns; i++)
        for (int k = 0; k < 4; k++)
            drawn_text(&d, d.left[i] + 14, DRAWN_TOP + 60 + 40 * k, d.left[i + 1] - d.left[i] - 24);
    drawn_text(&d, d.left[1] + 20, below + 14, 200);
    drawn_cross(&d, d.left[3] + 14, below + 12, 18);
    drawn_cross(&d, d.left[9] + 14, below + 12, 18);
    for (int line = 0; boxes && line < lines; line++)
        for (int i = 2; i < d.columns; i++)
            if (i < 6 || i > 7)
                draw_box(&d, d.left[i] + 12, drawn_top(line) + 15, BOX);
    return d;
}

void drawn_mark(struct drawing *d, int line, int column)
{
    int middle = (d->left[column] + d->left[column + 1]) / 2;
    drawn_cross(d, middle - MARK / 2, drawn_top(line) + 15 + (BOX - MARK) / 2, MARK);
}

void drawn_name(struct drawing *d, int line)
{
    drawn_text(d, d->left[1] + 20, drawn_top(line) + 30, 240);
}

void drawn_date(struct drawing *d, int line, int column)
{
    drawn_text(d, d->left[column] + 20, drawn_top(line) + 30, 80);
}

struct scan_page drawn_measure(const struct drawing *d, struct arena *arena)
{
    struct scan_page page = {0};
    struct gray gray = {d->width, d->height, d->dots};
    scan_page_measure(&gray, arena, &page);
    for (size_t i = 0; i < page.row_count; i++)
        assert_true(page_place_is_valid(&page.rows[i].place));
    return page;
}
