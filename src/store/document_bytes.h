/*
 * The bytes of documents as they came, one for each version that people may have to look at: what
 * was read from them can be held against them after the official site has changed or dropped them.
 */
#pragma once

#include "base/buf.h"
#include "store/db/db.h"

enum { DOCUMENT_BYTES_MAX = 64 * 1024 * 1024 };

/* Keeps the bytes of a version that has none yet; more than DOCUMENT_BYTES_MAX are not kept, which
 * is no error. Inside a write transaction. */
enum err document_bytes_add(struct db *db, int64_t version_no, struct str bytes, struct fail *fail)
    MUST_CHECK;

/* Appends them to `to`, which has room for DOCUMENT_BYTES_MAX. ERR_NOT_FOUND: none were kept. */
enum err document_bytes_read(struct db *db, int64_t version_no, struct buf *to, struct fail *fail)
    MUST_CHECK;
