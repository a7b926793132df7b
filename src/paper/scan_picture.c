/* Pictures of scans; see scan_picture.h. */
#include "paper/scan_picture.h"

#include "base/memory_file.h"
#include "paper/document_copy.h"
#include "paper/upright.h"

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
