/*
 * The read connection of one thread. It is opened when it is first needed; if that failed, the next
 * use tries again.
 */
#pragma once

#include "store/db/db.h"

struct db_reader;

/* Both must outlive the reader. Another thread sets *store_lost while the database does not answer.
 * A reader without a connection then fails at once, so that no request waits for a database that is
 * known to be down. NULL: it is never known. */
struct db_reader *db_reader_create(struct str url, const _Atomic bool *store_lost);
void db_reader_destroy(struct db_reader *reader); /* NULL is ignored */

/* Opens the store now, while descriptors are free. */
enum err db_reader_open(struct db_reader *reader, struct fail *fail) MUST_CHECK;

/* Begins a snapshot for consistent reads. The reader owns the connection. */
enum err db_reader_begin(struct db_reader *reader, struct db **ret, struct fail *fail) MUST_CHECK;
void db_reader_end(struct db_reader *reader); /* ends the snapshot */
