/*
 * The read connection of one thread. It is opened when it is first needed; if that failed, the next
 * use tries again.
 */
#pragma once

#include "db/db.h"

struct db_reader;

/* Both must outlive the reader. *store_lost is the instant since when the database does not answer;
 * 0: it answers. A reader fails at once while it is set, so that no request waits for a database
 * that is known to be down. The reader that waited DB_READER_PATIENCE_MS in vain sets it; another
 * thread clears it when the database answers. NULL: it is never known. */
enum { DB_READER_PATIENCE_MS = 2000 };
struct db_reader *db_reader_create(struct str url, _Atomic int64_t *store_lost);
void db_reader_destroy(struct db_reader *reader); /* NULL is ignored */

/* Opens the store now, while descriptors are free. */
enum err db_reader_open(struct db_reader *reader, struct fail *fail);

/* Begins a snapshot for consistent reads. The reader owns the connection. */
enum err db_reader_begin(struct db_reader *reader, struct db **ret, struct fail *fail);
void db_reader_end(struct db_reader *reader); /* ends the snapshot */

/* After a begin that failed: a snapshot in which every statement is ERR_UNAVAILABLE, for callers
 * that can do without. Needs no end, and allows one. */
struct db *db_reader_lost(struct db_reader *reader);
