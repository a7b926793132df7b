/*
 * The document that published data was read from, if it is a House report whose bytes are stored:
 * its pages can be shown beside its rows.
 */
#pragma once

#include "base/crypto.h"
#include "base/mem.h"
#include "store/db/db.h"

struct kept_document {
    int64_t version_no; /* for document_bytes_read */
    uint8_t sha256[SHA256_SIZE];
};

/* ERR_NOT_FOUND: there is no such trade or filing, or no such document. */
enum err kept_document_of_trade(
    struct db *db, struct str trade_id, struct kept_document *ret, struct fail *fail) MUST_CHECK;
enum err kept_document_of_filing(
    struct db *db, struct str filing_id, struct kept_document *ret, struct fail *fail) MUST_CHECK;

/* A public row of a filing, and the page on which it begins (0: not known). */
struct kept_row {
    int row, page;
};

/* In the arena, by row. */
enum err kept_document_rows(
    struct db *db, struct str filing_id, struct arena *arena, struct kept_row **ret,
    size_t *ret_count, struct fail *fail) MUST_CHECK;
