/* Online backup of an SQLite database. */
#pragma once

#include "base/progress_hook.h"
#include "store/db/db.h"

/* Writes a new file with mode 0600 and flushes it and its folder. Removes the file on failure.
 * Reports the bytes to `progress` (may be NULL). ERR_EXISTS: the file exists and is left alone.
 * ERR_REFUSED: PostgreSQL; the reason names the pg_dump command to run. */
enum err backup_write(
    struct db *db, const char *path, const struct progress_hook *progress,
    struct fail *fail) MUST_CHECK;
