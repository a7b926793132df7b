/*
 * Reads a document of the ledger again, from its kept bytes and with this program's reader. The
 * reader gets better over time: rows that it read before keep their values until someone asks.
 * review/reread.h compares the result with the public trades.
 */
#pragma once

#include "base/crypto.h"
#include "ingest/ingest.h"
#include "rule/draft.h"

struct ingest_reread {
    struct str filing_id;
    int64_t version;        /* of the document */
    bool changed;           /* the reading differs from the stored one */
    struct draft_row *rows; /* as they are read now */
    size_t row_count;
    struct str reason;  /* why a person must look: unreadable, or a failed check; null: none */
    struct str reading; /* JSON, to be stored; null: too large */
    uint8_t content_sha256[SHA256_SIZE];
};

/* Reads the document of the newest draft; in the arena. Changes nothing. ERR_NOT_FOUND: there is no
 * such draft, it was entered by hand, or the bytes of its document were not kept. */
enum err ingest_reread(
    struct ingest *in, struct str filing_id, struct arena *arena, struct ingest_reread *ret,
    struct fail *fail);

/* Stores the new reading with its version. An untouched draft that waits for review is
 * rebuilt from it; *ret_rebuilt tells. Call it inside a write transaction. */
enum err ingest_reread_keep(
    struct ingest *in, const struct ingest_reread *reread, int64_t now_ms, struct arena *arena,
    bool *ret_rebuilt, struct fail *fail);
