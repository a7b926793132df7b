/* A copy of an SQLite database while it is in use. */
#pragma once

#include "store/db/db.h"

/* Writes a new file, mode 0600, and flushes it and its folder; removes it again on failure.
 * ERR_EXISTS: there is such a file, which stays. ERR_REFUSED: PostgreSQL; the reason names the
 * pg_dump command that does it. */
enum err backup_write(struct db *db, const char *path, struct fail *fail) MUST_CHECK;
