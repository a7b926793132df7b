/* A report while it is written into the ledger; only ledger*.c include this. */
#pragma once

#include "ingest/ledger.h"
#include "people/filer.h"
#include "store/desk/draft.h"

/* One report. */
struct ledger_report {
    const struct ledger *ledger;
    struct arena *arena;
    struct reading *reading;
    struct str file_name;
    struct document_entry entry;
    struct draft_new draft;
    int64_t now_ms;
    struct str json; /* the reading, before the ledger's own checks */
};

/* Makes the draft and the entry's state from the document and its index, with all checks. */
enum err ledger_make_draft(struct ledger_report *report, struct fail *fail);

/* Sets the first and last name as the index prints them: "Last, First". */
void ledger_index_name(const struct document_entry *entry, struct filer_query *query);

/* The rows of a reading as fields, in the arena. `filed_at`: INSTANT_NONE if it is not known. */
struct draft_row *ledger_rows(
    const struct ledger *l, const struct reading *reading, int64_t filed_at, struct arena *arena);

/* Adds the checks that the reading of a report or an index must have and has not, as failed. */
void ledger_complete_checks(struct reading *reading, enum chamber chamber);

/* The names and details of the failed checks; the null string: none failed. */
struct str ledger_failed_checks(const struct reading *reading, struct arena *arena);

/* Rebuilds the newest draft of the filing from the stored reading of its document, with all rows.
 * Does nothing if a reviewer has touched the draft; *ret_done tells. */
enum err ledger_rebuild(
    const struct ledger *l, struct str filing_id, int64_t now_ms, struct arena *arena,
    bool *ret_done, struct fail *fail);

/* Writes the draft with its rows in place of the previous one (see ledger_draft.c for
 * exceptions). */
enum err ledger_write_draft(struct ledger_report *report, int64_t version, struct fail *fail);

/* Inserts the rows of the reading into a draft that has none of these numbers. */
enum err ledger_insert_rows(struct ledger_report *report, int64_t draft_no, struct fail *fail);

/* --- scans */

/* Why a person must look at it. */
struct str ledger_scan_reason(const struct reading *reading, struct arena *arena);

/* Writes the pages of the reading, if it has any, as those of that version. */
enum err ledger_scan_pages(const struct ledger_report *report, int64_t version, struct fail *fail);

/* Puts the rows of the reading into a draft, which is locked, in place of those that were read
 * before. *ret_taken: false if a person has worked on it; then nothing changes. */
enum err ledger_scan_rows(
    struct ledger_report *report, struct draft *draft, bool *ret_taken, struct fail *fail);
