/*
 * The picture of a page, for reviewers who enter a scan by hand. A confined poppler child
 * (paper/extract.h) draws it from the bytes in the ledger (store/document_bytes.h).
 */
#pragma once

#include "paper/extract.h"
#include "store/db/db.h"

/* Writes a PNG of page `page` (from 1) of the latest version of the filing's document to `ret`,
 * which must be empty and have room for EXTRACT_PICTURE_SIZE_MAX. ERR_NOT_FOUND: no such document,
 * its file is not imported or was not kept, or it has no such page. ERR_REFUSED: it is not a PDF.
 * Other errors as in extract_picture. */
enum err picture_render(
    struct db *db, struct extractor *x, struct str filing_id, int page, struct buf *ret,
    struct fail *fail) MUST_CHECK;

/* A sealed, read-only copy for a confined child; -1 with errno. */
int picture_memory_file(struct str bytes);
