/*
 * Publishes bulk history one filing at a time, for data that does not fit into memory at once. One
 * transaction is open from publish_bulk_open to publish_bulk_close, and the caller may also write
 * the data that the filings need (members, tickers). publish_backfill uses it.
 */
#pragma once

#include "review/publish.h"
#include "store/row/meta.h"

struct publish_bulk;

/* Begins the transaction and marks the database as holding `data`. ERR_REFUSED: it holds the other
 * kind. */
enum err publish_bulk_open(
    struct db *db, enum meta_data data, struct str by, int64_t now_ms, struct publish_bulk **ret,
    struct fail *fail);

/* The approximate number of filings that follow. If there are many, and the database has no filings
 * yet, PostgreSQL checks foreign keys and builds indexes once at the end instead of row by row
 * (store/public/filing_bulk.h). */
enum err publish_bulk_expect(struct publish_bulk *b, int64_t filings, struct fail *fail);

/* Adds a filing that is not in the store yet and was filed before the first live publication
 * (decision 1). */
enum err publish_bulk_add(
    struct publish_bulk *b, const struct draft_filing *filing, struct fail *fail);

/* Writes the buffered filings and trades. Without this call, only some of those added so far are in
 * the store. */
enum err publish_bulk_write(struct publish_bulk *b, struct fail *fail);

/* Ends the transaction and frees the state: commits if `err` is OK and anything was added,
 * otherwise rolls back. Returns `err`, or the error of the commit. Sets *ret only on success. */
enum err publish_bulk_close(
    struct publish_bulk *b, enum err err, struct publish_result *ret, struct fail *fail);
