/*
 * Imports documents into the ledger: hashes a file, reads it in confinement (paper/extract.h),
 * detects its type, matches its filer and writes the result in one transaction. A repeated command
 * resumes where the last one ended. Files may come in any order and more than once. Every file gets
 * an entry.
 */
#pragma once

#include <stdatomic.h>

#include "base/err.h"
#include "base/progress_hook.h"
#include "ingest/ingest_line.h"
#include "ingest/ingest_row.h"

struct db;
struct ingest;

/* Loads members and symbols and starts the extraction helper from the program `self`. */
enum err ingest_open(
    struct db *db, const char *self, ingest_line_fn *line, void *ctx, struct ingest **ret,
    struct fail *fail);
void ingest_close(struct ingest *in); /* NULL is fine */

/* How an import writes: passes `run` a database in a write transaction, and commits it if `run`
 * returns OK. */
typedef enum err ingest_run(struct db *db, void *ctx, struct fail *fail);
typedef enum err ingest_write(void *ctx, ingest_run *run, void *run_ctx, struct fail *fail);

/* From now on, files are written by `write`, instead of in transactions of the import's own
 * database, which may then be read-only. The line of a file is told before its commit. `stop` ends
 * the reading of a document with ERR_UNAVAILABLE soon after it is set; it must outlive `in`. */
void ingest_serve(struct ingest *in, ingest_write *write, void *ctx, const atomic_bool *stop);

/* Marks the database as one of real data. ERR_REFUSED: it has invented data, or no members of
 * Congress, so that no report would find its filer. Call it inside a write transaction. */
enum err ingest_prepare(struct db *db, struct fail *fail);

/* Imports one file. An unreadable file gets a refused entry with the reason; an error means that
 * the database or the machine failed. */
enum err ingest_file(struct ingest *in, const char *path, int64_t now_ms, struct fail *fail);

/* Imports the file open as `fd`, which remains the caller's. */
enum err ingest_open_file(
    struct ingest *in, const char *path, int fd, int64_t now_ms, struct fail *fail);

/* Imports bytes from another source under a file name. */
enum err ingest_bytes(
    struct ingest *in, struct str name, struct str bytes, int64_t now_ms, struct fail *fail);

/* Records a path that cannot be read, with the reason. The entry is removed when a file of that
 * name is read. */
enum err ingest_unreadable(
    struct ingest *in, const char *path, const char *reason, int64_t now_ms, struct fail *fail);

/* Imports the file, or every file below the folder in order of names. Skips hidden files. Skips,
 * with a line for each, symbolic links and special files inside the folder; `path` itself may be a
 * link. Records unreadable paths and continues. ERR_NOT_FOUND: there is no such path. */
enum err ingest_path(struct ingest *in, const char *path, int64_t now_ms, struct fail *fail);

/* The number of files that ingest_path will import: 1 for a file, 0 if there is no such path. */
int64_t ingest_count(const char *path);

/* From now on, tells the hook after each file how many of `total` are done, and of a scan the page
 * that is being read. It must outlive `in`. */
void ingest_tell(struct ingest *in, const struct progress_hook *hook, int64_t total);

/* Records every row in the ledger. A row whose page is not imported yet awaits its document. */
enum err ingest_search(
    struct ingest *in, const struct ingest_row *rows, size_t count, int64_t now_ms,
    struct fail *fail);

/* Records that the search listed all reports of a year: its rows are an index. */
enum err ingest_searched(struct ingest *in, int year, int64_t now_ms, struct fail *fail);

/* Matches the filers of reports that an index names and that were not matched before, or again of
 * all. Runs its own transaction. Call it after an import of members, and after a migration. */
enum err ingest_match_filers(struct db *db, bool again, struct fail *fail);

/* Refuses the entry with the reason, because the official site sent something else than the report.
 * Changes only an entry that awaits its document. */
enum err ingest_refuse(
    struct ingest *in, struct str kind, struct str source_id, struct str reason, int64_t now_ms,
    struct fail *fail);

/* Passes the caller's own line to the line function. */
void ingest_emit_line(struct ingest *in, const struct ingest_line *line);
