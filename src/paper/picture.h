/*
 * The picture of a page, or of a row, for reviewers. A confined poppler child (paper/extract.h)
 * draws it from the bytes in the ledger (store/public/document.h). A scan is upright.
 */
#pragma once

#include "db/db.h"
#include "paper/extract.h"

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
