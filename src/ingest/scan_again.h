/*
 * Reads a scan of the ledger from its kept bytes, with this program's reader (paper/extract.h): one
 * that was imported before scans were read, or again because the reader is better now.
 */
#pragma once

#include "base/mem.h"
#include "ingest/ingest.h"

struct scan_again {
    size_t pages;
    size_t unread; /* of them, not read in full */
    size_t rows;
    bool taken; /* they are the rows of the draft now; false: a person has worked on it */
};

/* Replaces the rows of the newest draft, and the reading and the pages of its document. If a person
 * has worked on the draft, they stay; pages that were never read are added. Runs its own write
 * transaction after the reading. ERR_NOT_FOUND: no such draft, or its document was not kept.
 * ERR_REFUSED: it is not a scan. */
enum err scan_again(
    struct ingest *in, struct str filing_id, int64_t now_ms, struct arena *arena,
    struct scan_again *ret, struct fail *fail);
