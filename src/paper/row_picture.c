/* Pictures of pages and rows; see row_picture.h. */
#include "paper/row_picture.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "paper/gray.h"
#include "paper/picture.h"
#include "paper/readers.h"

enum {
    POINTS_PER_INCH = 7200, /* hundredths */
    LETTER_DOTS = 11 * ROW_PICTURE_DPI,
    PADDING = 8,  /* around the row's letters, in dots */
    CONTEXT = 40, /* at least, above and below the row */
};

/* Faded outside of these lines of the whole page; to 0: nowhere. */
struct row_lines {
    int from, to;
};

static enum err put_png(
    struct str graymap, const struct extract_part *part, const struct row_lines *lines,
    struct buf *ret, struct fail *fail)
{
    struct gray gray;
    if (!gray_read(graymap, &gray))
        return fail_set(fail, ERR_INVALID, "the page cannot be drawn");
    /* of a page for which pdftoppm has not enough memory */
    if (gray.width == 1 && gray.height == 1)
        return fail_set(fail, ERR_LIMIT, "the page is too large to draw");
    int from = lines->to ? lines->from - part->top : 0;
    int to = lines->to ? lines->to - part->top : gray.height;
    return gray_png_put(ret, &gray, from, to)
               ? OK
               : fail_set(fail, ERR_LIMIT, "the picture of the page is too large");
}

static enum err draw(
    struct extractor *x, int document, const struct extract_part *part,
    const struct row_lines *lines, struct buf *ret, struct fail *fail)
{
    struct buf graymap;
    buf_init(&graymap, EXTRACT_PICTURE_SIZE_MAX);
    enum err err = extract_gray(x, document, part, &graymap, fail);
    if (!err)
        err = put_png(buf_view(&graymap), part, lines, ret, fail);
    buf_finish(&graymap);
    return err;
}

static enum err draw_page(
    struct extractor *x, int document, int page, struct buf *ret, struct fail *fail)
{
    static const struct row_lines all;
    const struct extract_part part = {.page = page, .dpi = PAGE_PICTURE_DPI};
    return draw(x, document, &part, &all, ret, fail);
}

/* A sealed copy; -1: it cannot be made, or it is not a PDF. */
static int open_pdf(struct str document, enum err *ret_err, struct fail *fail)
{
    size_t head = document.n < PAPER_SNIFF_SIZE ? document.n : PAPER_SNIFF_SIZE;
    if (paper_sniff(str_slice(document, 0, head)) != PAPER_PDF) {
        *ret_err = fail_set(fail, ERR_REFUSED, "only a PDF has pictures");
        return -1;
    }
    int fd = picture_memory_file(document);
    *ret_err = fd >= 0 ? OK
                       : fail_set(
                             fail, ERR_IO, "cannot create a memory file for the document: %s",
                             strerror(errno));
    return fd;
}

enum err page_picture_draw(
    struct extractor *x, struct str document, int page, struct buf *ret, struct fail *fail)
{
    enum err err;
    int fd = open_pdf(document, &err, fail);
    if (fd < 0)
        return err;
    err = draw_page(x, fd, page, ret, fail);
    close(fd);
    return err;
}

/* --- strips */

static int dots_of(int points)
{
    return (int)((int64_t)points * ROW_PICTURE_DPI / POINTS_PER_INCH);
}

/* The row in the middle of the strip, unless the page begins or ends there. */
static struct extract_part strip_of(const struct house_place *place, struct row_lines *ret_lines)
{
    int from = dots_of(place->top) - PADDING, to = dots_of(place->bottom) + PADDING;
    int height = to - from + 2 * CONTEXT;
    if (height < ROW_PICTURE_HEIGHT)
        height = ROW_PICTURE_HEIGHT;
    int top = from - (height - (to - from)) / 2;
    if (top + height > LETTER_DOTS && to <= LETTER_DOTS)
        top = LETTER_DOTS - height;
    *ret_lines = (struct row_lines){from, to};
    return (struct extract_part){
        .page = place->page,
        .dpi = ROW_PICTURE_DPI,
        .top = top > 0 ? top : 0,
        .height = height,
    };
}

static const struct house_place *find(const struct house_place *places, size_t count, int row)
{
    for (size_t i = 0; i < count; i++)
        if (places[i].row == row)
            return &places[i];
    return NULL;
}

/* *ret is NULL if the document has no such row: its page is drawn then. */
static enum err locate(
    struct extractor *x, int document, int row, struct arena *arena, const struct house_place **ret,
    struct fail *fail)
{
    struct house_place *places;
    size_t count;
    enum err err = extract_places(x, document, arena, &places, &count, fail);
    const struct house_place *place = err ? NULL : find(places, count, row);
    *ret = place && dots_of(place->bottom) < EXTRACT_DOTS_MAX / 2 ? place : NULL;
    return err == ERR_INVALID ? OK : err;
}

static enum err draw_row(
    struct extractor *x, int document, int row, int page, struct buf *ret, struct fail *fail)
{
    struct arena arena;
    struct row_lines lines;
    const struct house_place *place;
    arena_init(&arena);
    enum err err = locate(x, document, row, &arena, &place, fail);
    if (place) {
        const struct extract_part strip = strip_of(place, &lines);
        err = draw(x, document, &strip, &lines, ret, fail);
    } else if (!err && page) {
        err = draw_page(x, document, page, ret, fail);
    } else if (!err) {
        err = fail_set(fail, ERR_NOT_FOUND, "row %d is not found in the document", row);
    }
    arena_finish(&arena);
    return err;
}

enum err row_picture_draw(
    struct extractor *x, struct str document, int row, int page, struct buf *ret, struct fail *fail)
{
    enum err err;
    int fd = open_pdf(document, &err, fail);
    if (fd < 0)
        return err;
    err = draw_row(x, fd, row, page, ret, fail);
    close(fd);
    return err;
}
