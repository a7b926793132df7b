/*
 * `tickers import`: imports company names and fallback industries for symbols from published symbol
 * lists (base maps). The content of a file identifies its list:
 *
 *   S&P 500 constituents      CSV   name, and the industry of its GICS sub-industry
 *   SEC, companies            JSON  name
 *   SEC, companies by CIK     CSV   name
 *   Nasdaq-listed             CSV   name, and whether it is certainly a fund
 *   listed on other exchanges CSV   name, and whether it is certainly a fund
 *
 * If several lists have a symbol, one of them gives both name and industry, because a reused symbol
 * must not mix two companies. It is the first list in this order that has a word on the industry
 * (the S&P list always, even as too mixed; the listings for funds), or else the first list at all.
 * The order of files and imports does not matter, because a stored row names its list. Symbols that
 * left the lists are kept, because old filings have them.
 *
 * The curated map (market/industry.h) wins over all lists.
 */
#pragma once

#include "conflict/tickers_input.h"
#include "conflict/tickers_read.h"
#include "store/public/ticker.h"

struct db;
struct progress_hook;

struct tickers_report {
    size_t lines; /* in all files */
    size_t refused;
    size_t symbols; /* distinct symbols of accepted lines */
    size_t added, changed, unchanged;
    int64_t change_seq; /* of the change notice that running servers must apply; 0: none */
};

/* Reads all files before it writes anything; then one transaction imports them, with one change
 * notice if anything changed. `refused` and `progress` may be NULL; `progress` receives the phases
 * of enum import_phase. ERR_INVALID names the file and the line or element. ERR_LIMIT: a file is
 * too large. ERR_REFUSED: the database holds invented data. */
enum err tickers_import(
    struct db *db, const struct import_file *files, size_t count, tickers_refused_fn *refused,
    void *ctx, const struct progress_hook *progress, struct tickers_report *ret, struct fail *fail);

/*
 * Merges the stored row of a symbol with the claims of the imported lists. Pure.
 *
 * The source text of a stored row names its list and, if that list has a word on the industry, the
 * basis: "S&P 500 list: Semiconductors", "Nasdaq list: a fund by its name", "SEC list of
 * companies". The next import uses it to rank the row against the lists.
 */

/* `stored` may be NULL. Strings are borrowed from both, or live in the arena. */
struct ticker tickers_merge(
    struct arena *arena, const struct ticker *stored, const struct tickers_entry *entry);
