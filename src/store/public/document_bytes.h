/*
 * The bytes of documents, one entry for each version that a person may have to look at, so that a
 * reading can be compared with its document after the official site changed or dropped it.
 */
#pragma once

#include "base/buf.h"
#include "db/db.h"

enum { DOCUMENT_BYTES_MAX = 64 * 1024 * 1024 };

/* Stores the bytes of a version that has none yet. More than DOCUMENT_BYTES_MAX are not stored,
 * which is not an error. Call inside a write transaction. */
enum err document_bytes_add(struct db *db, int64_t version_no, struct str bytes, struct fail *fail)
    MUST_CHECK;

/* Appends the bytes to `to`, which has room for DOCUMENT_BYTES_MAX. ERR_NOT_FOUND: not stored. */
enum err document_bytes_read(struct db *db, int64_t version_no, struct buf *to, struct fail *fail)
    MUST_CHECK;
