/*
 * Restores a backup as a new SQLite database. The copy is written and checked as PATH.restoring,
 * and then renamed, but never over an existing file. A kill leaves at most PATH.restoring, which
 * the next call removes. Hold the server's lock of the target (store.h) from restore_begin to
 * restore_end.
 */
#pragma once

#include "base/progress_hook.h"
#include "db/db.h"

/* Copies FILE and returns the number of bytes. ret_url: the URL of the copy, in the arena.
 * ERR_EXISTS: the target exists, or files of a former database are beside it. ERR_REFUSED: FILE is
 * a database in use, not a backup, or the leftover of a killed call. ERR_NOT_FOUND: there is no
 * FILE. */
enum err restore_begin(
    const char *file, const char *path, const struct progress_hook *progress, struct arena *arena,
    struct str *ret_url, struct fail *fail);
/* Call it with the copy closed. ERR_EXISTS: somebody else created the target. ERR_IO, ERR_FULL: the
 * copy is incomplete, or the target exists but may not survive a power failure; the reason says
 * which. */
enum err restore_end(const char *path, struct fail *fail);
void restore_drop(const char *path); /* removes the copy */
