/*
 * `backfill senate-stock-watcher FILE`: the public dump of Senate periodic transaction reports up
 * to early 2021 as filings and trades that one person vouches for as a whole (decision 1).
 *
 * Cleaned, never guessed: what a row does not say is null, and what cannot be read is refused with
 * its reason. A refused row leaves its filing's other rows alone and their numbers unchanged. The
 * dump's own Bioguide ids are not used; people are matched by name and date (sources.md 4).
 */
#pragma once

#include "base/err.h"
#include "base/str.h"

struct db;

/* One thing that did not go in. Valid during the call only. */
struct stock_watcher_refusal {
    size_t record;        /* 1 for the first object of the file */
    struct str filing_id; /* null where the link could not be read */
    int row;              /* number on the page; 0: the whole filing */
    struct str reason;
};

struct stock_watcher_report {
    size_t filings_read, filings_added, filings_unchanged, filings_refused;
    size_t filings_without_rows; /* of those kept: on paper */
    size_t rows_read, trades_added, trades_unchanged, rows_refused;
    size_t people; /* distinct members matched */
};

/* `text` is the whole file; `name` is named in errors. One transaction; running it again changes
 * nothing. ERR_INVALID: not that file (line or record named), nothing written. ERR_REFUSED: a
 * database of invented data, or nothing that may go in. `refused` (may be NULL) is called for each
 * row or filing that stayed out, in the file's order. */
enum err stock_watcher_backfill(
    struct db *db, struct str name, struct str text, struct str by, int64_t now_ms,
    void (*refused)(void *ctx, const struct stock_watcher_refusal *), void *ctx,
    struct stock_watcher_report *ret, struct fail *fail) MUST_CHECK;
