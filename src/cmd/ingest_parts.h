/* What `ingest` and `sync` share: both take documents in and show a line for each. */
#pragma once

#include "ingest/ingest.h"

/* ctx: the struct out. */
void ingest_show_line(void *ctx, const struct ingest_line *line);

/* Real documents and invented data never meet in one database. Inside a write transaction. */
enum err ingest_mark_real(struct db *db, void *ctx, struct fail *fail) MUST_CHECK;
