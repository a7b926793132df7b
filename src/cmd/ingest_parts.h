/* Shared by `ingest` and `sync`: both import documents and print a line for each. */
#pragma once

#include "ingest/ingest.h"

/* An ingest callback; ctx is the struct out. */
void ingest_show_line(void *ctx, const struct ingest_line *line);

/* Marks the database as real data, before any document is read. Runs inside a write transaction.
 * ERR_REFUSED: the database has demonstration data, or no members of Congress. */
enum err ingest_begin(struct db *db, void *ctx, struct fail *fail) MUST_CHECK;
