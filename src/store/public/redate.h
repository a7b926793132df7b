/*
 * Stored instants of the future: what a clock that was ahead made public. They hold back everything
 * later (decision 1). redate moves them before now and keeps their order, renews the digests of
 * their rows, and appends to the chain over publications what the digests were. The table redated
 * keeps the old instants. A cursor of /changes that names one is not known any more.
 */
#pragma once

#include "db/db.h"

struct redate_found {
    int64_t count; /* different instants */
    int64_t first, last;
};

/* Those later than `now_ms`, or than the witness of credible.h if that is earlier. */
enum err redate_find(struct db *db, int64_t now_ms, struct redate_found *ret, struct fail *fail);

/* Inside a write transaction. *ret_first: where the oldest of them is now. ERR_CORRUPT: a row is
 * damaged: its new digest would vouch for the damage. */
enum err redate(
    struct db *db, struct str reason, int64_t now_ms, struct redate_found *ret, int64_t *ret_first,
    struct fail *fail);
