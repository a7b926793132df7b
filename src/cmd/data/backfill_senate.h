/*
 * `backfill senate-stock-watcher`: reads the dump (part ingest) and publishes its filings as bulk
 * history in one transaction (part review). It is in cmd because ingest and review must not include
 * each other.
 */
#pragma once

#include "ingest/stock_watcher.h"

struct db;
struct progress_hook;

struct backfill_report {
    size_t filings_read, filings_added, filings_unchanged, filings_refused;
    size_t filings_without_rows; /* paper filings, among those not refused: not published */
    size_t papers_added;         /* of these: new drafts that wait for a person */
    size_t papers_withdrawn;     /* of these: listed by an earlier version, withdrawn */
    size_t rows_read, trades_added, rows_refused;
    size_t people;      /* distinct members with at least one trade */
    size_t filers;      /* distinct members with at least one filing, paper included */
    int64_t change_seq; /* change that running servers must apply; 0: nothing changed */
};

enum backfill_phase {
    BACKFILL_READ, /* the total is not known */
    BACKFILL_PUBLISH,
    BACKFILL_PAPERS
};

/* `text` is the content of the file; errors quote `name`. A second run changes nothing. `refused`
 * is called for each refused filing or row, and `progress` receives the filings of each phase; both
 * may be NULL. ERR_INVALID: the file is not the dump;
 * nothing was written. ERR_REFUSED: the database has demonstration data or no members. */
enum err backfill_senate(
    struct db *db, struct str name, struct str text, struct str by, int64_t now_ms,
    stock_watcher_refused_fn *refused, void *ctx, const struct progress_hook *progress,
    struct backfill_report *ret, struct fail *fail);
