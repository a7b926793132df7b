/* What was read from a file, written into the store; the parts of ingest that touch it.
 * Private to src/ingest. */
#pragma once

#include "base/crypto.h"
#include "base/mem.h"
#include "ingest/ingest_line.h"
#include "ingest/ingest_row.h"
#include "people/match.h"
#include "paper/reading.h"
#include "store/document.h"
#include "store/ticker.h"

/* What a run holds. */
struct ledger {
    struct db *db;
    const struct match *match;
    const struct ticker_list *tickers;
    ingest_line_fn *line;
    void *ctx;
};

/* One file with what was read from it. */
struct ledger_file {
    struct str name; /* without folders */
    uint8_t sha256[SHA256_SIZE];
    int64_t bytes;
    struct str content; /* the bytes themselves; null: they are not to be kept */
    struct str unread;  /* id of the entry that these bytes had while nothing could be read; null */
    struct reading reading;
};

#define LEDGER_HOUSE STR("house")
#define LEDGER_SENATE STR("senate")
#define LEDGER_FILE STR("file") /* what has no official id */
#define LEDGER_INDEX STR("house-index")

void ledger_tell(
    const struct ledger *l, struct str document, enum ingest_status status, struct str filing_id,
    size_t rows, struct str reason);

/* A report with its official id (`kind` and `source_id`), read, a scan, or not readable. Inside a
 * write transaction. */
enum err ledger_report(
    const struct ledger *l, const struct ledger_file *file, struct str kind, struct str source_id,
    int64_t now_ms, struct arena *arena, struct fail *fail) MUST_CHECK;

/* Reads the last version of an entry into a fresh draft if what the index says now makes another
 * one of it. Nobody may have looked at it yet; otherwise nothing is done. */
enum err ledger_refresh(
    const struct ledger *l, const struct document_entry *entry, int64_t now_ms, struct arena *arena,
    struct fail *fail) MUST_CHECK;

/* Whether anything was read from that version. */
bool ledger_was_read(const struct document_version *version);

/* A report whose bytes are known, and that waits for a person whom nobody has been yet: what was
 * read is made into a draft anew (members and answers may have come), and *ret_read says that the
 * bytes should be read again, because it failed the last time. In a write transaction of its own.
 */
enum err ledger_again(
    const struct ledger *l, const struct document_entry *entry, const uint8_t sha256[SHA256_SIZE],
    int64_t now_ms, struct arena *arena, bool *ret_read, struct fail *fail) MUST_CHECK;

/* The yearly index. Inside a write transaction. */
enum err ledger_index(
    const struct ledger *l, const struct ledger_file *file, int64_t now_ms, struct arena *arena,
    struct fail *fail) MUST_CHECK;

/* A row of the Senate's search. Inside a write transaction. */
enum err ledger_row(
    const struct ledger *l, const struct ingest_row *row, int64_t now_ms, struct arena *arena,
    struct fail *fail) MUST_CHECK;
