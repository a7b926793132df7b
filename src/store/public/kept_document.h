/*
 * The document that published data was read from, if it is a House report or a scan whose bytes are
 * stored: its pages can be shown beside its rows.
 */
#pragma once

#include "base/crypto.h"
#include "db/db.h"
#include "paper/cell/cell_source.h"

struct kept_document {
    int64_t version_no; /* for document_bytes_read */
    uint8_t sha256[SHA256_SIZE];
};

/* ERR_NOT_FOUND: there is no such trade or filing, or no such document. */
enum err kept_document_of_trade(
    struct db *db, struct str trade_id, struct kept_document *ret, struct fail *fail);
enum err kept_document_of_filing(
    struct db *db, struct str filing_id, struct kept_document *ret, struct fail *fail);
/* Of the newest draft of the filing, public or not; of either chamber. */
enum err kept_document_of_draft(
    struct db *db, struct str filing_id, struct kept_document *ret, struct fail *fail);

/* Where a page of a scan, or a row on it, is found (store/public/document.h). */
struct kept_scan {
    bool known; /* false: the document is no scan, or has no such page or row */
    int page, turn, skew;
    struct page_place place; /* of a row; zero: the whole page */
};

enum err kept_scan_page(
    struct db *db, const struct kept_document *document, int page, struct kept_scan *ret,
    struct fail *fail);
/* Of a row that was read from the scan into a draft of that filing. */
enum err kept_scan_row(
    struct db *db, const struct kept_document *document, struct str filing_id, int row,
    struct kept_scan *ret, struct fail *fail);

/* A public row of a filing, and the page on which it begins (0: not known). */
struct kept_row {
    int row, page;
};

/* The rows published before before_ms (INT64_MAX: all), in the arena, by row. Rows of one filing
 * can be published at different times. */
enum err kept_document_rows(
    struct db *db, struct str filing_id, int64_t before_ms, struct arena *arena,
    struct kept_row **ret, size_t *ret_count, struct fail *fail);
