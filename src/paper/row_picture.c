/* Pictures of pages and rows; see row_picture.h. */
#include "paper/row_picture.h"

#include "base/disk.h"
#include "paper/document_copy.h"
#include "paper/readers.h"
#include "scan/gray.h"

enum {
    POINTS_PER_INCH = 7200, /* hundredths */
    LETTER_DOTS = 11 * ROW_PICTURE_DPI,
    PADDING = 8,  /* around the row's letters, in dots */
    CONTEXT = 40, /* at least, above and below the row */
};

/* Where a row stands on its page; to 0: none stands out. Outside of it the picture is faded, unless
 * the row is marked. */
struct row_lines {
    int from, to;
    bool marked;
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
    bool room = lines->marked ? gray_png_put_marked(ret, &gray, from, to)
                              : gray_png_put(ret, &gray, lines->to ? GRAY_4 : GRAY_16, from, to);
    return room ? OK : fail_set(fail, ERR_LIMIT, "the picture of the page is too large");
}

static enum err draw(
    struct extractor *x, int document, const struct extract_part *part,
    const struct row_lines *lines, struct buf *ret, struct fail *fail)
{
    BUF_SCOPED(graymap, EXTRACT_PICTURE_SIZE_MAX);
    TRY(extract_gray(x, document, part, &graymap, fail));
    return put_png(buf_view(&graymap), part, lines, ret, fail);
}

/* --- where rows stand */

static int dots_of(int points, int dpi)
{
    return (int)((int64_t)points * dpi / POINTS_PER_INCH);
}

static struct row_lines lines_of(const struct house_place *place, int dpi)
{
    return (struct row_lines){
        dots_of(place->top, dpi) - PADDING, dots_of(place->bottom, dpi) + PADDING, false};
}

static const struct house_place *find(const struct house_place *places, size_t count, int row)
{
    for (size_t i = 0; i < count; i++)
        if (places[i].row == row)
            return &places[i];
    return NULL;
}

/* *ret is NULL if the document has no such row. */
static enum err locate(
    struct extractor *x, int document, int row, struct arena *arena, const struct house_place **ret,
    struct fail *fail)
{
    struct house_place *places;
    size_t count;
    enum err err = extract_places(x, document, arena, &places, &count, fail);
    const struct house_place *place = err ? NULL : find(places, count, row);
    bool near = place && dots_of(place->bottom, ROW_PICTURE_DPI) < EXTRACT_DOTS_MAX / 2;
    *ret = near ? place : NULL;
    return err == ERR_INVALID ? OK : err;
}

/* --- pages */

static enum err draw_page(
    struct extractor *x, int document, int page, int row, struct buf *ret, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct row_lines lines = {0, 0, false};
    const struct house_place *place = NULL;
    const struct extract_part part = {.page = page, .dpi = PAGE_PICTURE_DPI};
    enum err err = row ? locate(x, document, row, &arena, &place, fail) : OK;
    if (place && place->page == page) {
        lines = lines_of(place, PAGE_PICTURE_DPI);
        lines.marked = true;
    }
    return err ? err : draw(x, document, &part, &lines, ret, fail);
}

enum err page_picture_draw(
    struct extractor *x, struct str document, int page, int row, struct buf *ret, struct fail *fail)
{
    enum err err;
    FD_CLOSED int fd = document_copy_pdf(document, &err, fail);
    if (fd < 0)
        return err;
    return draw_page(x, fd, page, row, ret, fail);
}

/* --- strips */

/* The row in the middle of the strip, unless the page begins or ends there. */
static struct extract_part strip_of(const struct house_place *place, struct row_lines *ret_lines)
{
    struct row_lines lines = lines_of(place, ROW_PICTURE_DPI);
    int height = lines.to - lines.from + 2 * CONTEXT;
    if (height < ROW_PICTURE_HEIGHT)
        height = ROW_PICTURE_HEIGHT;
    int top = lines.from - (height - (lines.to - lines.from)) / 2;
    if (top + height > LETTER_DOTS && lines.to <= LETTER_DOTS)
        top = LETTER_DOTS - height;
    *ret_lines = lines;
    return (struct extract_part){
        .page = place->page,
        .dpi = ROW_PICTURE_DPI,
        .top = top > 0 ? top : 0,
        .height = height,
    };
}

static enum err draw_row(
    struct extractor *x, int document, int row, int page, struct buf *ret, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct row_lines lines;
    const struct house_place *place;
    enum err err = locate(x, document, row, &arena, &place, fail);
    if (place) {
        const struct extract_part strip = strip_of(place, &lines);
        err = draw(x, document, &strip, &lines, ret, fail);
    } else if (!err && page) {
        err = draw_page(x, document, page, 0, ret, fail);
    } else if (!err) {
        err = fail_set(fail, ERR_NOT_FOUND, "row %d is not found in the document", row);
    }
    return err;
}

enum err row_picture_draw(
    struct extractor *x, struct str document, int row, int page, struct buf *ret, struct fail *fail)
{
    enum err err;
    FD_CLOSED int fd = document_copy_pdf(document, &err, fail);
    if (fd < 0)
        return err;
    return draw_row(x, fd, row, page, ret, fail);
}
