/*
 * `backfill senate-stock-watcher`: reads the dump (ingest), and publishes its drafts as bulk
 * history in one transaction (review). Here because neither part may know the other.
 */
#pragma once

#include "ingest/stock_watcher.h"

struct db;

struct backfill_report {
    size_t filings_read, filings_added, filings_unchanged, filings_refused;
    size_t filings_without_rows; /* of those kept: on paper */
    size_t rows_read, trades_added, rows_refused;
    size_t people;      /* distinct members with at least one trade */
    size_t filers;      /* distinct members, those with filings on paper only too */
    int64_t change_seq; /* what running servers must have taken in; 0: nothing changed */
};

/* `text` is the whole file; `name` is named in errors. Running it again changes nothing.
 * ERR_INVALID: not that file, nothing written. ERR_REFUSED: a database of invented data. */
enum err backfill_senate(
    struct db *db, struct str name, struct str text, struct str by, int64_t now_ms,
    stock_watcher_refused_fn *refused, void *ctx, struct backfill_report *ret,
    struct fail *fail) MUST_CHECK;
