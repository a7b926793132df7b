/* Maps SQLite result codes to enum err, with a reason for people. */
#pragma once

#include "base/err.h"
#include "base/str.h"

struct sqlite3;

/* `code` is the last result on `handle`, other than OK; `name` names the database. Aborts when
 * memory ran out. */
enum err sqlite_error(struct sqlite3 *handle, int code, struct str name, struct fail *fail);

/*
 * Wrappers of SQLite's functions that write and read files.
 *
 * SQLite reports only ENOSPC as SQLITE_FULL. Other write errors of a commit are I/O errors without
 * a cause, because sqlite3_system_errno is not set. So this wrapper of SQLite's write function
 * reports an exceeded quota or file-size limit as ENOSPC too. SQLite rolls such a commit back,
 * because its last page, which makes it valid, was not written.
 *
 * SQLite takes a read that failed (EIO) for a damaged file. With the wrapper it reports a failed
 * read.
 */

/* Installs the functions, once. Call before SQLite opens a file. */
void sqlite_full_install(void);
