/*
 * Pictures for people who read published data: a page of a House report, and the strip of a page
 * on which one row stands. Drawn on request from the document's bytes, as small gray PNGs.
 */
#pragma once

#include "paper/extract.h"

/* The sizes on letter paper, on which the House prints; other paper gives other sizes. A strip is
 * higher if its row is. */
enum {
    ROW_PICTURE_DPI = 150,
    ROW_PICTURE_WIDTH = 1275,
    ROW_PICTURE_HEIGHT = 264,
    PAGE_PICTURE_DPI = 110,
    PAGE_PICTURE_WIDTH = 935,
    PAGE_PICTURE_HEIGHT = 1210,
    ROW_PICTURE_SIZE_MAX = 4 * 1024 * 1024, /* of the PNG */
};

/* Appends a PNG of the page to `ret`. If `row` is found on it, its lines are marked; 0: none is.
 * ERR_REFUSED: the document is not a PDF. Other errors as in extract_picture. */
enum err page_picture_draw(
    struct extractor *x, struct str document, int page, int row, struct buf *ret,
    struct fail *fail);

/* Appends a PNG of the strip with that row; what is above and below it is faded. If the row cannot
 * be found in the document: its whole page, and if `page` is 0, ERR_NOT_FOUND. Other errors as
 * above. */
enum err row_picture_draw(
    struct extractor *x, struct str document, int row, int page, struct buf *ret,
    struct fail *fail);
