/* Reads the Senate's search page by page into the ledger. Private to src/sync. */
#pragma once

#include "sync/sync_parts.h"

/* Fetches the reports filed in those years. An unreadable row is a wall, because skipping it could
 * miss a report. */
enum err sync_search(struct sync *s, int first_year, int last_year, struct fail *fail);

/* Parses one page of the answer, in the arena. ERR_INVALID: unknown format. *ret_total: the number
 * of rows of all pages. */
enum err sync_search_read(
    struct str json, struct arena *arena, struct ingest_row **ret_rows, size_t *ret_count,
    int64_t *ret_total, struct fail *fail);
