/*
 * Reads the public dump of Senate periodic transaction reports up to early 2021 into drafts
 * (decision 1: bulk history that one person confirms).
 *
 * Cleans the rows without guessing: a missing value is null, and an unreadable row is refused with
 * its reason. A refused row leaves the other rows of its filing and their numbers unchanged. The
 * dump's Bioguide ids are not used; members are matched by name and date (sources.md 4).
 */
#pragma once

#include "base/json_in.h"
#include "rule/draft.h"
#include "store/public/member.h"

/*
 * Unread paper filings: those of a list that has no trades for them. Each gets an entry of the
 * ledger in state needs_manual, and a draft without rows that has the member and the filing date. A
 * scan or a viewer page that arrives later is attached to that draft. The filing is published when
 * a reviewer has entered its rows.
 */

struct db;

struct unread_paper {
    struct draft_filing filing; /* without rows */
    struct str filer;           /* "Last, First", as the list has it */
};

/* Adds what is missing: the entry, its filing date and filer, the draft, its member and filing
 * date. Leaves a draft that a person has taken as it is. Call it inside a write transaction.
 * *ret_added: the draft is new. */
enum err unread_paper_record(
    struct db *db, const struct unread_paper *paper, struct str by, int64_t now_ms, bool *ret_added,
    struct fail *fail);

/* One refused row or filing. Valid during the call only. */
struct stock_watcher_refusal {
    size_t record;        /* 1 for the first object of the file */
    struct str filing_id; /* null: the link could not be read */
    int row;              /* number on the page; 0: the filing */
    struct str reason;
};

typedef void stock_watcher_refused_fn(void *ctx, const struct stock_watcher_refusal *refusal);

struct stock_watcher {
    struct arena arena; /* owns everything below */
    struct draft_document document;
    struct draft_filing *filings; /* with rows, in the file's order */
    size_t *records;              /* of each filing: the number of its record in the file, from 1 */
    size_t filing_count;
    size_t filings_read, filings_refused;
    struct unread_paper *papers; /* the dump has their filer and date, and no rows */
    size_t paper_count;
    size_t rows_read, rows_refused;
    size_t people; /* distinct members with at least one trade */
    size_t filers; /* distinct members matched, with or without trades */
};

/* `text` is the complete file; `name` appears in errors; `members` must outlive the result.
 * ERR_INVALID: the file is not the dump (the error names the line or record). `refused` (may be
 * NULL) is called for each refused row or filing, in the file's order. */
enum err stock_watcher_read(
    struct str name, struct str text, const struct member_list *members,
    stock_watcher_refused_fn *refused, void *ctx, struct stock_watcher **ret, struct fail *fail);
void stock_watcher_destroy(struct stock_watcher *sw);

/* Converts one row of the dump into one row of a draft. */

/* Returns NULL, or why the row is refused (in the arena). A row with the wrong structure is a
 * complaint in *j, because the file is then not the dump. The caller sets `ret->row`. */
const char *stock_watcher_row_read(
    struct arena *arena, struct json_in *j, const json_t *row, struct draft_row *ret);
