/* Online backup of an SQLite database. */
#pragma once

#include "base/progress_hook.h"
#include "db/db.h"

/* Writes a new file with mode 0600. It gets its name when it is whole and flushed; until then it is
 * PATH.part, which a failure removes, and which the next backup to PATH replaces after a kill.
 * Reports the bytes to `progress` (may be NULL). ERR_EXISTS: the file exists and is left alone.
 * ERR_BUSY: another backup to PATH runs. ERR_REFUSED: PostgreSQL; the reason names the pg_dump
 * command to run. */
enum err backup_write(
    struct db *db, const char *path, const struct progress_hook *progress, struct fail *fail);
