/* The Senate's search, read page by page into the ledger. Private to src/sync. */
#pragma once

#include "sync/sync_parts.h"

/* Reports filed in those years. A row that cannot be read is a wall: rows are never passed over. */
enum err sync_search(struct sync *s, int first_year, int last_year, struct fail *fail) MUST_CHECK;

/* One page of its answer, in the arena. ERR_INVALID: it is not of the known form.
 * *ret_total: how many rows there are in all. */
enum err sync_search_read(
    struct str json, struct arena *arena, struct ingest_row **ret_rows, size_t *ret_count,
    int64_t *ret_total, struct fail *fail) MUST_CHECK;
