/*
 * `tickers import`: names of companies, and fallback industries, for symbols: base maps and symbol
 * lists that others publish. Each file is told by its content:
 *
 *   S&P 500 constituents      CSV   name, and the industry of its GICS sub-industry
 *   SEC, companies            JSON  name
 *   SEC, companies by CIK     CSV   name
 *   Nasdaq-listed             CSV   name, and whether it is certainly a fund
 *   listed on other exchanges CSV   name, and whether it is certainly a fund
 *
 * Of several lists that have a symbol one gives both name and industry, so that a symbol that was
 * given to another is never half of each: the first in this order that has a word on the industry
 * (the S&P list always, if only that it is too mixed to tell; the listings of funds), otherwise the
 * first at all. The order of files and of imports does not matter for that: a stored row says which
 * list it is of. Nothing is removed: symbols that left the lists are in old filings.
 *
 * All of it is a fallback: the curated map (core/industry.h) wins wherever it has the symbol.
 */
#pragma once

#include "base/err.h"
#include "base/import_file.h"
#include "conflict/tickers_input.h"

struct db;

struct tickers_report {
    size_t lines; /* in all files */
    size_t refused;
    size_t symbols; /* distinct ones in the lines that were taken */
    size_t added, changed, unchanged;
    int64_t change_seq; /* of the notice: what running servers must have taken in; 0: no change */
};

/* All files are read before anything is written, then one transaction takes them in, with one
 * change notice when anything changed. `refused` may be NULL. ERR_INVALID names the file and the
 * line or element; ERR_LIMIT: a file is too large; ERR_REFUSED: a database of invented data. */
enum err tickers_import(
    struct db *db, const struct import_file *files, size_t count, tickers_refused_fn *refused,
    void *ctx, struct tickers_report *ret, struct fail *fail) MUST_CHECK;
