/* Writes readings of files into the store. Private to src/ingest. */
#pragma once

#include "ingest/ingest_line.h"
#include "ingest/ingest_row.h"
#include "paper/reading.h"
#include "people/match.h"
#include "store/public/document.h"
#include "store/public/ticker.h"

/* The state of one import run. */
struct ledger {
    struct db *db;
    const struct match *match;
    const struct ticker_list *tickers;
    ingest_line_fn *line;
    void *ctx;
};

/* One file and its reading. */
struct ledger_file {
    struct str name; /* without folders */
    uint8_t sha256[SHA256_SIZE];
    int64_t bytes;
    struct str content; /* the bytes; null: do not store them */
    struct str unread;  /* id of the entry of these bytes while they were unreadable; null: none */
    struct reading reading;
};

#define LEDGER_HOUSE STR("house")
#define LEDGER_SENATE STR("senate")
#define LEDGER_FILE STR("file") /* documents without an official id */
#define LEDGER_INDEX STR("house-index")
#define LEDGER_SEARCH STR("senate-index") /* all results of a search in one year */

/* The reason of a refused report. */
#define LEDGER_OTHER_FORM                                                                          \
    STR("the index lists it as another form, not a periodic transaction report")

void ledger_emit_line(
    const struct ledger *l, struct str document, enum ingest_status status, struct str filing_id,
    size_t rows, struct str reason);

/* Records a report with its official id (`kind` and `source_id`): read, scanned or unreadable. Call
 * it inside a write transaction. */
enum err ledger_report(
    const struct ledger *l, const struct ledger_file *file, struct str kind, struct str source_id,
    int64_t now_ms, struct arena *arena, struct fail *fail);

/* Rebuilds the draft of an entry from its last version if the index has changed its content. Does
 * nothing if a reviewer has touched the draft. */
enum err ledger_refresh(
    const struct ledger *l, const struct document_entry *entry, int64_t now_ms, struct arena *arena,
    struct fail *fail);

/* Reports whether the version has a reading. */
bool ledger_was_read(const struct document_version *version);

/* Handles the same bytes again for a report that waits for review and has no reviewer yet: rebuilds
 * its draft, because members may have been imported since. *ret_read: reading failed the last time,
 * so read the bytes again. Runs its own write transaction, unless one is open. */
enum err ledger_again(
    const struct ledger *l, const struct document_entry *entry, const uint8_t sha256[SHA256_SIZE],
    int64_t now_ms, struct arena *arena, bool *ret_read, struct fail *fail);

/* Records the yearly index. Call it inside a write transaction. */
enum err ledger_index(
    const struct ledger *l, const struct ledger_file *file, int64_t now_ms, struct arena *arena,
    struct fail *fail);

/* Matches the filers of the reports that indexes name and that were not matched yet, or all again:
 * members may have been imported since. Reports with a matched draft keep its member. Call it
 * inside a write transaction. */
enum err ledger_match_filers(
    const struct ledger *l, bool again, struct arena *arena, struct fail *fail);
/* The same of one report, whose row in the index changed. */
enum err ledger_match_entry(
    const struct ledger *l, const struct document_entry *entry, struct arena *arena,
    struct fail *fail);

/* Records a row of the Senate's search. Call it inside a write transaction. */
enum err ledger_row(
    const struct ledger *l, const struct ingest_row *row, int64_t now_ms, struct arena *arena,
    struct fail *fail);
