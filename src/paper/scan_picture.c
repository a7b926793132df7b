/* Pictures of scans; see scan_picture.h. */
#include "paper/scan_picture.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory_file.h"
#include "paper/document_copy.h"

/* Pages upright. */

enum {
    WHITE = 255,
    HUNDREDTHS = 18000, /* of half a turn */
    ONE = 1 << 16,      /* of a dot, in fixed point */
    HALF = ONE / 2,
};

static void turn_dots(const struct gray *page, int turn, struct gray *ret, uint8_t *dots)
{
    bool sideways = turn % 180 != 0;
    int width = sideways ? page->height : page->width;
    int height = sideways ? page->width : page->height;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int from_x = turn == 90    ? y
                         : turn == 180 ? width - 1 - x
                         : turn == 270 ? height - 1 - y
                                       : x;
            int from_y = turn == 90    ? width - 1 - x
                         : turn == 180 ? height - 1 - y
                         : turn == 270 ? x
                                       : y;
            dots[(size_t)y * (size_t)width + (size_t)x] =
                page->dots[(size_t)from_y * (size_t)page->width + (size_t)from_x];
        }
    *ret = (struct gray){width, height, dots};
}

static int dot_at(const struct gray *page, int64_t x, int64_t y)
{
    return x < 0 || y < 0 || x >= page->width || y >= page->height
               ? WHITE
               : page->dots[y * page->width + x];
}

/* The gray between four dots. */
static int gray_between(const struct gray *page, int64_t x, int64_t y)
{
    int64_t left = x >> 16, top = y >> 16, right = x & (ONE - 1), below = y & (ONE - 1);
    int64_t above = dot_at(page, left, top) * (ONE - right) + dot_at(page, left + 1, top) * right;
    int64_t under =
        dot_at(page, left, top + 1) * (ONE - right) + dot_at(page, left + 1, top + 1) * right;
    return (int)(((above >> 16) * (ONE - below) + (under >> 16) * below) >> 16);
}

static void straighten(const struct gray *page, int skew, uint8_t *dots)
{
    double angle = skew * M_PI / HUNDREDTHS;
    int64_t along = (int64_t)(cos(angle) * ONE), across = (int64_t)(sin(angle) * ONE);
    int64_t middle_x = (int64_t)(page->width - 1) * HALF,
            middle_y = (int64_t)(page->height - 1) * HALF;
    for (int y = 0; y < page->height; y++)
        for (int x = 0; x < page->width; x++) {
            int64_t dx = (int64_t)x * ONE - middle_x, dy = (int64_t)y * ONE - middle_y;
            int64_t from_x = middle_x + ((dx * along + dy * across) >> 16);
            int64_t from_y = middle_y + ((dy * along - dx * across) >> 16);
            dots[(size_t)y * (size_t)page->width + (size_t)x] =
                (uint8_t)gray_between(page, from_x, from_y);
        }
}

bool upright_make(const struct gray *page, int turn, int skew, struct buf *space, struct gray *ret)
{
    assert(turn >= 0 && turn < 360 && turn % 90 == 0 && space->n == 0);
    size_t size = (size_t)page->width * (size_t)page->height;
    char *room = buf_reserve(space, skew ? 2 * size : size);
    if (!room)
        return false;
    buf_commit(space, skew ? 2 * size : size);
    turn_dots(page, turn, ret, (uint8_t *)room);
    if (skew) {
        uint8_t *straight = (uint8_t *)room + size;
        straighten(ret, skew, straight);
        ret->dots = straight;
    }
    return true;
}

enum {
    CONTEXT_PARTS = 30, /* above and below a row: this part of the page's height */
};

static int line_of(const struct gray *page, int part)
{
    return (int)((int64_t)part * page->height / PAGE_PLACE_WHOLE);
}

/* The lines around those of a row; these are then counted from the first of them. */
static struct gray cut(const struct gray *page, int *from, int *to)
{
    int context = page->height / CONTEXT_PARTS;
    int top = *from > context ? *from - context : 0;
    int bottom = *to + context < page->height ? *to + context : page->height;
    if (bottom <= top)
        bottom = top + 1;
    *from -= top;
    *to -= top;
    return (struct gray){page->width, bottom - top, page->dots + (size_t)top * (size_t)page->width};
}

/* false: no room. */
static bool put_png(const struct gray *page, const struct scan_picture *what, struct buf *ret)
{
    int from = line_of(page, what->place.top);
    int to = line_of(page, what->place.top + what->place.height);
    if (!what->place.width)
        return gray_png_put(ret, page, GRAY_16, 0, page->height);
    if (what->marked)
        return gray_png_put_marked(ret, page, from, to);
    struct gray strip = cut(page, &from, &to);
    return gray_png_put(ret, &strip, GRAY_4, from, to);
}

static enum err put(
    struct str graymap, const struct scan_picture *what, struct buf *space, struct buf *ret,
    struct fail *fail)
{
    struct gray drawn, page;
    if (!gray_read(graymap, &drawn))
        return fail_set(fail, ERR_INVALID, "the page cannot be drawn");
    /* of a page for which pdftoppm has not enough memory */
    if (drawn.width == 1 && drawn.height == 1)
        return fail_set(fail, ERR_LIMIT, "the page is too large to draw");
    if (!upright_make(&drawn, what->turn, what->skew, space, &page))
        return fail_set(fail, ERR_LIMIT, "the page is too large to turn");
    return put_png(&page, what, ret)
               ? OK
               : fail_set(fail, ERR_LIMIT, "the picture of the page is too large");
}

enum err scan_picture_draw(
    struct extractor *x, struct str document, const struct scan_picture *what, struct buf *ret,
    struct fail *fail)
{
    const struct extract_part part = {.page = what->page, .side = what->side};
    BUF_SCOPED(space, 2 * EXTRACT_PICTURE_SIZE_MAX);
    BUF_SCOPED(graymap, EXTRACT_PICTURE_SIZE_MAX);
    enum err err;
    int fd = document_copy_pdf(document, &err, fail);
    if (fd < 0)
        return err;
    err = extract_gray(x, fd, &part, &graymap, fail);
    if (!err)
        err = put(buf_view(&graymap), what, &space, ret, fail);
    memory_file_close(fd);
    return err;
}
