/*
 * Documents into the ledger: a file is hashed, read in confinement (paper/extract.h), recognised,
 * matched to its filer and written as one transaction, so that the same command run again goes on
 * where it was ended. Files come in any order, again and again; nothing is dropped in silence.
 */
#pragma once

#include "base/err.h"
#include "base/str.h"
#include "ingest/ingest_line.h"
#include "ingest/ingest_row.h"

struct db;
struct ingest;

/* Loads members and symbols, starts the reading process. `self` is the program to start for it. */
enum err ingest_open(
    struct db *db, const char *self, ingest_line_fn *line, void *ctx, struct ingest **ret,
    struct fail *fail) MUST_CHECK;
void ingest_close(struct ingest *in); /* NULL is fine */

/* One file. A file that cannot be read becomes a refused entry with the reason; an error means that
 * the database or the machine failed. */
enum err ingest_file(struct ingest *in, const char *path, int64_t now_ms, struct fail *fail)
    MUST_CHECK;

/* What came from elsewhere under the name of a file. */
enum err ingest_bytes(
    struct ingest *in, struct str name, struct str bytes, int64_t now_ms,
    struct fail *fail) MUST_CHECK;

/* A path that cannot be read at all, into the ledger with that reason, until a file of its name is
 * read. */
enum err ingest_unreadable(
    struct ingest *in, const char *path, const char *reason, int64_t now_ms,
    struct fail *fail) MUST_CHECK;

/* The file, or every file below the folder, by name; hidden ones are passed over. What cannot be
 * read is told and passed over. ERR_NOT_FOUND: there is no such path. */
enum err ingest_path(struct ingest *in, const char *path, int64_t now_ms, struct fail *fail)
    MUST_CHECK;

/* Every row becomes an entry of the ledger, one that awaits its page where that has not come. */
enum err ingest_search(
    struct ingest *in, const struct ingest_row *rows, size_t count, int64_t now_ms,
    struct fail *fail) MUST_CHECK;

/* The report came from the official site, and what came is not the report: then that is what the
 * ledger says of it. An entry that does not await its document stays as it is. */
enum err ingest_refuse(
    struct ingest *in, struct str kind, struct str source_id, struct str reason, int64_t now_ms,
    struct fail *fail) MUST_CHECK;

/* A line of the caller's own. */
void ingest_tell(struct ingest *in, const struct ingest_line *line);
