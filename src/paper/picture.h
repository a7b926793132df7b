/*
 * The picture of a page, for people who enter by hand what a scan says: drawn from the bytes that
 * the ledger keeps (store/document_bytes.h), by poppler in a confined child (paper/extract.h).
 */
#pragma once

#include "paper/extract.h"
#include "store/db/db.h"

/* Puts a PNG of the page (from 1) of the filing's document, in its latest version, into `ret`,
 * which is empty and has room for EXTRACT_PICTURE_SIZE_MAX. ERR_NOT_FOUND: no such document, its
 * file has not come or was not kept, or it has no such page. ERR_REFUSED: it is not a PDF.
 * Otherwise as extract_picture fails. */
enum err picture_render(
    struct db *db, struct extractor *x, struct str filing_id, int page, struct buf *ret,
    struct fail *fail) MUST_CHECK;

/* A copy that nobody can write, for a confined child; -1 with errno. */
int picture_memory_file(struct str bytes);
