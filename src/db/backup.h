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

/* The backups of a folder: files with an instant in their names, and so an order. */

struct backup_list {
    struct str *files; /* with the folder, the oldest first; in the arena */
    int count;
};

/* Those that match the pattern of fnmatch. ERR_NOT_FOUND: there is no such folder. */
enum err backup_list(
    struct str folder, const char *pattern, struct arena *arena, struct backup_list *ret,
    struct fail *fail);

/* FOLDER/PREFIX-2026-11-28T08-30-00.123Z.SUFFIX: some file systems refuse colons. */
struct str backup_name(
    struct str folder, const char *prefix, int64_t now_ms, const char *suffix, struct arena *arena);
