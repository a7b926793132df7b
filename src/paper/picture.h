/*
 * The picture of a page, or of a row, for reviewers. A confined poppler child (paper/extract.h)
 * draws it from the bytes in the ledger (store/public/document.h). A scan is upright.
 */
#pragma once

#include "db/db.h"
#include "paper/cell/cell_source.h"
#include "paper/extract.h"
#include "scan/gray.h"

/* Writes a PNG of page `page` (from 1) of the latest version of the filing's document to `ret`,
 * which must be empty and have room for EXTRACT_PICTURE_SIZE_MAX. ERR_NOT_FOUND: no such document,
 * its file is not imported or was not kept, or it has no such page. ERR_REFUSED: it is not a PDF.
 * Other errors as in extract_picture. */
enum err picture_render(
    struct db *db, struct extractor *x, struct str filing_id, int page, struct buf *ret,
    struct fail *fail);

/* The same of the strip on which a row of the newest draft stands. ERR_NOT_FOUND also: there is no
 * such row, or it was not read from a scan, so that its place is not known. *ret_page: its page. */
enum err picture_render_row(
    struct db *db, struct extractor *x, struct str filing_id, int row, int *ret_page,
    struct buf *ret, struct fail *fail);

/*
 * Pictures of scans for people: a page upright and straight, and the strip of it on which a row
 * stands. Drawn as small gray PNGs, as those of electronic reports (row_picture.h).
 */

enum {
    SCAN_STRIP_WIDTH = 1650, /* of letter paper that lies, with 150 dots per inch */
    SCAN_STRIP_HEIGHT = 230, /* about: a strip is as high as its row */
};

struct scan_picture {
    int page;                /* from 1 */
    int turn, skew;          /* as in struct reading_page */
    struct page_place place; /* of a row; zero: the whole page */
    bool marked;             /* the whole page, with the lines of that place marked */
    int side;                /* dots of the longer side of the page */
};

/* Appends a PNG to `ret`; what is above and below a row is faded, unless it is marked. ERR_REFUSED:
 * the document is not a PDF. Other errors as in extract_picture. */
enum err scan_picture_draw(
    struct extractor *x, struct str document, const struct scan_picture *what, struct buf *ret,
    struct fail *fail);

/* Turning a scanned page upright and straight, as the places of its rows are counted
 * (paper/cell/cell_source.h). */

/* Turns the page clockwise by `turn` degrees (0, 90, 180 or 270), and then by `skew` hundredths of
 * a degree about its middle, in its size; what comes from outside the page is white. `space` must
 * be empty and have room for its dots, which `ret` borrows. false: no room. */
bool upright_make(const struct gray *page, int turn, int skew, struct buf *space, struct gray *ret);
