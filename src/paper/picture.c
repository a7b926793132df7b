/* Pictures of pages; see picture.h. */
#include "paper/picture.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/disk.h"
#include "paper/document_copy.h"
#include "store/desk/draft.h"
#include "store/desk/draft_row.h"
#include "store/public/document.h"

/* Pictures of scans. */

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
    FD_CLOSED int fd = document_copy_pdf(document, &err, fail);
    if (fd < 0)
        return err;
    TRY(extract_gray(x, fd, &part, &graymap, fail));
    return put(buf_view(&graymap), what, &space, ret, fail);
}

enum { SIDE = 2200 }; /* of a page of a scan: letter paper with 200 dots per inch */

/* "house-8220001": the document's kind and its official id. */
static enum err latest_version(
    struct db *db, struct str filing_id, struct arena *arena, int64_t *ret, struct fail *fail)
{
    struct document_entry entry;
    struct document_version version;
    struct str source_id = filing_id, kind;
    str_split(&source_id, '-', &kind);
    enum err err = document_find(db, kind, source_id, arena, &entry, fail);
    if (!err)
        err = document_version_latest(db, entry.no, &version, fail);
    if (!err)
        *ret = version.no;
    return err == ERR_NOT_FOUND ? fail_set(
                                      fail, err, "no file of %.*s is imported: there is no picture",
                                      STR_ARG(filing_id))
                                : err;
}

/* The version that the newest draft is made from; the latest, if there is none. */
static enum err find_version(
    struct db *db, struct str filing_id, struct arena *arena, int64_t *ret, struct fail *fail)
{
    struct draft draft;
    enum err err = draft_find(db, filing_id, arena, &draft, fail);
    if (err && err != ERR_NOT_FOUND)
        return err;
    *ret = err ? 0 : draft.is.document_version;
    return *ret ? OK : latest_version(db, filing_id, arena, ret, fail);
}

static enum err read_bytes(
    struct db *db, struct str filing_id, int64_t version, struct buf *to, struct fail *fail)
{
    enum err err = document_bytes_read(db, version, to, fail);
    return err == ERR_NOT_FOUND
               ? fail_set(
                     fail, err, "the file of %.*s was not kept: there is no picture",
                     STR_ARG(filing_id))
               : err;
}

static enum err draw_plain(
    struct extractor *x, struct str bytes, int page, struct buf *ret, struct fail *fail)
{
    enum err err;
    FD_CLOSED int fd = document_copy_pdf(bytes, &err, fail);
    if (fd < 0)
        return err;
    return extract_picture(x, fd, page, ret, fail);
}

/* What is drawn, from one version of a document. */
struct picture_source {
    struct str filing_id;
    int64_t version;
    struct scan_picture what;
    bool scan; /* the page is one of a scan */
};

static enum err find_page(
    struct db *db, struct arena *arena, struct picture_source *source, struct fail *fail)
{
    struct document_page_list pages;
    enum err err = document_page_load(db, source->version, arena, &pages, fail);
    for (size_t i = 0; !err && i < pages.count; i++)
        if (pages.items[i].page == source->what.page) {
            source->what.turn = pages.items[i].turn;
            source->what.skew = pages.items[i].skew;
            source->scan = true;
        }
    return err;
}

static enum err draw(
    struct db *db, struct extractor *x, const struct picture_source *source, struct buf *ret,
    struct fail *fail)
{
    BUF_SCOPED(bytes, DOCUMENT_BYTES_MAX);
    enum err err = read_bytes(db, source->filing_id, source->version, &bytes, fail);
    if (!err && source->scan)
        err = scan_picture_draw(x, buf_view(&bytes), &source->what, ret, fail);
    else if (!err)
        err = draw_plain(x, buf_view(&bytes), source->what.page, ret, fail);
    return err;
}

enum err picture_render(
    struct db *db, struct extractor *x, struct str filing_id, int page, struct buf *ret,
    struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct picture_source source = {.filing_id = filing_id, .what = {.page = page, .side = SIDE}};
    TRY(find_version(db, filing_id, &arena, &source.version, fail));
    TRY(find_page(db, &arena, &source, fail));
    return draw(db, x, &source, ret, fail);
}

static enum err find_row(
    struct db *db, int row, struct arena *arena, struct picture_source *source, struct fail *fail)
{
    struct draft draft;
    struct draft_row_list rows = {.count = 0};
    enum err err = draft_find(db, source->filing_id, arena, &draft, fail);
    if (!err)
        err = draft_row_load(db, draft.no, arena, &rows, fail);
    for (size_t i = 0; !err && i < rows.count; i++)
        if (rows.items[i].row == row && rows.items[i].place.width) {
            source->version = draft.is.document_version;
            source->what.page = rows.items[i].page;
            source->what.place = rows.items[i].place;
            return find_page(db, arena, source, fail);
        }
    return err ? err
               : fail_set(
                     fail, ERR_NOT_FOUND,
                     "row %d of %.*s was not read from a scan, so its place on a page is not known",
                     row, STR_ARG(source->filing_id));
}

enum err picture_render_row(
    struct db *db, struct extractor *x, struct str filing_id, int row, int *ret_page,
    struct buf *ret, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct picture_source source = {.filing_id = filing_id, .what.side = SIDE};
    enum err err = find_row(db, row, &arena, &source, fail);
    if (!err)
        err = draw(db, x, &source, ret, fail);
    *ret_page = source.what.page;
    return err;
}
