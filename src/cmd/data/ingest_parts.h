/* Shared by `ingest` and `sync`: both import documents. */
#pragma once

#include "ingest/ingest.h"

/* Marks the database as real data, before any document is read. Runs inside a write transaction.
 * ERR_REFUSED: the database has demonstration data, or no members of Congress. */
enum err ingest_begin(struct db *db, void *ctx, struct fail *fail);
